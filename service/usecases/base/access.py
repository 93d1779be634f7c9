"""Who may do what. In a game one may be its `host`, a `watch`er, `invite`d, play `seat:<number>`, or be the `admin`.

These roles are held by the game's own tokens, one each, or by a player, who may have several: seats in every sense,
and the host's where they created the game. Public and unlisted games are read by anyone who knows the id. To those who
may not read a private game it does not exist: the same answer as for an unknown id.
"""

from __future__ import annotations

import hmac

from service.games.errors import GameError
from service.games.state.model import Game
from service.games.state.moments import rfc3339
from service.games.state.seats import SEAT
from service.storage.people.players import PLAY, StoredPlayer
from service.usecases.base import claims, published_bots
from service.usecases.base.context import Caller, Context, digest_of

HOST, WATCH, INVITE, ADMIN = "host", "watch", "invite", "admin"
Roles = frozenset[str]
NOBODY: Roles = frozenset()
RENEWED_BELOW = 0.99  # renew a player's expiry once less than 99 % of it is left


def player_of(context: Context, caller: Caller) -> StoredPlayer | None:
    """The player whose token the caller shows, who is kept for that; None for other tokens.

    auth/token_unknown if it is not theirs, auth/read_only.
    """
    if caller.player_id is None:
        return None
    return checked(context, caller, context.players.get(caller.player_id, caller.digest))


def checked(context: Context, caller: Caller, player: StoredPlayer | None) -> StoredPlayer:
    """The player that the caller claims to be, now that it has been read with the caller's token.

    auth/token_unknown if it is not theirs; auth/read_only if it is not good for what they ask.
    """
    if player is None or player.token is None or player.banned_at is not None:
        raise GameError("auth/token_unknown")
    if caller.changes and PLAY not in player.token.scopes:
        raise GameError("auth/read_only")
    ttl_s = context.settings.player_ttl_s
    if player.ttl_s < RENEWED_BELOW * ttl_s:
        claims.keep(context, player, ttl_s)
        context.ratings.keep(player.id, ttl_s)
        context.statistics.keep(player.id, ttl_s)
        context.archivals.keep(player.id, ttl_s)
        player = context.players.keep(player, ttl_s, rfc3339(context.now_ms()))
        if any([hooks.keep(player.id, ttl_s) for hooks in context.every_hooks]):  # noqa: C419 - both
            context.outbox.hook(player.id, ttl_s)
    if player.bot:
        published_bots.note(context, player)
    return player


def must_be_player(context: Context, caller: Caller) -> StoredPlayer:
    """The player. 401 without a token or with an unknown one, 403 with one of another kind."""
    if caller.token is None:
        raise GameError("auth/token_required")
    player = player_of(context, caller)
    if player is None:
        raise GameError("auth/player_required")
    return player


def holder_of(context: Context, caller: Caller) -> str | None:
    """Under what name the caller's roles stand in a game; None for a caller who has none."""
    try:
        player = player_of(context, caller)
    except GameError as error:
        if error.code != "auth/token_unknown":
            raise
        return None
    return f"player:{player.id}" if player is not None else caller.digest


def is_admin(context: Context, caller: Caller) -> bool:
    """Whether the caller shows the operator's token; never where none is set."""
    requested = context.settings.admin_token
    return bool(requested) and hmac.compare_digest(digest_of(requested), caller.digest or "")


def must_be_admin(context: Context, caller: Caller) -> None:
    """401 without a token or with any but the operator's."""
    if caller.token is None:
        raise GameError("auth/token_required")
    if not is_admin(context, caller):
        raise GameError("auth/admin_only")


def roles_in(context: Context, caller: Caller, stored: str) -> Roles:
    """The caller's roles, of those that are stored under their name."""
    return frozenset(stored.split()) | ({ADMIN} if is_admin(context, caller) else NOBODY)


def roles_of(context: Context, caller: Caller, game_id: str) -> Roles:
    """The caller's roles in the game, asked for alone. A ticket is spent by it. auth/ticket_unknown."""
    if caller.ticket is not None:
        redeemed = context.tickets.redeem(game_id, digest_of(caller.ticket))
        if redeemed is None:
            raise GameError("auth/ticket_unknown")
        return frozenset(redeemed.split())
    holder = holder_of(context, caller)
    return roles_in(context, caller, "" if holder is None else context.store.roles(game_id, holder))


def must_read(visibility: str, roles: Roles) -> None:
    """404 for a private game in which the caller has no role."""
    if visibility == "private" and not roles:
        raise GameError("game/not_found")


def must_hold_role(caller: Caller, visibility: str, roles: Roles) -> None:
    """401 without a token or with an unknown one (404 where the game is private)."""
    if caller.token is None and visibility != "private":
        raise GameError("auth/token_required")
    if not roles:
        raise GameError("game/not_found" if visibility == "private" else "auth/token_unknown")


def must_host(roles: Roles) -> None:
    """403 for all but the host."""
    if HOST not in roles:
        raise GameError("auth/host_only")


def must_not_be_blocked(context: Context, game: Game, player_id: str) -> None:
    """403 where one of the game's other players has blocked this one."""
    others = {seat.player for seat in game.seats if seat.player is not None} - {player_id}
    if others and context.players.has_blocked(others, player_id):
        raise GameError("player/blocked")


def seats_of(roles: Roles) -> list[int]:
    """The seats the roles play."""
    return sorted(int(role.removeprefix(SEAT)) for role in roles if role.startswith(SEAT))


def seat_of(roles: Roles, game: Game, requested: int | None = None) -> int:
    """The caller's seat; of several, the one wanted, else the one to decide, else the first.

    403 for who plays none, or not the one wanted.
    """
    seats = seats_of(roles)
    if not seats or (requested is not None and requested not in seats):
        raise GameError("auth/wrong_seat")
    if requested is not None:
        return requested
    return game.to_decide if game.to_decide in seats else seats[0]
