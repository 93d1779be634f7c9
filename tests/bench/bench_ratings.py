"""Measure the odds that follow from ratings: `python -m tests.bench.bench_ratings [--games 40] [--spread 250]`.

Simulates people of known strength (normal around 1500 points with the standard deviation `--spread`) who play with two
and with four seats. The Plackett–Luce model draws their places, where 400 points are odds of ten to one. Before each
game the ratings predict the odds of every pair. Prints for each model of openskill, as means over several worlds
- the logarithmic loss (0.693 for always one half; in brackets that of the true strengths) and the expected calibration
  error over ten bins, for all games and for each person's second half
- the error of the points in the end, the number of games until the median rating is certain, and how often the true
  strength of a certain rating lies within two sigmas
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Callable
from itertools import combinations
from statistics import fmean, median
from typing import Any, NamedTuple

from openskill.models import BradleyTerryFull, PlackettLuce

from service.games.rating import BETA, CERTAIN, MU, POINTS, SIGMA, Rating, full_gamma, win_probability

BINS = 10


class Odds(NamedTuple):
    """The predicted odds of a pair, the odds by the true strengths, and the result."""

    predicted: float
    known: float
    result: int


def models(seats: int) -> dict[str, Any]:
    """Return the models. The first is that of `service.games.rating`."""
    beta = BETA * math.sqrt(2 / seats)  # so that 400 points are ten to one at every number of seats
    return {
        "BradleyTerryFull, gamma 1": BradleyTerryFull(mu=MU, sigma=SIGMA, beta=BETA, gamma=full_gamma, tau=0.0),
        "BradleyTerryFull": BradleyTerryFull(mu=MU, sigma=SIGMA, beta=BETA),
        "PlackettLuce, gamma 1": PlackettLuce(mu=MU, sigma=SIGMA, beta=beta, gamma=full_gamma),
        "PlackettLuce": PlackettLuce(mu=MU, sigma=SIGMA, beta=beta),
    }


def draw_places(strengths: list[float], rng: random.Random) -> list[int]:
    """Return places drawn by the Plackett–Luce model: the smallest of exponential times is first."""
    times = [rng.expovariate(math.exp(mu / (math.sqrt(2) * BETA))) for mu in strengths]
    return [1 + sum(other < own for other in times) for own in times]


class Figures(NamedTuple):
    """The printed figures of a model."""

    loss: float
    known: float
    error: float
    late_loss: float
    late_known: float
    late_error: float
    points: float
    certain_after: float
    within: float


def simulate(model: Any, seats: int, options: argparse.Namespace, seed: int) -> Figures:
    """Simulate one world."""
    rng = random.Random(seed)
    true = [rng.gauss(MU, options.spread / POINTS) for _ in range(options.people)]
    ratings = [Rating(MU, SIGMA)] * options.people
    certain_after: dict[int, int] = {}
    halves: list[list[Odds]] = [[], []]
    for number in range(options.games):
        order = rng.sample(range(options.people), options.people)
        for first in range(0, options.people - seats + 1, seats):
            people = order[first : first + seats]
            places = draw_places([true[person] for person in people], rng)
            for one, other in combinations(range(seats), 2):
                predicted = win_probability(ratings[people[one]], ratings[people[other]])
                exact = (Rating(true[people[which]], 0.0) for which in (one, other))
                odds = Odds(predicted, win_probability(*exact), int(places[one] < places[other]))
                halves[2 * number // options.games].append(odds)
            teams = [[model.rating(mu=ratings[person].mu, sigma=ratings[person].sigma)] for person in people]
            ranks = [float(place) for place in places]
            for person, (rated,) in zip(people, model.rate(teams, ranks=ranks), strict=True):
                ratings[person] = Rating(rated.mu, rated.sigma)
                if rated.sigma <= CERTAIN:
                    certain_after.setdefault(person, number + 1)
    within = [abs(true[person] - ratings[person].mu) < 2 * ratings[person].sigma for person in certain_after]
    total, late = [*halves[0], *halves[1]], halves[1]
    return Figures(
        loss=loss(total, lambda odds: odds.predicted),
        known=loss(total, lambda odds: odds.known),
        error=calibration_error(total),
        late_loss=loss(late, lambda odds: odds.predicted),
        late_known=loss(late, lambda odds: odds.known),
        late_error=calibration_error(late),
        points=math.sqrt(fmean((mu - rating.mu) ** 2 for mu, rating in zip(true, ratings, strict=True))) * POINTS,
        certain_after=median(certain_after.values()) if certain_after else math.inf,
        within=fmean(within) if within else math.nan,
    )


def line(worlds: list[Figures]) -> str:
    """Return a line of the table."""
    mean = Figures(*map(fmean, zip(*worlds, strict=True)))
    return (
        f"{mean.loss:.4f} ({mean.known:.4f}) {100 * mean.error:5.2f} %   "
        f"{mean.late_loss:.4f} ({mean.late_known:.4f}) {100 * mean.late_error:5.2f} %   "
        f"{mean.points:5.0f}  {mean.certain_after:5.1f}  {100 * mean.within:5.1f} %"
    )


def loss(pairs: list[Odds], probability: Callable[[Odds], float]) -> float:
    """Return the mean logarithmic loss."""
    return fmean(-math.log(probability(odds) if odds.result else 1 - probability(odds)) for odds in pairs)


def calibration_error(pairs: list[Odds]) -> float:
    """Return the expected calibration error (Guo et al. 2017)."""
    bins: dict[int, list[Odds]] = {}
    for odds in pairs:
        bins.setdefault(min(int(odds.predicted * BINS), BINS - 1), []).append(odds)
    differences = (abs(sum(odds.predicted - odds.result for odds in inside)) for inside in bins.values())
    return sum(differences) / len(pairs)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--games", type=int, default=40, help="of each person")
    parser.add_argument("--spread", type=float, default=250, help="of true strengths, in points")
    parser.add_argument("--worlds", type=int, default=5)
    options = parser.parse_args()
    for seats in (2, 4):
        print(f"{seats} seats: loss (known), error; the same, second half; points off, certain after, within 2 sigmas")
        for name, model in models(seats).items():
            print(f"  {name:26} {line([simulate(model, seats, options, seed) for seed in range(options.worlds)])}")


if __name__ == "__main__":
    main()
