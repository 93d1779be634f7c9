"""A. Factory offer: the seat to decide moves all tiles of one colour from a source to a pattern line or the floor line.

Play passes clockwise until no source holds a tile. Then wall-tiling begins with the token's holder.
"""

from __future__ import annotations

from service.rulesets.azul.rules.components import FLOOR_SPACES
from service.rulesets.azul.rules.state import (
    ALL_OPEN,
    DRAFTING,
    FLOOR,
    KINDS,
    TILING,
    TOKEN,
)
from service.rulesets.azul.rules.steps import Reason
from service.rulesets.kernel import Record, helper
from service.rulesets.parts.factories import (
    ALL_SOURCES,
    CENTRE,
    TOKEN_IN_CENTRE,
    has_tiles_to_take,
    move_to_centre,
    starter,
)
from service.rulesets.parts.turns import next_seat


@helper
def take_tiles(game: Record, source: int, colour: int) -> int:
    """Take all tiles of the colour, move a factory's other tiles to the centre, and return the number taken."""
    taken = game.tiles[source, colour]
    game.tiles[source, colour] = 0
    game.holders[colour] &= ALL_SOURCES ^ (1 << source)
    if source != CENTRE:
        move_to_centre(game, source)
    return taken


@helper
def take_start_token(game: Record, seat: int) -> None:
    """Give the token to a seat, on its leftmost free floor space. It is held even if the floor line is full."""
    game.start_token = seat
    board = game.boards[seat]
    if board.floor_count < FLOOR_SPACES:
        board.floor[board.floor_count] = TOKEN
        board.floor_count += 1


@helper
def drop(game: Record, board: Record, colour: int, count: int) -> int:
    """Move tiles to the floor line and the excess to the box lid. Return the excess."""
    fallen = min(count, FLOOR_SPACES - board.floor_count)
    for _ in range(fallen):
        board.floor[board.floor_count] = colour + 1
        board.floor_count += 1
    game.box_lid[colour] += count - fallen
    return count - fallen


@helper
def add_to_line(board: Record, line: int, colour: int, count: int) -> None:
    """Add tiles that fit to a pattern line. Close the line to other colours, and to all colours if it is full."""
    board.line_colour[line] = colour
    board.line_count[line] += count
    elsewhere = ALL_OPEN ^ (1 << line)
    for other in range(KINDS):
        if other != colour or board.line_count[line] > line:
            board.open_to[other] &= elsewhere


@helper
def draft(game: Record, source: int, colour: int, destination: int) -> None:
    """Perform a factory offer of the seat to decide. Then it is the next seat's turn, or wall-tiling begins."""
    board = game.boards[game.seat]
    count = take_tiles(game, source, colour)
    if source == CENTRE and game.start_token == TOKEN_IN_CENTRE:
        take_start_token(game, game.seat)
    if destination != FLOOR:
        placed = min(count, destination + 1 - board.line_count[destination])
        add_to_line(board, destination, colour, placed)
        count -= placed
    drop(game, board, colour, count)
    if has_tiles_to_take(game):
        game.seat = next_seat(game, game.seat)
    else:
        game.stage = TILING
        game.seat = starter(game)


@helper
def check_draft(game: Record, source: int, colour: int, destination: int) -> int:
    """Return the reason why the seat to decide cannot make this draft, or 0."""
    if game.stage != DRAFTING:
        return Reason.NOT_DRAFTING
    if not game.tiles[source].any():
        return Reason.SOURCE_EMPTY
    if game.tiles[source, colour] == 0:
        return Reason.COLOUR_NOT_IN_SOURCE
    if destination == FLOOR:
        return 0
    board = game.boards[game.seat]
    if board.line_count[destination] > destination:
        return Reason.LINE_FULL
    if board.line_count[destination] and board.line_colour[destination] != colour:
        return Reason.LINE_HOLDS_OTHER_COLOUR
    if board.row_colours[destination] >> colour & 1:
        return Reason.WALL_ROW_HOLDS_COLOUR
    return 0
