"""Measure how well calibrated probabilities are: `python -m tests.bench.bench_calibration [azul …] [--seats 2]`.

Plays games of the search against itself, with random actions at the beginning. Compares the search's return at each
decision with the result of the seat (a tie is shared). Prints for each ruleset: the calibration of greatest
likelihood, the Brier score of the calibration in ai/levels.py (always saying one half scores 0.25 with two seats), the
frequency of wins for each tenth of the probability, and the expected calibration error (Guo et al. 2017).
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import numpy as np

from service.rulesets.ai_levels import Calibration
from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from workers.search.decisions import search_at_level
from workers.search.win_probability import calibration_of, log_odds, win_probability
from workers.warm import warm

AT_RANDOM = 8
BINS = 10


class Seen(NamedTuple):
    """A return that a seat expected, and its share of the win in the end."""

    value: float
    won: float


def play(task: tuple[str, str, int, int, int]) -> list[Seen]:
    """Play one game of self-play."""
    ruleset, variant, seats, seed, simulations = task
    rng = generator(seed.to_bytes(31, "little") + b"\1")
    position = RULESETS[ruleset].start(variant, seats, None)
    noted: list[tuple[int, float]] = []
    decisions = 0
    while position.status != "over":
        if position.status == "drawing" or position.seat is None:
            position = position.resolve_draw(position.sample(rng))
            continue
        seat, decisions = position.seat, decisions + 1
        if decisions <= AT_RANDOM:
            position = position.play(position.random_action(rng))
            continue
        search = search_at_level(position, "master", (seed * 1000 + decisions).to_bytes(31, "little") + b"\2")
        choice = search.choose(simulations=simulations)
        if choice.value is not None:
            noted.append((seat, choice.value))
        position = position.play(choice.action)
    outcome = position.outcome()
    winners = sum(seat.won for seat in outcome)
    return [Seen(value, outcome[seat].won / winners) for seat, value in noted]


def fit(seen: list[Seen]) -> Calibration:
    """Return the calibration of greatest likelihood, by Newton's method."""
    odds, won = (np.array(column) for column in zip(*((2 * log_odds(one.value), one.won) for one in seen), strict=True))
    features, weights = np.stack([odds, np.ones(len(odds))], axis=1), np.array([1.0, 0.0])
    for _ in range(20):
        predicted = 1 / (1 + np.exp(-features @ weights))
        curvature = (features * (predicted * (1 - predicted))[:, None]).T @ features
        weights += np.linalg.solve(curvature, features.T @ (won - predicted))
    return Calibration(*map(float, weights))


def brier(predictions: list[tuple[float, float]]) -> float:
    """Return the mean squared difference of predictions and results."""
    return sum((chance - won) ** 2 for chance, won in predictions) / len(predictions)


def self_play(ruleset: Ruleset, seats: int, games: int, simulations: int, jobs: int) -> list[Seen]:
    """Return the expected returns and results of games on each side of the board."""
    tasks = [
        (ruleset.id, variant, seats, 1 + number, simulations) for variant in ruleset.variants for number in range(games)
    ]
    with ProcessPoolExecutor(jobs) as pool:
        return [one for game in pool.map(play, tasks) for one in game]


def report(ruleset: Ruleset, seats: int, seen: list[Seen]) -> str:
    """Return the calibration and Brier score, a line for each tenth of the probability, and the error."""
    steepness, offset = fit(seen)
    used = calibration_of(ruleset, seats)
    predictions = [(win_probability(ruleset, seats, one.value), one.won) for one in seen]
    best = f"best steepness {steepness:.2f}, offset {offset:.2f} (used {used.steepness}, {used.offset})"
    lines = [f"{len(seen)} decisions; {best}; Brier score {brier(predictions):.3f}"]
    error = 0.0
    for number in range(BINS):
        inside = [pair for pair in predictions if number <= BINS * pair[0] < number + 1 + (number == BINS - 1)]
        if inside:
            mean, frequency = (sum(pair[k] for pair in inside) / len(inside) for k in (0, 1))
            lines.append(f"  predicted {mean:.2f}  won {frequency:.2f}  ({len(inside)})")
            error += abs(mean - frequency) * len(inside) / len(predictions)
    lines.append(f"  expected calibration error {100 * error:.1f} points")
    return "\n".join(lines)


def main() -> None:
    """Print a block for each ruleset."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", default=list(RULESETS), metavar="ruleset", help="all unless given")
    parser.add_argument("--games", type=int, default=40, help="of each side of the board")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--simulations", type=int, default=400, help="for each decision")
    parser.add_argument("--jobs", type=int, default=2)
    warm()
    options = parser.parse_args()
    for ruleset in map(RULESETS.__getitem__, options.rulesets):
        seen = self_play(ruleset, options.seats, options.games, options.simulations, options.jobs)
        print(f"{ruleset.id}, {options.seats} seats: {report(ruleset, options.seats, seen)}", flush=True)


if __name__ == "__main__":
    main()
