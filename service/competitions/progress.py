"""Time-driven transitions of a competition: start, rounds, pairing and end.

`next_state` is a pure function of the competition, the time and the inputs of pairing. Any keeper can call it at any
time. The store accepts a change only for the version that it was computed from, so no transition happens twice.
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

MAX_WAIT_FOR_HOST_MS = 7 * 86_400_000
"""A competition that its host starts is cancelled after this time."""
MIN_ENTRANTS = 2
WATCH_MS = 60_000
"""Interval at which a keeper checks running games, in case a result was lost."""
MAX_TURNS = 100
"""Upper bound for one seat's turns in a game. A game that takes longer than their time was paused."""


class PairingInputs(NamedTuple):
    """Inputs of pairing, besides the competition and the time."""

    blocked: Callable[[Competition], Blocks]
    new_id: Callable[[], str]
    chance: random.Random


def next_state(competition: Competition, now_ms: int, inputs: PairingInputs) -> Competition | None:
    """Return the competition after one transition, or None if no transition is due."""
    if competition.status == COMING:
        return _start_if_due(competition, now_ms, inputs)
    if competition.status != RUNNING:
        return None
    if competition.plan.format == ARENA:
        return _next_arena_state(competition, now_ms, inputs)
    return _next_swiss_state(competition, now_ms, inputs)


def due_at(competition: Competition, now_ms: int) -> int | None:
    """Return when to call `next_state` again if nothing else happens before, or None if it is over."""
    if competition.is_over:
        return None
    if competition.status == COMING:
        deadline = competition.plan.created_at + MAX_WAIT_FOR_HOST_MS
        return deadline if competition.starts_at is None else competition.starts_at
    pairing_is_over = _is_pairing_over(competition, now_ms)
    if not competition.running_contests and (competition.plan.format == SWISS or pairing_is_over):
        return now_ms if competition.next_at is None else competition.next_at
    times = [now_ms + WATCH_MS]
    if competition.plan.format == ARENA and not pairing_is_over:
        times.append(competition.ends_at or 0)
        free_since = sorted(entrant.free_since for entrant in arena.free_entrants(competition))
        if len(free_since) >= MIN_ENTRANTS:
            batches = max(1, 1 + (now_ms - free_since[1]) // arena.BATCH_MS)
            times.append(free_since[1] + batches * arena.BATCH_MS)
    return min(times)


def _is_pairing_over(competition: Competition, now_ms: int) -> bool:
    """Return whether an arena has reached its end or its maximum number of games."""
    return len(competition.contests) >= MAX_GAMES or now_ms >= (competition.ends_at or 0)


def overdue_contests(competition: Competition, now_ms: int) -> list[Contest]:
    """Return the running games that have taken longer than clocks allow, so they must have been paused."""
    settings = competition.plan.settings
    clock = settings["clock"]
    max_game_ms = int(1000 * settings["seats"] * (clock["bank_s"] + MAX_TURNS * clock["turn_s"]))
    return [contest for contest in competition.running_contests if now_ms >= contest.began_at + max_game_ms]


def score_as_draws(competition: Competition, game_ids: Collection[str], now_ms: int) -> Competition:
    """Return the competition with draws for these games. They were deleted, aborted or take too long."""
    for game_id in game_ids:
        competition = competition.with_result(game_id, (DRAWN, DRAWN), now_ms)
    return competition


def cancel(competition: Competition, now_ms: int) -> Competition:
    """Return the cancelled competition, without its running games."""
    finished = tuple(contest for contest in competition.contests if contest.halves is not None)
    return replace(competition, status=CANCELLED, contests=finished, ended_at=now_ms, next_at=None)


def _finish(competition: Competition, now_ms: int) -> Competition:
    return replace(competition, status=OVER, ended_at=now_ms, next_at=None)


def _start_if_due(competition: Competition, now_ms: int, inputs: PairingInputs) -> Competition | None:
    plan = competition.plan
    if competition.starts_at is None:
        is_late = now_ms >= plan.created_at + MAX_WAIT_FOR_HOST_MS
        return cancel(competition, now_ms) if is_late else None
    if now_ms < competition.starts_at:
        return None
    players = len(competition.active)
    if players < MIN_ENTRANTS:
        return cancel(competition, now_ms)
    started = replace(competition, status=RUNNING, began_at=now_ms)
    if plan.format == SWISS:
        return _next_round(replace(started, rounds=min(plan.rounds or 1, swiss.max_rounds(players))), now_ms, inputs)
    started = replace(started, ends_at=now_ms + 60_000 * (plan.minutes or 1))
    return _pair_free_entrants(started, now_ms, inputs) or started


def _next_swiss_state(competition: Competition, now_ms: int, inputs: PairingInputs) -> Competition | None:
    if competition.running_contests:
        return None
    if competition.round >= (competition.rounds or 1):
        return _finish(competition, now_ms)
    if len(competition.active) < MIN_ENTRANTS:
        return _finish(replace(competition, rounds=competition.round), now_ms)
    if competition.next_at is None:
        return replace(competition, next_at=now_ms + 1000 * competition.plan.pause_s)
    return _next_round(competition, now_ms, inputs) if now_ms >= competition.next_at else None


def _next_round(competition: Competition, now_ms: int, inputs: PairingInputs) -> Competition:
    number = competition.round + 1
    contests = [
        Contest(inputs.new_id(), number, pair, now_ms)
        if len(pair) > 1
        else Contest(f"bye:{number}", number, pair, now_ms, (WON,), now_ms)
        for pair in swiss.pairs(competition, inputs.blocked(competition), inputs.chance)
    ]
    return replace(competition.with_contests(contests), round=number, next_at=None)


def _next_arena_state(competition: Competition, now_ms: int, inputs: PairingInputs) -> Competition | None:
    if _is_pairing_over(competition, now_ms):
        return None if competition.running_contests else _finish(competition, now_ms)
    return _pair_free_entrants(competition, now_ms, inputs)


def _pair_free_entrants(competition: Competition, now_ms: int, inputs: PairingInputs) -> Competition | None:
    """Return the arena with new games, or None if no two entrants can be paired."""
    if len(arena.free_entrants(competition)) < MIN_ENTRANTS:
        return None
    pairs = arena.pairs(competition, inputs.blocked(competition), now_ms, inputs.chance)
    contests = [Contest(inputs.new_id(), 0, pair, now_ms) for pair in pairs]
    return competition.with_contests(contests) if contests else None
