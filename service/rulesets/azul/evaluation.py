"""What an Azul position is worth to each seat: the points it may expect to have at the end.

Known for sure: the score, the points its complete lines will bring (tiled top to bottom, as the rules do), and the
floor penalty. Expected, by weights: incomplete lines (worth more the fuller they are and the fewer rounds are left
to finish them), and how far rows, columns and colours have come towards their bonuses.
"""

from __future__ import annotations

import numpy as np

from service.rulesets.azul.components import (
    COLOUR_BONUS,
    COLUMN_BONUS,
    FLOOR_PENALTY,
    LINES,
    POPCOUNT,
    PRINTED_COLUMN,
    ROW_BONUS,
    RUN,
)
from service.rulesets.azul.state import COLOURED, FULL_ROW, KINDS, rule
from service.rulesets.kernel import OVER, Ints, Record, helper

ROUNDS = 5  # a game's usual length
# share of a bonus that is worth counting on when so many of its five spaces are filled
PROGRESS = np.array([0.0, 0.02, 0.10, 0.28, 0.62, 1.0])
LINE_SHARE = 0.75  # of a line's points, times its filled share squared, while rounds are left to fill it
FUTURE_TILE = 0.35  # what each tile on the wall adds to the placements of later rounds
START_TOKEN = 0.8  # points that starting the next round is worth

MASKS = np.arange(FULL_ROW + 1)
ROW_WORTH = ROW_BONUS * PROGRESS[POPCOUNT[MASKS]]  # by the mask of a row
COLUMN_WORTH = COLUMN_BONUS * PROGRESS[POPCOUNT[MASKS]]
COLOUR_WORTH = COLOUR_BONUS * PROGRESS  # by how many of its tiles lie on the wall
COUNT_BITS = 4  # a small count for each colour, in one number
COUNT = (1 << COUNT_BITS) - 1
COLOURS_IN = np.array([sum((mask >> c & 1) << COUNT_BITS * c for c in range(KINDS)) for mask in MASKS], np.int64)
SCORED = np.array([0.0, 0.0, 2.0, 3.0, 4.0, 5.0])  # by the length of a run
SHARE = np.array([[LINE_SHARE * (count / (line + 1)) ** 2 for count in range(LINES + 1)] for line in range(LINES)])


@helper
def packed(masks: Ints) -> int:
    """Five masks of five bits as one number."""
    number = np.int64(0)
    for k in range(LINES):
        number |= np.int64(masks[k]) << LINES * k
    return number  # type: ignore[return-value]


@helper
def of_packed(number: int, k: int) -> int:
    """One of the masks."""
    return number >> LINES * k & FULL_ROW


@helper
def likely_column(board: Record, row: int, colour: int, variant: int, rows: int, columns: int) -> int:
    """Where the tile of a line would go: printed, or the grey column with most points; LINES if there is none.

    `rows` and `columns`: the packed masks of the wall.
    """
    if variant == COLOURED:
        return PRINTED_COLUMN[colour, row]
    best, most, filled = LINES, 0, of_packed(rows, row)
    for column in range(LINES):
        if not (filled >> column | board.column_colours[column] >> colour) & 1:
            points = RUN[filled, column] + RUN[of_packed(columns, column), row]
            if points > most:
                best, most = column, points
    return best


@helper
def expected_of_board(board: Record, variant: int, rounds_left: int) -> tuple[float, float]:
    """(points of the lines, complete ones as if tiled now, others by share, and of rows and columns; of colours)."""
    rows, columns = packed(board.row_mask), packed(board.column_mask)
    points, colours, placed = 0.0, 0.0, np.int64(0)
    for line in range(LINES):
        placed += COLOURS_IN[board.row_colours[line]]
        count = np.int64(board.line_count[line])
        if count == 0:
            continue
        colour = np.int64(board.line_colour[line])
        column = likely_column(board, line, colour, variant, rows, columns)  # type: ignore[arg-type]
        if count > line:
            placed += np.int64(1) << COUNT_BITS * colour
        if column == LINES:
            continue
        gain = SCORED[RUN[of_packed(rows, line), column]] + SCORED[RUN[of_packed(columns, column), line]]
        gain = max(1.0, gain)
        if count > line:
            points += gain + FUTURE_TILE * rounds_left
            rows |= 1 << LINES * line + column
            columns |= 1 << LINES * column + line
        elif rounds_left > 0:
            points += SHARE[line, count] * gain
    for k in range(LINES):
        points += ROW_WORTH[of_packed(rows, k)] + COLUMN_WORTH[of_packed(columns, k)]
        colours += COLOUR_WORTH[placed >> COUNT_BITS * k & COUNT]
    return points, colours


@rule
def estimate(game: Record, seat: int) -> float:
    """Points that a seat may expect to have at the end; the score itself when the game is over."""
    if game.status == OVER:
        return float(game.score[seat])
    board = game.boards[seat]
    lines, colours = expected_of_board(board, game.variant, max(0, ROUNDS - game.round_number))
    points = max(0.0, game.score[seat] + lines - FLOOR_PENALTY[board.floor_count]) + colours
    return points + START_TOKEN if game.start_token == seat else points
