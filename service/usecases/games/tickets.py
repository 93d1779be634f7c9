"""Tickets: for what a browser asks for without headers, such as a stream of events. Good once, for a minute at most."""

from __future__ import annotations

import secrets

from service.games.state.moments import rfc3339
from service.rulesets.wire import Json
from service.usecases.base import access, repository
from service.usecases.base.context import Caller, Context, digest_of

TICKET_S = 60


def is_good(context: Context, game_id: str, ticket: str) -> bool:
    """Whether the ticket can be spent on the game."""
    return context.tickets.exists(game_id, digest_of(ticket))


def give(context: Context, caller: Caller, game_id: str) -> Json:
    """A ticket with which somebody may read the game as the caller may, once."""
    loaded = repository.load(context, game_id, caller)
    access.must_hold_role(caller, loaded.stored.visibility, loaded.roles)
    ticket = secrets.token_urlsafe(32)
    now = context.now_ms()
    expires = min(now + 1000 * TICKET_S, loaded.stored.expires_at_ms)
    context.tickets.add(game_id, digest_of(ticket), " ".join(sorted(loaded.roles)), max(1, expires - now))
    return {"ticket": ticket, "expires_at": rfc3339(expires)}
