"""Is the probability of winning true? `python -m tests.bench.bench_calibration [azul …] [--games 40]`.

Games of two search levels against themselves, the first decisions of each at random so that the games differ. At every
decision the search's return is noted; at the end, whether the seat won (a tie counts half). Printed for each ruleset:
the steepness that fits best (ai/levels.py has the one that is used), the Brier score with what is used (beside that of
always saying one half: 0.25), the reliability (of what was said to win so often, how much did win), and the expected
calibration error: how far the two are apart, on average (Guo et al. 2017).
"""

from __future__ import annotations

import argparse
import math
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from workers.search.search import by_level
from workers.search.win_probability import log_odds, win_probability
from workers.warm import warm

AT_RANDOM = 8
BINS = 10


class Seen(NamedTuple):
    """A return that a seat expected, and how much of a win it was in the end."""

    value: float
    won: float


def play(task: tuple[str, str, int, int]) -> list[Seen]:
    """One game of self-play."""
    ruleset, variant, seed, simulations = task
    rng = generator(seed.to_bytes(31, "little") + b"\1")
    position = RULESETS[ruleset].start(variant, 2, None)
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


def steepest(seen: list[Seen]) -> float:
    """The steepness of greatest likelihood, by golden section."""

    def loss(steepness: float) -> float:
        total = 0.0
        for one in seen:
            odds = 2 * steepness * log_odds(one.value)
            total += math.log1p(math.exp(-abs(odds))) + max(0.0, odds) - one.won * odds
        return total

    low, high, golden = 0.05, 5.0, (math.sqrt(5) - 1) / 2
    while high - low > 1e-3:
        one, other = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, other) if loss(one) < loss(other) else (one, high)
    return (low + high) / 2


def brier(seen: list[Seen], ruleset: Ruleset) -> float:
    """Mean square of what was said less what came."""
    return sum((win_probability(ruleset, one.value) - one.won) ** 2 for one in seen) / len(seen)


def self_play(ruleset: Ruleset, games: int, simulations: int, jobs: int) -> list[Seen]:
    """What was expected in so many games on each side of the board."""
    tasks = [(ruleset.id, variant, 1 + number, simulations) for variant in ruleset.variants for number in range(games)]
    with ProcessPoolExecutor(jobs) as pool:
        return [one for game in pool.map(play, tasks) for one in game]


def report(ruleset: Ruleset, seen: list[Seen]) -> str:
    """Steepness and Brier score, then a line for each tenth of what was said, and the error."""
    steepness = f"best steepness {steepest(seen):.2f} (used {ruleset.ai.win_steepness})"
    lines = [f"{len(seen)} decisions; {steepness}; Brier score {brier(seen, ruleset):.3f}"]
    said = [(win_probability(ruleset, one.value), one.won) for one in seen]
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
    parser.add_argument("--simulations", type=int, default=400, help="for each decision")
    parser.add_argument("--jobs", type=int, default=2)
    warm()
    asked = parser.parse_args()
    for ruleset in map(RULESETS.__getitem__, asked.rulesets):
        seen = self_play(ruleset, asked.games, asked.simulations, asked.jobs)
        print(f"{ruleset.id}: {report(ruleset, seen)}", flush=True)


if __name__ == "__main__":
    main()
