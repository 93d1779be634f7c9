"""Limits of posted positions, so that values stay within the schemas during play.

The schemas limit scores. A tile scores at most 6 points and takes a space, so the possible further points are limited,
too. A position within these limits stays within the schemas until the end of the game.
"""

from __future__ import annotations

from service.rulesets.kernel import OVER, Record
from service.rulesets.summer_pavilion.rules.components import SLOTS
from service.rulesets.summer_pavilion.wire.schemas import MAX_BONUS, MAX_POINTS
from service.rulesets.wire import scores_at_most


def out_of_bounds(table_state: Record) -> dict[str, str]:
    """Return the errors by JSON pointer; empty if the game is over."""
    if table_state.status == OVER:
        return {}
    free = [int((table_state.boards[seat].stars == 0).sum()) for seat in range(table_state.seats)]
    points = [MAX_POINTS - SLOTS * spaces - MAX_BONUS for spaces in free]
    return scores_at_most(table_state, points)
