"""What the rules say in numbers: why an action is illegal, and what `settle` has just done."""

from __future__ import annotations

from enum import auto

import numpy as np

from service.rulesets.kernel import helper
from service.rulesets.steps import OwnReason


class Reason(OwnReason):
    """Why an action is illegal, beside the common reasons."""

    NOT_DRAFTING = auto()
    NOT_TILING = auto()
    SOURCE_EMPTY = auto()
    COLOUR_NOT_IN_SOURCE = auto()
    LINE_FULL = auto()
    LINE_HOLDS_OTHER_COLOUR = auto()
    WALL_ROW_HOLDS_COLOUR = auto()
    WRONG_LINE = auto()
    SPACE_TAKEN = auto()
    COLUMN_HOLDS_COLOUR = auto()


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
