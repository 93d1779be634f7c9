"""What an Azul position is worth to each seat: the points it may expect to have at the end.

Known for sure: the score, the points its complete lines will bring (tiled top to bottom, as the rules do), and the
floor penalty. Hoped for, by learned tables (value_tables.py): what incomplete lines, and the patterns of rows,
columns and colours on the wall, complete lines tiled, bring from here to the end.
"""

from __future__ import annotations

import numpy as np

from service.rulesets.azul.ai.value_tables import MASKS, MOMENT, TABLES, Tables
from service.rulesets.azul.rules.components import FLOOR_PENALTY, LINES, PRINTED_COLUMN, RUN
from service.rulesets.azul.rules.state import COLOURED, FULL_ROW, KINDS, rule
from service.rulesets.kernel import DRAWING, OVER, Ints, Record, helper
from service.rulesets.parts.factories import factory_count, groups_to_take
from service.rulesets.parts.masks import POPCOUNT

COUNT_BITS = 4  # a small count for each colour, in one number
COUNT = (1 << COUNT_BITS) - 1
COLOURS_IN = np.array([sum((mask >> c & 1) << COUNT_BITS * c for c in range(KINDS)) for mask in MASKS], np.int64)
SCORED = np.array([0.0, 0.0, 2.0, 3.0, 4.0, 5.0])  # by the length of a run
GROUPS = 3  # of one colour, on a factory at first, about


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
def fullest_row(game: Record) -> int:
    """Tiles in the fullest row of all walls."""
    most = 0
    for seat in range(game.seats):
        for row in range(LINES):
            most = max(most, POPCOUNT[game.boards[seat].row_mask[row]])
    return most


@helper
def moment_of(game: Record) -> int:
    """How much of the game is left, see value_tables.py."""
    most = fullest_row(game)
    if game.status == DRAWING:
        return MOMENT * (LINES - most)
    groups = groups_to_take(game)
    return MOMENT * (LINES - 1 - most) + min(MOMENT, MOMENT * groups // (GROUPS * factory_count(game.seats)))


@helper
def expected_of_board(board: Record, variant: int, moment: int, tables: Tables) -> tuple[float, float]:
    """(points of complete lines, as if tiled now; of what may come)."""
    rows, columns = packed(board.row_mask), packed(board.column_mask)
    points, hope, placed = 0.0, 0.0, np.int64(0)
    for line in range(LINES):
        placed += COLOURS_IN[board.row_colours[line]]
        count = np.int64(board.line_count[line])
        if count == 0:
            continue
        colour = np.int64(board.line_colour[line])
        column = likely_column(board, line, colour, variant, rows, columns)  # type: ignore[arg-type]
        if count > line:
            placed += np.int64(1) << COUNT_BITS * colour
        else:
            hope += tables.line[moment, line, count]
        if column == LINES:
            continue
        gain = SCORED[RUN[of_packed(rows, line), column]] + SCORED[RUN[of_packed(columns, column), line]]
        gain = max(1.0, gain)
        if count > line:
            points += gain
            rows |= 1 << LINES * line + column
            columns |= 1 << LINES * column + line
        else:
            hope += tables.share[moment, line, count] * gain
    for k in range(LINES):
        hope += tables.row[moment, k, of_packed(rows, k)] + tables.column[moment, of_packed(columns, k)]
        hope += tables.colour[moment, placed >> COUNT_BITS * k & COUNT]
    return points, hope


@helper
def evaluate(game: Record, seat: int, tables: Tables) -> float:
    """What one seat may expect while the game goes on."""
    board, moment = game.boards[seat], moment_of(game)
    points, hope = expected_of_board(board, game.variant, moment, tables)
    points = max(0.0, game.score[seat] + points - FLOOR_PENALTY[board.floor_count]) + hope
    return points + tables.token[moment] if game.start_token == seat else points


@rule
def estimate(game: Record, seat: int) -> float:
    """Points that a seat may expect to have at the end; the score itself when the game is over."""
    return float(game.score[seat]) if game.status == OVER else evaluate(game, seat, TABLES)
