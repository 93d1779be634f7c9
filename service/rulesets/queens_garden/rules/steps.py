"""What the rules say in numbers: why an action is illegal, and what `settle` has just done."""

from __future__ import annotations

from enum import auto

import numpy as np

from service.rulesets.kernel import helper
from service.rulesets.steps import OwnReason


class Reason(OwnReason):
    """Why an action is illegal, beside the common reasons."""

    NOTHING_MATCHES = auto()
    PIECE_NOT_THERE = auto()
    PIECES_INCOMPLETE = auto()
    PIECES_REPEAT = auto()
    PIECE_DOES_NOT_MATCH = auto()
    NO_ROOM_FOR_TILES = auto()
    NO_ROOM_FOR_EXPANSIONS = auto()
    TILE_NOT_IN_STORAGE = auto()
    NO_BOARD_THERE = auto()
    SPACE_TAKEN = auto()
    EXPANSION_NOT_IN_STORAGE = auto()
    AREA_TAKEN = auto()
    PAYMENT_MIXED = auto()
    PAYMENT_REPEATS = auto()
    PAYMENT_NUMBER = auto()
    PAYMENT_NOT_IN_STORAGE = auto()
    NEIGHBOURS_DIFFER = auto()
    GROUP_REPEATS_HEXAGON = auto()
    SUPPLY_EMPTY = auto()
    TOO_FEW_POINTS = auto()
    DISCARD_NOT_IN_STORAGE = auto()


# those that a named action shows by itself, whatever the position: it has no other int than this
SEEN_IN_ACTION = (
    Reason.PIECE_NOT_THERE,
    Reason.PIECES_REPEAT,
    Reason.PIECE_DOES_NOT_MATCH,
    Reason.PAYMENT_MIXED,
    Reason.PAYMENT_REPEATS,
    Reason.PAYMENT_NUMBER,
)

# what settle() tells, in the lowest four bits; the seat and a number follow
NOTHING, STACK_SPREAD, ROUND_SCORED, ROUND_ENDED, ROUND_BEGAN, STORAGE_COUNTED, GROUPS_SCORED, GAME_ENDED = range(8)


@helper
def told(kind: int, seat: int, number: int) -> int:
    """What settle() did, packed (decoded by effects.py)."""
    return int(kind | np.int64(seat) << 4 | np.int64(number) << 8)


def untold(step: int) -> tuple[int, int, int]:
    """(kind, seat, number) of what `told` packed."""
    return step & 15, step >> 4 & 15, step >> 8
