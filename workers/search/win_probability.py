"""Convert returns of the search (-1 to 1) to probabilities of winning.

The numbers of each ruleset and number of seats are fitted to how often a seat won games between equal players from
positions of that return. `python -m tests.bench.bench_calibration` prints them and how well they fit.
"""

from __future__ import annotations

import math

import numpy as np

from service.games.rating import level_rating
from service.rulesets.ai_levels import Calibration
from service.rulesets.ruleset import Ruleset

MAX_RETURN = 0.999999  # keeps log-odds finite


def log_odds(value: float) -> float:
    """Return the inverse tanh of a return."""
    return math.atanh(max(-MAX_RETURN, min(MAX_RETURN, value)))


def calibration_of(ruleset: Ruleset, seats: int, points: float | None = None) -> tuple[float, float]:
    """Return the steepness and offset of a ruleset's calibration for a number of seats, or of the default.

    `points`: mean rating of the players. By default they play as well as the search.
    """
    steepness, offset = ruleset.ai.calibrations.get(seats, Calibration())
    values = [*steepness.values()]
    if points is None:
        return values[-1], offset
    ratings = [rating.points for level in steepness if (rating := level_rating(ruleset, seats, level)) is not None]
    is_measured = len(ratings) == len(values)
    return float(np.interp(points, ratings, values)) if is_measured else values[-1], offset


def win_probability(ruleset: Ruleset, seats: int, value: float, points: float | None = None) -> float:
    """Return the probability that a seat with this expected return wins, with four decimals.

    `points`: mean rating of the players. By default they play as well as the search.
    """
    steepness, offset = calibration_of(ruleset, seats, points)
    return round(1.0 / (1.0 + math.exp(-2.0 * steepness * log_odds(value) - offset)), 4)
