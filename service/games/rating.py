"""Ratings by the Bradley–Terry model of Weng and Lin (2011).

A rating is a normal distribution of a player's strength with mean `mu` and standard deviation `sigma`. A game counts as
one comparison for each pair of seats, so the same scale applies to two, three and four seats: **400 points mean odds of
10 to 1**. Of the models in openskill, this one converges fastest and predicts as well as the others
(`tests.bench.bench_ratings`). AI levels have fixed ratings, computed from measured win rates. They anchor the scale
over time.

The uncertainty grows with every day, and never falls below `MIN_SIGMA`, so that a rating follows a player who improves.
A game counts less if the same players met recently, or if an opponent is not established: see `weight`.

openskill implements the formulas. It is imported only by processes that rate games.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from service.levels import LEVELS
from service.rulesets.ruleset import Ruleset

if TYPE_CHECKING:
    from openskill.models import BradleyTerryFull

TWO, MANY = "two", "many"
KINDS_OF_RATING = (TWO, MANY)
"""By number of seats: `two`, and `many` for three or four."""
MU, SIGMA = 25.0, 25.0 / 3
BETA = SIGMA / 2
TEN_TO_ONE = 400
MIDDLE = 1500
POINTS = TEN_TO_ONE / (math.log(10) * math.sqrt(2) * BETA)  # per unit of mu
CERTAIN = 4.0  # a rating is provisional while sigma is above this; 118 points
MIN_SIGMA = 2.1  # 62 points; a veteran gains 10 points by beating an equal
VARIANCE_PER_DAY = 0.032  # added to the square of sigma: from MIN_SIGMA to CERTAIN in a year
ESTABLISHED_GAMES, ESTABLISHED_OPPONENTS = 10, 5
"""Rated games, and different players in them, after which a player is established."""
MATURE = 20
"""Ranked players from which on a leaderboard lists only those."""
MEETING_DAYS, NEW_OPPONENT_DAYS = 7, 30
"""For how long a game lowers the weight of the next one of the same players, or against players not established."""
MIDDLE_LEVEL = "club"  # has 1500 points in every ruleset
SIGMA_OF_LEVELS = 0.5
SIGMA_OF_PUZZLES = 1.0  # 29 points, so that an attempt moves a puzzle by 2 points and a veteran by 10
BOUND = 0.5  # games added to the wins and losses of a step, to keep its odds finite


class Rating(NamedTuple):
    """Mean and standard deviation of a player's strength."""

    mu: float
    sigma: float

    @property
    def points(self) -> int:
        """The rating as shown to players."""
        return round(MIDDLE + (self.mu - MU) * POINTS)

    @property
    def is_provisional(self) -> bool:
        """Whether the rating is still uncertain."""
        return self.sigma > CERTAIN

    def age(self, days: float) -> Rating:
        """Return the rating after some days without a game."""
        return Rating(self.mu, min(SIGMA, math.sqrt(self.sigma**2 + VARIANCE_PER_DAY * max(0.0, days))))


NEW = Rating(MU, SIGMA)
"""The rating before the first game."""


def rating_kind(seats: int) -> str:
    """Return the kind of rating that a game with this number of seats changes."""
    return TWO if seats == 2 else MANY


def rating_field(ruleset: str, seats: int) -> str:
    """Return the name of the stored field for ratings and statistics of a ruleset and number of seats."""
    return f"{ruleset}:{rating_kind(seats)}"


def full_gamma(*_: Any, **__: Any) -> float:
    """Return 1, so that sigma falls as in the paper. openskill's default slows it: see `tests.bench.bench_ratings`."""
    return 1.0


@cache
def _model() -> BradleyTerryFull:
    from openskill.models import BradleyTerryFull

    return BradleyTerryFull(mu=MU, sigma=SIGMA, beta=BETA, gamma=full_gamma, tau=0.0)


def weight(meetings: int, new_opponents: int = 0) -> float:
    """Return how much a game against one opponent counts, above 0 to 1.

    `meetings`: recent games against the same opponent. `new_opponents`: recent games against opponents who are not
    established, if this one is not.
    """
    return 1 / (1 + max(meetings, new_opponents))


def rate_game(
    ratings: Sequence[Rating], places: Sequence[int], weights: Mapping[tuple[int, int], float] | None = None
) -> list[Rating]:
    """Return the ratings of all seats after a game. `places`: 1 is first; tied seats have equal places.

    `weights`: how much the comparison counts for the first seat of a pair; 1 if it is missing.
    """
    model, moved, known = _model(), [0.0] * len(ratings), [0.0] * len(ratings)
    for pair in combinations(range(len(ratings)), 2):
        teams = [[model.rating(mu=ratings[seat].mu, sigma=ratings[seat].sigma)] for seat in pair]
        rated = model.rate(teams, ranks=[float(places[seat]) for seat in pair])
        for (seat, other), (after,) in zip((pair, pair[::-1]), rated, strict=True):
            share = (weights or {}).get((seat, other), 1.0)
            moved[seat] += share * (after.mu - ratings[seat].mu)
            known[seat] += share * (1 - (after.sigma / ratings[seat].sigma) ** 2)
    return [
        Rating(before.mu + by, max(MIN_SIGMA, before.sigma * math.sqrt(max(0.0, 1 - part))))
        for before, by, part in zip(ratings, moved, known, strict=True)
    ]


def win_probability(player: Rating, opponent: Rating) -> float:
    """Return the probability that the player finishes before the opponent."""
    distance = (player.mu - opponent.mu) / math.sqrt(2 * BETA**2 + player.sigma**2 + opponent.sigma**2)
    return 1 / (1 + math.exp(-distance))


# ------------------------------------------------------------------------------------------------- levels of AIs


@cache
def _levels(ruleset: Ruleset, kind: str) -> Mapping[str, float]:
    """Return the points of each measured level.

    With two seats, the measured Elo. With three and four, the sum of the steps between neighbouring levels: the mean
    odds of both numbers of seats, weighted by games. Steps measured only with two seats are scaled by the average ratio
    of the other steps.
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
            odds = won * (row.seats - 1) / (1 - won)  # against one opponent
            steps.setdefault(row.level, []).append((TEN_TO_ONE * math.log10(odds), row.games))
    mean = {
        level: sum(step * games for step, games in rows) / sum(games for _, games in rows)
        for level, rows in steps.items()
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


def level_rating(ruleset: Ruleset, seats: int, level: str) -> Rating | None:
    """Return the fixed rating of an AI level, or None if it was not measured."""
    points = _levels(ruleset, rating_kind(seats)).get(level)
    return None if points is None else Rating(MU + (points - MIDDLE) / POINTS, SIGMA_OF_LEVELS)


def puzzle_rating(points: float, moved: float = 0.0) -> Rating:
    """Return the rating of a puzzle. `points`: its first rating; `moved`: what attempts have added since, in mu.

    The uncertainty is fixed, so that a puzzle moves slowly.
    """
    return Rating(MU + (points - MIDDLE) / POINTS + moved, SIGMA_OF_PUZZLES)
