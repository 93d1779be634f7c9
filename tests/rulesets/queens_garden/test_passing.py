"""Passing: discards and their cost, the marker, and the order of the other seats."""

from __future__ import annotations

import itertools

import pytest

from tests.rulesets.playing import effects, effects_of_type, legal, play, refusal, short_type, sort_actions
from tests.rulesets.queens_garden.build import (
    board,
    passer,
    state,
    view,
)
from tests.rulesets.queens_garden.letters import STACK_OF, line_of, pieces
from tests.rulesets.queens_garden.playing import leave, next_decision, place, storage, supply, tower

# Discarding


def test_passing_player_may_keep_all_pieces() -> None:
    """[pass.discard]"""
    before = state(board(15, "b1 b5 ^y6 ***"), passer(), board())
    after = play(before, leave())
    assert ("b1 b5 ^y6 ***", 15, "") == (storage(after), after.scores[0], tower(after))


def test_each_discarded_piece_costs_its_value() -> None:
    """[pass.discard]"""
    before = state(board(20, "b1 b5 ^y6 ***"), passer(), board())
    after = play(before, leave("b5 ^y6"))
    assert ("b1 ***", 20 - 11) == (storage(after), after.scores[0])
    assert [{"seat": 0, "discarded": pieces("b5 ^y6"), "points": -11}] == effects_of_type(
        before, leave("b5 ^y6"), "passed"
    )


def test_discarded_tiles_go_to_the_tower_and_expansions_under_the_supply() -> None:
    """[pass.discard]"""
    before = state(board(20, "b1 b5 ^y6 ***"), passer(), board())
    after = play(before, leave("b1 b5 ^y6"))
    assert ("b1 b5", supply(before) + 1) == (tower(after), supply(after))


@pytest.mark.parametrize(("name", "cost"), [(f"k{value}", value) for value in range(1, 7)])
def test_discarding_costs_the_value_of_the_pattern(name: str, cost: int) -> None:
    """[pass.discard] each minus its value, tile or expansion."""
    before = state(board(20, f"{name} ^{name}"), passer(), board())
    assert [20 - cost, 20 - cost, 20 - 2 * cost] == [
        play(before, leave(line)).scores[0] for line in (name, f"^{name}", f"{name} ^{name}")
    ]


def test_several_equal_tiles_may_be_discarded() -> None:
    """[pass.discard]"""
    after = play(state(board(20, "b2 b2 b2"), passer(), board()), leave("b2 b2"))
    assert ("b2", 16, "b2 b2") == (storage(after), after.scores[0], tower(after))


def test_every_combination_of_tiles_and_expansions_may_be_discarded() -> None:
    """[pass.discard] any choice; equal tiles are one."""
    tiles, expansions = ["b1", "b1", "d2", "k6"], ["d2", "y4"]
    before = state(board(20, line_of(tiles, expansions, 3)))
    words = [*tiles, *(f"^{name}" for name in expansions)]
    choices = {" ".join(each) for size in range(7) for each in itertools.combinations(words, size)}
    assert sort_actions(leave(line) for line in choices) == legal(before, "pass")


def test_jokers_cannot_be_discarded() -> None:
    """[pass.discard] tiles and expansions only."""
    assert [leave()] == legal(state(board(storage="***")), "pass")


@pytest.mark.parametrize(("score", "lost"), [(12, 11), (11, 11), (10, 10), (1, 1), (0, 0)])
def test_discards_do_not_reduce_the_score_below_0(score: int, lost: int) -> None:
    """[score.floor]"""
    before = state(board(score, "b5 ^y6"), passer(), board())
    assert score - lost == play(before, leave("b5 ^y6")).scores[0]
    assert [-lost] == [each["points"] for each in effects_of_type(before, leave("b5 ^y6"), "passed")]


def test_discarded_pieces_may_be_listed_in_any_order() -> None:
    before = state(board(storage="b1 d2 ^y6 ^k1"))
    action = leave("b1 d2 ^y6 ^k1")
    turned = {"type": "queens-garden.pass", "discard": {name: each[::-1] for name, each in action["discard"].items()}}
    assert play(before, action) == play(before, turned)


def test_discarding_always_passes() -> None:
    """[pass.discard] only while passing."""
    assert {True} == {
        view(play(state(board(storage="b2 d3")), leave(line)))["seats"][0]["passed"] for line in ("", "b2")
    }


# The marker


@pytest.mark.parametrize("round_number", range(1, 5))
@pytest.mark.parametrize("seats", STACK_OF)
def test_first_seat_to_pass_takes_the_marker_and_loses_a_point(seats: int, round_number: int) -> None:
    """[pass.first] in the fourth round too."""
    for seat in range(seats):
        before = state(seats=seats, to_decide=seat, round_number=round_number)
        after = play(before, leave())
        assert (f"seat_{seat}", 14) == (view(after)["marker"], after.scores[seat])
        assert [{"seat": seat, "points": -1}] == effects_of_type(before, leave(), "marker_taken")


def test_first_seat_to_pass_takes_the_marker_at_score_0_without_a_cost() -> None:
    """[pass.first] at the cost of nothing."""
    before = state(board(0))
    after = play(before, leave())
    assert ("seat_0", 0) == (view(after)["marker"], after.scores[0])
    assert [{"seat": 0, "points": 0}] == effects_of_type(before, leave(), "marker_taken")


def test_discards_are_paid_before_the_marker() -> None:
    """[pass.first]"""
    before = state(board(3, "b3"))
    assert [("passed", -3), ("marker_taken", 0)] == [
        (short_type(effect), effect["points"]) for effect in effects(before, leave("b3"))
    ]


def test_later_passes_take_no_marker_and_cost_no_point() -> None:
    """[pass.first]"""
    before = state(passer(), board(), board(), to_decide=1)
    after = play(before, leave())
    assert ("seat_0", 15) == (view(after)["marker"], after.scores[1])
    assert [] == effects_of_type(before, leave(), "marker_taken")


# The order of moves


def test_seat_that_has_passed_has_no_more_turns() -> None:
    position = state(board(storage="b1"), board(storage="b1"), board(storage="b1"))
    after = play(position, place("b1", (1, 0)), leave(), place("b1", (1, 0)), leave())
    assert (2, [True, True, False]) == (after.seat, [seat["passed"] for seat in view(after)["seats"]])


def test_last_remaining_seat_plays_until_it_passes() -> None:
    position = play(state(board(storage="b1 d1"), passer()), place("b1", (1, 0)), place("d1", (-1, 0)))
    assert (0, "play") == (position.seat, view(position)["phase"])


def test_passing_is_allowed_at_any_turn() -> None:
    for position in (state(), state(top="b1 b2 b3 b4"), state(board(storage="b1 b2 ^b3 **")), state(board(0))):
        assert refusal(position, leave()) is None


@pytest.mark.parametrize("seats", STACK_OF)
def test_the_round_ends_when_all_have_passed(seats: int) -> None:
    position = state(seats=seats)
    for left in range(seats, 0, -1):
        assert ("play", 1, seats - left) == (view(position)["phase"], view(position)["round"], position.seat)
        position = play(position, leave())
    assert ("fill", 2, 0) == (view(position)["phase"], view(position)["round"], next_decision(position).seat)


def test_later_pass_before_the_last_has_only_the_pass_effect() -> None:
    before = state(board(), passer(), board())
    expected = {"type": "queens-garden.passed", "seat": 0, "discarded": pieces(""), "points": 0}
    assert [expected] == effects(before, leave())
