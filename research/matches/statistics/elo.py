"""Elo differences. A player that is 400 points ahead wins ten games of eleven.

Each level is measured against the one below, so the most likely ratings are sums of steps. One won and one lost deal
are added to each step, which makes it finite and slightly too small if every game was won.

The interval of a step is the interval of its share, converted to Elo. The delta method would be far too wide near 0 and
1. Steps are independent, so the squares of the distances below and above add up. If the interval of a share ends at 0
or 1, Elo has no bound on that side, and the distance of the other side is used.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from research.matches.statistics.sequences import interval

SCALE = 400 / math.log(10)


@dataclass(frozen=True)
class Rating:
    """A player's Elo above another's, with its 95 % interval."""

    elo: float
    low: float
    high: float


def difference(share: float) -> float:
    """Return the Elo difference for a share of wins, greater than 0 and less than 1."""
    return SCALE * math.log(share / (1 - share))


def step(deals: Sequence[float]) -> Rating:
    """Return the player's rating above the other. `deals`: the share of wins in each deal."""
    share = (sum(deals) + 1) / (len(deals) + 2)
    low, high = interval(deals)
    below = difference(share) - difference(low) if low > 0 else None
    above = difference(high) - difference(share) if high < 1 else below
    elo, below = difference(share), above if below is None else below
    return Rating(elo, elo - (below or 0.0), elo + (above or 0.0))


def add(one: Rating, other: Rating) -> Rating:
    """Return the sum of two independent ratings."""
    elo = one.elo + other.elo
    low = math.hypot(one.elo - one.low, other.elo - other.low)
    high = math.hypot(one.high - one.elo, other.high - other.elo)
    return Rating(elo, elo - low, elo + high)


def ladder(steps: Iterable[Sequence[float]]) -> list[Rating]:
    """Return the rating after each step. The player below the first step has 0."""
    return list(itertools.accumulate(map(step, steps), add))


def opponent_rating(rating: Rating, deals: Sequence[float]) -> Rating:
    """Return the rating of the opponent of a rated player. `deals`: the rated player's share of wins in each deal."""
    lead = step(deals)
    return add(rating, Rating(-lead.elo, -lead.high, -lead.low))
