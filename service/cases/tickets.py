"""Tickets: for what a browser asks for without headers, such as a stream of events. Good once, for a minute."""

from __future__ import annotations

import secrets

from service.cases import access, ledgers
from service.cases.context import Caller, Cases, digest_of
from service.games.moments import rfc3339
from service.rulesets.wire import Json

TICKET_S = 60


def give(cases: Cases, caller: Caller, game_id: str) -> Json:
    """A ticket with which somebody may read the game as the caller may, once."""
    loaded = ledgers.load(cases, game_id, caller)
    access.must_hold_role(caller, loaded.stored.visibility, loaded.roles)
    ticket = secrets.token_urlsafe(32)
    cases.beside.give_ticket(game_id, digest_of(ticket), " ".join(sorted(loaded.roles)), TICKET_S)
    return {"ticket": ticket, "expires_at": rfc3339(cases.now_ms() + 1000 * TICKET_S)}
