"""Taking bonus tiles: how many are owed, one by one, before anyone else."""

from __future__ import annotations

from typing import Any

import pytest

from service.rulesets.ruleset import Position
from tests.rulesets.playing import deal, effects_of_type, fields, legal, play, refusal
from tests.rulesets.summer_pavilion.build import WINDOW, board, counts, hand, keep, place, state, take_bonus, view


def window(supply: str, **named: Any) -> Position:
    """Seat 0 can close the blue window by b6, for 3 tiles; nothing is left to refill from but its own discards."""
    boards = (board(5, {"b": "....b."}, "bbbbbb"), board())
    return state(*boards, **{"supply": supply, "bag": "", "tower": "", "rest": 1, **named})


CLOSE = place("b6", "b")


def owing(owed: int, supply: str = "ppggooyybr", **named: Any) -> Position:
    rest = {} if len(supply) == 10 else {"bag": "", "tower": "", "rest": 1}
    seats = (board(5, WINDOW, "g"), board())
    return state(*seats, **{"phase": "take_bonus", "bonus_owed": owed, "supply": supply, **rest, **named})


def test_each_bonus_tile_is_a_separate_move_of_the_seat_that_placed() -> None:
    position = play(window("ppggooyybr"), CLOSE)
    assert [take_bonus(letter) for letter in "bgopry"] == legal(position)
    for owed, letter in ((3, "p"), (2, "p"), (1, "r")):
        assert ("take_bonus", 0, owed) == fields(position, "phase", "to_decide", "bonus_owed")
        position = play(position, take_bonus(letter))
    assert (counts("ppr"), counts("ggooyyb"), 0) == (hand(position), *fields(position, "supply", "bonus_owed"))


def test_the_effect_of_each_bonus_tile_contains_the_number_still_owed() -> None:
    position = owing(3)
    expected = []
    for owed in (2, 1, 0):
        expected += effects_of_type(position, take_bonus("g" if owed else "b"), "bonus_taken")
        position = play(position, take_bonus("g" if owed else "b"))
    assert [
        {"seat": 0, "colour": "green", "owed": 2},
        {"seat": 0, "colour": "green", "owed": 1},
        {"seat": 0, "colour": "blue", "owed": 0},
    ] == expected


@pytest.mark.parametrize(("supply", "owed"), [("rr", 2), ("y", 1), ("yrg", 3), ("yrgp", 3)])
def test_no_more_bonus_tiles_are_owed_than_the_supply_holds(supply: str, owed: int) -> None:
    position = window(supply)
    assert [{"seat": 0, "tiles": owed}] == effects_of_type(position, CLOSE, "bonus_owed")
    assert [{"seat": 0, "feature": "window_blue", "tiles": 3}] == effects_of_type(position, CLOSE, "feature_surrounded")
    assert ("take_bonus", owed) == fields(play(position, CLOSE), "phase", "bonus_owed")


def test_a_supply_smaller_than_the_bonus_is_taken_completely_and_the_turn_ends() -> None:
    position = play(window("rr"), CLOSE, take_bonus("r"), take_bonus("r"))
    assert (counts("rr"), {}, 0) == (hand(position), *fields(position, "supply", "bonus_owed"))
    assert ("refill", 1) == fields(position, "phase", "next_seat")


def test_no_bonus_tile_is_owed_with_an_empty_supply_and_the_turn_ends() -> None:
    position = window("")
    assert [{"seat": 0, "tiles": 0}] == effects_of_type(position, CLOSE, "bonus_owed")
    after = play(position, CLOSE)
    assert ("refill", None, 1, 0) == fields(after, "phase", "to_decide", "next_seat", "bonus_owed")


def test_the_number_of_owed_bonus_tiles_is_fixed_at_the_placement() -> None:
    """The supply is not refilled in between: two tiles there, two owed, though five went to the tower."""
    position = play(window("rg"), CLOSE, take_bonus("r"))
    expected = ("take_bonus", 1, counts("g"), counts("bbbbb"))
    assert expected == fields(position, "phase", "bonus_owed", "supply", "tower")


def test_a_bonus_tile_is_chosen_even_if_the_supply_has_only_one_colour() -> None:
    position = play(window("rrrr"), CLOSE)
    assert ([take_bonus("r")], 0) == (legal(position), position.seat)


def test_only_colours_in_the_supply_can_be_taken_as_bonus_tiles() -> None:
    assert [take_bonus("g"), take_bonus("r")] == legal(owing(2, "gggrr"))
    assert "colour_not_in_supply" == refusal(owing(2, "gggrr"), take_bonus("p"))


def test_the_turn_ends_with_the_last_bonus_tile_and_not_earlier() -> None:
    position = owing(2)
    first = play(position, take_bonus("p"))
    assert ("deciding", 0) == (first.status, first.seat)
    last = play(first, take_bonus("p"))
    assert ("drawing", "refill", 1) == (last.status, *fields(last, "phase", "next_seat"))


def test_bonus_tiles_can_be_spent_in_the_next_turn_of_the_seat() -> None:
    position = play(owing(1, "b"), take_bonus("b"))
    assert ("play", 1) == (view(position)["phase"], position.seat)
    again = play(position, keep())
    assert "refill" == view(again)["phase"]
    again = deal(again)
    assert (0, None) == (again.seat, refusal(again, place("b1", "b")))
