"""Tickets: for what a browser asks for without headers, such as a stream of events. Good once, for a minute at most."""

from __future__ import annotations

import secrets

from service.cases import access, ledgers
from service.cases.context import Caller, Cases, digest_of
from service.games.moments import rfc3339
from service.rulesets.wire import Json

TICKET_S = 60


def is_good(cases: Cases, game_id: str, ticket: str) -> bool:
    """Whether the ticket can be spent on the game."""
    return cases.beside.has_ticket(game_id, digest_of(ticket))


def give(cases: Cases, caller: Caller, game_id: str) -> Json:
    """A ticket with which somebody may read the game as the caller may, once."""
    loaded = ledgers.load(cases, game_id, caller)
    access.must_hold_role(caller, loaded.stored.visibility, loaded.roles)
    ticket = secrets.token_urlsafe(32)
    now = cases.now_ms()
    expires = min(now + 1000 * TICKET_S, loaded.stored.expires_at_ms)
    cases.beside.give_ticket(game_id, digest_of(ticket), " ".join(sorted(loaded.roles)), max(1, expires - now))
    return {"ticket": ticket, "expires_at": rfc3339(expires)}
