"""When has enough been played? An interval that may be looked at after every deal.

An ordinary 95 % interval holds for a number of games fixed beforehand: who looks at it again and again, and stops when
it says what was hoped for, is deceived more often than once in twenty. A **confidence sequence** holds at all times at
once. Ours is of the mean over deals: the games of a deal share their luck, so that they say more together than their
number.

**By betting** (Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables by betting"; with the
mixture of Orabona and Jun 2021, "Tight concentrations and confidence sequences from the regret of universal
portfolio"). Suppose that the mean were m. Then a bet that pays b x/m + (1 - b)(1 - x)/(1 - m) for a deal x is fair,
whatever b is, and who begins with 1 and bets on every deal owns more than 20 at some time with probability 1/20 at
most (Ville 1939). So every m against which one would have grown so rich is left out. The bets are spread over all b,
as Jeffreys' prior spreads them. Nothing is assumed of the deals but that they lie between 0 and 1; no number of them
is too small. (An asymptotic sequence, tried before, left a fair coin out in 12 of 100 matches.) Where variants take
turns and differ, the bet against their common mean is worse than fair, so the interval holds there, too.

Each bet's wealth is a log-convex function of m, and so is their mean: what is not left out is an interval.
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
    """The logarithm of what betting on the deals (each 0..1) against a mean (0 < mean < 1) has brought."""
    grown = np.zeros(len(BETS))
    for deal, count in Counter(deals).items():
        grown += count * np.log(BETS * deal / mean + (1 - BETS) * (1 - deal) / (1 - mean))
    most = float(grown.max())
    return most + math.log(float(np.mean(np.exp(grown - most))))


def interval(deals: Sequence[float]) -> tuple[float, float]:
    """Where the mean of the deals lies with probability 1 - ALPHA, however often one looks."""
    if not deals:
        return 0.0, 1.0
    mean, rich = sum(deals) / len(deals), math.log(1 / ALPHA)
    return (
        _end(lambda part: mean * (1 - part), deals, rich),
        _end(lambda part: mean + (1 - mean) * part, deals, rich),
    )


def _end(mean_at: Callable[[float], float], deals: Sequence[float], rich: float) -> float:
    """The last place from the mean (part 0) to the end of the unit interval (part 1) that is not left out."""
    within, beyond = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (within + beyond) / 2
        if 0 < mean_at(middle) < 1 and wealth(deals, mean_at(middle)) >= rich:
            beyond = middle
        else:
            within = middle
    return mean_at(beyond)


def decided(deals: Sequence[float], bounds: Sequence[float]) -> bool:
    """Whether the interval holds none of the bounds any more: it is known between which of them the mean lies."""
    low, high = interval(deals)
    return not any(low <= bound <= high for bound in bounds)
