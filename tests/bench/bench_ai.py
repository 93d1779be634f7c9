"""Measure the AI: `python -m tests.bench.bench_ai [--quick] [RULESET …]`.

Prints for each ruleset
- what decisions of 50 ms take, and their simulations, on idle cores and while each core has two other processes to run
- the peak memory of a process that plays a game at the strongest level, and the bound of its tree
- mean scores of the strongest level against itself, with two seats
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import mean
from typing import NamedTuple

from research.matches import match as matches
from research.matches.match import Match, Result
from research.matches.running import local_players, run
from service.levels import LEVELS
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset
from service.settings import cores
from tests.workers.positions import walk
from workers.search import tree_memory
from workers.search.budgets import Budget
from workers.search.decisions import search_at_level
from workers.warm import warm

STRONGEST = list(LEVELS)[-1]
BUDGET_S = 0.05
SPAWN = multiprocessing.get_context("spawn")


@dataclass(frozen=True)
class Size:
    """The extent of the measurement."""

    decisions: int  # per line
    games: int  # of self-play, per side of the board
    simulations: int | None  # per decision; None: as the level does it


FULL, QUICK = Size(200, 20, None), Size(20, 2, 100)


class Decisions(NamedTuple):
    """What decisions in different positions took. The same positions for each call."""

    simulations: int
    cpu_ms: list[float]  # beyond the budget, sorted
    elapsed_ms: list[float]  # sorted


def decide(ruleset: Ruleset, count: int) -> Decisions:
    """Return what decisions took. They do not stop early, so that their simulations can be compared."""
    simulations, cpu_ms, elapsed_ms = 0, [], []
    for number in range(-1, count):  # the first only loads code
        position = walk(ruleset.id, ruleset.variants[number % 2], 2, 1 + number % 20, 2 + number % 30)
        search = search_at_level(position, STRONGEST, bytes([1 + number % 250]) * 32)
        began_cpu, began = time.thread_time(), time.perf_counter()
        search.think(Budget(BUDGET_S))
        if number >= 0:
            simulations += search.simulations
            cpu_ms.append(1000 * (time.thread_time() - began_cpu - BUDGET_S))
            elapsed_ms.append(1000 * (time.perf_counter() - began))
    return Decisions(simulations, sorted(cpu_ms), sorted(elapsed_ms))


def _spin() -> None:
    while True:
        pass


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Run processes that use processor time until the block ends."""
    processes = [SPAWN.Process(target=_spin, daemon=True) for _ in range(count)]
    for process in processes:
        process.start()
    time.sleep(1)
    try:
        yield
    finally:
        for process in processes:
            process.kill()


def compare(ruleset: Ruleset, count: int) -> Iterator[str]:
    """Yield a line for idle cores and a line for busy cores."""
    idle: Decisions | None = None
    for name, others in (("idle cores", 0), (f"{2 * cores()} busy processes on {cores()} cores", 2 * cores())):
        with busy(others):
            made = decide(ruleset, count)
        idle = idle or made
        over, took = (f"p50 {ms[len(ms) // 2]:.1f} ms, most {ms[-1]:.1f} ms" for ms in (made.cpu_ms, made.elapsed_ms))
        ratio = made.simulations / idle.simulations
        yield f"{name}: {ratio:.3f} x the simulations; overrun {over}; elapsed {took}; {count} decisions"


def peak(ruleset_id: str, player: str) -> int:
    """Return the peak memory in bytes of this process after a game of both seats. Call it in a new process."""
    matches.play(Match(ruleset_id, RULESETS[ruleset_id].variants, 2, (player, player), 1), 0, 0)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else 1024 * most


def memory(ruleset: Ruleset, player: str) -> Iterator[str]:
    """Yield a line about memory."""
    with ProcessPoolExecutor(1, SPAWN) as pool:
        most = pool.submit(peak, ruleset.id, player).result()
    bound = tree_memory.MAX_NODES * tree_memory.NODE.itemsize
    yield f"a process that plays {player}: {most / 2**20:.0f} MiB at most; its tree {bound / 2**20:.0f} MiB at most"


def scores(ruleset: Ruleset, player: str, games: int) -> Iterator[str]:
    """Yield a line for each side of the board."""
    for variant in ruleset.variants:
        match = Match(ruleset.id, (variant,), 2, (player, player), 1)
        result: Result = run(match, -(-games // 2), local_players(cores()))
        game_scores = [score for game in result.counted_games for score in game.scores]
        yield f"{variant}: {player} scores {mean(game_scores):.1f} against itself, in {len(result.counted_games)} games"


def report(ruleset: Ruleset, size: Size, games: int) -> None:
    """Print all measurements of a ruleset."""
    player = STRONGEST if size.simulations is None else f"{STRONGEST}@{size.simulations}"
    for title, lines in (
        (f"decisions of {1000 * BUDGET_S:.0f} ms of the processor", compare(ruleset, size.decisions)),
        ("memory", memory(ruleset, player)),
        ("self-play", scores(ruleset, player, games)),
    ):
        print(f"{title}:")
        for line in lines:
            print(f"  {line}", flush=True)


def main() -> None:
    """Print a block for each ruleset."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_ai", description="measure the AI")
    parser.add_argument("rulesets", nargs="*", metavar="RULESET", help=f"of {', '.join(RULESETS)}; default: all")
    parser.add_argument("--quick", action="store_true", help="measure little, as a check of the program")
    parser.add_argument("--games", type=int, help="games of self-play on each side of the board")
    warm()
    options = parser.parse_args()
    if set(options.rulesets) - set(RULESETS):
        parser.error(f"rulesets are {', '.join(RULESETS)}")
    size = QUICK if options.quick else FULL
    for name in options.rulesets or RULESETS:
        print(f"\n=== {name}", flush=True)
        report(RULESETS[name], size, options.games or size.games)


if __name__ == "__main__":
    main()
