"""What in a position could grow beyond what the schemas allow.

Scores are bounded on the wire, and a game has to stay within. A score and what may still come to it never grow in sum,
since a tile brings 6 points at most and takes a space. So from a position within these bounds play leads to none that
is not, and what a game can reach from its set-up is far below.
"""

from __future__ import annotations

from service.rulesets.kernel import OVER, Record
from service.rulesets.summer_pavilion.rules.components import SLOTS
from service.rulesets.summer_pavilion.wire.schemas import MOST_BONUS, MOST_POINTS
from service.rulesets.wire import scores_at_most


def out_of_bounds(table_state: Record) -> dict[str, str]:
    """JSON pointer -> what is wrong there; nothing where the game is over."""
    if table_state.status == OVER:
        return {}
    free = [int((table_state.boards[seat].stars == 0).sum()) for seat in range(table_state.seats)]
    points = [MOST_POINTS - SLOTS * spaces - MOST_BONUS for spaces in free]
    return scores_at_most(table_state, points)
