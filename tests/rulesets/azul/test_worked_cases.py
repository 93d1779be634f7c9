"""The worked cases of the rules page."""

from __future__ import annotations

import pytest

from tests.rulesets.azul.build import CLOSE, board, closing, draft, read, table, view
from tests.rulesets.playing import effects_of_type, legal, play, refusal


@pytest.mark.parametrize("variant", ["coloured", "grey"])
def test_a_floor_with_4_tiles_and_the_token_costs_8(variant: str) -> None:
    before = closing(board(20, floor="bTykw"), variant=variant)
    assert 20 - 8 == play(before, CLOSE).scores[0]
    assert [-8] == [
        effect["points"] for effect in effects_of_type(before, CLOSE, "floor_penalty") if effect["seat"] == 0
    ]


def test_a_tile_that_closes_a_horizontal_run_of_4_and_a_vertical_run_of_3_scores_7() -> None:
    wall = {1: "..y..", 2: "kw.y.", 3: "..w.."}
    before = closing(board(lines={2: "bbb"}, wall=wall))
    assert [7] == [effect["points"] for effect in effects_of_type(before, CLOSE, "tile_placed")]


@pytest.mark.parametrize("variant", ["coloured", "grey"])
def test_two_yellow_tiles_can_go_only_to_line_0_or_line_4_or_the_floor(
    variant: str,
) -> None:
    own = board(lines={3: "b"}, wall={1: "..y..", 2: "...y."})
    before = read(table(own, variant=variant, factories=("yyrk", "wwww")))
    lines = [action["line"] for action in legal(before) if action["colour"] == "yellow"]
    assert {0, 4, "floor"} == set(lines)
    assert 3 == len(lines)
    shown = view(play(before, draft(0, "y", 0)))["seats"][0]
    assert board(lines={0: "y", 3: "b"}, wall={1: "..y..", 2: "...y."}, floor="y") == shown
    assert ["wall_row_holds_colour", "wall_row_holds_colour", "line_holds_other_colour"] == [
        refusal(before, draft(0, "y", line)) for line in (1, 2, 3)
    ]


def test_a_complete_red_line_falls_if_its_row_is_free_only_in_a_column_that_holds_red() -> None:
    wall = {0: "..r..", 3: "by.kw"}
    before = closing(board(20, lines={3: "rrrr"}, wall=wall), variant="grey", lid="")
    assert [{"seat": 0, "line": 3, "colour": "red", "count": 4, "lost": 0}] == effects_of_type(
        before, CLOSE, "line_fallen"
    )
    after = play(before, CLOSE)
    assert (board(14, wall=wall), {"red": 4}) == (view(after)["seats"][0], view(after)["box_lid"])
