"""What in a position could grow beyond what the schemas allow.

Scores and rounds are bounded on the wire, and a game has to stay within. A score and what may still come to it never
grow in sum, nor do a round and those that may still follow: a tile on the wall brings 10 points at most, and of five
rounds in a row one at least brings a tile. So from a position within these bounds play leads to none that is not, and
what a game can reach from its set-up is far below.
"""

from __future__ import annotations

from service.rulesets.azul.rules.components import COLOUR_BONUS, COLUMN_BONUS, LINES, ROUNDS_WITHOUT_TILE, ROW_BONUS
from service.rulesets.azul.wire.schemas import MOST_POINTS, MOST_ROUNDS
from service.rulesets.kernel import OVER, Record
from service.rulesets.wire import at_most, scores_at_most

MOST_POINTS_A_TILE = 2 * LINES
MOST_BONUS = LINES * (ROW_BONUS + COLUMN_BONUS + COLOUR_BONUS)


def out_of_bounds(table_state: Record) -> dict[str, str]:
    """JSON pointer -> what is wrong there; nothing where the game is over."""
    if table_state.status == OVER:
        return {}
    free = [int((table_state.boards[seat].wall == 0).sum()) for seat in range(table_state.seats)]
    points = [MOST_POINTS - MOST_POINTS_A_TILE * spaces - MOST_BONUS for spaces in free]
    rounds = MOST_ROUNDS - ROUNDS_WITHOUT_TILE * (sum(free) + 1) + int(table_state.rounds_without_tile)
    return {
        **scores_at_most(table_state, points),
        **at_most({"/round": (int(table_state.round_number), rounds)}),
    }
