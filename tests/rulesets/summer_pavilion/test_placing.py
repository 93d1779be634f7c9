"""Phase 2, placing: the cost of a space, its payment, the places of the tiles, and colours of the coloured side."""

from __future__ import annotations

import pytest

from tests.rulesets.playing import effects_of_type, legal, play, refusal
from tests.rulesets.summer_pavilion.build import (
    COLOURS,
    LETTERS,
    VARIANTS,
    board,
    counts,
    hand,
    place,
    size,
    state,
    view,
)
from tests.rulesets.summer_pavilion.geometry import OUTER, SPACES, STAR_NAMES, Space, colour_at, number_at

every_side = pytest.mark.parametrize("variant", VARIANTS)
WILD_OF_ROUND = "pgoybr"


def shown_as(space: Space) -> str:
    return f"{space[0]}{space[1]}"


# Printed numbers


@every_side
@pytest.mark.parametrize("space", SPACES, ids=shown_as)
def test_a_space_costs_as_many_tiles_as_the_number_printed_on_it(variant: str, space: Space) -> None:
    colour, number = colour_at(space), number_at(variant, space)
    before = state(board(hand=colour * 6 + "r"), variant=variant, bag="pgoybr")
    after = play(before, place(shown_as(space), colour))
    assert counts(colour * (6 - number) + "r") == hand(after)
    assert number - 1 == size(view(after)["tower"]) - size(view(before)["tower"])


@every_side
@pytest.mark.parametrize("space", SPACES, ids=shown_as)
def test_one_tile_fewer_than_the_printed_number_is_not_enough(variant: str, space: Space) -> None:
    colour, number = colour_at(space), number_at(variant, space)
    before = state(board(hand=colour * (number - 1) + "g" * (colour != "g")), variant=variant)
    expected = "colour_not_in_hand" if number == 1 else "not_enough_tiles"
    assert expected == refusal(before, place(shown_as(space), colour))


def test_one_spent_tile_is_placed_on_the_space_and_the_others_go_to_the_tower() -> None:
    before = state(board(hand="bbbbr"), tower="yy")
    action = place("b4", "b")
    after = view(play(before, action))
    assert [None, None, None, "blue", None, None] == after["seats"][0]["stars"]["blue"]
    assert (counts("r"), counts("bbbyy")) == (after["seats"][0]["hand"], after["tower"])
    expected = {"seat": 0, "star": "blue", "slot": 4, "colour": "blue", "points": 1, "spent": counts("bbb")}
    assert [expected] == effects_of_type(before, action, "tile_placed")


def test_a_space_that_costs_one_tile_sends_no_tiles_to_the_tower() -> None:
    before = state(board(hand="b"))
    assert {} == view(play(before, place("b1", "b")))["tower"]
    assert [{}] == [effect["spent"] for effect in effects_of_type(before, place("b1", "b"), "tile_placed")]


def test_the_tiles_of_other_seats_do_not_occupy_a_space() -> None:
    before = state(board(hand="b"), board(5, {"b": "b....."}))
    assert refusal(before, place("b1", "b")) is None


# Wilds


def test_wild_tiles_can_replace_all_spent_tiles_but_one() -> None:
    before = state(board(hand="bppppp"))
    after = play(before, place("b6", "b", 5))
    assert ({}, counts("ppppp")) == (hand(after), view(after)["tower"])
    assert "blue" == view(after)["seats"][0]["stars"]["blue"][5]


@pytest.mark.parametrize("wilds", range(4))
def test_a_seat_chooses_how_many_wilds_to_spend_and_may_keep_tiles_of_the_colour(wilds: int) -> None:
    before = state(board(hand="bbbbppp"))
    after = play(before, place("b4", "b", wilds))
    assert counts("b" * wilds + "p" * (3 - wilds)) == hand(after)
    assert [counts("p" * wilds + "b" * (3 - wilds))] == [
        effect["spent"] for effect in effects_of_type(before, place("b4", "b", wilds), "tile_placed")
    ]


@pytest.mark.parametrize("number", range(1, 7))
def test_at_least_one_spent_tile_must_have_the_placed_colour(number: int) -> None:
    before = state(board(hand="bb" + "p" * 6))
    wilds = min(number, 5)
    expected = None if wilds < number else "too_many_wilds"
    assert expected == refusal(before, place(f"b{number}", "b", wilds))
    assert refusal(before, place(f"b{number}", "b", number - 1)) is None


@pytest.mark.parametrize("round_number", range(1, 7))
def test_only_the_colour_of_the_round_is_wild(round_number: int) -> None:
    wild = WILD_OF_ROUND[round_number - 1]
    for colour in WILD_OF_ROUND.replace(wild, ""):
        others = WILD_OF_ROUND.replace(wild, "").replace(colour, "")
        before = state(board(hand=colour + others), round_number=round_number)
        assert "not_enough_wilds" == refusal(before, place(f"{colour}2", colour, 1))
        with_wild = state(board(hand=colour + wild), round_number=round_number)
        assert refusal(with_wild, place(f"{colour}2", colour, 1)) is None


def test_a_tile_of_the_wild_colour_is_paid_for_only_with_tiles_of_that_colour() -> None:
    before = state(board(hand="ppppb"))
    assert "wild_needs_no_wilds" == refusal(before, place("p3", "p", 1))
    after = play(before, place("p3", "p"))
    assert (counts("pb"), counts("pp")) == (hand(after), view(after)["tower"])
    assert "purple" == view(after)["seats"][0]["stars"]["purple"][2]


def test_a_wild_tile_spent_for_another_colour_is_not_placed_on_the_space() -> None:
    after = play(state(board(hand="bpp"), variant="grey"), place("c3", "b", 2))
    assert [None, None, "blue", None, None, None] == view(after)["seats"][0]["stars"]["centre"]


# Which space takes which colour on the coloured side


@pytest.mark.parametrize("star", OUTER)
def test_an_outer_star_on_the_coloured_side_accepts_only_its_own_colour(star: str) -> None:
    before = state(board(hand="pgoybr"), round_number=1)
    answers = {colour: refusal(before, place(f"{star}1", colour)) for colour in "pgoybr"}
    assert {colour: None if colour == star else "star_takes_other_colour" for colour in "pgoybr"} == answers


@pytest.mark.parametrize("slot", range(1, 7))
@pytest.mark.parametrize("colour", "pgoybr")
def test_the_centre_star_on_the_coloured_side_accepts_any_colour_on_any_space(colour: str, slot: int) -> None:
    after = play(state(board(hand=colour * slot)), place(f"c{slot}", colour))
    assert LETTERS[colour] == view(after)["seats"][0]["stars"]["centre"][slot - 1]


@pytest.mark.parametrize("colour", "pgoybr")
def test_the_centre_star_on_the_coloured_side_accepts_no_colour_twice(colour: str) -> None:
    before = state(board(5, {"c": f"...{colour}.."}, "pgoybr"))
    answers = {other: refusal(before, place("c1", other)) for other in "pgoybr"}
    assert {other: "star_holds_colour" if other == colour else None for other in "pgoybr"} == answers


def test_the_last_space_of_the_coloured_centre_star_accepts_only_the_missing_colour() -> None:
    before = state(board(5, {"c": ".goybr"}, "pgoybr"))
    allowed = [colour for colour in "pgoybr" if refusal(before, place("c1", colour)) is None]
    assert ["p"] == allowed


# Legal actions


def test_the_legal_placements_are_those_that_the_hand_can_pay_for() -> None:
    places = [action for action in legal(state(board(hand="bbp"))) if action["type"] == "summer-pavilion.place"]
    expected = [place(space, "b") for space in ("b1", "b2", "c1", "c2")]
    expected += [place(space, "b", 1) for space in ("b2", "b3", "c2", "c3")]
    expected += [place(space, "p") for space in ("p1", "c1")]
    assert sorted(expected, key=str) == places


def test_passing_is_the_only_legal_action_with_an_empty_hand() -> None:
    assert [{"type": "summer-pavilion.pass", "keep": {}}] == legal(state(board()))


def test_the_json_names_stars_and_colours_and_lists_slots_from_slot_1() -> None:
    after = view(play(state(board(hand="b")), place("b1", "b")))["seats"][0]["stars"]
    assert set(STAR_NAMES.values()) == set(after)
    assert ["blue", None, None, None, None, None] == after["blue"]
    assert set(COLOURS) == set(STAR_NAMES.values()) - {"centre"}
