"""Evaluation of a Queen's Garden position: the points that each seat can expect at the end.

It is the sum of the score, the certain points of the wheel for the garden in the rounds to come, the expected points of
groups (grouping.py), elements and free spaces, and the expected use of the storage (plans.py). value_tables.py contains
the probabilities.
"""

from __future__ import annotations

import numpy as np

from service.rulesets.kernel import OVER, Record, Records, helper
from service.rulesets.queens_garden.ai.grouping import NOTES, count_of, find_groups
from service.rulesets.queens_garden.ai.plans import worth_of_storage
from service.rulesets.queens_garden.ai.value_tables import COLOUR_LEFT, MOMENT, PATTERN_LEFT, TABLES, Outlooks
from service.rulesets.queens_garden.rules.components import (
    AREAS,
    ELEMENT_SPACES,
    FIRST_PAVILION,
    JOKERS_OF,
    KINDS,
    POPCOUNT,
    RING_OF_AREA,
    ROUNDS,
    TILES_ON_TOP,
)
from service.rulesets.queens_garden.rules.garden import shown_spaces
from service.rulesets.queens_garden.rules.scoring import pavilions
from service.rulesets.queens_garden.rules.state import FACE_UP, FREE, PLACES, rule, stack_size

ELEMENT_COUNT = len(JOKERS_OF)


@helper
def moment_in_round(game: Record) -> int:
    """Return the share of the round's pieces that are left, in eighths, but at least one."""
    left = np.int64(game.stack) + POPCOUNT[game.beside]
    if game.stack > 1:
        left += TILES_ON_TOP * (np.int64(game.stack) - 1)
    for source in range(PLACES):
        for k in range(TILES_ON_TOP):
            left += game.lying[source, k] != 0
    return max(1, (MOMENT * left) // ((TILES_ON_TOP + 1) * stack_size(game.seats)))


@helper
def worth_of_wheel(board: Record, variant: int, rounds: int) -> int:
    """Return the points of the last `rounds` rounds for the garden."""
    points, scored = rounds * pavilions(board), ROUNDS - rounds
    for k in range(KINDS):
        points += COLOUR_LEFT[scored, k] * count_of(board.colours[k])
        points += PATTERN_LEFT[variant, scored, k] * count_of(board.patterns[k])
    return points


@helper
def worth_of_elements(board: Record, now: Record) -> float:
    """Return the expected value of the jokers of incomplete elements."""
    points, shown = 0.0, shown_spaces(board)
    for element in range(ELEMENT_COUNT):
        missing = ELEMENT_SPACES[element] & ~shown
        if missing and (element < FIRST_PAVILION or board.area[element - FIRST_PAVILION] >= FACE_UP):
            free = count_of(missing & board.open_spaces)
            points += JOKERS_OF[element] * now["element"][free, count_of(missing) - free]
    return points


@helper
def free_rings(board: Record) -> int:
    """Return the mask of the ring spaces of the free areas."""
    mask = 0
    for area in range(AREAS):
        if board.area[area] == FREE:
            mask |= RING_OF_AREA[area]
    return mask


@helper
def evaluate(game: Record, seat: int, tables: Outlooks) -> float:
    """Return the points that a seat can expect while the game is running."""
    return evaluate_with(game, seat, tables, np.empty(1, NOTES))  # the array must live as long as its record


@helper
def evaluate_with(game: Record, seat: int, tables: Outlooks, room: Records) -> float:
    """Return the result of `evaluate`, with memory (1,) for notes."""
    board: Record = game.boards[seat]
    notes: Record = room[0]
    rounds: int = ROUNDS + 1 - np.int64(game.round_number)  # type: ignore[assignment]  # still to be scored
    passed = game.passed >> seat & 1 != 0
    now: Record = tables[game.variant, MOMENT * (rounds - 1) + (0 if passed else moment_in_round(game))]
    notes["areas"] = free_rings(board)
    points = float(game.score[seat]) + worth_of_wheel(board, np.int64(game.variant), rounds)  # type: ignore[arg-type]
    points += find_groups(board, notes, now) + worth_of_elements(board, now)
    points += now["space"][count_of(board.open_spaces)] + worth_of_storage(board, notes, now)
    return points + now["marker"] if game.marker == seat else points


@rule
def estimate(game: Record, seat: int) -> float:
    """Return the points that a seat can expect at the end, or its score if the game is over."""
    return float(game.score[seat]) if game.status == OVER else evaluate(game, seat, TABLES)
