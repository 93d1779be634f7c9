"""When has enough been played? A confidence interval that is valid after every deal.

An ordinary 95 % interval is valid for a number of games that is fixed in advance. Checking it repeatedly and stopping
at a favourable result is wrong more often than once in twenty. A **confidence sequence** is valid at all times. Ours is
for the mean over deals, because the games of a deal share their luck.

**By betting** (Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables by betting"; with the
mixture of Orabona and Jun 2021, "Tight concentrations and confidence sequences from the regret of universal
portfolio"). If the mean is m, a bet that pays b x/m + (1 - b)(1 - x)/(1 - m) for a deal x is fair for every b. A
player that starts with 1 and bets on every deal ever owns more than 20 with probability at most 1/20 (Ville 1939). So
every m against which the wealth has exceeded 20 is excluded. The bets are distributed over all b by Jeffreys' prior.
The only assumption is that deals are between 0 and 1, and any number of deals is valid. An asymptotic sequence excluded
a fair coin in 12 of 100 matches. If alternating variants have different means, the bet against their common mean is
less than fair, so the interval remains valid.

Each bet's wealth is a log-convex function of m, and so is their mean. So the values that are not excluded are an
interval.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

ALPHA = 0.05
BETS = np.sin(np.pi * (np.arange(100) + 0.5) / 200) ** 2  # equally likely under Jeffreys' prior
HALVINGS = 20  # of the unit interval


def wealth(deals: Sequence[float], mean: float) -> float:
    """Return the logarithm of the wealth from betting on deals (each 0..1) against a mean (0 < mean < 1)."""
    grown = np.zeros(len(BETS))
    for deal, count in Counter(deals).items():
        grown += count * np.log(BETS * deal / mean + (1 - BETS) * (1 - deal) / (1 - mean))
    most = float(grown.max())
    return most + math.log(float(np.mean(np.exp(grown - most))))


def interval(deals: Sequence[float]) -> tuple[float, float]:
    """Return the interval of the mean with probability 1 - ALPHA, valid at every look."""
    if not deals:
        return 0.0, 1.0
    mean, limit = sum(deals) / len(deals), math.log(1 / ALPHA)
    return (
        _end(lambda part: mean * (1 - part), deals, limit),
        _end(lambda part: mean + (1 - mean) * part, deals, limit),
    )


def _end(mean_at: Callable[[float], float], deals: Sequence[float], limit: float) -> float:
    """Return the last value, from the mean (part 0) to the end of the unit interval (part 1), that is not excluded."""
    within, beyond = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (within + beyond) / 2
        if 0 < mean_at(middle) < 1 and wealth(deals, mean_at(middle)) >= limit:
            beyond = middle
        else:
            within = middle
    return mean_at(beyond)


def is_decided(deals: Sequence[float], bounds: Sequence[float]) -> bool:
    """Return whether the side of each bound is known, because the interval contains none; False without bounds."""
    if not bounds:
        return False
    low, high = interval(deals)
    return not any(low <= bound <= high for bound in bounds)
