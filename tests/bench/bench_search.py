"""Measure the speed of the search, and the shares of rules and evaluation in its time.

`python -m tests.bench.bench_search`.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import cast

from service.rulesets.code_cache import Library
from service.rulesets.compiler import compile_entries
from service.rulesets.kernel import DECIDING, helper
from service.rulesets.machine_code import argument_record
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from tests.workers.positions import CASES, walk
from workers.search.decisions import Search, search_at_level
from workers.search.numba_search import argument_types
from workers.search.players import parse_player
from workers.search.playouts import Scratch, estimate_all
from workers.search.record_abi import FOLDER, RulesByAddress, rules_by_address
from workers.search.rows import CURRENT_ROW, ROOT_ROW, address, copy, set_root, status
from workers.warm import warm

SEED = bytes(range(1, 33))
SIMULATIONS = 5000
SHORTEST_RUN_S = 0.05


@helper
def random_plies(rules: RulesByAddress, scratch: Scratch, count: int) -> int:
    """Play at random from row ROOT to the next draw, `count` times. Return the decisions played."""
    plies = 0
    for _ in range(count):
        copy(scratch.rows, CURRENT_ROW, ROOT_ROW)
        here = address(scratch.rows, CURRENT_ROW)
        while status(scratch.rows, CURRENT_ROW) == DECIDING:
            rules.apply(here, rules.random_action(here, scratch.rng))
            plies += 1
    return plies


@helper
def estimates(rules: RulesByAddress, scratch: Scratch, count: int) -> int:
    """Evaluate row ROOT `count` times."""
    for _ in range(count):
        estimate_all(rules, scratch, ROOT_ROW)
    return count


@functools.cache
def loops() -> tuple[Callable[..., int], ...]:
    """Return both functions, compiled. Call them with their arguments."""
    functions = [cast("FunctionType", function) for function in (random_plies, estimates)]
    library = Library("bench-search", Path(__file__), FOLDER)
    if not library.path.exists():
        compile_entries(library, dict.fromkeys(functions, "Rules, Scratch, int64"), **argument_types())
    code = library.code()
    assert code is not None
    entries = [code.entry(function.__name__) for function in functions]
    return tuple(lambda *arguments, entry=entry: entry(argument_record(*arguments)) for entry in entries)


def seconds(function: Callable[[], object]) -> float:
    """Return the processor time of a call: the best of three runs that each repeat it for SHORTEST_RUN_S."""
    return min(_seconds(function) for _ in range(3))


def _seconds(function: Callable[[], object]) -> float:
    began, times = time.process_time(), 0
    while (taken := time.process_time() - began) < SHORTEST_RUN_S:
        function()
        times += 1
    return taken / times


def simulations_a_second(position: Position, player: str = "tree") -> float:
    """Return the simulations a second of a new tree."""
    how = parse_player(position.ruleset, f"{player}@{SIMULATIONS}")
    return SIMULATIONS / seconds(lambda: Search(position, how, SEED).choose())


def main() -> None:
    """Print one line for each ruleset, variant and number of seats."""
    for ruleset, variant, seats in CASES:
        position = walk(ruleset, variant, seats, 1, decisions=2)
        rules, search = rules_by_address(RULESETS[ruleset]), search_at_level(position, "greedy", SEED)
        scratch = search._tree.scratch
        set_root(scratch.rows, position)
        rate = simulations_a_second(position)
        uninformed = simulations_a_second(position, "tree:playout_candidates=1")
        plies = loops()[0](rules, scratch, 100)
        ply = seconds(functools.partial(loops()[0], rules, scratch, 2000)) / (20 * plies)
        estimate = seconds(functools.partial(loops()[1], rules, scratch, 20_000)) / 20_000
        greedy = seconds(search.choose)
        print(
            f"{ruleset} {variant:9} {seats} seats: {rate:7,.0f} simulations/s ({uninformed:,.0f} with one candidate "
            f"a playout decision); a random decision {ply * 1e9:.0f} ns, an estimate {estimate * 1e9:.0f} ns, "
            f"a greedy choice {greedy * 1e6:.0f} µs"
        )


if __name__ == "__main__":
    warm()
    main()
