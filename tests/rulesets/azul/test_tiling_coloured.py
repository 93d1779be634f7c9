"""Wall-tiling on the printed wall: no choice, so all of it happens in the move that emptied the table."""

from __future__ import annotations

import pytest

from tests.rulesets.azul.build import CLOSE, FACTORIES, board, closing, counts, read, table, view
from tests.rulesets.playing import effects_of_type, play


@pytest.mark.parametrize("seats", FACTORIES)
def test_the_walls_of_all_seats_are_tiled_in_the_move_that_emptied_the_table(seats: int) -> None:
    before = closing(*(board(lines={0: "byrk"[seat]}) for seat in range(seats)), seats=seats)
    after = play(before, CLOSE)
    walls = [board(wall={0: "." * seat + "byrk"[seat] + "." * (4 - seat)})["wall"] for seat in range(seats)]
    assert walls == [seat["wall"] for seat in view(after)["seats"]]
    assert ("drawing", "draw", None) == (after.status, view(after)["phase"], view(after)["to_decide"])
    assert set(range(seats)) == {effect["seat"] for effect in effects_of_type(before, CLOSE, "tile_placed")}


def test_a_complete_line_moves_one_tile_to_the_wall_and_its_other_tiles_to_the_box_lid() -> None:
    before = closing(board(lines={3: "yyyy"}), lid="b")
    shown = view(play(before, CLOSE))
    assert board(1, wall={3: "....y"}) == shown["seats"][0]
    assert counts("byyy") == shown["box_lid"]


def test_incomplete_lines_are_not_changed() -> None:
    lines = {1: "b", 2: "yy", 3: "rrr", 4: "kkkk"}
    shown = view(play(closing(board(lines=lines)), CLOSE))
    assert board(lines=lines) == shown["seats"][0]


def test_the_lines_of_a_seat_are_tiled_from_top_to_bottom() -> None:
    before = closing(board(lines={0: "b", 1: "yy", 2: "rrr", 3: "kkkk", 4: "bbbbb"}))
    placed = effects_of_type(before, CLOSE, "tile_placed")
    assert [(0, 0), (1, 2), (2, 4), (3, 1), (4, 4)] == [(effect["line"], effect["column"]) for effect in placed]


def test_the_round_ended_effect_contains_the_round_number() -> None:
    assert [{"round": 6}] == effects_of_type(closing(), CLOSE, "round_ended")


def test_walls_are_not_tiled_while_tiles_are_left_to_draft() -> None:
    before = read(table(board(lines={0: "b"}), board(), to_decide=1, factories=("wwww", "kkkk")))
    after = play(before, CLOSE)
    assert (board(lines={0: "b"}), "draft") == (view(after)["seats"][0], view(after)["phase"])
    assert [] == effects_of_type(before, CLOSE, "tile_placed")
