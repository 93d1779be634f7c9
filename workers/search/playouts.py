"""Values of positions, and the playouts that measure them.

A **return** is a number from -1 to 1 for each seat. It is the seat's lead over its best opponent, compressed with tanh:
10 points ahead matter, 60 are no better than 40. In a finished game, half of the return is for winning.

A **playout** continues from a leaf of the tree until a draw beyond `Parameters.horizon` is due, or for `plies`
decisions. Then the ruleset's `estimate` evaluates the position: draws cannot be foreseen, and long random play measures
little. Each decision is the best of some random actions, by estimate or by the ruleset's preference network. A value
network contributes to the evaluation with the weight `Parameters.value`.
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
    helper,
    random_below,
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

MAX_DEPTH = 64  # nodes on a path in the tree
MAX_BELOW_ONE = 1.0 - 2.0**-40  # keeps logarithms of random numbers finite


class Scratch(NamedTuple):
    """Memory for compiled code, which allocates nothing itself.

    rows: ROOT_ROW, CURRENT_ROW and TRIAL_ROW, see rows.py;
    actions, values: (maximum number of actions of the ruleset,); drawn: (maximum size of a draw,);
    points, returns, leads: (MAX_SEATS,) float64; keys: (MAX_SEATS,) int64;
    rng: state of the search's own generator;
    features, hidden: a network's memory, see service/rulesets/networks/network.py;
    path: (MAX_DEPTH,) the nodes of a simulation, the root first.
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
    """Return memory for positions of a ruleset."""
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
        np.zeros(MAX_DEPTH, np.int64),
    )


@helper
def best_other(points: Floats, seats: int, seat: int) -> float:
    """Return the highest points of the other seats."""
    best = -math.inf
    for other in range(seats):
        if other != seat:
            best = max(best, points[other])
    return best


@helper
def estimate_all(rules: RulesByAddress, scratch: Scratch, row: int) -> None:
    """Write every seat's estimated final points into `scratch.points`."""
    here = address(scratch.rows, row)
    for seat in range(seats_of(scratch.rows, row)):
        scratch.points[seat] = rules.estimate(here, seat)


@helper
def return_of(
    rules: RulesByAddress, scratch: Scratch, row: int, seat: int, lead: float, parameters: Parameters
) -> float:
    """Return a seat's expected return for a lead in points, combined with the value network."""
    by_lead = math.tanh(lead / parameters.scale)
    if parameters.value == 0.0 or status(scratch.rows, row) == OVER:
        return by_lead
    value = rules.value(address(scratch.rows, row), seat, lead, scratch.features, scratch.hidden)
    return by_lead + parameters.value * (value - by_lead)  # type: ignore[no-any-return]


@helper
def evaluate(rules: RulesByAddress, scratch: Scratch, row: int, parameters: Parameters) -> None:
    """Write every seat's return into `scratch.returns`, and its lead over its best opponent into `scratch.leads`."""
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
def apply_trial(rules: RulesByAddress, scratch: Scratch, action: int) -> None:
    """Write the position after the action into row TRIAL_ROW."""
    copy(scratch.rows, TRIAL_ROW, CURRENT_ROW)
    rules.apply(address(scratch.rows, TRIAL_ROW), action)


@helper
def try_action(rules: RulesByAddress, scratch: Scratch, action: int, seat: int) -> float:
    """Return the seat's estimated points after the action.

    The other seats' estimates hardly change, so they are skipped.
    """
    apply_trial(rules, scratch, action)
    return rules.estimate(address(scratch.rows, TRIAL_ROW), seat)  # type: ignore[no-any-return]


@helper
def prior(rules: RulesByAddress, scratch: Scratch, action: int, seat: int, parameters: Parameters) -> float:
    """Return the seat's estimated return after the action. `scratch.points`: all seats' estimates before it."""
    points = try_action(rules, scratch, action, seat)
    if status(scratch.rows, TRIAL_ROW) == OVER:
        evaluate(rules, scratch, TRIAL_ROW, parameters)
        return scratch.returns[seat]  # type: ignore[no-any-return]
    lead = points - best_other(scratch.points, seats_of(scratch.rows, TRIAL_ROW), seat)
    return return_of(rules, scratch, TRIAL_ROW, seat, lead, parameters)


@helper
def best_of_few(rules: RulesByAddress, scratch: Scratch, count: int) -> int:
    """Return the best of `count` random legal actions by estimate."""
    here = address(scratch.rows, CURRENT_ROW)
    best = rules.random_action(here, scratch.rng)
    if count == 1:
        return best  # type: ignore[no-any-return]
    seat = seat_to_decide(scratch.rows, CURRENT_ROW)
    most = try_action(rules, scratch, best, seat)
    for _ in range(count - 1):
        action = rules.random_action(here, scratch.rng)
        if action != best:
            value = try_action(rules, scratch, action, seat)
            if value > most:
                best, most = action, value
    return best  # type: ignore[no-any-return]


@helper
def preferred_of_few(rules: RulesByAddress, scratch: Scratch, count: int) -> int:
    """Return the network's favourite among `count` random legal actions."""
    here = address(scratch.rows, CURRENT_ROW)
    for k in range(count):
        scratch.actions[k] = rules.random_action(here, scratch.rng)
    rules.preferences(here, scratch.actions[:count], scratch.values[:count], scratch.features, scratch.hidden)
    return scratch.actions[scratch.values[:count].argmax()]  # type: ignore[no-any-return]


@helper
def draw(rules: RulesByAddress, scratch: Scratch) -> None:
    """Draw at random in row CURRENT_ROW."""
    here = address(scratch.rows, CURRENT_ROW)
    count = rules.sample(here, scratch.rng, scratch.drawn)
    rules.resolve_draw(here, scratch.drawn[:count])


@helper
def playout(rules: RulesByAddress, scratch: Scratch, parameters: Parameters) -> None:
    """Play on from row CURRENT_ROW, in place.

    Stop at the end of the game, when a draw beyond `horizon` is due, or when the plies are used up.
    """
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
    """Return a number of the standard normal distribution (Box and Muller 1958)."""
    return math.sqrt(-2.0 * math.log(1.0 - uniform(rng))) * math.cos(2.0 * math.pi * uniform(rng))


@entry("Rules, Scratch, float64")
def greedy_action(rules: RulesByAddress, scratch: Scratch, noise: float) -> int:
    """Return the candidate in row ROOT_ROW with the highest estimate for its seat. Ties are broken at random.

    `noise`: standard deviation of the error added to each estimate, in points.
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
            if random_below(scratch.rng, equal) == 0:
                best = scratch.actions[k]
    return best  # type: ignore[no-any-return]


@helper
def add_gumbel_noise(log_odds: Floats, temperature: float, rng: RngState) -> None:
    """Add noise so that the index of the maximum is a sample by the log-odds at this temperature (Gumbel 1954)."""
    for k in range(len(log_odds)):
        log_odds[k] -= temperature * math.log(-math.log(1.0 - uniform(rng) * MAX_BELOW_ONE))


@entry("Rules, Scratch, float64")
def preferred_action(rules: RulesByAddress, scratch: Scratch, temperature: float) -> int:
    """Return a candidate in row ROOT_ROW, sampled by the network's preferences.

    At the temperature 0 it is the most preferred one.
    """
    copy(scratch.rows, CURRENT_ROW, ROOT_ROW)
    here = address(scratch.rows, CURRENT_ROW)
    count = rules.candidates(here, scratch.actions)
    values = scratch.values[:count]
    rules.preferences(here, scratch.actions[:count], values, scratch.features, scratch.hidden)
    if temperature:
        add_gumbel_noise(values, temperature, scratch.rng)
    return scratch.actions[values.argmax()]  # type: ignore[no-any-return]
