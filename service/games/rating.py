"""Ratings: what a finished game tells of how strong its players are, by the Bradley–Terry model of Weng and Lin (2011).

A rating is a normal distribution over somebody's strength: its mean `mu`, and `sigma`, how uncertain it is. A game
tells of each two at the table who finished before the other, so one scale of points holds for two, three and four
seats: **400 points are ten to one**. Of openskill's models this one learns fastest, and its odds are as true as any
(`tests.bench.bench_ratings`). A level of an AI has a fixed rating, from what it was measured to win; it is what the
points of different times are held against.

`openskill` has the formulas. It is loaded by what rates, and by nobody else.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from service.levels import LEVELS
from service.rulesets.ruleset import Ruleset

if TYPE_CHECKING:
    from openskill.models import BradleyTerryFull

TWO, MANY = "two", "many"
KINDS_OF_RATING = (TWO, MANY)
"""By the number of seats: two; three or four."""
MU, SIGMA = 25.0, 25.0 / 3
BETA = SIGMA / 2
TEN_TO_ONE = 400
MIDDLE = 1500
POINTS = TEN_TO_ONE / (math.log(10) * math.sqrt(2) * BETA)  # for one of mu
CERTAIN = 4.0  # a rating is provisional while sigma is above it: 118 points
MIDDLE_LEVEL = "club"  # has 1500 points in every ruleset: "a match for most people"
SIGMA_OF_LEVELS = 0.5
BOUND = 0.5  # games won, and lost, that are added to those of a step, so that none is without end


class Rating(NamedTuple):
    """How strong somebody is, and how uncertain that is."""

    mu: float
    sigma: float

    @property
    def points(self) -> int:
        """What is shown of it."""
        return round(MIDDLE + (self.mu - MU) * POINTS)

    @property
    def is_provisional(self) -> bool:
        """Whether it is too uncertain to be taken for what it says."""
        return self.sigma > CERTAIN


NEW = Rating(MU, SIGMA)
"""Of somebody who has not played."""


def kind_of(seats: int) -> str:
    """Which rating a game of so many seats is for."""
    return TWO if seats == 2 else MANY


def field_of(ruleset: str, seats: int) -> str:
    """The name under which ratings and statistics of a ruleset with so many seats are kept."""
    return f"{ruleset}:{kind_of(seats)}"


def undamped(*_: Any, **__: Any) -> float:
    """A gamma that lets sigma fall as the model says; openskill's own slows it: see `tests.bench.bench_ratings`."""
    return 1.0


@cache
def _model() -> BradleyTerryFull:
    from openskill.models import BradleyTerryFull

    return BradleyTerryFull(mu=MU, sigma=SIGMA, beta=BETA, gamma=undamped)


def after(ratings: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """The ratings of all seats after a game that they finished in these places: 1 is first, equal ones share one."""
    model = _model()
    teams = [[model.rating(mu=rating.mu, sigma=rating.sigma)] for rating in ratings]
    rated = model.rate(teams, ranks=[float(place) for place in places])
    return [Rating(team[0].mu, team[0].sigma) for team in rated]


def expected(one: Rating, other: Rating) -> float:
    """The probability that the one finishes before the other, as the model says."""
    distance = (one.mu - other.mu) / math.sqrt(2 * BETA**2 + one.sigma**2 + other.sigma**2)
    return 1 / (1 + math.exp(-distance))


# ------------------------------------------------------------------------------------------------- levels of AIs


@cache
def _levels(ruleset: Ruleset, kind: str) -> Mapping[str, float]:
    """Points of each level that has been measured.

    At two seats: its Elo. At three and four: of each step between two levels, the odds that its share of the games
    tells, over both numbers of seats, weighted by their games. A step that was measured at two seats only counts as
    much as the others do on average, compared with two seats.
    """
    two = {row.level: row.elo for row in ruleset.strength if row.seats == 2 and row.elo is not None}
    if not two:
        return {}
    elos = {"random": 0.0, **two}
    if kind == MANY:
        elos = _elos_of_many(ruleset, elos)
    shift = MIDDLE - elos.get(MIDDLE_LEVEL, 0.0)
    return {level: elo + shift for level, elo in elos.items()}


def _elos_of_many(ruleset: Ruleset, two: Mapping[str, float]) -> dict[str, float]:
    steps: dict[str, list[tuple[float, int]]] = {}
    for row in ruleset.strength:
        if row.seats > 2:
            won = (row.wins * row.games + BOUND) / (row.games + 2 * BOUND)
            odds = won * (row.seats - 1) / (1 - won)  # against one of those it played
            steps.setdefault(row.level, []).append((TEN_TO_ONE * math.log10(odds), row.games))
    mean = {
        level: sum(step * games for step, games in of) / sum(games for _, games in of) for level, of in steps.items()
    }
    order = [level for level in LEVELS if level in two]
    before = dict(zip(order[1:], order, strict=False))
    measured = [level for level in before if level in mean]
    at_two = sum(two[level] - two[before[level]] for level in measured)
    share = sum(mean[level] for level in measured) / at_two if at_two else 1.0
    elos = {order[0]: 0.0}
    for level, below in before.items():
        elos[level] = elos[below] + mean.get(level, share * (two[level] - two[below]))
    return elos


def of_level(ruleset: Ruleset, seats: int, level: str) -> Rating | None:
    """The fixed rating of a level; None where it was not measured."""
    points = _levels(ruleset, kind_of(seats)).get(level)
    return None if points is None else Rating(MU + (points - MIDDLE) / POINTS, SIGMA_OF_LEVELS)
