"""How fast the search is, and how much of its time the rules and the evaluation take.

`python -m pytest -s tests/bench/bench_search.py` or `python -m tests.bench.bench_search`.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable

from numba import types

from service.rulesets.compiled import PROGRESS
from service.rulesets.kernel import DECIDING
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from tests.workers.positions import CASES, walk
from workers.search.players import read
from workers.search.playouts import SCRATCH_TYPE, Scratch, estimate_all
from workers.search.record_abi import ERASED_TYPE, NOW, ROOT, Erased, address, compiled_once, copy, erased, put, status
from workers.search.search import Search, by_level

SEED = bytes(range(1, 33))
SIMULATIONS = 5000


@compiled_once(types.int64(ERASED_TYPE, SCRATCH_TYPE, types.int64))
def random_plies(rules: Erased, room: Scratch, count: int) -> int:
    """Play at random from row ROOT until chance has to act, so many times: decisions played. The rules alone."""
    plies = 0
    for _ in range(count):
        copy(room.rows, NOW, ROOT)
        here = address(room.rows, NOW)
        while status(room.rows, NOW) == DECIDING:
            rules.apply(here, rules.random_action(here, room.rng))
            plies += 1
    return plies


@compiled_once(types.void(ERASED_TYPE, SCRATCH_TYPE, types.int64))
def estimates(rules: Erased, room: Scratch, count: int) -> None:
    """Ask the evaluation about row ROOT so many times."""
    for _ in range(count):
        estimate_all(rules, room, ROOT)


PROGRESS.end()


def seconds(function: Callable[[], object]) -> float:
    """The shortest of three runs."""
    times = []
    for _ in range(3):
        began = time.perf_counter()
        function()
        times.append(time.perf_counter() - began)
    return min(times)


def simulations_a_second(position: Position, player: str = "tree") -> float:
    """Of a fresh tree with SIMULATIONS."""
    how = read(position.ruleset, f"{player}@{SIMULATIONS}")
    return SIMULATIONS / seconds(lambda: Search(position, how, SEED).choose())


def test_simulations_a_second_and_what_their_parts_cost() -> None:
    """One line a ruleset, variant and number of seats."""
    print()
    for ruleset, variant, seats in CASES:
        position = walk(ruleset, variant, seats, 1, decisions=2)
        rules, search = erased(RULESETS[ruleset]), by_level(position, "greedy", SEED)
        room = search._growths[0].room
        put(room.rows, position)
        rate = simulations_a_second(position)
        uninformed = simulations_a_second(position, "tree:playout_candidates=1")
        plies = random_plies(rules, room, 100)
        ply = seconds(functools.partial(random_plies, rules, room, 2000)) / (20 * plies)
        estimate = seconds(functools.partial(estimates, rules, room, 20_000)) / 20_000
        greedy = seconds(search.choose)
        print(
            f"{ruleset} {variant:9} {seats} seats: {rate:7,.0f} simulations/s ({uninformed:,.0f} with one candidate "
            f"a playout decision); a random decision {ply * 1e9:.0f} ns, an estimate {estimate * 1e9:.0f} ns, "
            f"a greedy choice {greedy * 1e6:.0f} µs"
        )
        assert rate > 2_000


if __name__ == "__main__":
    test_simulations_a_second_and_what_their_parts_cost()
