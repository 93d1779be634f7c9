"""Drafting: the drafted tiles, their places, the rest of the factory, and the token."""

from __future__ import annotations

import pytest

from tests.rulesets.azul.build import FACTORIES, board, counts, draft, floors, read, table, view
from tests.rulesets.playing import deal, effects_of_type, fields, legal, play, refusal


@pytest.mark.parametrize("seats", FACTORIES)
def test_the_turn_passes_clockwise(seats: int) -> None:
    for seat in range(seats):
        before = read(table(seats=seats, to_decide=seat, factories=("bbyr", "kkww")))
        assert (seat + 1) % seats == play(before, draft(0, "b", 2)).seat


def test_all_tiles_of_the_colour_are_taken_from_a_factory_and_the_rest_goes_to_the_centre() -> None:
    before = read(table(factories=("bbyr", "kkww"), centre="yy", to_decide=1))
    shown = view(play(before, draft(0, "b", 3)))
    assert ([{}, counts("kkww")], counts("yyyr")) == (shown["factories"][:2], shown["centre"])
    assert board(lines={3: "bb"})["pattern_lines"] == shown["seats"][1]["pattern_lines"]


def test_the_effects_list_the_tiles_taken_moved_and_placed() -> None:
    before = read(table(factories=("bbyr", "kkww"), to_decide=1))
    action = draft(0, "b", 3)
    assert [{"seat": 1, "source": "factory_0", "colour": "blue", "count": 2}] == effects_of_type(
        before, action, "tiles_taken"
    )
    assert [{"tiles": counts("yr")}] == effects_of_type(before, action, "tiles_moved_to_centre")
    assert [{"seat": 1, "line": 3, "colour": "blue", "count": 2}] == effects_of_type(before, action, "tiles_placed")
    assert [] == effects_of_type(before, action, "start_token_taken")


def test_all_tiles_of_the_colour_are_taken_from_the_centre_and_the_others_stay() -> None:
    before = read(table(board(floor="T"), to_decide=1, factories=("kkww",), centre="bbbyr"))
    shown = view(play(before, draft("centre", "b", 3)))
    assert (counts("yr"), counts("kkww")) == (shown["centre"], shown["factories"][0])
    assert board(lines={3: "bbb"}) == shown["seats"][1]


@pytest.mark.parametrize("seats", FACTORIES)
def test_the_first_seat_to_take_from_the_centre_also_takes_the_start_token(seats: int) -> None:
    before = read(table(seats=seats, to_decide=seats - 1, factories=("kkww",), centre="bby"))
    action = draft("centre", "b", 1)
    shown = view(play(before, action))
    assert f"seat_{seats - 1}" == shown["start_token"]
    assert ["start_token"] == shown["seats"][seats - 1]["floor_line"]
    assert [{"seat": seats - 1}] == effects_of_type(before, action, "start_token_taken")


def test_the_second_seat_to_take_from_the_centre_takes_no_token() -> None:
    before = read(table(board(floor="T"), to_decide=1, factories=("kkww",), centre="bby"))
    action = draft("centre", "b", 1)
    shown = view(play(before, action))
    assert ("seat_0", []) == (shown["start_token"], shown["seats"][1]["floor_line"])
    assert [] == effects_of_type(before, action, "start_token_taken")


def test_the_token_goes_to_the_leftmost_free_floor_space_before_the_tiles_of_that_move() -> None:
    before = read(table(board(floor="r"), factories=("kkww",), centre="bby"))
    after = play(before, draft("centre", "b", "floor"))
    assert ["red", "start_token", "blue", "blue"] == floors(after)[0]


def test_the_token_takes_the_last_floor_space_from_the_tiles_of_that_move() -> None:
    before = read(table(board(floor="rrrrrr"), factories=("kkww",), centre="bby", lid=""))
    action = draft("centre", "b", "floor")
    shown = view(play(before, action))
    assert [*["red"] * 6, "start_token"] == shown["seats"][0]["floor_line"]
    assert counts("bb") == shown["box_lid"]
    assert [{"seat": 0, "colour": "blue", "count": 2, "lost": 2}] == effects_of_type(before, action, "tiles_fallen")


def test_a_token_taken_with_a_full_floor_occupies_no_space() -> None:
    before = read(table(board(floor="rrrrrrr"), factories=("kkww",), centre="bby"))
    action = draft("centre", "b", 1)
    shown = view(play(before, action))
    assert ("seat_0", ["red"] * 7) == (shown["start_token"], shown["seats"][0]["floor_line"])
    assert [{"seat": 0}] == effects_of_type(before, action, "start_token_taken")


def test_a_token_taken_with_a_full_floor_costs_nothing_and_its_holder_starts_the_next_round() -> None:
    boards = (board(floor="rrrrrrr", score=30), board())
    before = read(table(*boards, centre="b", start_seat=1))
    over = deal(play(before, draft("centre", "b", 1)))
    assert (16, 0) == (over.scores[0], over.seat)


@pytest.mark.parametrize("line", range(5))
def test_lines_hold_one_to_five_tiles_and_surplus_tiles_go_to_the_floor_line(line: int) -> None:
    before = read(table(board(floor="T"), to_decide=1, factories=("kkww",), centre="b" * 7))
    action = draft("centre", "b", line)
    shown = view(play(before, action))["seats"][1]
    assert board(lines={line: "b" * (line + 1)}, floor="b" * (6 - line)) == shown
    assert [{"seat": 1, "colour": "blue", "count": 6 - line, "lost": 0}] == effects_of_type(
        before, action, "tiles_fallen"
    )
    assert [{"seat": 1, "line": line, "colour": "blue", "count": line + 1}] == effects_of_type(
        before, action, "tiles_placed"
    )


def test_overflow_counts_the_tiles_already_in_the_line() -> None:
    before = read(table(board(lines={2: "bb"}), factories=("bbby", "kkww")))
    assert board(lines={2: "bbb"}, floor="bb") == view(play(before, draft(0, "b", 2)))["seats"][0]


def test_tiles_may_be_drafted_directly_to_the_floor_line() -> None:
    before = read(table(factories=("bbyr", "kkww")))
    action = draft(0, "b", "floor")
    assert board(floor="bb") == view(play(before, action))["seats"][0]
    assert [{"seat": 0, "colour": "blue", "count": 2, "lost": 0}] == effects_of_type(before, action, "tiles_fallen")
    assert [] == effects_of_type(before, action, "tiles_placed")


def test_the_floor_may_be_chosen_even_when_its_seven_spaces_are_full() -> None:
    before = read(table(board(floor="rrrrrrr"), factories=("bbyr", "kkww"), lid=""))
    action = draft(0, "b", "floor")
    shown = view(play(before, action))
    assert (["red"] * 7, counts("bb")) == (shown["seats"][0]["floor_line"], shown["box_lid"])
    assert [{"seat": 0, "colour": "blue", "count": 2, "lost": 2}] == effects_of_type(before, action, "tiles_fallen")


def test_fallen_tiles_beyond_the_seven_spaces_go_to_the_box_lid_at_once_without_penalty() -> None:
    before = read(
        table(board(20, floor="rrrrr"), board(floor="T"), centre="bbbb", factories=("kkww",), lid="yyyyyyyyyy")
    )
    action = draft("centre", "b", 0)
    after = play(before, action)
    assert ["red"] * 5 + ["blue"] * 2 == view(after)["seats"][0]["floor_line"]
    assert counts("yyyyyyyyyyb") == view(after)["box_lid"]
    assert 20 == after.scores[0]
    assert [{"seat": 0, "colour": "blue", "count": 3, "lost": 1}] == effects_of_type(before, action, "tiles_fallen")


@pytest.mark.parametrize("seats", FACTORIES)
def test_drafting_continues_while_a_factory_or_the_centre_holds_a_tile(seats: int) -> None:
    last_factory = FACTORIES[seats] - 1
    factories = ["" for _ in range(last_factory)] + ["bbbw"]
    before = read(table(seats=seats, factories=factories))
    rest_in_centre = play(before, draft(last_factory, "b", 4))
    assert ("deciding", "draft", 1) == (rest_in_centre.status, *fields(rest_in_centre, "phase", "to_decide"))
    assert "drawing" == play(rest_in_centre, draft("centre", "w", 4)).status


def test_drafting_continues_with_an_empty_centre_and_one_factory_left() -> None:
    before = read(table(factories=("bbbb", "kkkk")))
    assert ("deciding", 1) == ((after := play(before, draft(0, "b", 4))).status, after.seat)


@pytest.mark.parametrize("variant", ["coloured", "grey"])
def test_a_line_can_be_chosen_only_if_its_wall_row_lacks_the_colour(variant: str) -> None:
    before = read(table(board(wall={2: "k...."}), variant=variant, factories=("bkyr", "bbww")))
    lines = {action["line"] for action in legal(before) if action["colour"] == "black"}
    assert {0, 1, 3, 4, "floor"} == lines


def test_drafting_on_the_grey_side_ignores_the_colours_in_wall_columns() -> None:
    # row 3 is free only in column 2, which already has red: such a line will fall, but can be chosen
    wall = {1: "..r..", 3: "by.kw"}
    before = read(table(board(wall=wall), variant="grey", factories=("rryy", "kkww")))
    assert refusal(before, draft(0, "r", 3)) is None
