"""Measure how well calibrated probabilities are: `python -m tests.bench.bench_calibration [azul …] [--players …]`.

Plays games in which the first player has one seat in turn and the second all others, by default the search against
itself. A search judges each decision of the first player. Compares the probability of winning with the result (a tie is
shared). The lead of the first player in strength is added to the log-odds: between levels, the difference of their
ratings; for any other player, the lead that fits the other nine tenths of the games best.

Prints for each ruleset: the share of wins; the calibration of greatest likelihood; the Brier score (always saying one
half scores 0.25 with two seats); the expected calibration error (Guo et al. 2017) with its 95 % interval, less the bias
of a bootstrap over games; and the errors of rounds, seats and tenths of the probability.
"""

from __future__ import annotations

import argparse
import hmac
import math
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from research.matches.sides import create_side
from service.games.rating import TEN_TO_ONE, level_rating
from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position, Ruleset
from workers.search.decisions import Search
from workers.search.players import parse_player
from workers.search.win_probability import calibration_of, log_odds
from workers.tasks import playing
from workers.warm import warm

JUDGE, STRONG = "tree@400", "expert"
BINS, RESAMPLED = 10, 400
Numbers = npt.NDArray[np.float64]


class Task(NamedTuple):
    """A game to play. `players`: the first has the seat `seed % seats`."""

    ruleset: str
    variant: str
    seats: int
    seed: int
    players: Sequence[str]


class Judged(NamedTuple):
    """A decision: number of the game, the seat, the round, the return it expected, and its share of the win."""

    game: int
    seat: int
    round: int
    value: float
    won: float


def play(task: Task) -> list[Judged]:
    """Play a game and judge the decisions of the first player."""
    ruleset, first = RULESETS[task.ruleset], task.seed % task.seats
    seeds = (hmac.digest(b"calibration", f"{task} {number}".encode(), "sha256") for number in count())
    rng = generator(next(seeds))
    words = [task.players[0 if seat == first else -1] for seat in range(task.seats)]
    sides = {word: create_side(ruleset, word) for word in words}
    noted: list[tuple[int, int, float]] = []

    def decide(position: Position) -> int:
        seat = int(position.seat or 0)
        if words[seat] == task.players[0] and len(position.legal_actions()) > 1:
            judged = Search(position, parse_player(ruleset, JUDGE), next(seeds)).choose()
            noted.append((seat, ruleset.view(position).get("round", 0), judged.value or 0.0))
            if words[seat] == JUDGE:
                return judged.action
        return sides[words[seat]].decide(position, next(seeds))

    last, _ = playing.play(ruleset.start(task.variant, task.seats, None), lambda now: now.sample(rng), decide)
    outcome = last.outcome()
    winners = sum(seat.won for seat in outcome)
    return [Judged(task.seed, seat, number, value, outcome[seat].won / winners) for seat, number, value in noted]


def points_of(ruleset: Ruleset, seats: int, word: str) -> float | None:
    """Return the rating of a level, or None. The judge counts as the level STRONG."""
    found = level_rating(ruleset, seats, STRONG if word == JUDGE else word)
    return found.points if found else None


def logistic(odds: Numbers) -> Numbers:
    """Return the probabilities of log-odds."""
    return 1 / (1 + np.exp(-odds))


def fit(features: Numbers, won: Numbers, known: Numbers | float = 0.0) -> Numbers:
    """Return the weights of greatest likelihood, by Newton's method. `known`: log-odds to add."""
    weights = np.zeros(features.shape[1])
    for _ in range(30):
        predicted = logistic(features @ weights + known)
        curvature = (features * (predicted * (1 - predicted))[:, None]).T @ features + 1e-6 * np.eye(len(weights))
        weights += np.linalg.solve(curvature, features.T @ (won - predicted))
    return weights


def fitted_leads(odds: Numbers, won: Numbers, games: Numbers) -> Numbers:
    """Return the lead of each decision in log-odds, fitted to the nine tenths of the games without it."""
    leads = np.zeros(len(odds))
    for tenth in np.array_split(np.unique(games), 10):
        others = ~np.isin(games, tenth)
        leads[~others] = fit(np.ones((others.sum(), 1)), won[others], odds[others])[0]
    return leads


def error(predicted: Numbers, won: Numbers) -> float:
    """Return the expected calibration error, in points."""
    bins = np.minimum((BINS * predicted).astype(int), BINS - 1)
    return 100 * float(np.abs(np.bincount(bins, predicted - won, BINS)).sum()) / len(won)


def debiased_error(predicted: Numbers, won: Numbers, games: Numbers) -> tuple[float, float, float]:
    """Return the error less its bias, and its 95 % interval, from a bootstrap over games."""
    numbers, rng = np.unique(games), np.random.default_rng(0)
    rows = [np.flatnonzero(games == number) for number in numbers]
    drawn = []
    for _ in range(RESAMPLED):
        chosen = np.concatenate([rows[k] for k in rng.integers(len(rows), size=len(rows))])
        drawn.append(error(predicted[chosen], won[chosen]))
    once = error(predicted, won)
    debiased = 2 * once - np.array(drawn)
    low, high = np.percentile(debiased, [2.5, 97.5])
    return float(debiased.mean()), float(low), float(high)


def report(ruleset: Ruleset, seats: int, judged: list[Judged], players: Sequence[str]) -> str:
    """Return the lines of a ruleset."""
    games, at, rounds, values, won = (np.array(column, float) for column in zip(*judged, strict=True))
    points = [points_of(ruleset, seats, word) for word in (players[0], *[players[-1]] * (seats - 1))]
    known = [number for number in points if number is not None]
    used_steepness, used_offset = calibration_of(ruleset, seats, sum(known) / len(known) if known else None)
    expected = 2 * np.array([log_odds(value) for value in values])
    odds = used_steepness * expected + used_offset
    leads = np.zeros(len(odds))
    if len(known) == seats:
        leads += math.log(10) * (known[0] - known[-1]) / TEN_TO_ONE
    elif len(players) > 1:
        leads = fitted_leads(odds, won, games)
    predicted = logistic(odds + leads)
    steepness, offset = fit(np.stack([expected, np.ones(len(odds))], axis=1), won)
    debiased, low, high = debiased_error(predicted, won, games)
    share = np.mean([won[games == number].mean() for number in np.unique(games)])
    lines = [
        f"{len(np.unique(games))} games, {len(won)} decisions, {100 * share:.1f} % won",
        f"  Brier score {np.mean((predicted - won) ** 2):.3f}",
        f"  used steepness {used_steepness:.2f}, offset {used_offset:.2f}, mean lead {leads.mean():.2f}",
        f"  best steepness {steepness:.2f}, offset {offset:.2f}",
        f"  expected calibration error {debiased:.1f} points ({low:.1f} to {high:.1f})",
    ]
    for name, column in (("round", rounds), ("seat", at), ("tenth", np.minimum(np.floor(BINS * predicted), BINS - 1))):
        for value in np.unique(column):
            chosen = column == value
            lines.append(
                f"  {name} {value:.0f}: predicted {predicted[chosen].mean():.2f}, won {won[chosen].mean():.2f} "
                f"({chosen.sum()} decisions)"
            )
    return "\n".join(lines)


def main() -> None:
    """Print a block for each ruleset."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rulesets", nargs="*", default=list(RULESETS), metavar="ruleset", help="all unless given")
    parser.add_argument("--players", nargs="+", default=[JUDGE], help="one plays against itself; see research.matches")
    parser.add_argument("--games", type=int, default=80)
    parser.add_argument("--first", type=int, default=1, help="number of the first game; other games test a fit")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=2)
    warm()
    options = parser.parse_args()
    seats = options.seats
    for ruleset in map(RULESETS.__getitem__, options.rulesets):
        tasks = [
            Task(ruleset.id, ruleset.variants[number // seats % len(ruleset.variants)], seats, number, options.players)
            for number in range(options.first, options.first + options.games)
        ]
        with ProcessPoolExecutor(options.jobs) as pool:
            judged = [one for game in pool.map(play, tasks) for one in game]
        against = " against ".join(options.players)
        print(f"{ruleset.id}, {seats} seats, {against}: {report(ruleset, seats, judged, options.players)}", flush=True)


if __name__ == "__main__":
    main()
