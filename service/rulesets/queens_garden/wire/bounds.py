"""What in a position could grow beyond what the schemas allow.

Scores are bounded on the wire, and a game has to stay within. A score and what may still come to it never grow in sum:
no hexagon leaves a garden, and each scores in one round for its colour and in one for its pattern. At the end it brings
5 points at most in a group of its colour (three of the values 6, 5 and 4) and 7 in one of its pattern (six of the value
6, with their bonus). So from a position within these bounds play leads to none that is not, and what a game can reach
from its set-up is far below.
"""

from __future__ import annotations

from service.rulesets.kernel import OVER, Record
from service.rulesets.queens_garden.rules.components import (
    AREAS,
    COLOUR_POINTS,
    PAVILION_POINTS,
    ROUNDS,
    SPACES,
    TILE_SPACES,
)
from service.rulesets.queens_garden.rules.scoring import pavilions, round_points
from service.rulesets.queens_garden.wire.schemas import MOST_POINTS, MOST_POINTS_A_HEXAGON
from service.rulesets.wire import scores_at_most

MOST_SHOWN = COLOUR_POINTS + MOST_POINTS_A_HEXAGON  # of a hexagon, in all rounds together
MOST_IN_GROUPS = 5 + 7  # of a hexagon


def out_of_bounds(table_state: Record) -> dict[str, str]:
    """JSON pointer -> what is wrong there; nothing where the game is over."""
    if table_state.status == OVER:
        return {}
    points = [MOST_POINTS - most_to_come(table_state, seat) for seat in range(table_state.seats)]
    return scores_at_most(table_state, points)


def most_to_come(table_state: Record, seat: int) -> int:
    """Points that the seat may still gain, at most."""
    board, rounds = table_state.boards[seat], range(table_state.round_number, ROUNDS + 1)
    shown = sum(int(round_points(board, table_state.variant, number)) for number in rounds)
    free = int((board.garden == 0).sum())
    more_pavilions = PAVILION_POINTS * (AREAS - int(pavilions(board))) * len(rounds)
    return shown + MOST_SHOWN * free + more_pavilions + MOST_IN_GROUPS * len(SPACES) + TILE_SPACES
