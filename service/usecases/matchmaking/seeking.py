"""Seeks: create, join, follow and withdraw them; the lobby lists those that wait."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from service.games.errors import GameError
from service.games.rating import NEW, Rating, rating_field
from service.games.state.clocks import LOSE, ClockRule
from service.games.state.moments import rfc3339
from service.rulesets.wire import Json
from service.storage.base.connect import RedisError
from service.storage.games.hub import KEEP_ALIVE_S
from service.storage.matchmaking.seeks import MAX_SEEKS, MAX_SEEKS_OF_A_PLAYER, RESUME_MS, StoredSeek
from service.storage.people.players import BLOCKED, StoredPlayer
from service.usecases.base import access, published_bots
from service.usecases.base.context import Caller, Context
from service.usecases.base.profiles import player_json
from service.usecases.games import shares
from service.usecases.games.tokens import RANDOM, Issuer
from service.usecases.matchmaking import pairing

OPEN, PAIRED, ENDED = "open", "paired", "ended"
SEEK_STATUSES = (OPEN, PAIRED, ENDED)
LEAVE_S = 30  # minimum lifetime of a seek after its player's last request
MAX_SHOWN = 100
Updates = Iterator[tuple[int, Json] | None]
"""Versions with their JSON; None to keep the connection alive."""


@dataclass(frozen=True)
class NewSeek:
    """A seek as requested by the player.

    `fill`: (level, seconds): the AI that takes seats still free after this time; `rating_range`: the initial maximum
    difference in points; `mixed`: accept rated games of people and programs.
    """

    ruleset: str
    variant: str
    seats: int
    clock: ClockRule | None = None
    fill: tuple[str, int] | None = None
    keep_s: int = 60
    rated: bool = False
    rating_range: int | None = None
    mixed: bool = False

    def settings(self) -> dict[str, Any]:
        """Return the settings that must be equal for all players. In a rated game, running out of time loses."""
        clock = self.clock
        if clock is not None and self.rated:
            clock = replace(clock, on_timeout=LOSE)
        timed = None if clock is None else asdict(clock)
        wanted = {"ruleset": self.ruleset, "variant": self.variant, "seats": self.seats, "clock": timed}
        return {**wanted, "rated": self.rated}


def seek(context: Context, caller: Caller, new: NewSeek, issuer: Issuer = RANDOM) -> Json:
    """Create a seek. If compatible seeks are waiting, the game starts at once.

    A repeated request creates no second seek or game. Raises: limit/seeks, limit/open_games, limit/aborted_games.
    """
    player = access.must_be_player(context, caller)
    now = context.now_ms()
    level, seconds = new.fill or (None, 0)
    own_seek = StoredSeek(
        issuer.id_in(context), player.id, player.display_name, new.settings(), now, level, now + 1000 * seconds
    )
    own_seek = replace(own_seek, bot=player.bot, mixed=new.mixed, rating_range=new.rating_range, caller=caller.share)
    return _wait(context, player, replace(own_seek, ends_at=now + 1000 * new.keep_s), issuer)


def _find(context: Context, seek_id: str) -> tuple[StoredSeek, str | None] | None:
    """Return (seek, id of its game), with None while it waits; None if the seek has ended."""
    waiting = context.seeks.get(seek_id, context.now_ms())
    return context.seeks.get_paired(seek_id) if waiting is None else (waiting, None)


def _wait(
    context: Context, player: StoredPlayer, own_seek: StoredSeek, issuer: Issuer, first: StoredSeek | None = None
) -> Json:
    """Store the seek, unless an interrupted request has stored it. Try to pair it at once.

    Raises: limit/seeks, limit/open_games, limit/aborted_games.
    """
    if not (issuer.is_repeated and _find(context, own_seek.id)):
        own_seek = _store(context, player, own_seek)
    pairing.pair_waiting(context, own_seek.settings, first)
    try:
        return _current_json(context, player, own_seek.id)
    except GameError:  # another seek of the player has just become a game
        return seek_json(own_seek, player, ENDED)


def _store(context: Context, player: StoredPlayer, own_seek: StoredSeek) -> StoredSeek:
    if own_seek.settings["rated"]:
        access.must_get_rated_games(context, [player.id])
    shares.must_have_room(context, shares.holders(own_seek.caller, player.id))
    points = rated_points(context, player.id, own_seek.settings)
    own_seek = replace(own_seek, blocked=frozenset(context.players.relations(player, BLOCKED)), points=points)
    now, most = own_seek.created_at, shares.most_of_caller(context)
    word = shares.add_entry(
        context.seeks.shared_list(now),
        own_seek.caller,
        lambda: context.seeks.add(own_seek, now, most),
        lambda ids: any(context.seeks.drop(one) for seek_id in ids if (one := context.seeks.get(seek_id, now))),
    )
    shares.must_be_added(context, word, "limit/seeks", of_player=MAX_SEEKS_OF_A_PLAYER, of_all=MAX_SEEKS)
    return own_seek


def rated_points(context: Context, player_id: str, settings: dict[str, Any]) -> int:
    """Return the player's points for these settings, or those of a new player."""
    (stored,) = context.ratings.get_field([player_id], rating_field(settings["ruleset"], settings["seats"]))
    return (NEW if stored is None else Rating(stored.mu, stored.sigma)).points


def lobby(context: Context, ruleset: str | None, variant: str | None, seats: int | None) -> list[Json]:
    """Return the seeks that wait, the oldest first. If there are too many to show, each caller's first ones."""
    filters = {"ruleset": ruleset, "variant": variant, "seats": seats}
    waiting = [
        one
        for one in context.seeks.list_waiting(context.now_ms())
        if all(value in (None, one.settings[name]) for name, value in filters.items())
    ]
    waiting = _fair_part(waiting, MAX_SHOWN)
    seekers = context.players.get_many([one.player for one in waiting])
    return [seek_json(one, player, OPEN) for one, player in zip(waiting, seekers, strict=True) if player is not None]


def _fair_part(waiting: list[StoredSeek], count: int) -> list[StoredSeek]:
    """Return at most `count` of the seeks in their order: of each caller the oldest, then of each the second."""
    begun: Counter[str] = Counter()
    ranks = {}
    for one in waiting:
        ranks[one.id] = begun[one.caller]
        begun[one.caller] += 1
    chosen = {one.id for one in sorted(waiting, key=lambda one: ranks[one.id])[:count]}
    return [one for one in waiting if one.id in chosen]


def get(context: Context, caller: Caller, seek_id: str, timeout_s: float) -> Json:
    """Return the caller's seek and extend its lifetime. With a timeout, wait until it becomes a game.

    Raises: seek/not_found, also for other players' seeks and after it has ended.
    """
    player = access.must_be_player(context, caller)
    extend(context, player, seek_id, timeout_s)
    if timeout_s:
        context.hub.wait_for_pairing(seek_id, lambda: _is_over(context, seek_id), timeout_s)
        access.must_be_player(context, caller)  # the token may have ended
    return _current_json(context, player, seek_id)


def extend(context: Context, player: StoredPlayer, seek_id: str, seconds: float) -> None:
    """Extend or resume the player's seek, so that it lives for at least `seconds` plus LEAVE_S."""
    if player.bot:
        published_bots.record_presence(context, player)
    now = context.now_ms()
    own_seek = context.seeks.get(seek_id, now - RESUME_MS)
    if own_seek is not None and own_seek.player == player.id:
        context.seeks.keep(seek_id, now + round(1000 * (seconds + LEAVE_S)))


def follow(context: Context, caller: Caller, seek_id: str, keep_alive_s: float = KEEP_ALIVE_S) -> Updates:
    """Yield the caller's seek now and when it becomes a game; None after `keep_alive_s` of waiting.

    Ends with the seek. Errors in the request are raised before the first item.
    """
    player = access.must_be_player(context, caller)
    extend(context, player, seek_id, keep_alive_s)
    updates = _follow(context, player, _current_json(context, player, seek_id), keep_alive_s)
    return access.until_revoked(context, caller, updates)


def _follow(context: Context, player: StoredPlayer, seek: Json, keep_alive_s: float) -> Updates:
    seek_id = seek["id"]
    if seek["status"] == OPEN:
        yield 1, seek
        while not context.hub.wait_for_pairing(seek_id, lambda: _is_over(context, seek_id), keep_alive_s):
            extend(context, player, seek_id, keep_alive_s)
            yield None
    with contextlib.suppress(GameError):  # withdrawn
        yield 2, _current_json(context, player, seek_id)


def leave(context: Context, caller: Caller, seek_id: str) -> None:
    """Suspend the seek when its stream ends, even if the caller's token has ended, unless this server shuts down."""
    if context.hub.is_closed:
        return
    with contextlib.suppress(RedisError):  # it expires by itself
        own_seek = context.seeks.get(seek_id, context.now_ms())
        if own_seek is not None and own_seek.player == caller.player_id:
            context.seeks.suspend(seek_id, context.now_ms())


def _is_over(context: Context, seek_id: str) -> bool:
    return context.seeks.get(seek_id, context.now_ms() - RESUME_MS) is None


def join(context: Context, caller: Caller, seek_id: str, *, mixed: bool = False, issuer: Issuer = RANDOM) -> Json:
    """Seek a game with the settings of another seek and be paired with it first. Return the caller's seek.

    Raises: seek/not_found, player/blocked, player/yourself, game/not_mixed, limit/seeks, limit/open_games,
    limit/aborted_games.
    """
    player, now, own_id = access.must_be_player(context, caller), context.now_ms(), issuer.id_in(context)
    if issuer.is_repeated and _find(context, own_id):  # an interrupted request created it
        return _current_json(context, player, own_id)
    other = context.seeks.get(seek_id, now)
    if other is None:
        raise GameError("seek/not_found")
    if other.player == player.id:
        raise GameError("player/yourself")
    if context.players.blocks_among([player.id, other.player]):
        raise GameError("player/blocked")
    if other.settings["rated"] and other.bot != player.bot and not (other.mixed and mixed):
        raise GameError("game/not_mixed")
    own_seek = replace(other, id=own_id, player=player.id, name=player.display_name, created_at=now)
    own_seek = replace(own_seek, ends_at=now + 1000 * LEAVE_S, rating_range=None, bot=player.bot, mixed=mixed)
    own_seek = replace(own_seek, caller=caller.share)
    return _wait(context, player, own_seek, issuer, other)


def withdraw(context: Context, caller: Caller, seek_id: str) -> None:
    """Withdraw the caller's seek. Raises: seek/not_found if it has ended or become a game."""
    player = access.must_be_player(context, caller)
    own_seek = context.seeks.get(seek_id, context.now_ms() - RESUME_MS)
    if own_seek is None or own_seek.player != player.id or not context.seeks.drop(own_seek):
        raise GameError("seek/not_found")


def _current_json(context: Context, player: StoredPlayer, seek_id: str) -> Json:
    """Return the player's seek as JSON, after creating its game if it is paired. Raises: seek/not_found."""
    current = _find(context, seek_id)
    if current is None or current[0].player != player.id:
        raise GameError("seek/not_found")
    own_seek, game_id = current
    if game_id is None:
        return seek_json(own_seek, player, OPEN)
    if (coming := context.seeks.get_pairing(game_id)) is not None:
        pairing.create(context, coming)
    return seek_json(own_seek, player, PAIRED, game_id)


def seek_json(one: StoredSeek, player: StoredPlayer, status: str, game_id: str | None = None) -> Json:
    """Return a seek as JSON."""
    seconds = max(0, one.fill_at - one.created_at) // 1000
    return {
        "id": one.id,
        "player": player_json(player),
        **one.settings,
        "points": one.points,
        "rating_range": one.rating_range,
        "mixed": one.mixed,
        "fill": None if one.fill is None else {"level": one.fill, "after_s": seconds},
        "created_at": rfc3339(one.created_at),
        "ends_at": rfc3339(one.ends_at) if status == OPEN else None,
        "status": status,
        "game_id": game_id,
    }
