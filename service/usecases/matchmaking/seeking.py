"""Seeking others to play with: seeks, the lobby of those that wait, and what becomes of them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from service.games.errors import GameError
from service.games.rating import NEW, Rating, field_of
from service.games.state.clocks import LOSE, ClockRule
from service.games.state.moments import rfc3339
from service.levels import LEVELS
from service.rulesets.registry import RULESETS
from service.rulesets.wire import Json
from service.storage.base.connect import RedisError
from service.storage.base.keys import id_from
from service.storage.matchmaking.seeks import MAX_SEEKS, MAX_SEEKS_OF_A_PLAYER, StoredSeek
from service.storage.people.players import StoredPlayer
from service.usecases.base import access, published_bots
from service.usecases.base.context import Caller, Context, Idempotency
from service.usecases.base.profiles import player_json
from service.usecases.games.creating import faults_of_clock
from service.usecases.matchmaking import pairing

OPEN, PAIRED, ENDED = "open", "paired", "ended"
SEEK_STATUSES = (OPEN, PAIRED, ENDED)
LEAVE_S = 30  # so long a seek is kept after its player was last here, at least
MAX_SHOWN = 100


@dataclass(frozen=True)
class NewSeek:
    """What a player wants.

    `fill`: (level, seconds): who takes the seats for which nobody comes within this time; `rating_range`: how far, in
    points, the ratings of others may be from the player's at first; `mixed`: whether they want to be rated with people
    and programs.
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
        """What must be the same for all who play together. In a rated game, who runs out of time has lost."""
        clock = self.clock
        if clock is not None and self.rated:
            clock = replace(clock, on_timeout=LOSE)
        timed = None if clock is None else asdict(clock)
        wanted = {"ruleset": self.ruleset, "variant": self.variant, "seats": self.seats, "clock": timed}
        return {**wanted, "rated": self.rated}


def seek(context: Context, caller: Caller, new: NewSeek, idempotency: Idempotency | None = None) -> Json:
    """Look for others; whoever fits and waits already plays at once.

    Who asks again with the same key has still one seek, and is in one game. request/invalid, limit/seeks,
    idempotency/mismatch.
    """
    _check(new)
    player = access.must_be_player(context, caller)
    now = context.now_ms()
    level, seconds = new.fill or (None, 0)
    seek_id = id_of(context, "seek", player.id, idempotency)
    before = None if idempotency is None else _found(context, seek_id)
    if before is not None and before[0].settings != new.settings():
        raise GameError("idempotency/mismatch")
    own = StoredSeek(seek_id, player.id, player.name, new.settings(), now, level, now + 1000 * seconds)
    own = replace(own, bot=player.bot, mixed=new.mixed, rating_range=new.rating_range)
    return _wait(context, player, replace(own, ends_at=now + 1000 * new.keep_s))


def id_of(context: Context, kind: str, player_id: str, idempotency: Idempotency | None) -> str:
    """The id of the seek or challenge that a player's requests with this key are; without one, a fresh id."""
    return context.store.new_game_id() if idempotency is None else id_from(f"{kind} {player_id} {idempotency.key}")


def _found(context: Context, seek_id: str) -> tuple[StoredSeek, str | None] | None:
    """The seek of this id, and the game that it has become, None while it waits; None where it has ended."""
    waiting = context.seeks.get(seek_id, context.now_ms())
    return context.seeks.paired(seek_id) if waiting is None else (waiting, None)


def _wait(context: Context, player: StoredPlayer, own: StoredSeek, first: StoredSeek | None = None) -> Json:
    """Have the seek wait, and look at once whether it can be paired."""
    points = points_at(context, player.id, own.settings)
    own = replace(own, blocked=frozenset(context.players.blocked(player)), points=points)
    added = context.seeks.add(own, own.created_at)
    if added != "done":
        raise GameError("limit/seeks", limit=MAX_SEEKS_OF_A_PLAYER if added == "own" else MAX_SEEKS)
    pairing.match(context, own.settings, first)
    try:
        return _as_it_is(context, player, own.id)
    except GameError:  # another seek of theirs has just become a game
        return seek_json(own, player, ENDED)


def points_at(context: Context, player_id: str, settings: dict[str, Any]) -> int:
    """The player's rating at what is to be played; that of somebody new where they have none."""
    (stored,) = context.ratings.every([player_id], field_of(settings["ruleset"], settings["seats"]))
    return (NEW if stored is None else Rating(stored.mu, stored.sigma)).points


def _check(new: NewSeek) -> None:
    """What hangs on the ruleset and on the table of levels. request/invalid."""
    errors = faults_of(new)
    if new.fill is not None and new.fill[0] not in LEVELS:
        errors["/fill/level"] = f"must be one of: {', '.join(LEVELS)}"
    if errors:
        raise GameError("request/invalid", errors=errors)


def faults_of(new: NewSeek) -> dict[str, str]:
    """What is wrong with what is to be played, by JSON pointer."""
    ruleset, errors = RULESETS[new.ruleset], {}
    if new.variant not in ruleset.variants:
        errors["/variant"] = f"must be one of: {', '.join(ruleset.variants)}"
    if new.seats not in ruleset.seat_counts:
        errors["/seats"] = f"must be one of: {', '.join(map(str, ruleset.seat_counts))}"
    errors |= faults_of_clock(new.clock)
    if new.rated and new.clock is None:
        errors["/clock"] = "is required in a rated game"
    return errors


def lobby(context: Context, ruleset: str | None, variant: str | None, seats: int | None) -> list[Json]:
    """Seeks that wait, longest first."""
    wanted = {"ruleset": ruleset, "variant": variant, "seats": seats}
    waiting = [
        one
        for one in context.seeks.waiting(context.now_ms())
        if all(value in (None, one.settings[name]) for name, value in wanted.items())
    ][:MAX_SHOWN]
    seekers = context.players.every([one.player for one in waiting])
    return [seek_json(one, player, OPEN) for one, player in zip(waiting, seekers, strict=True) if player is not None]


def look(context: Context, caller: Caller, seek_id: str, timeout_s: float) -> Json:
    """The caller's seek; with a time-out, as soon as it has become a game. It is kept meanwhile, and a while longer.

    seek/not_found, for that of others, too, and where it has ended.
    """
    player = access.must_be_player(context, caller)
    keep(context, player, seek_id, timeout_s)
    if timeout_s:
        context.hub.wait_for_pairing(seek_id, lambda: _is_over(context, seek_id), timeout_s)
    return _as_it_is(context, player, seek_id)


def keep(context: Context, player: StoredPlayer, seek_id: str, seconds: float) -> None:
    """The player is here: their seek does not end for so long, and for LEAVE_S more, if it waits."""
    if player.bot:
        published_bots.note(context, player)
    now = context.now_ms()
    own = context.seeks.get(seek_id, now)
    if own is not None and own.player == player.id:
        context.seeks.keep(seek_id, now + round(1000 * (seconds + LEAVE_S)))


def follow(
    context: Context, caller: Caller, seek_id: str, keep_alive_s: float = 15.0
) -> Iterator[tuple[int, Json] | None]:
    """The caller's seek as it is, and once more when it has become a game; None after `keep_alive_s` of waiting.

    It ends when the seek does. Whatever is wrong with the request is raised here, before the first item.
    """
    player = access.must_be_player(context, caller)
    keep(context, player, seek_id, keep_alive_s)
    return _followed(context, player, _as_it_is(context, player, seek_id), keep_alive_s)


def _followed(
    context: Context, player: StoredPlayer, seek: Json, keep_alive_s: float
) -> Iterator[tuple[int, Json] | None]:
    seek_id = seek["id"]
    if seek["status"] == OPEN:
        yield 1, seek
        while not context.hub.wait_for_pairing(seek_id, lambda: _is_over(context, seek_id), keep_alive_s):
            keep(context, player, seek_id, keep_alive_s)
            yield None
    with contextlib.suppress(GameError):  # withdrawn
        yield 2, _as_it_is(context, player, seek_id)


def leave(context: Context, caller: Caller, seek_id: str) -> None:
    """Whoever followed the seek has gone: it ends, if it waits yet, unless it is we who go."""
    if context.hub.is_closed:
        return
    with contextlib.suppress(RedisError, GameError):  # then it ends by itself
        withdraw(context, caller, seek_id)


def _is_over(context: Context, seek_id: str) -> bool:
    return context.seeks.get(seek_id, context.now_ms()) is None


def join(context: Context, caller: Caller, seek_id: str, *, mixed: bool = False) -> Json:
    """Seek what another seeks, and be paired with them before all others. The caller's own seek.

    seek/not_found, player/blocked, player/yourself, game/not_mixed, limit/seeks.
    """
    player, now = access.must_be_player(context, caller), context.now_ms()
    other = context.seeks.get(seek_id, now)
    if other is None:
        raise GameError("seek/not_found")
    if other.player == player.id:
        raise GameError("player/yourself")
    if player.id in other.blocked:
        raise GameError("player/blocked")
    if other.settings["rated"] and other.bot != player.bot and not (other.mixed and mixed):
        raise GameError("game/not_mixed")
    own = replace(other, id=context.store.new_game_id(), player=player.id, name=player.name, created_at=now)
    own = replace(own, ends_at=now + 1000 * LEAVE_S, rating_range=None, bot=player.bot, mixed=mixed)
    return _wait(context, player, own, other)


def withdraw(context: Context, caller: Caller, seek_id: str) -> None:
    """The caller's seek ends. seek/not_found where it has ended, or become a game."""
    player = access.must_be_player(context, caller)
    own = context.seeks.get(seek_id, context.now_ms())
    if own is None or own.player != player.id or not context.seeks.drop(own):
        raise GameError("seek/not_found")


def _as_it_is(context: Context, player: StoredPlayer, seek_id: str) -> Json:
    """The player's seek; where it has become a game, that is there. seek/not_found."""
    found = _found(context, seek_id)
    if found is None or found[0].player != player.id:
        raise GameError("seek/not_found")
    own, game_id = found
    if game_id is None:
        return seek_json(own, player, OPEN)
    if (coming := context.seeks.pairing(game_id)) is not None:
        pairing.create(context, coming)
    return seek_json(own, player, PAIRED, game_id)


def seek_json(one: StoredSeek, player: StoredPlayer, status: str, game_id: str | None = None) -> Json:
    """A seek as it is told."""
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
