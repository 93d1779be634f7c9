"""What a return of the search means to people: the probability of winning.

A return is between -1 and 1; how often the seat won from positions of that return was measured in self-play, and two
numbers for each ruleset and number of seats fit it: `python -m tests.bench.bench_calibration` prints them, how well
they fit, and the Brier score.
"""

from __future__ import annotations

import math

from service.rulesets.ai_levels import Calibration
from service.rulesets.ruleset import Ruleset

SURE = 0.999999


def log_odds(value: float) -> float:
    """The return, stretched over all numbers."""
    return math.atanh(max(-SURE, min(SURE, value)))


def calibration_of(ruleset: Ruleset, seats: int) -> Calibration:
    """The ruleset's for so many seats; where nothing was fitted, what is usual."""
    return ruleset.ai.calibrations.get(seats, Calibration())


def win_probability(ruleset: Ruleset, seats: int, value: float) -> float:
    """How likely the seat wins that expects this return in a game of so many seats."""
    steepness, offset = calibration_of(ruleset, seats)
    return round(1.0 / (1.0 + math.exp(-2.0 * steepness * log_odds(value) - offset)), 4)
