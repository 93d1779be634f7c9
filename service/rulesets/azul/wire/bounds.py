"""Limits of posted positions, so that values stay within the schemas during play.

The schemas limit scores and rounds. A tile on the wall scores at most 10 points, and at least one of five consecutive
rounds adds a tile, so the possible further points and rounds are limited, too. A position within these limits stays
within the schemas until the end of the game.
"""

from __future__ import annotations

from service.rulesets.azul.rules.components import COLOUR_BONUS, COLUMN_BONUS, LINES, ROUNDS_WITHOUT_TILE, ROW_BONUS
from service.rulesets.azul.wire.schemas import MAX_POINTS, MAX_ROUNDS
from service.rulesets.kernel import OVER, Record
from service.rulesets.wire import at_most, scores_at_most

MAX_POINTS_A_TILE = 2 * LINES
MAX_BONUS = LINES * (ROW_BONUS + COLUMN_BONUS + COLOUR_BONUS)


def out_of_bounds(table_state: Record) -> dict[str, str]:
    """Return the errors by JSON pointer; empty if the game is over."""
    if table_state.status == OVER:
        return {}
    free = [int((table_state.boards[seat].wall == 0).sum()) for seat in range(table_state.seats)]
    points = [MAX_POINTS - MAX_POINTS_A_TILE * spaces - MAX_BONUS for spaces in free]
    rounds = MAX_ROUNDS - ROUNDS_WITHOUT_TILE * (sum(free) + 1) + int(table_state.rounds_without_tile)
    return {
        **scores_at_most(table_state, points),
        **at_most({"/round": (int(table_state.round_number), rounds)}),
    }
