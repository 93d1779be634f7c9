"""Acquiring: choices, forced tiles, and limits of the storage."""

from __future__ import annotations

import pytest

from tests.rulesets.playing import effects, legal, play, refusal, sort_actions
from tests.rulesets.queens_garden.build import (
    board,
    passer,
    state,
    view,
)
from tests.rulesets.queens_garden.letters import STACK_OF
from tests.rulesets.queens_garden.playing import acquire, expansions_beside, next_decision, storage, top


@pytest.mark.parametrize("seats", STACK_OF)
def test_turn_passes_clockwise_after_acquiring(seats: int) -> None:
    for seat in range(seats):
        before = state(seats=seats, to_decide=seat, top="b1 d2 y3 k4")
        after = play(before, acquire("b", "t:b1"))
        assert ("drawing", (seat + 1) % seats) == (after.status, view(after)["next_seat"])
        assert (seat + 1) % seats == next_decision(after).seat


def test_seats_that_have_passed_are_skipped() -> None:
    before = state(board(), passer(), passer(), board(), top="b1 d2 y3 k4")
    assert 3 == next_decision(play(before, acquire("b", "t:b1"))).seat


def test_acquiring_a_colour_takes_one_piece_of_each_pattern() -> None:
    before = state(board(storage="d5 *"), top="b1 b1 b2 k4")
    after = play(before, acquire("b", "t:b1 t:b2"))
    assert ("b1 b2 d5 *", {0: "b1 k4"}) == (storage(after), expansions_beside(after))


def test_acquiring_a_pattern_takes_one_piece_of_each_colour() -> None:
    before = state(top="b2 y2 y2 k4")
    after = play(before, acquire("2", "t:b2 t:y2"))
    assert ("b2 y2", {0: "y2 k4"}) == (storage(after), expansions_beside(after))


def test_matching_pieces_are_taken_from_all_places_of_the_display() -> None:
    """[draft.pool] tiles of the top, tiles beside it and face-up expansions."""
    before = state(top="b1 d2 y3 k4", beside=("b2 k1", "^b3", "", "b4"))
    after = play(before, acquire("b", "t:b1 0:b2 1^b3 3:b4"))
    assert "b1 b2 b4 ^b3" == storage(after)


def test_face_down_expansions_cannot_be_taken() -> None:
    """[draft.pool] the top and what carries tiles show nothing but their tiles.

    The one bird, which is the only dark green piece, is listed by its colour.
    """
    before = state(top="b1 d2 y3 k4", beside=("k1", "^y5"))
    expected = [
        acquire("b", "t:b1"),
        acquire("d", "t:d2"),
        acquire("y", "t:y3 1^y5"),
        acquire("k", "t:k4 0:k1"),
        acquire("1", "t:b1 0:k1"),
        acquire("3", "t:y3"),
        acquire("4", "t:k4"),
        acquire("5", "1^y5"),
    ]
    assert sort_actions(expected) == legal(before, "acquire")


def test_single_expansion_may_be_taken_without_tiles() -> None:
    """[draft.all_distinct] a take of an expansion alone is legal."""
    after = play(state(top="b1 b2 y3 k4", beside=("^p5",)), acquire("p", "0^p5"))
    assert ("^p5", {}) == (storage(after), expansions_beside(after))


def test_one_move_can_take_six_different_hexagons() -> None:
    before = state(top="b1 b2 b3 b4", beside=("b5", "b6 k1"))
    after = play(before, acquire("b", "t:b1 t:b2 t:b3 t:b4 0:b5 1:b6"))
    assert "b1 b2 b3 b4 b5 b6" == storage(after)


# Choosing among identical pieces


def test_player_chooses_among_identical_pieces_in_different_places() -> None:
    """[draft.duplicate_choice] a tile of the top, a tile beside it, or a face-up expansion."""
    before = state(top="b2 d1 y3 k4", beside=("b2 k1", "^b2"))
    expected = [acquire("b", "t:b2"), acquire("b", "0:b2"), acquire("b", "1^b2")]
    assert sort_actions(expected) == [action for action in legal(before, "acquire") if action["value"] == "blue"]


def test_identical_tiles_in_the_same_place_are_one_choice() -> None:
    before = state(top="b2 b2 b2 k4")
    assert [acquire("b", "t:b2")] == [action for action in legal(before, "acquire") if action["value"] == "blue"]


def test_choices_for_different_hexagons_multiply() -> None:
    before = state(top="b1 b2 k4", beside=("b1 b2", "b2", "^b1"))
    actual = [action for action in legal(before, "acquire") if action["value"] == "blue"]
    assert 3 * 3 == len(actual)


def test_display_keeps_the_identical_pieces_that_were_not_chosen() -> None:
    before = state(top="b2 d1 y3 k4", beside=("b2 k1", "^b2"))
    left = {
        word: (top(after), expansions_beside(after))
        for word in ("t:b2", "0:b2", "1^b2")
        for after in [play(before, acquire("b", word))]
    }
    assert {
        "t:b2": ("", {0: "b2 k1", 1: "^b2", 2: "d1 y3 k4"}),
        "0:b2": ("b2 d1 y3 k4", {0: "k1", 1: "^b2"}),
        "1^b2": ("b2 d1 y3 k4", {0: "b2 k1"}),
    } == left


# Fitting


@pytest.mark.parametrize("held", ["b1 b1 b1 b2 b2 b2 b3 b3 b3 b4 b4", "b1 b1 b1 b2 b2 b2 b3 b3 ***", "b1 **********"])
def test_acquired_tiles_must_all_fit_beside_stored_tiles_and_jokers(held: str) -> None:
    """[draft.fit] eleven of the twelve spaces are taken."""
    before = state(board(storage=held), top="y1 y2 k3 p4")
    assert "no_room_for_tiles" == refusal(before, acquire("y", "t:y1 t:y2"))
    assert refusal(before, acquire("k", "t:k3")) is None


def test_no_tile_can_be_acquired_with_a_full_storage() -> None:
    before = state(board(storage="************"), top="y1 y2 k3 p4", beside=("^k5",))
    assert [acquire("5", "0^k5")] == legal(before, "acquire")


def test_expansions_have_two_separate_storage_spaces() -> None:
    before = state(board(storage="^b1 ************"), top="y1 y2 k3 p4", beside=("^l5",))
    assert "^b1 ^l5 ************" == storage(play(before, acquire("l", "0^l5")))


@pytest.mark.parametrize(("held", "expected"), [("^b1 ^b2", "no_room_for_expansions"), ("^b1", None), ("", None)])
def test_storage_holds_at_most_two_expansions(held: str, expected: str | None) -> None:
    before = state(board(storage=held), top="y1 y2 k3 p4", beside=("^l5",))
    assert expected == refusal(before, acquire("l", "0^l5"))


def test_two_expansions_at_once_need_two_spaces() -> None:
    display = ("^l5", "^l6")
    fits, does_not = state(top="y1", beside=display), state(board(storage="^b1"), top="y1", beside=display)
    action = acquire("l", "0^l5 1^l6")
    assert (None, "no_room_for_expansions") == (refusal(fits, action), refusal(does_not, action))


def test_acquiring_is_legal_if_the_chosen_tile_or_expansion_fits() -> None:
    """[draft.fit] legal if this choice of pieces fits."""
    display = {"top": "y2 k1", "beside": ("^y2",)}
    no_tile, no_expansion = (state(board(storage="*" * 12), **display), state(board(storage="^b1 ^b2"), **display))
    assert [[acquire("y", "0^y2"), acquire("2", "0^y2")], [acquire("y", "t:y2"), acquire("2", "t:y2")]] == [
        [each for each in (acquire("y", word), acquire("2", word)) if refusal(position, each) is None]
        for position, word in ((no_tile, "0^y2"), (no_expansion, "t:y2"))
    ]
    assert "no_room_for_tiles" == refusal(no_tile, acquire("y", "t:y2"))
    assert "no_room_for_expansions" == refusal(no_expansion, acquire("y", "0^y2"))


# Effects, and unchanged parts


def test_acquisition_effect_lists_the_pieces() -> None:
    action = acquire("b", "0:b2 1^b3")
    before = state(seats=3, to_decide=2, top="d1 y3 k4", beside=("b2 k1", "^b3"))
    expected = {
        "type": "queens-garden.pieces_acquired",
        "seat": 2,
        "by": "colour",
        "value": "blue",
        "pieces": action["pieces"],
    }
    assert [expected] == effects(before, action)


def test_acquired_pieces_may_be_listed_in_any_order() -> None:
    before = state(top="b1 b2 y3 k4")
    action = acquire("b", "t:b1 t:b2")
    assert play(before, action) == play(before, {**action, "pieces": action["pieces"][::-1]})
