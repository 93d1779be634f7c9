"""The arena, and what it says of the levels: fixed seeds and simulations, so a match ends the same every time."""

from __future__ import annotations

import pytest

from service.games.scores import wilson
from service.levels import FALLBACK, LAST_RESORT, LEVELS
from service.rulesets.registry import RULESETS
from workers.arena import Match, play, run

SIDES = [(ruleset.id, variant) for ruleset in RULESETS.values() for variant in ruleset.variants]


def test_wilson_gives_the_interval_of_the_textbook() -> None:
    """8 of 10: 0.490 to 0.943 (Agresti and Coull 1998)."""
    low, high = wilson(0.8, 10)
    assert (0.490, 0.943) == (round(low, 3), round(high, 3))


def test_each_deal_is_played_once_from_every_seat() -> None:
    match = Match("azul", "coloured", 2, ("random", "random"), deals=2, seed=4)
    assert [0, 1, 0, 1] == [game.seat for game in run(match).games]


def test_a_game_is_the_same_when_it_is_played_again() -> None:
    match = Match("azul", "grey", 3, ("planner", "greedy"), 1, 7, (40, None))
    assert play(match, 0, 2) == play(match, 0, 2)


@pytest.mark.parametrize(("ruleset", "variant"), SIDES)
def test_greedy_beats_random_clearly(ruleset: str, variant: str) -> None:
    assert run(Match(ruleset, variant, 2, ("greedy", "random"), deals=12, seed=1)).wins >= 0.9


@pytest.mark.parametrize(("ruleset", "variant"), SIDES)
def test_a_small_tree_beats_greedy(ruleset: str, variant: str) -> None:
    match = Match(ruleset, variant, 2, ("planner", "greedy"), 4, 1, (200, None))
    assert run(match).wins >= 0.6


@pytest.mark.parametrize("seats", [3, 4])
def test_a_small_tree_beats_several_greedy_opponents(seats: int) -> None:
    match = Match("azul", "coloured", seats, ("planner", "greedy"), 4, 1, (300, None))
    assert run(match).wins >= 1.5 / seats


def test_a_match_is_the_same_on_several_processes() -> None:
    match = Match("azul", "coloured", 2, ("greedy", "random"), deals=2, seed=9)
    assert run(match, jobs=1) == run(match, jobs=2)


def test_levels_that_stand_in_for_others_exist_and_take_no_time() -> None:
    assert all(LEVELS[name].budget_s == 0 for name in (FALLBACK, LAST_RESORT))
