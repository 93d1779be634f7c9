"""Measure whether two analyses agree: `python -m tests.bench.bench_stability [azul …] [--seconds 1]`.

Takes positions from games of the level `strategist` and analyses each twice for the same time, with different seeds.
A decision is clear if both analyses give the best action a lead of more than GAP in the probability of winning. Prints
for each ruleset the number of clear decisions, and the share of these and of all in which both name the same action.
"""

from __future__ import annotations

import argparse
import hmac
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import count

from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from workers.search.decisions import search_at_level
from workers.tasks import playing
from workers.tasks.analysis import decision
from workers.warm import warm

PLAYER = "strategist"
GAP = 0.02


def positions(ruleset: str, number: int, level: str = PLAYER, *, after_last_draw: bool = False) -> list[Position]:
    """Return the positions of a game of two seats in which a seat has a choice."""
    seeds = (hmac.digest(b"positions", f"{ruleset} {number} {part}".encode(), "sha256") for part in count())
    rng, found = generator(next(seeds)), list[Position]()
    variants = RULESETS[ruleset].variants

    def draw(now: Position) -> Sequence[int]:
        if after_last_draw:
            found.clear()
        return now.sample(rng)

    def decide(now: Position) -> int:
        if len(now.legal_actions()) > 1:
            found.append(now)
        return search_at_level(now, level, next(seeds)).choose().action

    start = RULESETS[ruleset].start(variants[number % len(variants)], 2, None)
    playing.play(start, draw, decide)
    return found


def compare(task: tuple[str, int, int, float]) -> list[tuple[float, bool]]:
    """Return for some positions of a game the smaller lead of the best action, and whether both analyses agree."""
    ruleset, number, count, seconds = task
    found, seen = positions(ruleset, number), list[tuple[float, bool]]()
    for position in found[:: max(1, len(found) // count)][:count]:
        pairs = [decision(position, seconds, 2, lambda _progress, _found: True)["actions"] for _ in range(2)]
        if all(len(best) == 2 for best in pairs):
            gap = min(best[0]["win_probability"] - best[1]["win_probability"] for best in pairs)
            seen.append((gap, pairs[0][0]["action"] == pairs[1][0]["action"]))
    return seen


def main() -> None:
    """Print a line for each ruleset."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", default=list(RULESETS), metavar="ruleset", help="all unless given")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--positions", type=int, default=10, help="of each game")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each analysis")
    parser.add_argument("--jobs", type=int, default=2)
    warm()
    options = parser.parse_args()
    for ruleset in options.rulesets:
        tasks = [(ruleset, number, options.positions, options.seconds) for number in range(options.games)]
        with ProcessPoolExecutor(options.jobs) as pool:
            seen = [pair for pairs in pool.map(compare, tasks) for pair in pairs]
        clear = [agree for gap, agree in seen if gap > GAP]
        share = 100 * sum(clear) / max(1, len(clear))
        total = 100 * sum(agree for _, agree in seen) / len(seen)
        print(
            f"{ruleset}: {len(clear)} clear decisions, {share:.1f} % agree; all {len(seen)}: {total:.1f} %", flush=True
        )


if __name__ == "__main__":
    main()
