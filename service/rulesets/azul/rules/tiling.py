"""B. Wall-tiling: complete lines move a tile to the wall, top to bottom.

Each tile scores at once; then the floor penalty.

Each step of `settle` is one line or penalty, seat by seat from the token's holder. On the grey side the owner chooses
the column, and a line without a free column falls to the floor.
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
    """Return the topmost complete pattern line, or LINES if there is none."""
    line = 0
    while line < LINES and board.line_count[line] <= line:
        line += 1
    return line


@helper
def columns_for(board: Record, row: int, colour: int) -> int:
    """Return the mask of the columns of a grey wall row that can take the colour."""
    columns = 0
    if not board.row_colours[row] >> colour & 1:
        for column in range(LINES):
            if not (board.row_mask[row] >> column | board.column_colours[column] >> colour) & 1:
                columns |= 1 << column
    return columns


@helper
def clear_line(board: Record, line: int) -> None:
    """Empty the line and open it to the colours that its wall row lacks."""
    board.line_colour[line] = 0
    board.line_count[line] = 0
    for colour in range(KINDS):
        if not board.row_colours[line] >> colour & 1:
            board.open_to[colour] |= 1 << line


@helper
def move_to_wall(game: Record, line: int, column: int) -> int:
    """Tile a complete line of the seat to decide: one tile to the wall, the others to the lid. Return its points."""
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
    """Perform the next step of wall-tiling for the seat, or return NOTHING_FOLLOWS if it has to choose a column."""
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
    """Return the reason why the seat to decide cannot tile like this, or 0."""
    if game.stage != TILING:
        return Reason.NOT_TILING
    board = game.boards[game.seat]
    if line != line_to_tile(board):
        return Reason.WRONG_LINE
    if board.row_mask[line] >> column & 1:
        return Reason.SPACE_TAKEN
    if board.column_colours[column] >> board.line_colour[line] & 1:
        return Reason.COLUMN_HOLDS_COLOUR
    return 0  # drafting ensures that a line's wall row lacks its colour
