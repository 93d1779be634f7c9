"""What the rules say in numbers: why an action is illegal, and what `settle` has just done."""

from __future__ import annotations

from enum import auto

import numpy as np

from service.rulesets.kernel import helper
from service.rulesets.steps import OwnReason


class Reason(OwnReason):
    """Why an action is illegal, beside the common reasons."""

    NOT_ACQUIRING = auto()
    NOT_PLAYING = auto()
    TAKE_BONUS_FIRST = auto()
    NO_BONUS_OWED = auto()
    SOURCE_EMPTY = auto()
    COLOUR_NOT_IN_SOURCE = auto()
    WILD_NOT_ALONE = auto()
    SPACE_TAKEN = auto()
    STAR_TAKES_OTHER_COLOUR = auto()
    STAR_HOLDS_COLOUR = auto()
    COLOUR_NOT_IN_HAND = auto()
    WILD_NEEDS_NO_WILDS = auto()
    TOO_MANY_WILDS = auto()
    NOT_ENOUGH_TILES = auto()
    NOT_ENOUGH_WILDS = auto()
    COLOUR_NOT_IN_SUPPLY = auto()
    KEPT_NOT_IN_HAND = auto()


# what settle() tells, in the lowest four bits; the seat and a number follow
NOTHING, ROUND_ENDED, END_BONUS, LEFTOVER_PENALTY, GAME_ENDED = range(5)


@helper
def told(kind: int, seat: int, number: int) -> int:
    """What settle() did, packed (decoded by effects.py)."""
    return int(kind | np.int64(seat) << 4 | np.int64(number) << 8)


def untold(step: int) -> tuple[int, int, int]:
    """(kind, seat, number) of what `told` packed."""
    return step & 15, step >> 4 & 15, step >> 8
