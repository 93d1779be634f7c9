"""Wall-tiling on the free wall: the decisions about each line, and their effects."""

from __future__ import annotations

from typing import Any

import pytest

from service.rulesets.ruleset import Position
from tests.rulesets.azul.build import CLOSE, FACTORIES, Json, board, closing, counts, floors, read, table, tile, view
from tests.rulesets.playing import deal, effects_of_type, fields, legal, play, refusal

# Row 3 lacks red only, it is free in column 2 only, and column 2 holds red: a red line 3 must fall.
BLOCKED = {1: "..r..", 3: "by.kw"}


def grey(*boards: Json, **named: Any) -> Position:
    return closing(*boards, variant="grey", **named)


def tiling(*boards: Json, **named: Any) -> Position:
    return read(table(*boards, **{"variant": "grey", "phase": "tile", **named}))


def test_the_owner_of_a_complete_line_chooses_its_column() -> None:
    after = play(grey(board(lines={2: "rrr"})), CLOSE)
    assert ("deciding", "tile", 0) == (after.status, view(after)["phase"], view(after)["to_decide"])
    assert [tile(2, column) for column in range(5)] == legal(after)


def test_the_tile_goes_to_the_chosen_column_and_the_others_of_its_line_to_the_box_lid() -> None:
    before = tiling(board(lines={2: "rrr"}), board(lines={0: "b"}), lid="y")
    shown = view(play(before, tile(2, 1)))
    assert (board(1, wall={2: ".r..."}), counts("yrr")) == (shown["seats"][0], shown["box_lid"])
    assert [{"seat": 0, "line": 2, "column": 1, "colour": "red", "points": 1}] == effects_of_type(
        before, tile(2, 1), "tile_placed"
    )


def test_the_chosen_space_must_be_empty() -> None:
    before = tiling(board(lines={2: "rrr"}, wall={2: "b..y."}))
    assert [tile(2, 1), tile(2, 2), tile(2, 4)] == legal(before)
    assert "space_taken" == refusal(before, tile(2, 0))


def test_the_chosen_column_may_not_hold_the_colour() -> None:
    before = tiling(board(lines={2: "rrr"}, wall={0: "r....", 4: "..r.."}))
    assert [tile(2, 1), tile(2, 3), tile(2, 4)] == legal(before)
    assert "column_holds_colour" == refusal(before, tile(2, 2))


def test_choosing_a_column_is_a_separate_move_even_if_only_one_column_is_possible() -> None:
    after = play(grey(board(lines={3: "rrrr"}, wall={3: "by.kw"})), CLOSE)
    assert (0, [tile(3, 2)]) == (after.seat, legal(after))


@pytest.mark.parametrize("seats", FACTORIES)
def test_seats_decide_in_turn_order_from_the_holder_of_the_token(seats: int) -> None:
    for holder in range(seats):
        boards = [board(20, lines={0: "byrk"[seat]}, floor="T" if seat == holder else "") for seat in range(seats)]
        position = play(grey(*boards, seats=seats), CLOSE)
        order = []
        while position.status == "deciding":
            order.append(position.seat)
            position = play(position, tile(0, 2))
        assert [(holder + turn) % seats for turn in range(seats)] == order


@pytest.mark.parametrize("starter", [0, 1, 2])
def test_the_seat_that_started_the_round_decides_first_if_no_seat_holds_the_token(starter: int) -> None:
    boards = [board(lines={0: "byr"[seat]}) for seat in range(3)]
    assert starter == play(grey(*boards, seats=3, start_seat=starter), CLOSE).seat


def test_a_seat_tiles_all_its_lines_from_top_to_bottom_before_the_next_seat_begins() -> None:
    boards = (board(lines={0: "b", 2: "yyy", 4: "kkkkk"}, floor="T"), board(lines={1: "rr"}))
    position = play(grey(*boards, factories=("wwww",), to_decide=1), CLOSE)
    order = []
    while position.status == "deciding":
        order.append((position.seat, legal(position)[0]["line"]))
        position = play(position, legal(position)[0])
    assert [(0, 0), (0, 2), (0, 4), (1, 1)] == order


def test_a_placement_in_an_upper_line_can_block_a_lower_line() -> None:
    before = tiling(board(lines={1: "rr", 3: "rrrr"}, wall={3: "by.kw"}))
    after = play(before, tile(1, 2))
    assert "drawing" == after.status
    assert [{"seat": 0, "line": 3, "colour": "red", "count": 4, "lost": 0}] == effects_of_type(
        before, tile(1, 2), "line_fallen"
    )


def test_a_lower_line_can_be_tiled_if_the_placement_above_leaves_its_column_free() -> None:
    before = tiling(board(lines={1: "rr", 3: "rrrr"}, wall={3: "by.kw"}))
    after = play(before, tile(1, 1))
    assert ([], [tile(3, 2)]) == (effects_of_type(before, tile(1, 1), "line_fallen"), legal(after))


def test_a_falling_line_overflows_from_the_floor_to_the_box_lid() -> None:
    before = grey(board(20, lines={3: "rrrr"}, wall=BLOCKED, floor="bbbbb"), lid="")
    after = play(before, CLOSE)
    assert [{"seat": 0, "line": 3, "colour": "red", "count": 4, "lost": 2}] == effects_of_type(
        before, CLOSE, "line_fallen"
    )
    assert (20 - 14, counts("bbbbbrrrr")) == (after.scores[0], view(after)["box_lid"])


def test_all_tiles_of_a_line_that_falls_on_a_full_floor_are_lost() -> None:
    before = grey(board(20, lines={3: "rrrr"}, wall=BLOCKED, floor="bbbbbbb"))
    assert [{"seat": 0, "line": 3, "colour": "red", "count": 4, "lost": 4}] == effects_of_type(
        before, CLOSE, "line_fallen"
    )
    assert 20 - 14 == play(before, CLOSE).scores[0]


def test_the_floor_penalty_of_a_seat_is_applied_before_the_next_seat_begins() -> None:
    before = tiling(board(20, lines={0: "b"}, floor="Tkk"), board(20, lines={0: "b"}, floor="k"), lid="")
    after = play(before, tile(0, 0))
    assert (20 + 1 - 4, 20, 1) == (*after.scores, after.seat)
    assert ([[], ["black"]], counts("kk"), "seat_0") == (floors(after), *fields(after, "box_lid", "start_token"))


def test_the_floor_penalty_of_a_seat_is_applied_after_its_last_line() -> None:
    before = tiling(board(0, lines={0: "b", 1: "yy"}, floor="Tk"))
    between = play(before, tile(0, 0))
    assert (1, ["start_token", "black"]) == (between.scores[0], floors(between)[0])
    # 1 + 2 − 2, and not 1 − 2 cut to 0, and then + 2
    assert 1 == play(between, tile(1, 0)).scores[0]


def test_a_blocked_line_before_the_first_decision_falls_in_the_last_draft_of_the_round() -> None:
    boards = (board(lines={3: "rrrr", 4: "kkkkk"}, wall=BLOCKED, floor="T"), board())
    before = grey(*boards)
    after = play(before, CLOSE)
    assert [3] == [effect["line"] for effect in effects_of_type(before, CLOSE, "line_fallen")]
    assert (0, {4}) == (after.seat, {action["line"] for action in legal(after)})
    assert ["start_token", *["red"] * 4] == floors(after)[0]


def test_a_blocked_line_between_two_decisions_falls_in_the_move_of_the_first() -> None:
    before = tiling(board(lines={0: "b", 3: "rrrr", 4: "kkkkk"}, wall=BLOCKED))
    after = play(before, tile(0, 1))
    assert [3] == [effect["line"] for effect in effects_of_type(before, tile(0, 1), "line_fallen")]
    assert {4} == {action["line"] for action in legal(after)}


def test_a_blocked_line_after_the_last_decision_of_a_seat_falls_in_that_move() -> None:
    before = tiling(board(20, lines={0: "b", 3: "rrrr"}, wall=BLOCKED), board(lines={0: "b"}))
    after = play(before, tile(0, 1))
    assert (20 + 1 - 6, 1) == (after.scores[0], after.seat)


def test_a_seat_without_decisions_is_scored_in_the_move_of_the_previous_seat() -> None:
    boards = (
        board(20, lines={0: "b"}, floor="T"),
        board(20, lines={3: "rrrr"}, wall=BLOCKED, floor="k"),
        board(20, lines={0: "b"}),
    )
    before = tiling(*boards, seats=3)
    after = play(before, tile(0, 0))
    assert ((20, 20 - 8, 20), 2) == (tuple(after.scores), after.seat)


def test_a_token_holder_without_decisions_is_scored_in_the_last_draft_of_the_round() -> None:
    after = play(grey(board(20, floor="Tkk"), board(20, lines={0: "b"})), CLOSE)
    assert ((20 - 4, 20), 1) == (tuple(after.scores), after.seat)


def test_the_last_decision_of_a_round_scores_the_remaining_seats_and_ends_the_round() -> None:
    boards = (board(20, lines={0: "b"}, floor="T"), board(20, floor="kk"), board(20, floor="k"))
    before = tiling(*boards, seats=3)
    after = play(before, tile(0, 0))
    assert ((20, 18, 19), "drawing") == (tuple(after.scores), after.status)
    assert [{"round": 6}] == effects_of_type(before, tile(0, 0), "round_ended")


@pytest.mark.parametrize("seats", FACTORIES)
def test_the_last_draft_of_a_round_scores_all_seats_if_no_seat_has_a_decision(seats: int) -> None:
    boards = [board(20, lines={3: "rrrr"}, wall=BLOCKED), *(board(20, floor="k") for _ in range(seats - 1))]
    after = play(grey(*boards, seats=seats), CLOSE)
    assert ("drawing", (14, *[19] * (seats - 1))) == (after.status, tuple(after.scores))


def test_a_full_row_ends_the_game_only_after_every_seat_has_tiled() -> None:
    boards = (
        board(lines={0: "w"}, wall={0: "byrk."}, floor="T"),
        board(lines={0: "b"}),
    )
    between = play(tiling(*boards), tile(0, 4))
    assert ("deciding", 1, 5 - 1) == (between.status, between.seat, between.scores[0])
    over = play(between, tile(0, 0))
    assert ("over", (4 + 2, 1)) == (over.status, tuple(over.scores))


def test_the_token_stays_with_its_holder_while_other_seats_decide() -> None:
    boards = (board(lines={0: "b"}), board(20, lines={0: "b"}, floor="T"))
    between = play(grey(*boards), CLOSE, tile(0, 0))
    assert (0, "seat_1", []) == (*fields(between, "to_decide", "start_token"), floors(between)[1])
    dealt = deal(play(between, tile(0, 0)))
    assert (1, "centre") == (dealt.seat, view(dealt)["start_token"])
