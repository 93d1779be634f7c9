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
from workers.search.record_abi import (
    CURRENT_ROW,
    ROOT_ROW,
    RULES_TYPE,
    RulesByAddress,
    address,
    compiled_once,
    copy,
    rules_by_address,
    set_root,
    status,
)
from workers.search.search import Search, by_level

SEED = bytes(range(1, 33))
SIMULATIONS = 5000


@compiled_once(types.int64(RULES_TYPE, SCRATCH_TYPE, types.int64))
def random_plies(rules: RulesByAddress, scratch: Scratch, count: int) -> int:
    """Play at random from row ROOT until chance has to act, so many times: decisions played. The rules alone."""
    plies = 0
    for _ in range(count):
        copy(scratch.rows, CURRENT_ROW, ROOT_ROW)
        here = address(scratch.rows, CURRENT_ROW)
        while status(scratch.rows, CURRENT_ROW) == DECIDING:
            rules.apply(here, rules.random_action(here, scratch.rng))
            plies += 1
    return plies


@compiled_once(types.void(RULES_TYPE, SCRATCH_TYPE, types.int64))
def estimates(rules: RulesByAddress, scratch: Scratch, count: int) -> None:
    """Ask the evaluation about row ROOT so many times."""
    for _ in range(count):
        estimate_all(rules, scratch, ROOT_ROW)


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
        rules, search = rules_by_address(RULESETS[ruleset]), by_level(position, "greedy", SEED)
        scratch = search._trees[0].scratch
        set_root(scratch.rows, position)
        rate = simulations_a_second(position)
        uninformed = simulations_a_second(position, "tree:playout_candidates=1")
        plies = random_plies(rules, scratch, 100)
        ply = seconds(functools.partial(random_plies, rules, scratch, 2000)) / (20 * plies)
        estimate = seconds(functools.partial(estimates, rules, scratch, 20_000)) / 20_000
        greedy = seconds(search.choose)
        print(
            f"{ruleset} {variant:9} {seats} seats: {rate:7,.0f} simulations/s ({uninformed:,.0f} with one candidate "
            f"a playout decision); a random decision {ply * 1e9:.0f} ns, an estimate {estimate * 1e9:.0f} ns, "
            f"a greedy choice {greedy * 1e6:.0f} µs"
        )
        assert rate > 2_000


if __name__ == "__main__":
    test_simulations_a_second_and_what_their_parts_cost()
