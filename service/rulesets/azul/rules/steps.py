"""What the rules say in numbers: why an action is illegal, and what `settle` has just done."""

from __future__ import annotations

import numpy as np

from service.rulesets.kernel import helper

# reasons why an action is illegal; the index is what check() returns
REASONS = (
    "",
    "unknown_action",
    "game_over",
    "drawing",
    "not_drafting",
    "not_tiling",
    "source_empty",
    "colour_not_in_source",
    "line_full",
    "line_holds_other_colour",
    "wall_row_holds_colour",
    "wrong_line",
    "space_taken",
    "column_holds_colour",
)
UNKNOWN_ACTION, GAME_OVER, NOT_DECIDING, NOT_DRAFTING, NOT_TILING = range(1, 6)
SOURCE_EMPTY, COLOUR_NOT_IN_SOURCE, LINE_FULL, LINE_HOLDS_OTHER_COLOUR, WALL_ROW_HOLDS_COLOUR = range(6, 11)
WRONG_LINE, SPACE_TAKEN, COLUMN_HOLDS_COLOUR = range(11, len(REASONS))

# what settle() tells, in the lowest four bits; the seat, then four fields of eight bits follow
NOTHING, TILE_PLACED, LINE_FALLEN, FLOOR_PENALTY, ROUND_ENDED, END_BONUS, GAME_ENDED = range(7)


@helper
def told(kind: int, seat: int, first: int, second: int, third: int, fourth: int) -> int:
    """What settle() did, packed (decoded by effects.py)."""
    low, high = np.int64(first) | np.int64(second) << 8, np.int64(third) | np.int64(fourth) << 8
    return int(kind | np.int64(seat) << 4 | low << 8 | high << 24)


def untold(step: int) -> tuple[int, int, list[int]]:
    """(kind, seat, the four fields) of what `told` packed."""
    return step & 15, step >> 4 & 15, [step >> shift & 255 for shift in (8, 16, 24, 32)]
