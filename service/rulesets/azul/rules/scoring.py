"""Scoring: placed tiles, the floor line, the end of the game, and ranking.

A tile on the wall scores the length of its horizontal run plus the length of its vertical run, each only if longer than
one. A tile without neighbours scores 1. A score never falls below 0.
"""

from __future__ import annotations

from service.rulesets.azul.rules.components import (
    COLOUR_BONUS,
    COLUMN_BONUS,
    FLOOR_PENALTY,
    LINES,
    ROW_BONUS,
    RUN,
)
from service.rulesets.azul.rules.state import TOKEN, rule
from service.rulesets.kernel import OVER, Ints, Record, helper
from service.rulesets.parts.masks import POPCOUNT


@helper
def points_of_tile(board: Record, row: int, column: int) -> int:
    """Return the points of a tile on this wall space, whether it is already there or not."""
    horizontal = RUN[board.row_mask[row], column]
    vertical = RUN[board.column_mask[column], row]
    if horizontal == 1 and vertical == 1:
        return 1
    return (horizontal if horizontal > 1 else 0) + (vertical if vertical > 1 else 0)


@helper
def pay_floor_penalty(game: Record, seat: int) -> int:
    """Score the seat's floor line and clear it into the box lid. Return the points actually lost."""
    board = game.boards[seat]
    lost = min(game.score[seat], FLOOR_PENALTY[board.floor_count])
    game.score[seat] -= lost
    for space in range(board.floor_count):
        if board.floor[space] != TOKEN:  # the token stays with its holder
            game.box_lid[board.floor[space] - 1] += 1
        board.floor[space] = 0
    board.floor_count = 0
    return lost


@helper
def end_bonus(board: Record) -> tuple[int, int, int, int]:
    """Return (full rows, full columns, complete colours, points of all three)."""
    full = (1 << LINES) - 1
    rows = columns = 0
    everywhere = full
    for line in range(LINES):
        rows += board.row_mask[line] == full
        columns += board.column_mask[line] == full
        everywhere &= board.row_colours[line]
    colours = POPCOUNT[everywhere]
    return rows, columns, colours, ROW_BONUS * rows + COLUMN_BONUS * columns + COLOUR_BONUS * colours


@rule
def outcome(game: Record, keys: Ints) -> None:
    """Rank by points, then by full rows."""
    for seat in range(game.seats):
        keys[seat] = game.score[seat] * (LINES + 1) + end_bonus(game.boards[seat])[0]


def breakdown(game: Record, seat: int) -> dict[str, int]:
    """Return the parts of a seat's score: wall-tiling (less floor penalties) and, after the end, the bonuses."""
    if game.status != OVER:
        return {"wall_tiling": int(game.score[seat]), "rows": 0, "columns": 0, "colours": 0}
    rows, columns, colours, points = end_bonus(game.boards[seat])
    return {
        "wall_tiling": int(game.score[seat] - points),
        "rows": int(ROW_BONUS * rows),
        "columns": int(COLUMN_BONUS * columns),
        "colours": int(COLOUR_BONUS * colours),
    }
