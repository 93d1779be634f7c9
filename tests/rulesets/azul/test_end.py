"""The end: its condition, the bonuses, and the winners."""

from __future__ import annotations

from typing import Any

import pytest

from service.rulesets.ruleset import Position
from tests.rulesets.azul.build import CLOSE, FACTORIES, Json, board, closing, counts, draft, read, table, tile, view
from tests.rulesets.playing import effects_of_type, fields, of_type, play, ranking

VARIANTS = ("coloured", "grey")


def one_row(score: int) -> Json:
    """Return a seat that will complete one row, for 5 points now and 2 at the end."""
    return board(score, lines={0: "w"}, wall={0: "byrk."})


def two_rows(score: int) -> Json:
    """Return a seat that will complete two rows, for 5 + 7 points now and 4 at the end."""
    return board(score, lines={0: "w", 1: "kk"}, wall={0: "byrk.", 1: "wbyr."})


def final_position(*boards: Json, **named: Any) -> Position:
    return play(closing(*boards, **{"seats": len(boards), **named}), CLOSE)


@pytest.mark.parametrize("seats", FACTORIES)
def test_a_full_horizontal_row_of_any_seat_ends_the_game(seats: int) -> None:
    for seat in range(seats):
        boards = [one_row(0) if each == seat else board() for each in range(seats)]
        over = final_position(*boards)
        assert ("over", None, "over") == (over.status, over.seat, view(over)["phase"])
        assert view(over)["to_decide"] is None
        assert [] == over.legal_actions()


def test_the_game_ended_effect_gives_a_full_row_as_the_reason() -> None:
    before = closing(one_row(0), board())
    assert [{"reason": "row_completed"}] == effects_of_type(before, CLOSE, "game_ended")


def test_a_full_column_or_colour_alone_does_not_end_the_game() -> None:
    column = board(lines={0: "w"}, wall={1: "....k", 2: "....r", 3: "....y", 4: "....b"})
    colour = board(lines={0: "b"}, wall={1: ".b...", 2: "..b..", 3: "...b.", 4: "....b"})
    assert "drawing" == final_position(column, board()).status
    assert "drawing" == final_position(colour, board()).status
    assert 5 == final_position(column, board()).scores[0]


def test_a_row_of_four_does_not_end_the_game() -> None:
    assert "drawing" == final_position(board(lines={0: "k"}, wall={0: "byr.."}), board()).status


def test_every_full_row_scores_2_points() -> None:
    assert (10 + 5 + 2, 10 + 5 + 7 + 4, 10) == tuple(final_position(one_row(10), two_rows(10), board(10)).scores)


def test_every_full_column_scores_7_points() -> None:
    wall = {0: "byrk.", 1: "....k", 2: "....r", 3: "....y", 4: "....b"}
    # the tile closes a row of 5 and a column of 5
    assert 10 + 10 + 2 + 7 == final_position(board(10, lines={0: "w"}, wall=wall), board()).scores[0]


def test_two_full_columns_score_7_points_each() -> None:
    wall = {0: "byrk.", 1: "...rk", 2: "...yr", 3: "...by", 4: "...wb"}
    assert 10 + 10 + 2 + 14 == final_position(board(10, lines={0: "w"}, wall=wall), board()).scores[0]


def test_every_colour_with_all_5_tiles_on_the_wall_scores_10_points() -> None:
    wall = {0: ".yrkw", 1: ".b...", 2: "..b..", 3: "...b.", 4: "....b"}
    assert 10 + 5 + 2 + 10 == final_position(board(10, lines={0: "b"}, wall=wall), board()).scores[0]


def test_the_effects_list_the_end_bonuses_of_each_seat() -> None:
    wall = {0: ".yrkw", 1: ".b...", 2: "..b..", 3: "...b.", 4: "....b"}
    bonuses = effects_of_type(closing(board(10, lines={0: "b"}, wall=wall), board()), CLOSE, "end_bonus")
    assert {"seat": 0, "rows": 1, "columns": 0, "colours": 1, "points": 12} in bonuses
    assert 0 == sum(bonus["points"] for bonus in bonuses if bonus["seat"] == 1)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_seat_gets_end_bonuses_and_not_only_the_seat_that_ended_the_game(variant: str) -> None:
    column = {0: "b....", 1: "w....", 2: "k....", 3: "r....", 4: "y...."}
    boards = (board(lines={0: "w"}, wall={0: "byrk."}), board(3, wall=column))
    over = play(closing(*boards, variant=variant), CLOSE)
    if variant == "grey":
        over = play(over, tile(0, 4))
    assert (7, 3 + 7) == tuple(over.scores)


def test_the_floor_penalty_is_applied_before_the_bonuses_and_does_not_reduce_them() -> None:
    boards = (
        one_row(0),
        board(0, wall={row: "b...."[-row:] + "b...."[:-row] for row in range(5)}, floor="rrr"),
    )
    # 0 − 4 is 0, then all five blue tiles
    assert 10 == final_position(*boards).scores[1]


def test_ties_are_broken_by_the_number_of_full_rows() -> None:
    assert [(17, 1, True), (17, 2, False)] == ranking(final_position(one_row(10), board(17)))
    assert [(26, 2, False), (26, 1, True)] == ranking(final_position(one_row(19), two_rows(10)))


def test_seats_with_equal_points_and_full_rows_share_the_victory() -> None:
    assert [(17, 1, True), (17, 1, True)] == ranking(final_position(one_row(10), one_row(10)))


def test_the_rank_after_a_shared_rank_is_skipped() -> None:
    boards = (one_row(10), board(17), one_row(10), board(17))
    assert [(17, 1, True), (17, 3, False), (17, 1, True), (17, 3, False)] == ranking(final_position(*boards))


def test_full_rows_do_not_affect_the_ranking_if_the_points_differ() -> None:
    assert [(17, 2, False), (18, 1, True)] == ranking(final_position(one_row(10), board(18)))


def test_the_floor_and_lines_of_the_last_round_are_cleared_as_in_any_round() -> None:
    over = view(final_position(board(lines={0: "w", 2: "bb"}, wall={0: "byrk."}, floor="yy"), board(), lid=""))
    assert board(3 + 2, lines={2: "bb"}, wall={0: "byrkw"}) == over["seats"][0]
    assert counts("yy") == over["box_lid"]


# Five rounds without a tile


@pytest.mark.parametrize("seats", FACTORIES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_five_consecutive_rounds_without_a_new_wall_tile_end_the_game(variant: str, seats: int) -> None:
    column = {0: "b....", 1: "w....", 2: "k....", 3: "r....", 4: "y...."}
    before = closing(board(3, wall=column), seats=seats, variant=variant, rounds_without_tile=4)
    over = play(before, CLOSE)
    assert ("over", (10, *[0] * (seats - 1))) == (over.status, tuple(over.scores))
    assert [{"reason": "no_wall_gained"}] == effects_of_type(before, CLOSE, "game_ended")


def test_four_rounds_without_a_new_wall_tile_do_not_end_the_game() -> None:
    after = play(closing(rounds_without_tile=3), CLOSE)
    assert ("drawing", 4) == (after.status, view(after)["rounds_without_tile"])


def test_a_new_tile_on_any_wall_resets_the_count_of_idle_rounds() -> None:
    after = play(closing(board(), board(lines={0: "b"}), rounds_without_tile=4), CLOSE)
    assert ("drawing", 0) == (after.status, view(after)["rounds_without_tile"])


def test_on_the_grey_side_a_tile_of_an_early_seat_resets_the_count_of_idle_rounds() -> None:
    wall = {1: "..r..", 3: "by.kw"}
    boards = (board(lines={0: "b"}, floor="T"), board(lines={3: "rrrr"}, wall=wall))
    before = closing(*boards, variant="grey", rounds_without_tile=4)
    after = play(before, CLOSE, tile(0, 0))
    assert ("drawing", 0, False) == (after.status, *fields(after, "rounds_without_tile", "wall_gained_tile"))


def test_on_the_grey_side_a_new_wall_tile_is_remembered_until_the_round_ends() -> None:
    boards = (board(lines={0: "b"}, floor="T"), board(lines={0: "b"}))
    position = play(closing(*boards, variant="grey", rounds_without_tile=4), CLOSE)
    assert view(position)["wall_gained_tile"] is False
    assert (True, 4) == fields(play(position, tile(0, 0)), "wall_gained_tile", "rounds_without_tile")


def test_on_the_grey_side_a_round_in_which_every_line_falls_counts_as_idle() -> None:
    wall = {1: "..r..", 3: "by.kw"}
    before = closing(board(lines={3: "rrrr"}, wall=wall), variant="grey", rounds_without_tile=4)
    assert "over" == play(before, CLOSE).status


# Not a single tile to deal


def test_the_game_ends_with_the_end_bonuses_if_no_tile_can_be_dealt() -> None:
    """Four walls and their lines hold all 100 tiles: five whites and a full column 3 on each wall."""
    wall = {0: ".yrkw", 1: "wb.rk", 2: "kwby.", 3: "r.wby", 4: "yrkw."}
    lines = {1: "y", 2: "r", 3: "k", 4: "bb"}
    boards = [
        board(10, lines, wall, floor="T"),
        board(20, lines, wall),
        board(30, lines, wall),
        board(40, {1: "y", 2: "r", 3: "k"}, wall),
    ]
    before = read(table(*boards, seats=4, to_decide=3, centre="bb"))
    assert ({}, {}) == (view(before)["bag"], view(before)["box_lid"])
    undealt = play(before, draft("centre", "b", 4))
    over = undealt.resolve_draw(())
    assert ("over", (9 + 17, 37, 47, 57)) == (over.status, tuple(over.scores))
    assert [{"reason": "no_tile_dealt"}] == of_type(undealt.step_draw(())[0], "game_ended")
