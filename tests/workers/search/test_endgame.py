"""Exact solutions of endgames, compared with a plain recursion over positions."""

from __future__ import annotations

import contextlib
import functools
import itertools
import math
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import orjson
import pytest

from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from tests.patience import HANG_S
from tests.rulesets.playing import candidates
from tests.workers.positions import CASES, FEWER_CASES, positions_to_decide, walk
from workers.search import players
from workers.search.decisions import Search
from workers.search.parameters import Parameters
from workers.search.tree import SLICE_POSITIONS, SearchTree

SEED = bytes(range(32))
ENDS = Path(__file__).with_name("ends")
SMALL = 1500  # positions that the plain recursion may visit


def returns(position: Position, parameters: Parameters) -> tuple[float, ...]:
    """Return every seat's return at the end of the game."""
    rules, seats = position.ruleset.rules, position.seats
    points, keys = np.zeros(4), np.zeros(4, np.int64)
    points[:seats] = [rules.estimate(position.table_state(), seat) for seat in range(seats)]
    leads = [points[seat] - max(points[k] for k in range(seats) if k != seat) for seat in range(seats)]
    results = [math.tanh(lead / parameters.scale) for lead in leads]
    rules.outcome(position.table_state(), keys)
    best = [keys[seat] == keys[:seats].max() for seat in range(seats)]
    won = [2 / sum(best) - 1 if best[seat] else -1.0 for seat in range(seats)]
    return tuple((1 - parameters.win) * results[seat] + parameters.win * won[seat] for seat in range(seats))


class UnsolvableError(Exception):
    """Chance acts before the end, or there are too many positions for a plain recursion."""


def exact(position: Position, parameters: Parameters) -> tuple[float, ...]:
    """Return the values of the seats if each maximizes its own return."""
    visited = 0

    @functools.cache
    def value(position: Position) -> tuple[float, ...]:
        nonlocal visited
        visited += 1
        if visited > SMALL or position.status == "drawing":
            raise UnsolvableError
        seat = position.seat
        if seat is None:
            return returns(position, parameters)
        return max(
            (value(position.play(action)) for action in position.legal_actions()), key=lambda values: values[seat]
        )

    return value(position)


def small_endings(
    ruleset: str, variant: str, seats: int, seeds: Iterable[int] = range(12)
) -> list[tuple[Position, tuple[float, ...]]]:
    """Return positions with a choice and few positions after it, at the end of random games, with their values."""
    results = []
    for seed in seeds:
        for position in list(positions_to_decide(ruleset, variant, seats, seed))[-5:]:
            if len(position.legal_actions()) > 1:
                with contextlib.suppress(UnsolvableError):
                    results.append((position, exact(position, Parameters())))
    return results


@pytest.mark.parametrize(("ruleset", "variant", "seats"), FEWER_CASES)
def test_small_endgame_has_the_value_of_a_plain_recursion(ruleset: str, variant: str, seats: int) -> None:
    endings = small_endings(ruleset, variant, seats)
    assert endings
    solved = 0
    for position, wanted in endings:
        actual = SearchTree(position, Parameters(endgame_positions=10**6), SEED).solve(lambda: True)
        if actual is None:
            continue
        solved += 1
        action, values = actual
        seat = int(position.seat or 0)
        assert values[seat] == pytest.approx(wanted[seat], abs=1e-5)
        assert exact(position.play(action), Parameters())[seat] == pytest.approx(wanted[seat], abs=1e-5)
    assert solved


@pytest.mark.parametrize("name", ["queens_floor_position", "queens_tail_41_107"])
def test_seat_without_points_to_lose_discards_everything(name: str) -> None:
    """The tiles that are left cost the same later, when the seat has points to lose."""
    position = RULESETS["queens-garden"].read(orjson.loads((ENDS / f"{name}.json").read_bytes()))
    solved = SearchTree(position, Parameters(), SEED).solve(lambda: True)
    assert solved is not None
    after, seat = position.play(solved[0]), position.seat or 0
    storage = position.ruleset.view(after)["seats"][seat]
    assert ("over", {}, []) == (after.status, storage["tiles"], storage["expansions"])
    others = [other for action in position.legal_actions() if (other := position.play(action)).status == "over"]
    assert after.scores[seat] == max(other.scores[seat] for other in others)
    assert solved[0] in candidates(position)


@pytest.mark.nightly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_five_hundred_endgames_have_the_values_of_a_plain_recursion_over_all_legal_actions(ruleset: str) -> None:
    compared, seed = 0, 100
    cases = itertools.cycle([case for case in CASES if case[0] == ruleset])
    while compared < 500:
        seed += 1
        for position, wanted in small_endings(*next(cases), range(seed, seed + 1)):
            actual = SearchTree(position, Parameters(endgame_positions=10**6), SEED).solve(lambda: True)
            if actual is not None:
                compared += 1
                assert actual[1][position.seat or 0] == pytest.approx(wanted[position.seat or 0], abs=1e-5)


def test_solver_leaves_an_endgame_that_is_too_large_to_the_tree() -> None:
    position = walk("azul", "coloured", 2, 1, decisions=2)
    assert SearchTree(position, Parameters(), SEED).solve(lambda: True) is None


@pytest.mark.parametrize(("ruleset", "variant", "seats"), FEWER_CASES)
def test_solver_leaves_the_end_of_a_round_to_the_tree(ruleset: str, variant: str, seats: int) -> None:
    """The position after the round is unknown, so this holds for small tails too."""
    ends = 0
    for position in positions_to_decide(ruleset, variant, seats, 1):
        actions = candidates(position)
        if len(actions) > 1 and any(position.play(action).status == "drawing" for action in actions):
            ends += 1
            assert SearchTree(position, Parameters(endgame_positions=10**6), SEED).solve(lambda: True) is None
    assert ends


def test_caller_can_stop_the_solver() -> None:
    position, _ = small_endings("azul", "coloured", 2)[0]
    asked = []

    def go_on() -> bool:
        asked.append(1)
        return False

    SearchTree(position, Parameters(endgame_positions=10**6), SEED).solve(go_on)
    assert len(asked) <= 1


def slices(position: Position, most: int, *, enough: int) -> tuple[bool, int]:
    """Return whether an endgame is solved and how many slices begin, if the caller stops it after `enough`."""
    calls = []

    def go_on() -> bool:
        calls.append(1)
        return len(calls) < enough

    return SearchTree(position, Parameters(endgame_positions=most), SEED).solve(go_on) is not None, len(calls)


@pytest.mark.parametrize("allowed", [1, 5])
def test_solver_gives_up_at_its_limit_of_positions(allowed: int) -> None:
    """With three seats nothing is pruned: this endgame has some 40,000 positions."""
    position = list(positions_to_decide("azul", "coloured", 3, 0))[-5]
    assert (False, allowed) == slices(position, allowed * SLICE_POSITIONS, enough=100)


@pytest.mark.parametrize(("most", "begun"), [(1000, 0), (10**6, 1)])
def test_solver_does_not_start_an_endgame_that_seems_too_large(most: int, begun: int) -> None:
    position = list(positions_to_decide("azul", "coloured", 3, 0))[-6]
    assert (False, begun) == slices(position, most, enough=1)


def test_weakened_level_does_not_solve_endgames(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a weakened level would be strong in the endgame."""
    monkeypatch.setattr(Search, "_is_choice_final", lambda *_: False)
    position, _ = small_endings("azul", "coloured", 2)[0]
    assert Search(position, players.parse_player(position.ruleset, "tree@30"), SEED).choose().simulations == 30
    assert Search(position, players.parse_player(position.ruleset, f"tree@{HANG_S}s"), SEED).choose().simulations == 0
