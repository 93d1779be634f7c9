"""How true are the odds that ratings tell? `python -m tests.bench.bench_ratings [--games 40] [--spread 250]`.

People of known strength (normal around 1500 points, with the standard deviation of `--spread`) play each other at two
and at four seats; who finishes where is drawn by the Plackett–Luce model, 400 points being ten to one. Before each game
every pair's odds are told from the ratings alone. Printed for each model of openskill: the logarithmic loss of what was
told (0.693 says one half always; beside it that of who knows the strengths) and the expected calibration error (how far
what was told and what came are apart, on average over ten bins), each over all games and over each person's second
half; the error of the points in the end, after how many games the median rating is certain, and of those that are, how
often the true strength lies within two sigmas. All are means over so many worlds.
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

from service.games.rating import BETA, CERTAIN, MU, POINTS, SIGMA, Rating, expected, undamped

BINS = 10


class Said(NamedTuple):
    """What was told of a pair, what who knows would have told, and what came."""

    told: float
    known: float
    came: int


def models(seats: int) -> dict[str, Any]:
    """Those that are compared; the first is that of `service.games.rating`."""
    beta = BETA * math.sqrt(2 / seats)  # so that 400 points are ten to one at every number of seats
    return {
        "BradleyTerryFull, gamma 1": BradleyTerryFull(mu=MU, sigma=SIGMA, beta=BETA, gamma=undamped),
        "BradleyTerryFull": BradleyTerryFull(mu=MU, sigma=SIGMA, beta=BETA),
        "PlackettLuce, gamma 1": PlackettLuce(mu=MU, sigma=SIGMA, beta=beta, gamma=undamped),
        "PlackettLuce": PlackettLuce(mu=MU, sigma=SIGMA, beta=beta),
    }


def finished(strengths: list[float], rng: random.Random) -> list[int]:
    """Places drawn by the Plackett–Luce model: the exponential that runs out first is first."""
    times = [rng.expovariate(math.exp(mu / (math.sqrt(2) * BETA))) for mu in strengths]
    return [1 + sum(other < own for other in times) for own in times]


class Figures(NamedTuple):
    """What is printed of a model."""

    loss: float
    known: float
    error: float
    late_loss: float
    late_known: float
    late_error: float
    points: float
    certain_after: float
    within: float


def simulate(model: Any, seats: int, asked: argparse.Namespace, seed: int) -> Figures:
    """One world."""
    rng = random.Random(seed)
    true = [rng.gauss(MU, asked.spread / POINTS) for _ in range(asked.people)]
    ratings = [Rating(MU, SIGMA)] * asked.people
    certain_after: dict[int, int] = {}
    said: list[list[Said]] = [[], []]
    for number in range(asked.games):
        order = rng.sample(range(asked.people), asked.people)
        for first in range(0, asked.people - seats + 1, seats):
            people = order[first : first + seats]
            places = finished([true[one] for one in people], rng)
            for one, other in combinations(range(seats), 2):
                told = expected(ratings[people[one]], ratings[people[other]])
                exact = (Rating(true[people[which]], 0.0) for which in (one, other))
                found = Said(told, expected(*exact), int(places[one] < places[other]))
                said[2 * number // asked.games].append(found)
            teams = [[model.rating(mu=ratings[one].mu, sigma=ratings[one].sigma)] for one in people]
            for one, (rated,) in zip(people, model.rate(teams, ranks=[float(place) for place in places]), strict=True):
                ratings[one] = Rating(rated.mu, rated.sigma)
                if rated.sigma <= CERTAIN:
                    certain_after.setdefault(one, number + 1)
    within = [abs(true[one] - ratings[one].mu) < 2 * ratings[one].sigma for one in certain_after]
    every, late = [*said[0], *said[1]], said[1]
    return Figures(
        loss=loss(every, lambda one: one.told),
        known=loss(every, lambda one: one.known),
        error=calibration_error(every),
        late_loss=loss(late, lambda one: one.told),
        late_known=loss(late, lambda one: one.known),
        late_error=calibration_error(late),
        points=math.sqrt(fmean((mu - rating.mu) ** 2 for mu, rating in zip(true, ratings, strict=True))) * POINTS,
        certain_after=median(certain_after.values()) if certain_after else math.inf,
        within=fmean(within) if within else math.nan,
    )


def line(worlds: list[Figures]) -> str:
    """A line of the table."""
    mean = Figures(*map(fmean, zip(*worlds, strict=True)))
    return (
        f"{mean.loss:.4f} ({mean.known:.4f}) {100 * mean.error:5.2f} %   "
        f"{mean.late_loss:.4f} ({mean.late_known:.4f}) {100 * mean.late_error:5.2f} %   "
        f"{mean.points:5.0f}  {mean.certain_after:5.1f}  {100 * mean.within:5.1f} %"
    )


def loss(said: list[Said], told: Callable[[Said], float]) -> float:
    """The mean logarithmic loss."""
    return fmean(-math.log(told(one) if one.came else 1 - told(one)) for one in said)


def calibration_error(said: list[Said]) -> float:
    """How far what was told and what came are apart (Guo et al. 2017)."""
    bins: dict[int, list[Said]] = {}
    for one in said:
        bins.setdefault(min(int(one.told * BINS), BINS - 1), []).append(one)
    apart = (abs(sum(one.told - one.came for one in inside)) for inside in bins.values())
    return sum(apart) / len(said)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--games", type=int, default=40, help="of each person")
    parser.add_argument("--spread", type=float, default=250, help="of true strengths, in points")
    parser.add_argument("--worlds", type=int, default=5)
    asked = parser.parse_args()
    for seats in (2, 4):
        print(
            f"{seats} seats: loss (who knows), error; the same, second half; points off, certain after, within 2 sigmas"
        )
        for name, model in models(seats).items():
            print(f"  {name:26} {line([simulate(model, seats, asked, seed) for seed in range(asked.worlds)])}")


if __name__ == "__main__":
    main()
