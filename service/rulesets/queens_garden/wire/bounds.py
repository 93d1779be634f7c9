"""Limits of posted positions, so that values stay within the schemas during play.

The schemas limit scores. No hexagon leaves a garden, and each scores in one round for its colour and in one for its
pattern. At the end it scores at most 5 points in a group of its colour (three with the values 6, 5 and 4) and 7 in a
group of its pattern (six with the value 6, and their bonus). So the possible further points are limited, too. A
position within these limits stays within the schemas until the end of the game.
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
from service.rulesets.queens_garden.wire.schemas import MAX_POINTS, MAX_POINTS_A_HEXAGON
from service.rulesets.wire import scores_at_most

MAX_SHOWN = COLOUR_POINTS + MAX_POINTS_A_HEXAGON  # per hexagon, in all rounds
MAX_IN_GROUPS = 5 + 7  # per hexagon


def out_of_bounds(table_state: Record) -> dict[str, str]:
    """Return the errors by JSON pointer; empty if the game is over."""
    if table_state.status == OVER:
        return {}
    points = [MAX_POINTS - most_to_come(table_state, seat) for seat in range(table_state.seats)]
    return scores_at_most(table_state, points)


def most_to_come(table_state: Record, seat: int) -> int:
    """Return the maximum points that the seat can still gain."""
    board, rounds = table_state.boards[seat], range(table_state.round_number, ROUNDS + 1)
    shown = sum(int(round_points(board, table_state.variant, number)) for number in rounds)
    free = int((board.garden == 0).sum())
    more_pavilions = PAVILION_POINTS * (AREAS - int(pavilions(board))) * len(rounds)
    return shown + MAX_SHOWN * free + more_pavilions + MAX_IN_GROUPS * len(SPACES) + TILE_SPACES
