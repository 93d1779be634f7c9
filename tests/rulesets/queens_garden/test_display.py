"""The display after a move: the top moves beside, the next one is filled, and what carries no tile turns face up."""

from __future__ import annotations

import pytest

from service.rulesets.ruleset import Position
from tests.rulesets.playing import assert_draw_refused, effects, effects_of_type, fields, legal, play, short_type
from tests.rulesets.queens_garden.build import board, state, view
from tests.rulesets.queens_garden.letters import (
    STACK_OF,
    hexagon,
    hexagon_numbers,
    hexagons,
)
from tests.rulesets.queens_garden.playing import (
    acquire,
    deal,
    display,
    effects_of_draw,
    expansions_beside,
    leave,
    place,
    stack,
    storage,
    top,
)


def phase(position: Position) -> str:
    return str(view(position)["phase"])


# The top moves


def test_top_moves_beside_with_its_remaining_tiles_after_losing_a_tile() -> None:
    """[draft.advance]"""
    after = play(state(top="b1 d2 y3 k4"), acquire("b", "t:b1"))
    assert (4, "", {0: "d2 y3 k4"}, "fill") == display(after)


def test_the_next_top_gets_exactly_four_tiles() -> None:
    """[draft.advance]"""
    waits = play(state(top="b1 d2 y3 k4"), acquire("b", "t:b1"))
    for wrong in ("p1", "p1 p2 p3", "p1 p2 p3 p4 p5"):
        assert_draw_refused(waits, hexagon_numbers(wrong))
    after = deal(waits, "p6 l2 l2 b1")
    assert ("b1 l2 l2 p6", "play", 1) == (top(after), phase(after), after.seat)


def test_top_stays_if_tiles_beside_it_are_taken() -> None:
    """[draft.advance] only a tile that came off the top moves it."""
    after = play(state(top="b1 d1 k5", beside=("y3 p4",)), acquire("y", "0:y3"))
    assert (4, "b1 d1 k5", {0: "p4"}, "play") == display(after)


def test_top_stays_if_an_expansion_is_taken() -> None:
    """[draft.advance] only a tile that came off the top moves it."""
    after = play(state(top="b1 d1 k5", beside=("^l2",)), acquire("2", "0^l2"))
    assert (4, "b1 d1 k5", {}, "play") == display(after)


def test_move_advances_the_stack_only_once() -> None:
    """[draft.advance] the tiles that come with the fill wait for the next move."""
    after = deal(play(state(top="b1 d2 y3 k4"), acquire("b", "t:b1")), "b1 b2 b3 b4")
    assert (4, "b1 b2 b3 b4", {0: "d2 y3 k4"}, "play", "b1") == (*display(after), storage(after))


def test_top_gets_the_next_number_when_it_moves_beside() -> None:
    first = deal(play(state(top="b1 d2 y3 k4"), acquire("b", "t:b1")), "l1 p2 p3 p4")
    second = deal(play(first, acquire("l", "t:l1")), "b5 b5 b6 b6")
    third = deal(play(second, acquire("6", "t:b6")), "d3 d3 d4 d4")
    assert {0: "d2 y3 k4", 1: "p2 p3 p4", 2: "b5 b5 b6"} == expansions_beside(third)


def test_display_numbers_are_never_reused() -> None:
    """Number 0 was taken and its number stays empty."""
    before = state(top="b1 d2 y3 k4", beside=("^l2", "p1"))
    taken = play(before, acquire("l", "0^l2"))
    after = play(state(*view(taken)["seats"], top="b1 d2 y3 k4", beside=("", "p1"), to_decide=1), acquire("b", "t:b1"))
    assert ({1: "p1"}, {1: "p1", 2: "d2 y3 k4"}) == (expansions_beside(taken), expansions_beside(after))


def test_move_effects_list_the_pieces_and_the_moved_top() -> None:
    before = state(top="b1 d2 y3 k4", beside=("k1",))
    kinds = [short_type(effect) for effect in effects(before, acquire("b", "t:b1"))]
    assert ["pieces_acquired", "top_moved_beside"] == kinds
    assert [{"number": 1, "tiles": hexagons("d2 y3 k4")}] == effects_of_type(
        before, acquire("b", "t:b1"), "top_moved_beside"
    )


def test_fill_effect_contains_its_tiles() -> None:
    waits = play(state(top="b1 d2 y3 k4"), acquire("b", "t:b1"))
    expected = {"tiles": hexagons("p6 l2 l2 b1"), "tower_used": False}
    assert [expected] == effects_of_draw(waits, "p6 l2 l2 b1", "stack_filled")


# The end of the stack


@pytest.mark.parametrize("seats", STACK_OF)
def test_last_top_moves_beside_without_a_fill(seats: int) -> None:
    """[draft.end_of_stack]"""
    before = state(seats=seats, top="b1 d2 y3 k4", beside=[""] * (STACK_OF[seats] - 1))
    after = play(before, acquire("b", "t:b1"))
    assert (0, "", {STACK_OF[seats] - 1: "d2 y3 k4"}, "play") == display(after)


def test_play_continues_with_the_pieces_beside_an_empty_stack() -> None:
    """[draft.end_of_stack]"""
    before = state(stack=0, beside=("", "b1 k2", "", "^y4", "d1 d2"))
    after = play(before, acquire("b", "1:b1"))
    assert ({1: "k2", 3: "^y4", 4: "d1 d2"}, "play", 1) == (expansions_beside(after), phase(after), after.seat)


def test_play_continues_with_an_empty_display() -> None:
    """[draft.end_of_stack]"""
    after = play(state(board(storage="b1"), board()), place("b1", (1, 0)))
    assert ("play", 1, []) == (phase(after), after.seat, legal(after, "acquire"))


# Face up


def test_an_expansion_without_tiles_turns_face_up() -> None:
    """[draft.flip]"""
    waits = play(state(top="b1 d2 y3 k4", beside=("p6 p1", "l2")), acquire("l", "1:l2"))
    assert ("turn", {0: "p1 p6", 1: "?"}, 1) == (phase(waits), expansions_beside(waits), view(waits)["next_seat"])
    after = deal(waits, "k5")
    assert ("play", {0: "p1 p6", 1: "^k5"}, 1) == (phase(after), expansions_beside(after), after.seat)


def test_face_turned_by_a_move_is_not_taken_in_that_move() -> None:
    """[draft.flip] a blue face that turns when the last blue tile leaves it stays in the display."""
    after = deal(play(state(top="d2 y3 k4", beside=("b2",)), acquire("b", "0:b2")), "b5")
    assert ("b2", {0: "^b5"}) == (storage(after), expansions_beside(after))


def test_expansions_turn_in_the_order_of_their_numbers() -> None:
    """[draft.flip] every one without tiles."""
    waits = play(state(top="d2 y3 k4", beside=("b1", "y1", "b2")), acquire("b", "0:b1 2:b2"))
    after = deal(waits, "p6 k5")
    assert {0: "^p6", 1: "y1", 2: "^k5"} == expansions_beside(after)
    expected = [{"number": 0, "hexagon": hexagon("p6")}, {"number": 2, "hexagon": hexagon("k5")}]
    assert [{"expansions": expected}] == effects_of_draw(waits, "p6 k5", "expansions_turned")


def test_top_turns_after_the_next_fill_if_its_last_tile_is_taken() -> None:
    """[draft.flip] first the next top is filled, then the old one turns."""
    waits = play(state(top="b1 b2 b3 b4"), acquire("b", "t:b1 t:b2 t:b3 t:b4"))
    assert ("fill", {0: "?"}) == (phase(waits), expansions_beside(waits))
    filled = deal(waits, "p1 p2 p3 p4")
    assert ("drawing", {0: "?"}) == (filled.status, expansions_beside(filled))
    assert ("turn", 1) == fields(filled, "phase", "next_seat")
    after = deal(filled, "k5")
    assert ("play", {0: "^k5"}, "p1 p2 p3 p4", 1) == (phase(after), expansions_beside(after), top(after), after.seat)


def test_last_top_turns_if_its_last_tile_is_taken() -> None:
    waits = play(state(top="b1", beside=("", "", "", "")), acquire("b", "t:b1"))
    assert ("turn", {4: "?"}, 0) == (phase(waits), expansions_beside(waits), stack(waits))
    assert {4: "^k5"} == expansions_beside(deal(waits, "k5"))


@pytest.mark.parametrize("faces", ["", "k5 k6", "y5", "b3", "l4"])
def test_turn_must_draw_one_unseen_face_for_each_expansion(faces: str) -> None:
    boards = (board(storage="^b3"), board(garden={(4, 0): "l4"}, areas={0: 0}))
    waits = play(state(*boards, top="d2 y3 k4", beside=("b1", "^y5")), acquire("1", "0:b1"))
    assert_draw_refused(waits, hexagon_numbers(faces))


def test_a_face_is_not_drawn_twice_in_one_turn() -> None:
    waits = play(state(top="d2 y3 k4", beside=("b1", "b2")), acquire("b", "0:b1 1:b2"))
    assert_draw_refused(waits, hexagon_numbers("k5 k5"))


def test_face_of_a_discarded_expansion_is_never_drawn() -> None:
    """A discarded expansion goes under the supply, which never turns."""
    boards = (board(storage="^k5"), board())
    waits = play(state(*boards, top="d2 y3 k4", beside=("b1",)), leave("^k5"), acquire("b", "0:b1"))
    assert_draw_refused(waits, hexagon_numbers("k5"))
