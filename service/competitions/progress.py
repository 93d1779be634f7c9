"""What time brings a competition: it begins, its rounds do, those who are free in an arena are paired, and it ends.

`advanced` is a function of the competition and the moment, so whoever looks comes to the same, and nothing is done
twice: the store takes a change only of the version that it was made from.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import NamedTuple

from service.competitions import arena, swiss
from service.competitions.model import (
    ARENA,
    CANCELLED,
    COMING,
    DRAWN,
    MAX_GAMES,
    OVER,
    RUNNING,
    SWISS,
    WON,
    Blocks,
    Competition,
    Contest,
)

WAITS_FOR_HOST_MS = 7 * 86_400_000
"""So long a competition waits for its host to start it."""
MIN_ENTRANTS = 2
WATCH_MS = 60_000
"""After so long without news the games are looked at, in case that one has ended unheard."""
MAX_TURNS = 100
"""No game has so many turns of one seat: what has not ended in their time was paused."""


class PairingInputs(NamedTuple):
    """What pairing depends on, besides the competition and the time."""

    blocked: Callable[[Competition], Blocks]
    new_id: Callable[[], str]
    chance: random.Random


def advanced(competition: Competition, now_ms: int, inputs: PairingInputs) -> Competition | None:
    """The competition as it is to be now; None: just as it is."""
    if competition.status == COMING:
        return _started(competition, now_ms, inputs)
    if competition.status != RUNNING:
        return None
    if competition.plan.format == ARENA:
        return _arena_advanced(competition, now_ms, inputs)
    return _swiss_advanced(competition, now_ms, inputs)


def due_at(competition: Competition, now_ms: int) -> int | None:
    """Unix ms when `advanced` is to be asked next, where nothing happens before; None: never."""
    if competition.is_over:
        return None
    if competition.status == COMING:
        waits_until = competition.plan.created_at + WAITS_FOR_HOST_MS
        return waits_until if competition.starts_at is None else competition.starts_at
    if not competition.unfinished and (competition.plan.format == SWISS or _is_full(competition, now_ms)):
        return now_ms if competition.next_at is None else competition.next_at
    moments = [now_ms + WATCH_MS]
    if competition.plan.format == ARENA and not _is_full(competition, now_ms):
        moments.append(competition.ends_at or 0)
        came = sorted(one.free_since for one in arena.free(competition))
        if len(came) > 1:
            batches = max(1, 1 + (now_ms - came[1]) // arena.BATCH_MS)
            moments.append(came[1] + batches * arena.BATCH_MS)
    return min(moments)


def _is_full(competition: Competition, now_ms: int) -> bool:
    """Whether no more games of an arena begin."""
    return len(competition.contests) >= MAX_GAMES or now_ms >= (competition.ends_at or 0)


def longest_ms(competition: Competition) -> int:
    """So long a game lasts at most, unless it is paused: then it counts as a draw."""
    clock = competition.plan.settings["clock"]
    return int(1000 * competition.plan.settings["seats"] * (clock["bank_s"] + MAX_TURNS * clock["turn_s"]))


def overdue(competition: Competition, now_ms: int) -> list[Contest]:
    """Games that have taken longer than any may."""
    longest = longest_ms(competition)
    return [contest for contest in competition.unfinished if now_ms >= contest.began_at + longest]


def cancelled(competition: Competition, now_ms: int) -> Competition:
    """Nobody is paired any more, and what is played counts no more."""
    kept = tuple(contest for contest in competition.contests if contest.halves is not None)
    return replace(competition, status=CANCELLED, contests=kept, ended_at=now_ms, next_at=None)


def _over(competition: Competition, now_ms: int) -> Competition:
    return replace(competition, status=OVER, ended_at=now_ms, next_at=None)


def _started(competition: Competition, now_ms: int, inputs: PairingInputs) -> Competition | None:
    plan = competition.plan
    if competition.starts_at is None:
        late = now_ms >= plan.created_at + WAITS_FOR_HOST_MS
        return cancelled(competition, now_ms) if late else None
    if now_ms < competition.starts_at:
        return None
    players = len(competition.active)
    if players < MIN_ENTRANTS:
        return cancelled(competition, now_ms)
    begun = replace(competition, status=RUNNING, began_at=now_ms)
    if plan.format == SWISS:
        begun = replace(begun, rounds=min(plan.rounds or 1, swiss.most_rounds(players)))
        return _next_round(begun, now_ms, inputs)
    begun = replace(begun, ends_at=now_ms + 60_000 * (plan.minutes or 1))
    return _paired(begun, now_ms, inputs) or begun


def _swiss_advanced(competition: Competition, now_ms: int, inputs: PairingInputs) -> Competition | None:
    if competition.unfinished:
        return None
    if competition.round >= (competition.rounds or 1) or len(competition.active) < MIN_ENTRANTS:
        return _over(competition, now_ms)
    if competition.next_at is None:
        return replace(competition, next_at=now_ms + 1000 * competition.plan.pause_s)
    if now_ms < competition.next_at:
        return None
    return _next_round(competition, now_ms, inputs)


def _next_round(competition: Competition, now_ms: int, inputs: PairingInputs) -> Competition:
    number = competition.round + 1
    contests = [
        Contest(inputs.new_id(), number, pair, now_ms)
        if len(pair) > 1
        else Contest(f"bye:{number}", number, pair, now_ms, (WON,), now_ms)
        for pair in swiss.pairs(competition, inputs.blocked(competition), inputs.chance)
    ]
    return replace(competition.with_contests(contests), round=number, next_at=None)


def _arena_advanced(competition: Competition, now_ms: int, inputs: PairingInputs) -> Competition | None:
    if _is_full(competition, now_ms):
        return None if competition.unfinished else _over(competition, now_ms)
    return _paired(competition, now_ms, inputs)


def _paired(competition: Competition, now_ms: int, inputs: PairingInputs) -> Competition | None:
    """An arena with new games; None: nobody can be paired."""
    if len(arena.free(competition)) < MIN_ENTRANTS:
        return None
    pairs = arena.pairs(competition, inputs.blocked(competition), now_ms, inputs.chance)
    contests = [Contest(inputs.new_id(), 0, pair, now_ms) for pair in pairs]
    return competition.with_contests(contests) if contests else None


def judged_drawn(competition: Competition, game_ids: Collection[str], now_ms: int) -> Competition:
    """These games count as draws: they are gone, were aborted, or take too long."""
    for game_id in game_ids:
        competition = competition.with_result(game_id, (DRAWN, DRAWN), now_ms)
    return competition
