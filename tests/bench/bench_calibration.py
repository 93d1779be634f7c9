"""Is the probability of winning true? `python -m tests.bench.bench_calibration [--games 40] [--simulations 400]`.

Games of two search levels against themselves, the first decisions of each at random so that the games differ. At every
decision the search's return is noted; at the end, whether the seat won (a tie counts half). Printed for each ruleset:
the steepness that fits best (what is used stands in its strength.py), the Brier score with what is used (beside that of
always saying one half: 0.25), and the reliability: of what was said to win so often, how much did win.
"""

from __future__ import annotations

import argparse
import math
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from service.levels import LEVELS
from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from workers.search.search import Search
from workers.search.values import log_odds, win_probability

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
            position = position.deal(position.sample(rng))
            continue
        seat, decisions = position.seat, decisions + 1
        if decisions <= AT_RANDOM:
            position = position.play(position.random_action(rng))
            continue
        search = Search(position, LEVELS["master"], (seed * 1000 + decisions).to_bytes(31, "little") + b"\2")
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


def main() -> None:
    """A block of lines for each ruleset."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=40, help="of each side of the board")
    parser.add_argument("--simulations", type=int, default=400, help="for each decision")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    for ruleset in RULESETS.values():
        tasks = [
            (ruleset.id, variant, 1 + number, asked.simulations)
            for variant in ruleset.variants
            for number in range(asked.games)
        ]
        with ProcessPoolExecutor(asked.jobs) as pool:
            seen = [one for game in pool.map(play, tasks) for one in game]
        print(
            f"{ruleset.id}: {len(seen)} decisions of {len(tasks)} games; best steepness {steepest(seen):.2f} "
            f"(used {ruleset.win_steepness}); Brier score {brier(seen, ruleset):.3f}"
        )
        for number in range(BINS):
            said = [(win_probability(ruleset, one.value), one.won) for one in seen]
            here = [pair for pair in said if number <= BINS * pair[0] < number + 1 + (number == BINS - 1)]
            if here:
                mean, came = (sum(pair[k] for pair in here) / len(here) for k in (0, 1))
                print(f"  said {mean:.2f}  came {came:.2f}  ({len(here)})", flush=True)


if __name__ == "__main__":
    main()
