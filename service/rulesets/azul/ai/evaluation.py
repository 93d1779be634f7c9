"""Evaluation of an Azul position: the points that each seat can expect at the end.

Certain are the score, the points of complete lines (tiled from top to bottom, as in the rules) and the floor penalty.
The trained tables of value_tables.py estimate the rest: incomplete lines, and the patterns of rows, columns and colours
on the wall after complete lines have been tiled.
"""

from __future__ import annotations

import numpy as np

from service.rulesets.azul.ai.value_tables import MASKS, MOMENT, TABLES, Tables
from service.rulesets.azul.rules.components import FLOOR_PENALTY, LINES, PRINTED_COLUMN, RUN
from service.rulesets.azul.rules.state import COLOURED, FULL_ROW, KINDS, rule
from service.rulesets.kernel import DRAWING, OVER, Ints, Record, helper
from service.rulesets.parts.factories import factory_count, groups_to_take
from service.rulesets.parts.masks import POPCOUNT

COUNT_BITS = 4  # counts by colour are packed into one number
COUNT = (1 << COUNT_BITS) - 1
COLOURS_IN = np.array([sum((mask >> c & 1) << COUNT_BITS * c for c in range(KINDS)) for mask in MASKS], np.int64)
SCORED = np.array([0.0, 0.0, 2.0, 3.0, 4.0, 5.0])  # by the length of a run
GROUPS = 3  # average number of colours on a full factory


@helper
def pack_masks(masks: Ints) -> int:
    """Pack five masks of five bits into one number."""
    number = np.int64(0)
    for k in range(LINES):
        number |= np.int64(masks[k]) << LINES * k
    return number  # type: ignore[return-value]


@helper
def unpack_mask(number: int, k: int) -> int:
    """Return one of the packed masks."""
    return number >> LINES * k & FULL_ROW


@helper
def likely_column(board: Record, row: int, colour: int, variant: int, rows: int, columns: int) -> int:
    """Return the column for the tile of a line: printed, or the free grey one with most points. LINES if there is none.

    `rows` and `columns`: the packed masks of the wall.
    """
    if variant == COLOURED:
        return PRINTED_COLUMN[colour, row]
    best, most, filled = LINES, 0, unpack_mask(rows, row)
    for column in range(LINES):
        if not (filled >> column | board.column_colours[column] >> colour) & 1:
            points = RUN[filled, column] + RUN[unpack_mask(columns, column), row]
            if points > most:
                best, most = column, points
    return best


@helper
def fullest_row(game: Record) -> int:
    """Return the number of tiles in the fullest row of all walls."""
    most = 0
    for seat in range(game.seats):
        for row in range(LINES):
            most = max(most, POPCOUNT[game.boards[seat].row_mask[row]])
    return most


@helper
def moment_of(game: Record) -> int:
    """Return how much of the game is left, see value_tables.py."""
    most = fullest_row(game)
    if game.status == DRAWING:
        return MOMENT * (LINES - most)
    groups = groups_to_take(game)
    return MOMENT * (LINES - 1 - most) + min(MOMENT, MOMENT * groups // (GROUPS * factory_count(game.seats)))


@helper
def expected_of_board(board: Record, variant: int, moment: int, tables: Tables) -> tuple[float, float]:
    """Return (points of complete lines as if tiled now, points expected of the rest)."""
    rows, columns = pack_masks(board.row_mask), pack_masks(board.column_mask)
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
        gain = SCORED[RUN[unpack_mask(rows, line), column]] + SCORED[RUN[unpack_mask(columns, column), line]]
        gain = max(1.0, gain)
        if count > line:
            points += gain
            rows |= 1 << LINES * line + column
            columns |= 1 << LINES * column + line
        else:
            hope += tables.share[moment, line, count] * gain
    for k in range(LINES):
        hope += tables.row[moment, k, unpack_mask(rows, k)] + tables.column[moment, unpack_mask(columns, k)]
        hope += tables.colour[moment, placed >> COUNT_BITS * k & COUNT]
    return points, hope


@helper
def evaluate(game: Record, seat: int, tables: Tables) -> float:
    """Return the points that a seat can expect while the game is running."""
    board, moment = game.boards[seat], moment_of(game)
    points, hope = expected_of_board(board, game.variant, moment, tables)
    points = max(0.0, game.score[seat] + points - FLOOR_PENALTY[board.floor_count]) + hope
    return points + tables.token[moment] if game.start_token == seat else points


@rule
def estimate(game: Record, seat: int) -> float:
    """Return the points that a seat can expect at the end, or its score if the game is over."""
    return float(game.score[seat]) if game.status == OVER else evaluate(game, seat, TABLES)
