"""Players: anonymous, by one token, and what waits for them."""

from __future__ import annotations

import secrets

from orjson import Fragment

from service.games.moments import rfc3339
from service.rulesets.wire import Json
from service.storage.keys import PLAYER_ID_BYTES
from service.storage.players import StoredPlayer
from service.usecases.core import access, summaries
from service.usecases.core.context import Caller, Context, digest_of
from service.usecases.core.summaries import summary_json

MOST_TURNS = 100


def create(context: Context, name: str | None) -> Json:
    """A new player and its token, which is shown once."""
    player_id = secrets.token_urlsafe(PLAYER_ID_BYTES)
    return _keep(context, player_id, name, rfc3339(context.now_ms()))


def rotate(context: Context, caller: Caller) -> Json:
    """The caller's new token; the old one ends. Their seats stay theirs."""
    player = access.must_be_player(context, caller)
    return _keep(context, player.id, player.name, player.created_at)


def _keep(context: Context, player_id: str, name: str | None, created_at: str) -> Json:
    token = f"{player_id}.{secrets.token_urlsafe(32)}"
    player = StoredPlayer(player_id, name, digest_of(token), created_at)
    context.players.put(player, context.settings.player_ttl_s)
    return {"player": _player_json(player), "token": token}


def me(context: Context, caller: Caller) -> Json:
    """Who the caller is."""
    return _player_json(access.must_be_player(context, caller))


def _player_json(player: StoredPlayer) -> Json:
    return {"id": player.id, "name": player.name, "created_at": player.created_at}


def turns(context: Context, caller: Caller, timeout_s: float) -> list[Fragment]:
    """The games that wait for the caller's decision, longest waiting first; with a time-out, as soon as one does."""
    player = access.must_be_player(context, caller)
    waiting = _turns(context, player.id)
    if not waiting and timeout_s:
        context.hub.wait_for_turn(player.id, lambda: bool(context.players.turns(player.id, 1)), timeout_s)
        waiting = _turns(context, player.id)
    return waiting


def _turns(context: Context, player_id: str) -> list[Fragment]:
    """The games that wait for the player; those that have expired are forgotten."""
    ids = context.players.turns(player_id, MOST_TURNS)
    glances = context.store.glances(ids)
    context.players.forget(player_id, (game_id for game_id, seen in zip(ids, glances, strict=True) if seen is None))
    return [summary_json(seen.view) for seen in glances if seen is not None]


def games(context: Context, caller: Caller, cursor: str | None, limit: int) -> tuple[list[Fragment], str | None]:
    """The games the caller has a seat in, last changed first, and the cursor of the next page. ValueError: cursor."""
    player = access.must_be_player(context, caller)
    page = context.players.games(player.id, cursor, limit)
    return summaries.of(page, (game_id for game_id, _ in page.games)), page.cursor
