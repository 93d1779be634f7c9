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
    "not_acquiring",
    "not_playing",
    "take_bonus_first",
    "no_bonus_owed",
    "source_empty",
    "colour_not_in_source",
    "wild_not_alone",
    "space_taken",
    "star_takes_other_colour",
    "star_holds_colour",
    "colour_not_in_hand",
    "wild_needs_no_wilds",
    "too_many_wilds",
    "not_enough_tiles",
    "not_enough_wilds",
    "colour_not_in_supply",
    "kept_not_in_hand",
)
UNKNOWN_ACTION, GAME_OVER, NOT_DECIDING, NOT_ACQUIRING, NOT_PLAYING, TAKE_BONUS_FIRST, NO_BONUS_OWED = range(1, 8)
SOURCE_EMPTY, COLOUR_NOT_IN_SOURCE, WILD_NOT_ALONE = range(8, 11)
SPACE_TAKEN, STAR_TAKES_OTHER_COLOUR, STAR_HOLDS_COLOUR, COLOUR_NOT_IN_HAND = range(11, 15)
WILD_NEEDS_NO_WILDS, TOO_MANY_WILDS, NOT_ENOUGH_TILES, NOT_ENOUGH_WILDS = range(15, 19)
COLOUR_NOT_IN_SUPPLY, KEPT_NOT_IN_HAND = range(19, len(REASONS))

# what settle() tells, in the lowest four bits; the seat and a number follow
NOTHING, ROUND_ENDED, END_BONUS, LEFTOVER_PENALTY, GAME_ENDED = range(5)


@helper
def told(kind: int, seat: int, number: int) -> int:
    """What settle() did, packed (decoded by effects.py)."""
    return int(kind | np.int64(seat) << 4 | np.int64(number) << 8)


def untold(step: int) -> tuple[int, int, int]:
    """(kind, seat, number) of what `told` packed."""
    return step & 15, step >> 4 & 15, step >> 8
