"""Is the probability of winning true? `python -m tests.bench.bench_calibration [azul …] [--seats 2] [--games 40]`.

Games of the search against itself, the first decisions of each at random so that the games differ. At every
decision the search's return is noted; at the end, whether the seat won (a tie is shared). Printed for each ruleset:
the calibration that fits best (ai/levels.py has the one that is used), the Brier score with what is used (with two
seats beside 0.25, that of always saying one half), the reliability (of what was said to win so often, how much did
win), and the expected calibration error: how far the two are apart, on average (Guo et al. 2017).
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
from workers.search.decisions import by_level
from workers.search.win_probability import calibration_of, log_odds, win_probability
from workers.warm import warm

AT_RANDOM = 8
BINS = 10


class Seen(NamedTuple):
    """A return that a seat expected, and how much of a win it was in the end."""

    value: float
    won: float


def play(task: tuple[str, str, int, int, int]) -> list[Seen]:
    """One game of self-play."""
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
        search = by_level(position, "master", (seed * 1000 + decisions).to_bytes(31, "little") + b"\2")
        choice = search.choose(simulations=simulations)
        if choice.value is not None:
            noted.append((seat, choice.value))
        position = position.play(choice.action)
    outcome = position.outcome()
    winners = sum(seat.won for seat in outcome)
    return [Seen(value, outcome[seat].won / winners) for seat, value in noted]


def fitted(seen: list[Seen]) -> Calibration:
    """The calibration of greatest likelihood, by Newton's method."""
    odds, won = (np.array(column) for column in zip(*((2 * log_odds(one.value), one.won) for one in seen), strict=True))
    features, weights = np.stack([odds, np.ones(len(odds))], axis=1), np.array([1.0, 0.0])
    for _ in range(20):
        said = 1 / (1 + np.exp(-features @ weights))
        curvature = (features * (said * (1 - said))[:, None]).T @ features
        weights += np.linalg.solve(curvature, features.T @ (won - said))
    return Calibration(*map(float, weights))


def brier(said: list[tuple[float, float]]) -> float:
    """Mean square of what was said less what came."""
    return sum((chance - won) ** 2 for chance, won in said) / len(said)


def self_play(ruleset: Ruleset, seats: int, games: int, simulations: int, jobs: int) -> list[Seen]:
    """What was expected in so many games on each side of the board."""
    tasks = [
        (ruleset.id, variant, seats, 1 + number, simulations) for variant in ruleset.variants for number in range(games)
    ]
    with ProcessPoolExecutor(jobs) as pool:
        return [one for game in pool.map(play, tasks) for one in game]


def report(ruleset: Ruleset, seats: int, seen: list[Seen]) -> str:
    """Calibration and Brier score, then a line for each tenth of what was said, and the error."""
    steepness, offset = fitted(seen)
    used = calibration_of(ruleset, seats)
    said = [(win_probability(ruleset, seats, one.value), one.won) for one in seen]
    best = f"best steepness {steepness:.2f}, offset {offset:.2f} (used {used.steepness}, {used.offset})"
    lines = [f"{len(seen)} decisions; {best}; Brier score {brier(said):.3f}"]
    error = 0.0
    for number in range(BINS):
        here = [pair for pair in said if number <= BINS * pair[0] < number + 1 + (number == BINS - 1)]
        if here:
            mean, came = (sum(pair[k] for pair in here) / len(here) for k in (0, 1))
            lines.append(f"  said {mean:.2f}  came {came:.2f}  ({len(here)})")
            error += abs(mean - came) * len(here) / len(said)
    lines.append(f"  expected calibration error {100 * error:.1f} points")
    return "\n".join(lines)


def main() -> None:
    """A block of lines for each ruleset."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", default=list(RULESETS), metavar="ruleset", help="all unless given")
    parser.add_argument("--games", type=int, default=40, help="of each side of the board")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--simulations", type=int, default=400, help="for each decision")
    parser.add_argument("--jobs", type=int, default=2)
    warm()
    asked = parser.parse_args()
    for ruleset in map(RULESETS.__getitem__, asked.rulesets):
        seen = self_play(ruleset, asked.seats, asked.games, asked.simulations, asked.jobs)
        print(f"{ruleset.id}, {asked.seats} seats: {report(ruleset, asked.seats, seen)}", flush=True)


if __name__ == "__main__":
    main()
