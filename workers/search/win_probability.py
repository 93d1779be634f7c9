"""Convert returns of the search (-1 to 1) to probabilities of winning.

Two numbers per ruleset and number of seats are fitted to how often a seat won self-play games from positions of that
return. `python -m tests.bench.bench_calibration` prints them, how well they fit, and the Brier score.
"""

from __future__ import annotations

import math

from service.rulesets.ai_levels import Calibration
from service.rulesets.ruleset import Ruleset

MAX_RETURN = 0.999999  # keeps log-odds finite


def log_odds(value: float) -> float:
    """Return the inverse tanh of a return."""
    return math.atanh(max(-MAX_RETURN, min(MAX_RETURN, value)))


def calibration_of(ruleset: Ruleset, seats: int) -> Calibration:
    """Return the ruleset's calibration for a number of seats, or the default."""
    return ruleset.ai.calibrations.get(seats, Calibration())


def win_probability(ruleset: Ruleset, seats: int, value: float) -> float:
    """Return the probability that a seat with this expected return wins, with four decimals."""
    steepness, offset = calibration_of(ruleset, seats)
    return round(1.0 / (1.0 + math.exp(-2.0 * steepness * log_odds(value) - offset)), 4)
