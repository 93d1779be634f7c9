"""Single-use tickets for browser requests that cannot send headers, such as event streams. Valid for up to a minute."""

from __future__ import annotations

import secrets

import orjson

from service.games.state.moments import rfc3339
from service.rulesets.wire import Json
from service.usecases.base import repository
from service.usecases.base.context import Caller, Context, digest_of

TICKET_S = 60


def is_good(context: Context, game_id: str, ticket: str) -> bool:
    """Return whether the ticket is valid for the game."""
    return context.tickets.exists(game_id, digest_of(ticket))


def issue(context: Context, caller: Caller, game_id: str) -> Json:
    """Issue a ticket that gives the caller's permission to read the game, once."""
    loaded = repository.load_with_role(context, game_id, caller)
    ticket = secrets.token_urlsafe(32)
    now = context.now_ms()
    expires = min(now + 1000 * TICKET_S, loaded.stored.expires_at_ms)
    context.tickets.add(game_id, digest_of(ticket), orjson.dumps([*(caller.credential or ())]), max(1, expires - now))
    return {"ticket": ticket, "expires_at": rfc3339(expires)}
