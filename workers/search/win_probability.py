"""Convert returns of the search (-1 to 1) to probabilities of winning.

The numbers of each ruleset and number of seats are fitted to how often a seat won games between equal players from
positions of that return. `python -m tests.bench.bench_calibration` prints them and how well they fit.
"""

from __future__ import annotations

import hashlib
import math

import numpy as np

from service.games.rating import level_rating
from service.rulesets.ai_levels import Calibration
from service.rulesets.ruleset import Position, Ruleset
from workers.search.parameters import Parameters
from workers.search.tree import SearchTree

SOLVER = Parameters(win=1.0, endgame_positions=2_000)  # about 4 ms
SEED = hashlib.sha256(b"solver").digest()
MAX_RETURN = 0.999999  # keeps log-odds finite


def log_odds(value: float) -> float:
    """Return the inverse tanh of a return."""
    return math.atanh(max(-MAX_RETURN, min(MAX_RETURN, value)))


def calibration_of(ruleset: Ruleset, seats: int, points: float | None = None) -> Calibration:
    """Return a ruleset's calibration for a number of seats, or the default.

    `points`: mean rating of the players. By default they play as well as the search.
    """
    by_level = ruleset.ai.calibrations.get(seats) or {"expert": Calibration()}
    strongest = [*by_level.values()][-1]
    if points is None:
        return strongest
    ratings = [rating.points for level in by_level if (rating := level_rating(ruleset, seats, level)) is not None]
    if len(ratings) < len(by_level):
        return strongest
    columns = zip(*by_level.values(), strict=True)
    return Calibration(*(float(np.interp(points, ratings, column)) for column in columns))


def win_probability(ruleset: Ruleset, seats: int, value: float, points: float | None = None) -> float:
    """Return the probability that a seat with this expected return wins, with four decimals.

    `points`: mean rating of the players. By default they play as well as the search.
    """
    steepness, offset = calibration_of(ruleset, seats, points)
    return round(1.0 / (1.0 + math.exp(-2.0 * steepness * log_odds(value) - offset)), 4)


def win_probability_after(position: Position, seat: int, value: float, points: float | None = None) -> float:
    """Return `win_probability`, or the seat's share of the win if that is certain.

    It is certain if no draw and no choice is left, or if two seats have so few choices that the rest can be solved.
    `position`: after the action that is judged; `value`: the return that the seat expects from it.
    """
    while len(actions := position.legal_actions()) == 1:
        position = position.play(actions[0])
    if position.status == "over":
        won = [outcome.won for outcome in position.outcome()]
        return round(won[seat] / sum(won), 4)
    if position.seats == 2 and position.seat is not None:
        returns = SearchTree(position, SOLVER, SEED).solve_exactly()
        if returns is not None:
            return (1.0 + returns[seat]) / 2
    return win_probability(position.ruleset, position.seats, value, points)
