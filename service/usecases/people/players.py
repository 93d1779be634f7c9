"""Players: profile, handle, tokens, and the games that wait for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from orjson import Fragment

from service.games.errors import GameError
from service.games.people_text import skeleton
from service.games.state.moments import rfc3339, seconds_until
from service.rulesets.wire import Json
from service.storage.base.follow_ups import FollowUp, LogEntry
from service.storage.base.optimistic import LostRaceError, optimistic
from service.storage.people.players import (
    MAX_TOKENS,
    PLAY,
    SCOPES,
    StoredIdentity,
    StoredPlayer,
    StoredToken,
)
from service.storage.people.reservations import HANDLE
from service.usecases.base import access, handles, reservations
from service.usecases.base.context import Caller, Context, digest_of
from service.usecases.base.profiles import player_json
from service.usecases.base.reservations import UNCONFIRMED_S
from service.usecases.games.tokens import RANDOM, SUCCESSOR, Issuer
from service.usecases.people import follow_ups
from service.usecases.views.summaries import summary_json

MAX_TURNS = 100
HANDLE_KEPT_S = 7 * 86_400  # minimum time between changes


# -------------------------------------------------------------------------------------------------------- profile


def create(
    context: Context,
    profile: dict[str, Any],
    ttl_s: int | None = None,
    issuer: Issuer = RANDOM,
    caller: Caller = Caller(),  # noqa: B008 - immutable
) -> Json:
    """Create a player with this profile (`name`, `bot`, `colour`, `country`). Return them with their first token.

    A repeated request creates no second player. `ttl_s`: lifetime if they do not return.
    """
    player = StoredPlayer(issuer.id_in(context), created_at=rfc3339(context.now_ms()), **profile)
    secret = issuer.player_token(player.id)
    if not context.players.create(
        player, _new_token(context, secret, None, SCOPES), ttl_s or context.settings.player_ttl_s
    ):
        player = context.players.get(player.id) or player  # an interrupted request created it
    access.record_address(context, caller, player.id)
    return {"player": player_json(player), "token": secret}


def get_own(context: Context, caller: Caller) -> Json:
    """Return the caller's profile."""
    return player_json(access.must_be_player(context, caller))


def get(context: Context, word: str) -> Json:
    """Return the public profile of the player with this id or handle. Raises: player/not_found."""
    return player_json(handles.must_find(context, word))


def change(context: Context, caller: Caller, changes: dict[str, Any]) -> Json:
    """Change the given fields of `name`, `colour` and `country`; null deletes one."""
    player = access.must_be_player(context, caller)
    if changes and not context.players.change(player, changes):
        raise GameError("auth/token_unknown")  # the player was deleted
    return get_own(context, caller)


def set_handle(context: Context, caller: Caller, handle: str | None) -> Json:
    """Change the caller's handle; None deletes it.

    Raises: player/handle_taken; player/handle_too_soon within a week of the last change.
    """

    def attempt() -> Json:
        player, now = access.must_be_player(context, caller), context.now_ms()
        if handle == player.handle:
            return player_json(player)
        old, new = [], [] if handle is None else [skeleton(handle)]
        if player.handle is not None:
            old = [handles.reserved_name(context, player.id, player.handle)]
        is_respelt = new == [skeleton(player.handle or "")]
        if not is_respelt and player.handle_at is not None and now < (free := player.handle_at + 1000 * HANDLE_KEPT_S):
            raise GameError("player/handle_too_soon", until=rfc3339(free), retry_after_s=seconds_until(free, now))
        if handle is not None:
            other = handles.find(context, handle)
            is_free = other is None or other.id == player.id
            if not is_free or not context.handles.reserve(new[0], player.id, UNCONFIRMED_S):
                raise GameError("player/handle_taken")
        follow_up = FollowUp(player.id, follow_ups.NAMES, {HANDLE: old + new})
        changes = {"handle": handle, **({} if player.handle is None else {"handle_at": str(now)})}
        scheduled = (follow_up, follow_ups.due_at(context))
        if not context.players.change(player, changes, unchanged="handle", follow_up=scheduled):
            raise LostRaceError
        follow_ups.execute_now(context, follow_up)
        return get_own(context, caller)

    return optimistic(attempt)


# --------------------------------------------------------------------------------------------------------- tokens


def _new_token(context: Context, secret: str, name: str | None, scopes: tuple[str, ...]) -> StoredToken:
    return StoredToken(digest_of(secret), name, scopes, rfc3339(context.now_ms()))


def rotate(context: Context, caller: Caller, issuer: Issuer = RANDOM) -> Json:
    """Replace the caller's token by a new one with the same scopes. The player's seats are not affected.

    A repeated request, whose token no longer works, gets the same new token.
    """
    secret = issuer.player_token(caller.player_id, SUCCESSOR)
    successor = replace(caller, token=secret)
    if issuer.is_repeated and access.holder_of(context, successor) is not None:
        return {"player": get_own(context, successor), "token": secret}

    def attempt() -> Json:
        player = access.must_be_player(context, caller)
        if player.token is None:
            raise GameError("auth/token_unknown")
        token = _new_token(context, secret, player.token.name, player.token.scopes)
        if not context.players.replace_token(player, token):
            raise LostRaceError
        return {"player": player_json(player), "token": secret}

    return optimistic(attempt)


def add_token(context: Context, caller: Caller, name: str | None, scopes: list[str], issuer: Issuer = RANDOM) -> Json:
    """Create another token for the caller, which is returned once. A repeated request creates no second one.

    Raises: limit/tokens.
    """
    player = access.must_be_player(context, caller)
    secret = issuer.player_token(player.id)
    token = _new_token(context, secret, name, SCOPES if PLAY in scopes else tuple(scopes))  # play includes read
    added = context.players.add_token(player, token)
    if added is None:
        raise GameError("auth/token_unknown")
    if not added:
        raise GameError("limit/tokens", limit=MAX_TOKENS)
    return {"token": secret, "details": _token_json(player, token)}


def issue_token(context: Context, player: StoredPlayer, name: str | None) -> Json:
    """Create another token for the player. If they have too many, revoke the least recently used one."""
    secret = RANDOM.player_token(player.id)
    token = _new_token(context, secret, name, SCOPES)
    while not (added := context.players.add_token(player, token)):
        if added is None:
            raise GameError("auth/token_unknown")
        tokens = context.players.tokens(player)
        context.players.drop_token(player, min(tokens, key=lambda one: one.used_at or one.created_at))
    return {"player": player_json(player), "token": secret}


def tokens(context: Context, caller: Caller) -> list[Json]:
    """Return the caller's tokens, oldest first."""
    return tokens_json(context, access.must_be_player(context, caller))


def tokens_json(context: Context, player: StoredPlayer) -> list[Json]:
    """Return the player's tokens, oldest first."""
    return [_token_json(player, token) for token in context.players.tokens(player)]


def drop_token(context: Context, caller: Caller, token_id: str) -> None:
    """Revoke one of the caller's tokens. Raises: token/not_found."""
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
    """Return the identities with which the caller can sign in."""
    return identities_json(context, access.must_be_player(context, caller))


def identities_json(context: Context, player: StoredPlayer) -> list[Json]:
    """Return the identities with which the player can sign in."""
    identities_by_provider = context.players.identities(player.id)
    return [identity_json(provider, identity) for provider, identity in identities_by_provider.items()]


def identity_json(provider: str, identity: StoredIdentity) -> Json:
    """Return an identity as JSON."""
    return {"provider": provider, "linked_at": identity.linked_at}


def delete(context: Context, caller: Caller) -> None:
    """Delete the caller. They resign their games, which are anonymized."""
    delete_account(context, access.must_be_player(context, caller))


def delete_account(context: Context, player: StoredPlayer, log_entry: LogEntry | None = None) -> bool:
    """Delete a player, as `delete` does. Return False if they do not exist any more, without an entry of the log."""
    follow_up = FollowUp(player.id, follow_ups.DELETION, reservations.names_of(context, player))
    is_deleted = context.players.delete(player, (follow_up, context.now_ms()), log_entry)
    if is_deleted:
        follow_ups.execute_now(context, follow_up)
    return is_deleted


# ---------------------------------------------------------------------------------------------------------- turns


def turns(context: Context, caller: Caller, timeout_s: float) -> list[Fragment]:
    """Return the games that wait for the caller, longest first. With a timeout, wait for one."""
    player = access.must_be_player(context, caller)
    waiting = _turns(context, player.id)
    if not waiting and timeout_s:
        context.hub.wait_for_turn(player.id, lambda: bool(context.players.turns(player.id, 1)), timeout_s)
        access.must_be_player(context, caller)  # the token may have ended
        waiting = _turns(context, player.id)
    return waiting


def _turns(context: Context, player_id: str) -> list[Fragment]:
    """Return the games that wait for the player. Expired ones are removed from the list."""
    ids = context.players.turns(player_id, MAX_TURNS)
    glances = context.store.glances(ids)
    context.players.remove_turns(
        player_id, (game_id for game_id, glance in zip(ids, glances, strict=True) if glance is None)
    )
    return [summary_json(glance.view) for glance in glances if glance is not None]
