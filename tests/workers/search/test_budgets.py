"""A search uses its processor time, whatever else the machine does, and ends when too much time has elapsed."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.workers.positions import walk
from workers.search import budgets
from workers.search import decisions as decisions_module
from workers.search.budgets import MAX_STRETCH, Budget
from workers.search.decisions import FIRST_SLICE, SEARCH_SLICE_S, search_at_level
from workers.search.tree import SearchTree

SEED = bytes(range(32))
TREE = "master"


class Clock:
    """Clocks of a search: each simulation takes `cost_s` of the processor, and others interrupt every slice."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, cost_s: float, interruption_s: float) -> None:
        self.cpu_s, self.elapsed_s = 0.0, 0.0
        simulate = SearchTree.simulate

        def simulate_on_the_clock(search_tree: SearchTree, count: int, pool: ThreadPoolExecutor | None) -> None:
            simulate(search_tree, count, pool)
            self.cpu_s += count * cost_s
            self.elapsed_s += count * cost_s + interruption_s

        monkeypatch.setattr(SearchTree, "simulate", simulate_on_the_clock)
        monkeypatch.setattr(decisions_module.Search, "_is_choice_final", lambda *_: False)
        monkeypatch.setattr(budgets, "time", self)

    def thread_time(self) -> float:
        return self.cpu_s

    def process_time(self) -> float:
        return self.cpu_s

    def monotonic(self) -> float:
        return self.elapsed_s


@pytest.mark.parametrize("budget_s", [0.03, 0.1, pytest.param(0.3, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("cost_s", [0.00001, 0.0001, 0.001])
@pytest.mark.parametrize("interruption_s", [0.0, 0.004, 0.01])
def test_search_uses_its_processor_time_whatever_else_the_machine_does(
    monkeypatch: pytest.MonkeyPatch, budget_s: float, cost_s: float, interruption_s: float
) -> None:
    """The benchmarks measure real cores."""
    clock = Clock(monkeypatch, cost_s, interruption_s)
    choice = search_at_level(walk("azul", "coloured", 4, 1, decisions=2), TREE, SEED).choose(Budget(budget_s))
    assert choice.simulations == pytest.approx(clock.cpu_s / cost_s)
    assert 0 <= clock.cpu_s - budget_s < 0.005 + FIRST_SLICE * cost_s


@pytest.mark.parametrize(("limit_s", "expected_s"), [(math.inf, MAX_STRETCH * 0.1), (0.3, 0.3)])
def test_search_on_an_overloaded_machine_ends_at_the_limit_of_elapsed_time(
    monkeypatch: pytest.MonkeyPatch, limit_s: float, expected_s: float
) -> None:
    interruption_s = 20 * SEARCH_SLICE_S
    clock = Clock(monkeypatch, 0.0001, interruption_s)
    choice = search_at_level(walk("azul", "coloured", 4, 1, decisions=2), TREE, SEED).choose(Budget(0.1, limit_s))
    assert choice.simulations > 0
    assert 0 <= clock.elapsed_s - expected_s <= interruption_s + SEARCH_SLICE_S


@pytest.mark.parametrize("budget", [Budget(0), Budget(-1), Budget(1, 0)])
def test_search_chooses_even_without_time(budget: Budget) -> None:
    position = walk("azul", "coloured", 2, 1, decisions=2)
    assert search_at_level(position, "planner", SEED).choose(budget).action in position.legal_actions()


def test_each_thread_of_a_search_has_the_whole_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, 0.0001, 0.0)
    search = search_at_level(walk("azul", "coloured", 4, 1, decisions=2), "master", SEED, threads=2)
    assert search.choose(Budget(0.1)).simulations > 0
    assert 0 <= clock.cpu_s - 2 * 0.1 < 0.02


def test_a_solver_that_does_not_finish_leaves_half_of_the_time_to_the_simulations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock(monkeypatch, 0.0001, 0.0)

    def solve_for_ever(_tree: SearchTree, should_continue: Callable[[], bool]) -> None:
        while should_continue():
            clock.cpu_s += 0.001

    monkeypatch.setattr(SearchTree, "solve", solve_for_ever)
    choice = search_at_level(walk("azul", "coloured", 2, 1, decisions=2), TREE, SEED).choose(Budget(0.1))
    assert 0.05 == pytest.approx(choice.simulations * 0.0001, abs=0.005)
