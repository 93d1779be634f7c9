"""Every reason an action may be refused for, one position each, and the same code from `play`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from service.rulesets.azul import AZUL
from service.rulesets.ruleset import Position
from tests.rulesets.azul.build import CLOSE, Json, board, closing, draft, read, table, tile
from tests.rulesets.playing import assert_refused, play, refusal


def drafting(*boards: Json, variant: str = "coloured") -> Position:
    return read(table(*boards, variant=variant, factories=("bbyr", "kkww"), centre="yy"))


def tiling() -> Position:
    """Return a decision of seat 0 about a complete red line 1, with red in column 0 and blue in row 1, column 4."""
    boards = (board(lines={1: "rr", 3: "yyyy"}, wall={0: "r....", 1: "....b"}, floor="T"), board())
    return read(table(*boards, variant="grey", phase="tile"))


def finished_game() -> Position:
    return play(closing(board(lines={0: "w"}, wall={0: "byrk."})), CLOSE)


REFUSED: dict[str, tuple[Callable[[], Position], Json, str]] = {
    "an empty factory": (drafting, draft(2, "b", 1), "source_empty"),
    "a colour that is not in the factory": (drafting, draft(0, "k", 3), "colour_not_in_source"),
    "a colour that is not in the centre": (drafting, draft("centre", "b", 3), "colour_not_in_source"),
    "a full line": (lambda: drafting(board(lines={1: "bb"})), draft(0, "b", 1), "line_full"),
    "a line of another colour": (
        lambda: drafting(board(lines={2: "y"})),
        draft(0, "b", 2),
        "line_holds_other_colour",
    ),
    "a line whose wall row holds the colour": (
        lambda: drafting(board(wall={1: ".b..."})),
        draft(0, "b", 1),
        "wall_row_holds_colour",
    ),
    "a line whose row of the grey wall holds the colour": (
        lambda: drafting(board(wall={1: "....b"}), variant="grey"),
        draft(0, "b", 1),
        "wall_row_holds_colour",
    ),
    "tiling while the tiles are drafted": (lambda: drafting(variant="grey"), tile(1, 1), "not_tiling"),
    "drafting while the walls are tiled": (tiling, draft(0, "b", "floor"), "not_drafting"),
    "a lower line before the upper one": (tiling, tile(3, 1), "wrong_line"),
    "a line that is not complete": (tiling, tile(2, 1), "wrong_line"),
    "a space of the wall that is taken": (tiling, tile(1, 4), "space_taken"),
    "a column that holds the colour": (tiling, tile(1, 0), "column_holds_colour"),
    "anything before the tiles are dealt": (
        lambda: AZUL.start("coloured", 2, 0),
        draft(0, "b", 1),
        "drawing",
    ),
    "anything before the first seat is drawn": (
        lambda: AZUL.start("grey", 2, None),
        tile(0, 0),
        "drawing",
    ),
    "anything after the end": (finished_game, draft(0, "b", 1), "game_over"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_an_illegal_action_is_refused_with_its_reason(case: str) -> None:
    build, action, expected = REFUSED[case]
    assert_refused(build(), AZUL.wire.encode(action), expected)


@pytest.mark.parametrize(("seats", "missing"), [(2, 5), (3, 7)])
def test_a_factory_that_does_not_exist_with_this_number_of_seats_is_refused(seats: int, missing: int) -> None:
    position = read(table(seats=seats, factories=("bbyr", "kkww")))
    assert refusal(position, draft(missing, "b", "floor")) in {"source_empty", "unknown_action"}


def test_the_printed_wall_cannot_be_tiled_by_an_action() -> None:
    assert refusal(drafting(), tile(1, 1)) in {"not_tiling", "unknown_action"}
