"""How far apart players are, in Elo: who is 400 points ahead wins ten games of eleven.

Levels are measured each against the one below, so the likeliest ratings are the sums of the steps. To the deals of a
step one is added that was won and one that was lost: so it is finite, and a little too small, where every game was
won. The interval of a step is that of its share, put on the scale of Elo (by the slope of that scale alone, the delta
method, it would be far too wide near 0 and 1); the steps are independent, so the squares of its two parts, below and
above, add up. Where the interval of a share ends at 0 or 1, Elo has no end: it is told as far as on the other side.
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
    """The Elo that wins this share of games, 0..1 and neither."""
    return SCALE * math.log(share / (1 - share))


def step(deals: Sequence[float]) -> Rating:
    """How far the player is above the other, by the share of each deal that it won."""
    share = (sum(deals) + 1) / (len(deals) + 2)
    low, high = interval(deals)
    below = difference(share) - difference(low) if low > 0 else None
    above = difference(high) - difference(share) if high < 1 else below
    elo, below = difference(share), above if below is None else below
    return Rating(elo, elo - (below or 0.0), elo + (above or 0.0))


def plus(one: Rating, other: Rating) -> Rating:
    """The sum of two that are independent."""
    elo = one.elo + other.elo
    low = math.hypot(one.elo - one.low, other.elo - other.low)
    high = math.hypot(one.high - one.elo, other.high - other.elo)
    return Rating(elo, elo - low, elo + high)


def ladder(steps: Iterable[Sequence[float]]) -> list[Rating]:
    """The rating after each step, by its deals; the weakest player, below the first, has 0."""
    return list(itertools.accumulate(map(step, steps), plus))


def below(rating: Rating, deals: Sequence[float]) -> Rating:
    """The rating of a player that the player of a rating has met, who won these deals so."""
    more = step(deals)
    return plus(rating, Rating(-more.elo, -more.high, -more.low))
