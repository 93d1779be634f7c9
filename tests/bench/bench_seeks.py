"""Measure seeks: `python -m tests.bench.bench_seeks`.

Prints the time of one pass over 2,000 seeks in two camps that block each other, or their own. Then a thousand players
seek at once, with requests over the dependencies of eight processes, two keepers and three kills of Redis; prints how
many players are in one game, in none, and in several. Finally simulates ten thousand players who arrive at random at
several rates, want a game of two, three or four seats of one of the rulesets, and leave after two minutes. Their
ratings are spread by 250 points, and every second player wants opponents within 200 points at first.
"""

from __future__ import annotations

import argparse
import random
import statistics
import timeit
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from service.rulesets.registry import RULESETS
from service.storage.matchmaking.seeks import StoredSeek
from service.usecases.matchmaking.pairing import find_groups
from tests.bench.stores import own_redis
from tests.usecases.crowd import Crowd
from tests.usecases.matchmaking.test_pairing import camps

PATIENCE_MS = 120_000
SEATS = (2, 2, 2, 2, 3, 4)  # seats that players want, by share
SPREAD, RANGE = 250, 200  # of ratings; of the opponents that every second player wants
RATES = (0.02, 0.1, 0.5, 2.5)  # players a second


def at_once(count: int, kills: int) -> None:
    """Print the results of players who seek at once."""
    with own_redis() as valkey:
        crowd = Crowd(valkey, count)
        took = crowd.play(kills)
        games, waiting = crowd.games(), crowd.waiting()
        lost = sum(1 for name, number in games.items() if not number and name not in waiting)
        results = ", ".join(f"{players} in {number}" for number, players in sorted(Counter(games.values()).items()))
        print(f"{count} players, {kills} kills, {took:.1f} s: {results}; {len(waiting)} wait, {lost} lost")
        crowd.close()


def simulate(count: int, rate: float, seed: int) -> str:
    """Return a line of the table: the waits, and the differences of ratings within games."""
    rng, now, waited, gaps = random.Random(seed), 0.0, list[float](), list[int]()
    arrivals = [now := now + rng.expovariate(rate / 1000) for _ in range(count)]
    kinds = [(ruleset.id, ruleset.variants[0]) for ruleset in RULESETS.values()]
    waiting, left = list[StoredSeek](), 0
    for number, at in enumerate(arrivals):
        ruleset, variant = rng.choice(kinds)
        seats = rng.choice(SEATS)
        settings = {"ruleset": ruleset, "variant": variant, "seats": seats, "clock": None, "rated": False}
        points, wanted = round(rng.gauss(1500, SPREAD)), RANGE if number % 2 else None
        name = str(number)
        waiting.append(StoredSeek(name, name, None, settings, int(at), points=points, rating_range=wanted))
        left += sum(at - seek.created_at > PATIENCE_MS for seek in waiting)
        waiting = [seek for seek in waiting if at - seek.created_at <= PATIENCE_MS]
        for group in list(find_groups(waiting, int(at))):
            waited += [at - seek.created_at for seek in group]
            gaps.append(max(seek.points for seek in group) - min(seek.points for seek in group))
            waiting = [seek for seek in waiting if seek not in group]
    share = len(waited) / count
    quantiles = statistics.quantiles(waited, n=100) if len(waited) > 1 else [0.0] * 99
    apart = statistics.quantiles(gaps, n=100) if len(gaps) > 1 else [0.0] * 99
    cells = [f"{quantiles[k] / 1000:.1f}" for k in (49, 89, 98)] + [f"{apart[k]:.0f}" for k in (49, 89)]
    return f"| {rate:g} | {share:.1%} | {' | '.join(cells)} |"


def one_pass(count: int, *, block_own: bool) -> str:
    """Return the time of one pass over seeks of three seats in two camps, against as many seeks that all fit."""
    seeks = camps(count, block_own=block_own)
    took = pass_s(seeks)
    ratio = took / pass_s([replace(seek, blocked=frozenset()) for seek in seeks])
    blocked = "their own" if block_own else "the other"
    return f"{count} seeks, two camps that block {blocked}: {1000 * took:.1f} ms, {ratio:.1f} x of no blocks"


def pass_s(waiting: Sequence[StoredSeek]) -> float:
    """Return the seconds of one pass over these seeks, the shortest of five."""
    return min(timeit.repeat(lambda: list(find_groups(waiting, 0)), number=1, repeat=5))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_seeks", description=__doc__)
    parser.add_argument("--at-once", type=int, default=1_000)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--players", type=int, default=10_000, help="of the simulation")
    parser.add_argument("--waiting", type=int, default=2_000, help="seeks of the measured pass")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for block_own in (True, False):
        print(one_pass(options.waiting, block_own=block_own))
    at_once(options.at_once, options.kills)
    print("| players a second | paired | median wait, s | 90 % | 99 % | points apart, median | 90 % |")
    print("|---|---|---|---|---|---|---|")
    for rate in RATES:
        print(simulate(options.players, rate, options.seed), flush=True)


if __name__ == "__main__":
    main()
