"""The tail of a game, solved exactly: every way to go on, up to its end.

Depth-first; each seat takes what its own return is best after (max^n: Luckhardt and Irani 1986); between two seats,
whose returns are opposite, alpha-beta prunes. What is under way stands in memory, so that it can be done in slices.

The tail of a round is left to the tree. What it leaves for the rounds to come the tree finds out by playing on; solving
would take the evaluation's word for it, and a search that did so won 24 % of 48 games of Azul against one that did not.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from service.rulesets.kernel import DECIDING, DRAWING, OVER, Floats, Ints, helper
from service.rulesets.seats import MOST_SEATS
from workers.search.parameters import STYLE_TYPE, Style
from workers.search.playouts import SCRATCH_TYPE, Scratch, evaluate
from workers.search.record_abi import (
    ERASED_TYPE,
    FIRST_OF_TAIL,
    NOW,
    ROOT,
    TAIL,
    Erased,
    address,
    compiled_once,
    copy,
    seat_to_decide,
    seats_of,
    status,
)

WIDEST = 64  # actions of one position
UNDER_WAY, SOLVED, UNSOLVABLE = 0, 1, 2
FRESH = -1  # of a position's counts: not looked at yet


class Tail(NamedTuple):
    """What is under way, by depth. actions (TAIL, WIDEST); counts, following, best (TAIL,): actions, next and best.

    values: (TAIL, MOST_SEATS) returns after the best; low, high: (TAIL,) what seat 0 is sure of already, and seat 1
    of keeping it down to; depth: (1,).
    """

    actions: npt.NDArray[np.int64]
    counts: Ints
    following: Ints
    best: Ints
    values: npt.NDArray[np.float64]
    low: Floats
    high: Floats
    depth: Ints


_INTS, _FLOATS = types.int64[::1], types.float64[::1]
TAIL_TYPE: Any = types.NamedTuple(  # type: ignore[no-untyped-call]  # numba ships half its types
    [types.int64[:, ::1], _INTS, _INTS, _INTS, types.float64[:, ::1], _FLOATS, _FLOATS, _INTS], Tail
)


def new_tail() -> Tail:
    """At its beginning: the position in row ROOT."""
    tail = Tail(
        np.zeros((TAIL, WIDEST), np.int64),
        np.zeros(TAIL, np.int64),
        np.zeros(TAIL, np.int64),
        np.zeros(TAIL, np.int64),
        np.zeros((TAIL, MOST_SEATS)),
        np.zeros(TAIL),
        np.zeros(TAIL),
        np.zeros(1, np.int64),
    )
    tail.counts[0] = FRESH
    tail.low[0], tail.high[0] = -math.inf, math.inf
    return tail


@helper
def enter(rules: Erased, room: Scratch, tail: Tail, depth: int) -> bool:
    """List the actions of a position that nobody has looked at; False if there are too many, or it lies too deep."""
    row = FIRST_OF_TAIL + depth
    tail.values[depth, :] = -math.inf
    tail.following[depth] = 0
    count = rules.candidates(address(room.rows, row), room.actions)
    if count > WIDEST or depth + 1 == TAIL:
        return False
    tail.counts[depth] = count
    for k in range(count):
        tail.actions[depth, k] = room.actions[k]
    return True


@helper
def report(room: Scratch, tail: Tail, depth: int, returns: Floats) -> None:
    """What the last action at this depth leads to is known."""
    seat = seat_to_decide(room.rows, FIRST_OF_TAIL + depth)
    seats = seats_of(room.rows, FIRST_OF_TAIL + depth)
    if returns[seat] > tail.values[depth, seat]:
        tail.best[depth] = tail.actions[depth, tail.following[depth] - 1]
        tail.values[depth, :] = returns
    if seats == 2:
        if seat == 0:
            tail.low[depth] = max(tail.low[depth], returns[0])
        else:
            tail.high[depth] = min(tail.high[depth], returns[0])
        if tail.low[depth] >= tail.high[depth]:
            tail.following[depth] = tail.counts[depth]


@helper
def descend(rules: Erased, room: Scratch, tail: Tail, depth: int) -> None:
    """Play the next action of a depth."""
    below = FIRST_OF_TAIL + depth + 1
    copy(room.rows, below, FIRST_OF_TAIL + depth)
    rules.apply(address(room.rows, below), tail.actions[depth, tail.following[depth]])
    tail.following[depth] += 1
    tail.counts[depth + 1] = FRESH
    tail.low[depth + 1], tail.high[depth + 1] = tail.low[depth], tail.high[depth]
    tail.depth[0] = depth + 1


@compiled_once(types.int64(ERASED_TYPE, SCRATCH_TYPE, TAIL_TYPE, STYLE_TYPE, types.int64))
def solve(rules: Erased, room: Scratch, tail: Tail, style: Style, positions: int) -> int:
    """Go on until so many positions were looked at: UNDER_WAY, SOLVED (see best[0], values[0]), or UNSOLVABLE.

    It is that when chance may act before the end, or when there are too many actions to choose from.
    """
    copy(room.rows, FIRST_OF_TAIL, ROOT)
    while positions > 0:
        depth = tail.depth[0]
        if tail.counts[depth] == FRESH:
            positions -= 1
            state = status(room.rows, FIRST_OF_TAIL + depth)
            if state == OVER:
                evaluate(rules, room, FIRST_OF_TAIL + depth, style)
                tail.depth[0] = depth - 1
                report(room, tail, depth - 1, room.returns)
            elif state == DRAWING or not enter(rules, room, tail, depth):
                return UNSOLVABLE
        elif tail.following[depth] < tail.counts[depth]:
            descend(rules, room, tail, depth)
        elif depth == 0:
            return SOLVED
        else:
            tail.depth[0] = depth - 1
            report(room, tail, depth - 1, tail.values[depth])
    return UNDER_WAY


@compiled_once(types.float64(ERASED_TYPE, SCRATCH_TYPE))
def logarithm_of_size(rules: Erased, room: Scratch) -> float:
    """About how many ways there are to go on from row ROOT to the game's end, by one of them: the logarithm.

    Infinite if that one comes to where chance acts.
    """
    copy(room.rows, NOW, ROOT)
    total, depth = 0.0, 0
    while status(room.rows, NOW) == DECIDING:
        depth += 1
        if depth == TAIL:
            return math.inf
        here = address(room.rows, NOW)
        total += math.log(rules.candidates(here, room.actions))
        rules.apply(here, rules.random_action(here, room.rng))
    return total if status(room.rows, NOW) == OVER else math.inf
