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
    "nothing_matches",
    "piece_not_there",
    "pieces_incomplete",
    "pieces_repeat",
    "piece_does_not_match",
    "no_room_for_tiles",
    "no_room_for_expansions",
    "tile_not_in_storage",
    "no_board_there",
    "space_taken",
    "expansion_not_in_storage",
    "area_taken",
    "payment_mixed",
    "payment_repeats",
    "payment_number",
    "payment_not_in_storage",
    "neighbours_differ",
    "group_repeats_hexagon",
    "supply_empty",
    "too_few_points",
    "discard_not_in_storage",
)
UNKNOWN_ACTION, GAME_OVER, NOT_DECIDING = range(1, 4)
NOTHING_MATCHES, PIECE_NOT_THERE, PIECES_INCOMPLETE, PIECES_REPEAT, PIECE_DOES_NOT_MATCH = range(4, 9)
NO_ROOM_FOR_TILES, NO_ROOM_FOR_EXPANSIONS = range(9, 11)
TILE_NOT_IN_STORAGE, NO_BOARD_THERE, SPACE_TAKEN, EXPANSION_NOT_IN_STORAGE, AREA_TAKEN = range(11, 16)
PAYMENT_MIXED, PAYMENT_REPEATS, PAYMENT_NUMBER, PAYMENT_NOT_IN_STORAGE = range(16, 20)
NEIGHBOURS_DIFFER, GROUP_REPEATS_HEXAGON = range(20, 22)
SUPPLY_EMPTY, TOO_FEW_POINTS, DISCARD_NOT_IN_STORAGE = range(22, len(REASONS))
# those that a named action shows by itself, whatever the position: it has no other int than this
SEEN_IN_ACTION = (PIECE_NOT_THERE, PIECES_REPEAT, PIECE_DOES_NOT_MATCH, PAYMENT_MIXED, PAYMENT_REPEATS, PAYMENT_NUMBER)

# what settle() tells, in the lowest four bits; the seat and a number follow
NOTHING, STACK_SPREAD, ROUND_SCORED, ROUND_ENDED, ROUND_BEGAN, STORAGE_COUNTED, GROUPS_SCORED, GAME_ENDED = range(8)


@helper
def told(kind: int, seat: int, number: int) -> int:
    """What settle() did, packed (decoded by effects.py)."""
    return int(kind | np.int64(seat) << 4 | np.int64(number) << 8)


def untold(step: int) -> tuple[int, int, int]:
    """(kind, seat, number) of what `told` packed."""
    return step & 15, step >> 4 & 15, step >> 8
