"""Players: who they are, the tokens they show, and the games that wait for them."""

from __future__ import annotations

import secrets
from typing import Any

from orjson import Fragment

from service.games.errors import GameError
from service.games.state.moments import rfc3339
from service.rulesets.wire import Json
from service.storage.base.follow_ups import FollowUp
from service.storage.base.optimistic import LostRaceError, optimistic
from service.storage.people.claims import HANDLE
from service.storage.people.players import (
    MAX_BLOCKED,
    MAX_TOKENS,
    PLAY,
    SCOPES,
    StoredIdentity,
    StoredPlayer,
    StoredToken,
)
from service.usecases.base import access, claims, handles
from service.usecases.base.claims import UNCONFIRMED_S
from service.usecases.base.context import Caller, Context, digest_of
from service.usecases.base.profiles import player_json
from service.usecases.people import follow_ups
from service.usecases.views.summaries import summary_json

MAX_TURNS = 100
HANDLE_KEPT_S = 7 * 86_400  # before another may be chosen


# --------------------------------------------------------------------------------------------------- who they are


def create(context: Context, profile: dict[str, Any], ttl_s: int | None = None) -> Json:
    """A new player (of `name`, `bot`, `colour`, `country`) and their first token, which is shown once.

    `ttl_s`: how long they are kept if they do not come back.
    """
    player = StoredPlayer(context.players.new_id(), created_at=rfc3339(context.now_ms()), **profile)
    secret, token = _new_token(context, player, None, SCOPES)
    context.players.create(player, token, ttl_s or context.settings.player_ttl_s)
    return {"player": player_json(player), "token": secret}


def me(context: Context, caller: Caller) -> Json:
    """Who the caller is."""
    return player_json(access.must_be_player(context, caller))


def look(context: Context, word: str) -> Json:
    """The player of this id or handle, as everybody may see them. player/not_found."""
    return player_json(handles.found(context, word))


def change(context: Context, caller: Caller, changes: dict[str, Any]) -> Json:
    """Change `name`, `colour`, `country`, those that are named; null drops one."""
    player = access.must_be_player(context, caller)
    if changes and not context.players.change(player, changes):
        raise GameError("auth/token_unknown")  # the player is gone
    return me(context, caller)


def set_handle(context: Context, caller: Caller, handle: str | None) -> Json:
    """Have the caller be found by this handle; None: by none any more.

    player/handle_taken; player/handle_too_soon within a week of the last change.
    """

    def attempt() -> Json:
        player, now = access.must_be_player(context, caller), context.now_ms()
        if handle == player.handle:
            return player_json(player)
        before = [] if player.handle is None else [player.handle]
        new = [] if handle is None else [handle]
        is_respelt = bool(before and new) and handles.folded(before[0]) == handles.folded(new[0])
        if not is_respelt and player.handle_at is not None and now < (free := player.handle_at + 1000 * HANDLE_KEPT_S):
            raise GameError("player/handle_too_soon", until=rfc3339(free))
        if new and not context.handles.claim(handles.folded(new[0]), player.id, UNCONFIRMED_S):
            raise GameError("player/handle_taken")
        follow_up = FollowUp(player.id, follow_ups.NAMES, {HANDLE: [handles.folded(word) for word in (*before, *new)]})
        changes = {"handle": handle, **({"handle_at": str(now)} if before else {})}
        noted = (follow_up, follow_ups.due_at(context))
        if not context.players.change(player, changes, unchanged="handle", follow_up=noted):
            raise LostRaceError
        follow_ups.do_at_once(context, follow_up)
        return me(context, caller)

    return optimistic(attempt)


# --------------------------------------------------------------------------------------------------------- tokens


def _new_token(
    context: Context, player: StoredPlayer, name: str | None, scopes: tuple[str, ...]
) -> tuple[str, StoredToken]:
    """A token, and what is kept of it."""
    secret = f"{player.id}.{secrets.token_urlsafe(32)}"
    return secret, StoredToken(digest_of(secret), name, scopes, rfc3339(context.now_ms()))


def rotate(context: Context, caller: Caller) -> Json:
    """A new token instead of the caller's, for the same; the old one ends. Their seats stay theirs."""

    def attempt() -> Json:
        player = access.must_be_player(context, caller)
        if player.token is None:
            raise GameError("auth/token_unknown")
        secret, token = _new_token(context, player, player.token.name, player.token.scopes)
        if not context.players.replace_token(player, token):
            raise LostRaceError
        return {"player": player_json(player), "token": secret}

    return optimistic(attempt)


def add_token(context: Context, caller: Caller, name: str | None, scopes: list[str]) -> Json:
    """One more token of the caller, which is shown once. limit/tokens."""
    player = access.must_be_player(context, caller)
    kept = SCOPES if PLAY in scopes else tuple(scopes)  # who may play may read
    secret, token = _new_token(context, player, name, kept)
    added = context.players.add_token(player, token)
    if added is None:
        raise GameError("auth/token_unknown")
    if not added:
        raise GameError("limit/tokens", limit=MAX_TOKENS)
    return {"token": secret, "details": _token_json(player, token)}


def given_token(context: Context, player: StoredPlayer, name: str | None) -> Json:
    """One more token of the player, who is here; of too many, the one ends that was used longest ago."""
    secret, token = _new_token(context, player, name, SCOPES)
    while not (added := context.players.add_token(player, token)):
        if added is None:
            raise GameError("auth/token_unknown")
        every = context.players.tokens(player)
        context.players.drop_token(player, min(every, key=lambda one: one.used_at or one.created_at))
    return {"player": player_json(player), "token": secret}


def tokens(context: Context, caller: Caller) -> list[Json]:
    """The caller's tokens, oldest first."""
    player = access.must_be_player(context, caller)
    return [_token_json(player, token) for token in context.players.tokens(player)]


def drop_token(context: Context, caller: Caller, token_id: str) -> None:
    """One of the caller's tokens ends. token/not_found."""
    player = access.must_be_player(context, caller)
    token = next((one for one in context.players.tokens(player) if one.id == token_id), None)
    if token is None:
        raise GameError("token/not_found")
    context.players.drop_token(player, token)


def _token_json(player: StoredPlayer, token: StoredToken) -> Json:
    is_current = player.token is not None and player.token.digest == token.digest
    members = {name: getattr(token, name) for name in ("id", "name", "scopes", "created_at", "used_at")}
    return {**members, "current": is_current}


def identities(context: Context, caller: Caller) -> list[Json]:
    """Who the caller is elsewhere, by what they can sign in."""
    every = context.players.identities(access.must_be_player(context, caller).id)
    return [identity_json(provider, identity) for provider, identity in every.items()]


def identity_json(provider: str, identity: StoredIdentity) -> Json:
    """What is told of an identity."""
    return {"provider": provider, "linked_at": identity.linked_at}


# -------------------------------------------------------------------------------------------------- others, the end


def block(context: Context, caller: Caller, word: str) -> None:
    """The player of this id or handle sits down with the caller no more, nor writes to them.

    player/not_found, player/yourself, limit/blocked.
    """
    player, other = access.must_be_player(context, caller), handles.found(context, word)
    if other.id == player.id:
        raise GameError("player/yourself")
    done = context.players.block(player, other.id, rfc3339(context.now_ms()))
    if done is None:
        raise GameError("auth/token_unknown")
    if not done:
        raise GameError("limit/blocked", limit=MAX_BLOCKED)


def unblock(context: Context, caller: Caller, word: str) -> None:
    """They may again. Nothing changes where they are not blocked. `word`: an id, or a handle."""
    player, other = access.must_be_player(context, caller), handles.find(context, word)
    context.players.unblock(player, word if other is None else other.id)


def blocked(context: Context, caller: Caller) -> list[Json]:
    """Whom the caller has blocked, oldest first; of those who are gone, the id."""
    kept = context.players.blocked(access.must_be_player(context, caller))
    others = context.players.every(kept)
    return [
        {"id": other_id, "player": None if other is None else player_json(other), "blocked_at": at}
        for (other_id, at), other in zip(kept.items(), others, strict=True)
    ]


def delete(context: Context, caller: Caller) -> None:
    """The caller is no more: their seats are given up, and their games forget who they were."""
    player = access.must_be_player(context, caller)
    follow_up = FollowUp(player.id, follow_ups.FAREWELL, claims.of(context, player))
    if context.players.delete(player, (follow_up, context.now_ms())):
        follow_ups.do_at_once(context, follow_up)


# ---------------------------------------------------------------------------------------------------------- turns


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
    ids = context.players.turns(player_id, MAX_TURNS)
    glances = context.store.glances(ids)
    context.players.forget(player_id, (game_id for game_id, seen in zip(ids, glances, strict=True) if seen is None))
    return [summary_json(seen.view) for seen in glances if seen is not None]
