"""Points of a placed tile: the runs through it, which both include the tile. A run of one counts nothing.

A mask shows the wall: ``#`` is a tile on the wall, ``+`` the placed tile. On the printed wall
the colours follow from the places.
"""

from __future__ import annotations

import pytest

from tests.rulesets.azul.build import CLOSE, LETTERS, PRINTED, board, closing, draft, read, table, tile, view
from tests.rulesets.playing import effects_of_type, play

PLACED = {
    "a tile alone scores 1": ("..... ..... ..+.. ..... .....", 1),
    "a tile in the corner alone scores 1": ("+.... ..... ..... ..... .....", 1),
    "tiles that touch at a corner only do not count": ("..... .#.#. ..+.. .#.#. .....", 1),
    "tiles behind a gap do not count": ("..#.. ..... #.+.# ..... ..#..", 1),
    "one horizontal neighbour scores 2": ("..... ..... .#+.. ..... .....", 2),
    "one vertical neighbour scores 2": ("..... ..#.. ..+.. ..... .....", 2),
    "a horizontal run goes both ways": ("..... ..... .#+#. ..... .....", 3),
    "a vertical run goes both ways": ("..... ..#.. ..+.. ..#.. .....", 3),
    "a run ends at its gap": ("#.##+ ..... ..... ..... .....", 3),
    "both neighbours score both runs, the tile counting twice": ("..... ..#.. .#+.. ..... .....", 4),
    "a run of 3 and a run of 2 score 5": ("..... ..... ##+.. ..#.. .....", 5),
    "a run of 3 both ways scores 6": ("..#.. ..#.. ##+.. ..... .....", 6),
    "a run of 4 and a run of 3 score 7": ("..... ..#.. ##+#. ..#.. .....", 7),
    "a vertical run of 4 and a horizontal run of 3 score 7": ("..#.. .#+#. ..#.. ..#.. .....", 7),
    "a full column scores 5 with no neighbour beside it": ("#.... #.... #.... #.... +....", 5),
    "a full row scores 5 with no neighbour above it": ("##+## ..... ..... ..... .....", 5),
    "a full row and a full column score 10": ("..#.. ..#.. ##+## ..#.. ..#..", 10),
}


@pytest.mark.parametrize("case", PLACED)
def test_a_placed_tile_scores_its_runs(case: str) -> None:
    mask, expected = PLACED[case]
    rows = mask.split()
    row = next(number for number, text in enumerate(rows) if "+" in text)
    column = rows[row].index("+")
    wall = {
        number: "".join(PRINTED[number][place] if mark == "#" else "." for place, mark in enumerate(rows[number]))
        for number in range(5)
    }
    letter = PRINTED[row][column]
    before = closing(board(10, lines={row: letter * (row + 1)}, wall=wall))
    placed = {"seat": 0, "line": row, "column": column, "colour": LETTERS[letter], "points": expected}
    assert [placed] == effects_of_type(before, CLOSE, "tile_placed")


def test_lines_are_scored_one_by_one_so_an_upper_tile_counts_for_a_lower_one() -> None:
    before = closing(board(lines={0: "b", 1: "ww", 2: "kkk"}))
    assert [1, 2, 3] == [effect["points"] for effect in effects_of_type(before, CLOSE, "tile_placed")]


def test_a_lower_tile_does_not_count_for_an_upper_one() -> None:
    # placed bottom up, the middle tile would find the lower one and the order of points would be 1, 2
    before = closing(board(lines={1: "ww", 2: "kkk"}, wall={3: "r...."}))
    assert [1, 3] == [effect["points"] for effect in effects_of_type(before, CLOSE, "tile_placed")]


def test_points_on_the_grey_side_depend_on_the_chosen_column() -> None:
    boards = (board(lines={1: "rr"}, wall={0: "b...k", 1: "...y."}, floor="T"), board())
    before = read(table(*boards, variant="grey", phase="tile"))
    points = {column: effects_of_type(before, tile(1, column), "tile_placed")[0]["points"] for column in (0, 1, 2, 4)}
    assert {0: 2, 1: 1, 2: 2, 4: 4} == points


def test_the_last_draft_of_a_round_scores_the_line_that_it_completes() -> None:
    before = read(table(board(), board(5, lines={4: "w"}), to_decide=1, factories=("wwww",)))
    after = play(before, draft(0, "w", 4))
    assert (0, 6) == tuple(after.scores)
    assert "white" == view(after)["seats"][1]["wall"][4][3]
