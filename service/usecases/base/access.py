"""Permissions. The roles in a game are `host`, `watch`, `invite`, `seat:<number>` and `admin`.

Each of the game's own tokens has one role. A player may have several: their seats, and `host` in games they created.
Anyone who knows the id can read a public or unlisted game. Without a role, a private game looks like an unknown id.

A token that a player gets in a response names the player's token (`Credential.token_id`), and ends with it: when the
player is banned or deleted, or that token is revoked. It is checked in the round trip that reads the roles. Streams
check it again and again (`until_refused`).
"""

from __future__ import annotations

import hmac
import ipaddress
import re
import time
from collections.abc import Callable, Generator, Iterable
from dataclasses import replace
from typing import Any, TypeVar

import orjson

from service.games.errors import GameError
from service.games.state.model import Game
from service.games.state.moments import rfc3339, seconds_until
from service.games.state.seats import SEAT
from service.storage.base.follow_ups import OPERATOR, Actor
from service.storage.base.pipelining import Question, ask
from service.storage.games.hub import KEEP_ALIVE_S
from service.storage.people.moderation import MODERATOR, StoredMember
from service.storage.people.players import PLAY, StoredPlayer
from service.storage.people.ratings import MAX_ABORTED
from service.usecases.base import published_bots, reservations
from service.usecases.base.context import Caller, Context, Credential, digest_of

Item = TypeVar("Item")
HOST, WATCH, INVITE, ADMIN = "host", "watch", "invite", "admin"
Roles = frozenset[str]
NOBODY: Roles = frozenset()
CHECK_S = KEEP_ALIVE_S
"""How often a stream that everybody may read checks the caller's token: once per keep-alive."""
STAFF_TOKEN = re.compile(r"staff\.([A-Za-z0-9_-]{16,17})\.[A-Za-z0-9_-]{43}")
"""The token of a member of staff, with the member's id."""
RENEWED_BELOW = 0.99  # renew a player's expiry when less than 99 % of it is left


def player_of(context: Context, caller: Caller) -> StoredPlayer | None:
    """Return the player whose token the caller sent and extend their lifetime, or None for other tokens.

    Raises: auth/token_unknown, auth/read_only.
    """
    if caller.player_id is None:
        return None
    return authenticate(context, caller, context.players.get(caller.player_id, caller.digest))


def authenticate(context: Context, caller: Caller, player: StoredPlayer | None) -> StoredPlayer:
    """Return the player after checking that the token is valid for this request, and extend their lifetime.

    `player` was read with the caller's token. Raises: auth/token_unknown, auth/read_only.
    """
    if player is None or player.token is None or player.banned_at is not None:
        raise GameError("auth/token_unknown")
    if caller.changes and PLAY not in player.token.scopes:
        raise GameError("auth/read_only")
    ttl_s = context.settings.player_ttl_s
    if player.ttl_s < RENEWED_BELOW * ttl_s:
        reservations.extend(context, player, ttl_s)
        for store in (context.ratings, context.statistics, context.puzzle_attempts, context.archive_queue):
            store.keep(player.id, ttl_s)
        player = context.players.keep(player, ttl_s, rfc3339(context.now_ms()))
        record_address(context, caller, player.id)
        if any([hooks.keep(player.id, ttl_s) for hooks in context.all_hooks]):  # noqa: C419 - both
            context.outbox.subscribe(player.id, ttl_s)
    if player.bot:
        published_bots.record_presence(context, player)
    return player


def record_address(context: Context, caller: Caller, player_id: str) -> None:
    """Record a digest of the caller's address for moderators, unless an application sends the request for others."""
    if not context.settings.links_players:
        return
    try:
        ipaddress.ip_network(caller.origin)
    except ValueError:
        return
    context.moderation.address_links.record(player_id, caller.origin, context.now_ms())


def must_be_player(context: Context, caller: Caller) -> StoredPlayer:
    """Return the player who sends the request.

    Raises: auth/token_required, auth/token_unknown, auth/player_required for a token of another kind.
    """
    if caller.token is None:
        raise GameError("auth/token_required")
    player = player_of(context, caller)
    if player is None:
        raise GameError("auth/player_required")
    return player


def owner_question(context: Context, caller: Caller) -> Question[Any]:
    """Return the question about the player to whom the caller's token belongs. It is empty if there is none.

    `is_valid` uses the answer.
    """
    credential = caller.credential
    if credential is None or credential.owner is None:
        return Question((), bool)
    if credential.token_id is None:
        return context.players.question(credential.owner, credential.digest)
    return context.players.issuer_question(credential.owner, credential.token_id)


def is_valid(context: Context, caller: Caller, owner: Question[Any]) -> bool:
    """Return False if the caller's token belongs to a player and has ended. `owner`: answered `owner_question`.

    Raises: auth/read_only.
    """
    if caller.player_id is None:
        return not caller.issuer or bool(owner.answer)
    try:
        authenticate(context, caller, owner.answer)
    except GameError as error:
        if error.code != "auth/token_unknown":
            raise
        return False
    return True


def holder_of(context: Context, caller: Caller) -> str | None:
    """Return the name under which the game stores the caller's roles, or None if they cannot have any."""
    owner = owner_question(context, caller)
    ask(context.store.redis, owner)
    return caller.holder if is_valid(context, caller, owner) else None


def is_admin(context: Context, caller: Caller) -> bool:
    """Return whether the caller sent the operator's token. False if no operator's token is configured."""
    admin_token = context.settings.admin_token
    return caller.may_guess and bool(admin_token) and hmac.compare_digest(digest_of(admin_token), caller.digest or "")


def must_be_staff(context: Context, caller: Caller, role: str = MODERATOR) -> Actor:
    """Return the member of staff who sends the request. Admins may do what moderators may; the operator is an admin.

    Raises: auth/token_required, auth/token_unknown, auth/staff_only for a token of another kind, auth/admin_only.
    """
    if caller.token is None:
        raise GameError("auth/token_required")
    if is_admin(context, caller):
        return OPERATOR
    if not STAFF_TOKEN.fullmatch(caller.token):
        raise GameError("auth/staff_only")
    member = _member_of(context, caller)
    if member is None:
        raise GameError("auth/token_unknown")
    if role not in (MODERATOR, member.role):
        raise GameError("auth/admin_only")
    return Actor(member.id, member.name)


def is_ended_staff(context: Context, caller: Caller) -> bool:
    """Return whether the token has the form of a token of staff, but no longer works."""
    return bool(STAFF_TOKEN.fullmatch(caller.token or "")) and _member_of(context, caller) is None


def _member_of(context: Context, caller: Caller) -> StoredMember | None:
    match = STAFF_TOKEN.fullmatch(caller.token or "")
    member = None if match is None else context.moderation.member(match[1])
    is_right = member is not None and hmac.compare_digest(member.digest, caller.digest or "")
    return member if is_right else None


def roles_in(context: Context, caller: Caller, stored: str) -> Roles:
    """Return the stored roles, plus `admin` for the operator."""
    return frozenset(stored.split()) | ({ADMIN} if is_admin(context, caller) else NOBODY)


def redeem(context: Context, caller: Caller, game_id: str) -> Caller:
    """Return the caller who created the ticket of the request, or else the caller. This uses up the ticket.

    Raises: auth/ticket_unknown.
    """
    if caller.ticket is None:
        return caller
    stored = context.tickets.redeem(game_id, digest_of(caller.ticket))
    if stored is None or not stored.startswith(b"["):  # older versions stored roles
        raise GameError("auth/ticket_unknown")
    return replace(caller, token=None, ticket=None, redeemed=Credential(*orjson.loads(stored)))


def find_roles(context: Context, caller: Caller, game_id: str) -> tuple[Roles, str | None]:
    """Return the caller's roles in the game, and their id if they are a player, in one round trip."""
    if caller.holder is None:
        return NOBODY, None
    owner = owner_question(context, caller)
    stored = context.store.roles(game_id, caller.holder, owner)
    if is_valid(context, caller, owner):
        return roles_in(context, caller, stored), caller.player_id
    return roles_in(context, caller, ""), None


def until_refused(
    items: Iterable[Item], is_allowed: Callable[[], bool], every_s: float = 0.0
) -> Generator[Item, None, None]:
    """Yield the items of a stream until `is_allowed` returns False.

    It is called before each keep-alive (None), and before another item if the last call was `every_s` seconds ago.
    """
    checked_at = time.monotonic()
    for item in items:
        if item is None or time.monotonic() - checked_at >= every_s:
            if not is_allowed():
                return
            checked_at = time.monotonic()
        yield item


def until_revoked(
    context: Context, caller: Caller, items: Iterable[Item], every_s: float = 0.0
) -> Generator[Item, None, None]:
    """Yield the items of a stream until the caller's token ends. A token that is not valid at the start is ignored."""
    is_owned = bool(caller.issuer) and holder_of(context, caller) is not None
    return until_refused(items, lambda: not is_owned or holder_of(context, caller) is not None, every_s)


def must_read(visibility: str, roles: Roles) -> None:
    """Raise game/not_found if the game is private and the caller has no role in it."""
    if visibility == "private" and not roles:
        raise GameError("game/not_found")


def must_hold_role(caller: Caller, visibility: str, roles: Roles, player_id: str | None = None) -> None:
    """Raise an error if the caller has no role. `player_id`: the caller, if they are a player with a valid token.

    Raises: game/not_found for a private game, else auth/token_required, auth/token_unknown or auth/not_taking_part.
    """
    if caller.token is None and visibility != "private":
        raise GameError("auth/token_required")
    if roles:
        return
    if visibility == "private":
        raise GameError("game/not_found")
    raise GameError("auth/token_unknown" if player_id is None else "auth/not_taking_part")


def must_host(roles: Roles) -> None:
    """Raise auth/host_only unless the caller is the host."""
    if HOST not in roles:
        raise GameError("auth/host_only")


def must_not_be_blocked(context: Context, game: Game, player_id: str) -> None:
    """Raise player/blocked if another player of the game has blocked this player."""
    others = {seat.player for seat in game.seats if seat.player is not None} - {player_id}
    if others and context.players.has_blocked(others, player_id):
        raise GameError("player/blocked")


def must_get_rated_games(context: Context, player_ids: Iterable[str]) -> None:
    """Refuse rated games if one of these players is excluded from them, or left too many of them.

    Raises: limit/excluded; limit/aborted_games after too many games that ended before everybody decided.
    """
    ids = [*player_ids]
    now_ms, until_ms = context.now_ms(), max(context.ratings.paused_until(ids), default=0)
    if until_ms > now_ms:
        must_not_be_excluded(context, ids)
        raise GameError("limit/aborted_games", limit=MAX_ABORTED, retry_after_s=seconds_until(until_ms, now_ms))


def must_not_be_excluded(context: Context, player_ids: Iterable[str]) -> None:
    """Raise limit/excluded if moderators exclude one of these players from rated games."""
    now_ms, until_ms = context.now_ms(), max(context.ratings.excluded_until([*player_ids]), default=0)
    if until_ms > now_ms:
        raise GameError("limit/excluded", until=rfc3339(until_ms), retry_after_s=seconds_until(until_ms, now_ms))


def must_not_be_muted(context: Context, player_id: str) -> None:
    """Raise player/muted if moderators do not let the player write now."""
    until_ms = context.moderation.standing(player_id).muted_until or 0
    if until_ms > context.now_ms():
        raise GameError("player/muted", until=rfc3339(until_ms))


def seats_of(roles: Roles) -> list[int]:
    """Return the seats that the roles can play, in ascending order."""
    return sorted(int(role.removeprefix(SEAT)) for role in roles if role.startswith(SEAT))


def seat_of(roles: Roles, game: Game, requested: int | None = None) -> int:
    """Return the caller's seat: the requested one, else the one to decide, else their first.

    Raises: auth/wrong_seat if the caller has no seat or not the requested one.
    """
    seats = seats_of(roles)
    if not seats or (requested is not None and requested not in seats):
        raise GameError("auth/wrong_seat")
    if requested is not None:
        return requested
    return game.to_decide if game.to_decide in seats else seats[0]
