"""What a position is worth to each seat, and short games to find out.

A **return** is a number from -1 to 1 for each seat: how far it is ahead of its best opponent, in points, pressed
through tanh (10 points ahead matter, 60 are no better than 40). At the end half of it is who has won.

A **playout** goes on from a leaf of the tree until chance has to act (`Parameters.horizon` tells how often it may), or
for `plies` decisions, whichever comes first, and then asks the ruleset's `estimate`: what chance brings cannot be
foreseen, and random play on and on measures little. Each decision is the best by estimate of a few drawn at random, or
the one of them that the ruleset's network prefers. Where a ruleset's network says what positions are worth, it has a
share of the word in that (`Parameters.value`).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from service.rulesets.kernel import (
    DECIDING,
    DRAWING,
    OVER,
    Floats,
    Ints,
    RngState,
    below,
    helper,
    uniform,
)
from service.rulesets.networks.network import HIDDEN, MAX_FEATURES, Singles
from service.rulesets.ruleset import Ruleset
from service.rulesets.seats import MAX_SEATS
from workers.search.parameters import Parameters
from workers.search.record_abi import RulesByAddress, entry
from workers.search.rows import (
    CURRENT_ROW,
    ROOT_ROW,
    TRIAL_ROW,
    Words,
    address,
    copy,
    seat_to_decide,
    seats_of,
    status,
    tables,
)

DEEPEST = 64  # nodes on a path in the tree
MAX_SURE = 1.0 - 2.0**-40  # keeps logarithms of chance finite


class Scratch(NamedTuple):
    """Memory that compiled code works in: it allocates nothing itself.

    rows: ROOT, NOW and TRIAL, see rows.py;
    actions, values: (most actions of the ruleset,); drawn: (most drawn,);
    points, returns, leads: (MAX_SEATS,) float64; keys: (MAX_SEATS,) int64;
    rng: a generator's state, the search's own;
    features, hidden: a network's memory, see service/rulesets/networks/network.py;
    path: (DEEPEST,) the nodes of a simulation, the root first.
    """

    rows: Words
    actions: Ints
    values: Floats
    drawn: Ints
    points: Floats
    returns: Floats
    leads: Floats
    keys: Ints
    rng: RngState
    features: Ints
    hidden: Singles
    path: Ints


def new_scratch(ruleset: Ruleset, rng: RngState) -> Scratch:
    """Memory for positions of a ruleset."""
    return Scratch(
        tables(ruleset),
        np.empty(ruleset.max_actions, np.int64),
        np.empty(ruleset.max_actions, np.float64),
        np.empty(ruleset.max_drawn, np.int64),
        np.zeros(MAX_SEATS, np.float64),
        np.zeros(MAX_SEATS, np.float64),
        np.zeros(MAX_SEATS, np.float64),
        np.zeros(MAX_SEATS, np.int64),
        rng,
        np.zeros(MAX_FEATURES, np.int64),
        np.zeros(HIDDEN, np.float32),
        np.zeros(DEEPEST, np.int64),
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
def estimate_all(rules: RulesByAddress, scratch: Scratch, row: int) -> None:
    """What every seat may expect, into `scratch.points`."""
    here = address(scratch.rows, row)
    for seat in range(seats_of(scratch.rows, row)):
        scratch.points[seat] = rules.estimate(here, seat)


@helper
def return_of(
    rules: RulesByAddress, scratch: Scratch, row: int, seat: int, lead: float, parameters: Parameters
) -> float:
    """What a seat may expect that leads by so many points, by estimate; the network has its share of the word."""
    by_lead = math.tanh(lead / parameters.scale)
    if parameters.value == 0.0 or status(scratch.rows, row) == OVER:
        return by_lead
    value = rules.value(address(scratch.rows, row), seat, lead, scratch.features, scratch.hidden)
    return by_lead + parameters.value * (value - by_lead)  # type: ignore[no-any-return]


@helper
def evaluate(rules: RulesByAddress, scratch: Scratch, row: int, parameters: Parameters) -> None:
    """Every seat's return, into `scratch.returns`, and its points ahead of its best opponent, into `scratch.leads`."""
    here = address(scratch.rows, row)
    seats = seats_of(scratch.rows, row)
    estimate_all(rules, scratch, row)
    for seat in range(seats):
        scratch.leads[seat] = scratch.points[seat] - best_other(scratch.points, seats, seat)
        scratch.returns[seat] = return_of(rules, scratch, row, seat, scratch.leads[seat], parameters)
    if status(scratch.rows, row) == OVER:
        rules.outcome(here, scratch.keys)
        best, winners = scratch.keys[0], 0
        for seat in range(seats):
            best = max(best, scratch.keys[seat])
        for seat in range(seats):
            winners += scratch.keys[seat] == best
        for seat in range(seats):
            won = 2.0 / winners - 1.0 if scratch.keys[seat] == best else -1.0
            scratch.returns[seat] = (1.0 - parameters.win) * scratch.returns[seat] + parameters.win * won


@helper
def look(rules: RulesByAddress, scratch: Scratch, action: int) -> None:
    """Lay the position after the action into row TRIAL."""
    copy(scratch.rows, TRIAL_ROW, CURRENT_ROW)
    rules.apply(address(scratch.rows, TRIAL_ROW), action)


@helper
def try_action(rules: RulesByAddress, scratch: Scratch, action: int, seat: int) -> float:
    """What the seat may expect after the action. What the others may is hardly changed by it, and not asked."""
    look(rules, scratch, action)
    return rules.estimate(address(scratch.rows, TRIAL_ROW), seat)  # type: ignore[no-any-return]


@helper
def prior(rules: RulesByAddress, scratch: Scratch, action: int, seat: int, parameters: Parameters) -> float:
    """The seat's return after the action, by estimate; `scratch.points`: what all may expect before it."""
    points = try_action(rules, scratch, action, seat)
    if status(scratch.rows, TRIAL_ROW) == OVER:
        evaluate(rules, scratch, TRIAL_ROW, parameters)
        return scratch.returns[seat]  # type: ignore[no-any-return]
    lead = points - best_other(scratch.points, seats_of(scratch.rows, TRIAL_ROW), seat)
    return return_of(rules, scratch, TRIAL_ROW, seat, lead, parameters)


@helper
def best_of_few(rules: RulesByAddress, scratch: Scratch, few: int) -> int:
    """The best, by estimate, of `few` legal actions drawn at random (one: no estimate is asked)."""
    here = address(scratch.rows, CURRENT_ROW)
    best = rules.random_action(here, scratch.rng)
    if few == 1:
        return best  # type: ignore[no-any-return]
    seat = seat_to_decide(scratch.rows, CURRENT_ROW)
    most = try_action(rules, scratch, best, seat)
    for _ in range(few - 1):
        action = rules.random_action(here, scratch.rng)
        if action != best:
            value = try_action(rules, scratch, action, seat)
            if value > most:
                best, most = action, value
    return best  # type: ignore[no-any-return]


@helper
def preferred_of_few(rules: RulesByAddress, scratch: Scratch, few: int) -> int:
    """The one that the network prefers of `few` legal actions drawn at random."""
    here = address(scratch.rows, CURRENT_ROW)
    for k in range(few):
        scratch.actions[k] = rules.random_action(here, scratch.rng)
    rules.preferences(here, scratch.actions[:few], scratch.values[:few], scratch.features, scratch.hidden)
    return scratch.actions[scratch.values[:few].argmax()]  # type: ignore[no-any-return]


@helper
def draw(rules: RulesByAddress, scratch: Scratch) -> None:
    """Chance acts in row NOW."""
    here = address(scratch.rows, CURRENT_ROW)
    count = rules.sample(here, scratch.rng, scratch.drawn)
    rules.resolve_draw(here, scratch.drawn[:count])


@helper
def playout(rules: RulesByAddress, scratch: Scratch, parameters: Parameters) -> None:
    """Go on from row NOW, in place, through `horizon` acts of chance, until the game is over or plies run out."""
    plies = draws = 0
    while plies < parameters.plies * (draws + 1):
        state = status(scratch.rows, CURRENT_ROW)
        if state == DECIDING:
            if parameters.playout_preferred:
                action = preferred_of_few(rules, scratch, parameters.playout_preferred)
            else:
                action = best_of_few(rules, scratch, parameters.playout_candidates)
            rules.apply(address(scratch.rows, CURRENT_ROW), action)
            plies += 1
        elif state == DRAWING and draws < parameters.horizon:
            draw(rules, scratch)
            draws += 1
        else:
            break


@helper
def normal(rng: RngState) -> float:
    """A number of the standard normal distribution (Box and Muller 1958)."""
    return math.sqrt(-2.0 * math.log(1.0 - uniform(rng))) * math.cos(2.0 * math.pi * uniform(rng))


@entry("Rules, Scratch, float64")
def greedy_action(rules: RulesByAddress, scratch: Scratch, noise: float) -> int:
    """The candidate in row ROOT after which the seat may expect most; equal ones are drawn among.

    `noise` is the standard deviation, in points, of what is added to each.
    """
    copy(scratch.rows, CURRENT_ROW, ROOT_ROW)
    seat = seat_to_decide(scratch.rows, CURRENT_ROW)
    count = rules.candidates(address(scratch.rows, CURRENT_ROW), scratch.actions)
    best, most, equal = scratch.actions[0], -math.inf, 0
    for k in range(count):
        value = try_action(rules, scratch, scratch.actions[k], seat)
        if noise:
            value += noise * normal(scratch.rng)
        if value > most:
            best, most, equal = scratch.actions[k], value, 1
        elif value == most:
            equal += 1
            if below(scratch.rng, equal) == 0:
                best = scratch.actions[k]
    return best  # type: ignore[no-any-return]


@helper
def add_chance(log_odds: Floats, temperature: float, rng: RngState) -> None:
    """Change them so that the greatest is a draw by the odds at this temperature (Gumbel 1954)."""
    for k in range(len(log_odds)):
        log_odds[k] -= temperature * math.log(-math.log(1.0 - uniform(rng) * MAX_SURE))


@entry("Rules, Scratch, float64")
def preferred_action(rules: RulesByAddress, scratch: Scratch, temperature: float) -> int:
    """A candidate in row ROOT, drawn by the network's preferences at this temperature; at 0 the most preferred."""
    copy(scratch.rows, CURRENT_ROW, ROOT_ROW)
    here = address(scratch.rows, CURRENT_ROW)
    count = rules.candidates(here, scratch.actions)
    values = scratch.values[:count]
    rules.preferences(here, scratch.actions[:count], values, scratch.features, scratch.hidden)
    if temperature:
        add_chance(values, temperature, scratch.rng)
    return scratch.actions[values.argmax()]  # type: ignore[no-any-return]
