"""What a position is worth to each seat, and short games to find out.

A **return** is a number from -1 to 1 for each seat: how far it is ahead of its best opponent, in points, pressed
through tanh (10 points ahead matter, 60 are no better than 40). At the end half of it is who has won.

A **playout** goes on from a leaf of the tree until chance has to act (`Style.horizon` tells how often it may), or for
`plies` decisions, whichever comes first, and then asks the ruleset's `estimate`: what chance brings cannot be
foreseen, and random play on and on measures little. Each decision is the best by estimate of a few drawn at random.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types

from service.rulesets.kernel import (
    DECIDING,
    DRAWING,
    OVER,
    Floats,
    Ints,
    State,
    below,
    helper,
    uniform,
)
from service.rulesets.ruleset import Ruleset
from service.rulesets.seats import MOST_SEATS
from workers.search.parameters import Style
from workers.search.record_abi import (
    ERASED_TYPE,
    NOW,
    ROOT,
    TRIAL,
    Erased,
    Words,
    address,
    compiled_once,
    copy,
    seat_to_decide,
    seats_of,
    status,
    tables,
)


class Scratch(NamedTuple):
    """Memory that compiled code works in: it allocates nothing itself.

    rows: ROOT, NOW and TRIAL, see record_abi.py;
    actions, values: (most actions of the ruleset,); drawn: (most drawn,);
    points, returns, leads: (MOST_SEATS,) float64; keys: (MOST_SEATS,) int64;
    rng: a generator's state, the search's own.
    """

    rows: Words
    actions: Ints
    values: Floats
    drawn: Ints
    points: Floats
    returns: Floats
    leads: Floats
    keys: Ints
    rng: State


_INTS, _FLOATS = types.int64[::1], types.float64[::1]
SCRATCH_TYPE: Any = types.NamedTuple(  # type: ignore[no-untyped-call]  # numba ships half its types
    [types.uint64[:, ::1], _INTS, _FLOATS, _INTS, _FLOATS, _FLOATS, _FLOATS, _INTS, types.uint64[::1]], Scratch
)


def scratch(ruleset: Ruleset, rng: State) -> Scratch:
    """Room for positions of a ruleset."""
    return Scratch(
        tables(ruleset),
        np.empty(ruleset.most_actions, np.int64),
        np.empty(ruleset.most_actions, np.float64),
        np.empty(ruleset.most_drawn, np.int64),
        np.zeros(MOST_SEATS, np.float64),
        np.zeros(MOST_SEATS, np.float64),
        np.zeros(MOST_SEATS, np.float64),
        np.zeros(MOST_SEATS, np.int64),
        rng,
    )


@helper
def best_other(points: Floats, seats: int, seat: int) -> float:
    """The most points that another seat has."""
    best = -math.inf
    for other in range(seats):
        if other != seat:
            best = max(best, points[other])
    return best


@helper
def estimate_all(rules: Erased, room: Scratch, row: int) -> None:
    """What every seat may expect, into `room.points`."""
    here = address(room.rows, row)
    for seat in range(seats_of(room.rows, row)):
        room.points[seat] = rules.estimate(here, seat)


@helper
def evaluate(rules: Erased, room: Scratch, row: int, style: Style) -> None:
    """Every seat's return, into `room.returns`, and its points ahead of its best opponent, into `room.leads`."""
    here = address(room.rows, row)
    seats = seats_of(room.rows, row)
    estimate_all(rules, room, row)
    for seat in range(seats):
        room.leads[seat] = room.points[seat] - best_other(room.points, seats, seat)
        room.returns[seat] = math.tanh(room.leads[seat] / style.scale)
    if status(room.rows, row) == OVER:
        rules.outcome(here, room.keys)
        best = room.keys[:seats].max()
        winners = (room.keys[:seats] == best).sum()
        for seat in range(seats):
            won = 2.0 / winners - 1.0 if room.keys[seat] == best else -1.0
            room.returns[seat] = (1.0 - style.win) * room.returns[seat] + style.win * won


@helper
def look(rules: Erased, room: Scratch, action: int) -> None:
    """Lay the position after the action into row TRIAL."""
    copy(room.rows, TRIAL, NOW)
    rules.apply(address(room.rows, TRIAL), action)


@helper
def try_action(rules: Erased, room: Scratch, action: int, seat: int) -> float:
    """What the seat may expect after the action. What the others may is hardly changed by it, and not asked."""
    look(rules, room, action)
    return rules.estimate(address(room.rows, TRIAL), seat)  # type: ignore[no-any-return]


@helper
def prior(rules: Erased, room: Scratch, action: int, seat: int, style: Style) -> float:
    """The seat's return after the action, by estimate; `room.points`: what all may expect before it."""
    points = try_action(rules, room, action, seat)
    if status(room.rows, TRIAL) == OVER:
        evaluate(rules, room, TRIAL, style)
        return room.returns[seat]  # type: ignore[no-any-return]
    return math.tanh((points - best_other(room.points, seats_of(room.rows, TRIAL), seat)) / style.scale)


@helper
def best_of_few(rules: Erased, room: Scratch, few: int) -> int:
    """The best, by estimate, of `few` legal actions drawn at random (one: no estimate is asked)."""
    here = address(room.rows, NOW)
    best = rules.random_action(here, room.rng)
    if few == 1:
        return best  # type: ignore[no-any-return]
    seat = seat_to_decide(room.rows, NOW)
    most = try_action(rules, room, best, seat)
    for _ in range(few - 1):
        action = rules.random_action(here, room.rng)
        if action != best:
            value = try_action(rules, room, action, seat)
            if value > most:
                best, most = action, value
    return best  # type: ignore[no-any-return]


@helper
def draw(rules: Erased, room: Scratch) -> None:
    """Chance acts in row NOW."""
    here = address(room.rows, NOW)
    count = rules.sample(here, room.rng, room.drawn)
    rules.deal(here, room.drawn[:count])


@helper
def playout(rules: Erased, room: Scratch, style: Style) -> None:
    """Go on from row NOW, in place, through `horizon` acts of chance, until the game is over or plies run out."""
    plies = draws = 0
    while plies < style.plies * (draws + 1):
        state = status(room.rows, NOW)
        if state == DECIDING:
            rules.apply(address(room.rows, NOW), best_of_few(rules, room, style.playout_candidates))
            plies += 1
        elif state == DRAWING and draws < style.horizon:
            draw(rules, room)
            draws += 1
        else:
            break


@helper
def normal(rng: State) -> float:
    """A number of the standard normal distribution (Box and Muller 1958)."""
    return math.sqrt(-2.0 * math.log(1.0 - uniform(rng))) * math.cos(2.0 * math.pi * uniform(rng))


@compiled_once(types.int64(ERASED_TYPE, SCRATCH_TYPE, types.float64))
def greedy_action(rules: Erased, room: Scratch, noise: float) -> int:
    """The candidate in row ROOT after which the seat may expect most; equal ones are drawn among.

    `noise` is the standard deviation, in points, of what is added to each.
    """
    copy(room.rows, NOW, ROOT)
    seat = seat_to_decide(room.rows, NOW)
    count = rules.candidates(address(room.rows, NOW), room.actions)
    best, most, equal = room.actions[0], -math.inf, 0
    for k in range(count):
        value = try_action(rules, room, room.actions[k], seat)
        if noise:
            value += noise * normal(room.rng)
        if value > most:
            best, most, equal = room.actions[k], value, 1
        elif value == most:
            equal += 1
            if below(room.rng, equal) == 0:
                best = room.actions[k]
    return best  # type: ignore[no-any-return]
