"""What an Azul position is worth to each seat: the points it may expect to have at the end.

Known for sure: the score, the points its complete lines will bring (tiled top to bottom, as the rules do), and the
floor penalty. Expected, by weights: incomplete lines (worth more the fuller they are and the fewer rounds are left
to finish them), and how far rows, columns and colours have come towards their bonuses.
"""

from __future__ import annotations

import numpy as np

from service.rulesets.azul.components import (
    COLOUR_BONUS,
    COLOURS,
    COLUMN_BONUS,
    FLOOR_PENALTY,
    LINES,
    POPCOUNT,
    PRINTED_COLUMN,
    ROW_BONUS,
    RUN,
)
from service.rulesets.azul.state import COLOURED, rule
from service.rulesets.kernel import OVER, Floats, Record, helper

ROUNDS = 5  # a game's usual length
# share of a bonus that is worth counting on when so many of its five spaces are filled
PROGRESS = np.array([0.0, 0.02, 0.10, 0.28, 0.62, 1.0])
LINE_SHARE = 0.75  # of a line's points, times its filled share squared, while rounds are left to fill it
FUTURE_TILE = 0.35  # what each tile on the wall adds to the placements of later rounds
START_TOKEN = 0.8  # points that starting the next round is worth


@helper
def likely_column(board: Record, row: int, colour: int, variant: int, rows: Floats, columns: Floats) -> int:
    """Where the tile of a line would go: printed, or the grey column with most points; LINES if there is none."""
    if variant == COLOURED:
        return PRINTED_COLUMN[colour, row]
    best, most = LINES, 0
    for column in range(LINES):
        if not (np.int64(rows[row]) >> column | board.column_colours[column] >> colour) & 1:
            points = RUN[np.int64(rows[row]), column] + RUN[np.int64(columns[column]), row]
            if points > most:
                best, most = column, points
    return best


@helper
def expected_of_lines(board: Record, variant: int, rounds_left: int) -> float:
    """Points of the tiles that the pattern lines will bring, complete ones as if tiled now, others by share."""
    rows, columns = np.empty(LINES), np.empty(LINES)
    for k in range(LINES):
        rows[k], columns[k] = board.row_mask[k], board.column_mask[k]
    points = 0.0
    for line in range(LINES):
        count = board.line_count[line]
        if count == 0:
            continue
        colour = board.line_colour[line]
        column = likely_column(board, line, colour, variant, rows, columns)
        if column == LINES:
            continue
        row_run, column_run = RUN[np.int64(rows[line]), column], RUN[np.int64(columns[column]), line]
        gain = max(1.0, (row_run if row_run > 1 else 0) + (column_run if column_run > 1 else 0))
        if count > line:
            points += gain + FUTURE_TILE * rounds_left
            rows[line] = np.int64(rows[line]) | 1 << column
            columns[column] = np.int64(columns[column]) | 1 << line
        elif rounds_left > 0:
            share = count / (line + 1.0)
            points += LINE_SHARE * share * share * gain
    for k in range(LINES):
        points += ROW_BONUS * PROGRESS[POPCOUNT[np.int64(rows[k])]]
        points += COLUMN_BONUS * PROGRESS[POPCOUNT[np.int64(columns[k])]]
    return points


@helper
def expected_of_colours(board: Record) -> float:
    """What the colours on the wall, and on complete lines, may count on of their bonus."""
    points = 0.0
    for colour in range(len(COLOURS)):
        placed = 0
        for line in range(LINES):
            complete = board.line_count[line] > line and board.line_colour[line] == colour
            placed += 1 if complete else board.row_colours[line] >> colour & 1
        points += COLOUR_BONUS * PROGRESS[placed]
    return points


@rule
def estimate(game: Record, points: Floats) -> None:
    """Points each seat may expect to have at the end; the score itself when the game is over."""
    rounds_left = max(0, ROUNDS - game.round_number)
    for seat in range(game.seats):
        points[seat] = game.score[seat]
        if game.status == OVER:
            continue
        board = game.boards[seat]
        sure = game.score[seat] + expected_of_lines(board, game.variant, rounds_left)
        points[seat] = max(0.0, sure - FLOOR_PENALTY[board.floor_count]) + expected_of_colours(board)
        if game.start_token == seat:
            points[seat] += START_TOKEN
