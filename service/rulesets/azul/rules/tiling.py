"""B. Wall-tiling: complete lines, top to bottom, move a tile to the wall, each scored at once; then the floor penalty.

Seat by seat from the token's holder, one step of `settle` each. On the grey side the owner chooses the column, and a
line that finds none falls.
"""

from __future__ import annotations

from service.rulesets.azul.rules.components import LINES, PRINTED_COLUMN
from service.rulesets.azul.rules.drafting import drop
from service.rulesets.azul.rules.scoring import pay_floor_penalty, points_of_tile
from service.rulesets.azul.rules.state import COLOURED, ENDING_ROUND, KINDS, TILING
from service.rulesets.azul.rules.steps import Effect, Reason
from service.rulesets.kernel import DECIDING, Record, helper
from service.rulesets.parts.factories import starter
from service.rulesets.parts.steps import NOTHING_FOLLOWS, pack_effect
from service.rulesets.parts.turns import next_seat


@helper
def line_to_tile(board: Record) -> int:
    """The topmost complete pattern line; LINES if there is none."""
    line = 0
    while line < LINES and board.line_count[line] <= line:
        line += 1
    return line


@helper
def columns_for(board: Record, row: int, colour: int) -> int:
    """Mask of the columns of a grey wall row that may take the colour."""
    columns = 0
    if not board.row_colours[row] >> colour & 1:
        for column in range(LINES):
            if not (board.row_mask[row] >> column | board.column_colours[column] >> colour) & 1:
                columns |= 1 << column
    return columns


@helper
def clear_line(board: Record, line: int) -> None:
    """The line is empty again, and open to the colours that its wall row lacks."""
    board.line_colour[line] = 0
    board.line_count[line] = 0
    for colour in range(KINDS):
        if not board.row_colours[line] >> colour & 1:
            board.open_to[colour] |= 1 << line


@helper
def move_to_wall(game: Record, line: int, column: int) -> int:
    """A complete line of the seat to decide is tiled: one tile to the wall, the others to the lid. Its points."""
    board = game.boards[game.seat]
    colour = board.line_colour[line]
    board.wall[line, column] = colour + 1
    board.row_mask[line] |= 1 << column
    board.column_mask[column] |= 1 << line
    board.row_colours[line] |= 1 << colour
    board.column_colours[column] |= 1 << colour
    game.box_lid[colour] += line
    clear_line(board, line)
    game.wall_gained_tile = 1
    points = points_of_tile(board, line, column)
    game.score[game.seat] += points
    return points


@helper
def settle_board(game: Record) -> int:
    """The next step of wall-tiling for the seat to decide; NOTHING where it has a column to choose."""
    seat = game.seat
    board = game.boards[seat]
    line = line_to_tile(board)
    if line == LINES:
        spaces = board.floor_count
        lost = pay_floor_penalty(game, seat)
        if next_seat(game, seat) == starter(game):
            game.stage = ENDING_ROUND
        game.seat = next_seat(game, seat)
        return pack_effect(Effect.FLOOR_PENALTY, seat, spaces, lost)
    colour = board.line_colour[line]
    if game.variant == COLOURED:
        column = PRINTED_COLUMN[colour, line]
        return pack_effect(Effect.TILE_PLACED, seat, line, column, colour, move_to_wall(game, line, column))
    if columns_for(board, line, colour):
        game.status = DECIDING
        return NOTHING_FOLLOWS
    clear_line(board, line)
    lost = drop(game, board, colour, line + 1)
    return pack_effect(Effect.LINE_FALLEN, seat, line, colour, line + 1, lost)


@helper
def check_tiling(game: Record, line: int, column: int) -> int:
    """Why the seat to decide may not tile so, or 0."""
    if game.stage != TILING:
        return Reason.NOT_TILING
    board = game.boards[game.seat]
    if line != line_to_tile(board):
        return Reason.WRONG_LINE
    if board.row_mask[line] >> column & 1:
        return Reason.SPACE_TAKEN
    if board.column_colours[column] >> board.line_colour[line] & 1:
        return Reason.COLUMN_HOLDS_COLOUR
    return 0  # a line's row never holds its colour: drafting saw to that
