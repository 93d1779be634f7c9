"""A. Factory offer: the seat to decide takes all tiles of one colour from a source to a pattern line or the floor line.

The move passes clockwise until no source holds a tile; then wall-tiling begins with the token's holder.
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
    any_source_holds_a_tile,
    move_to_centre,
    starter,
)
from service.rulesets.parts.turns import next_seat


@helper
def take_tiles(game: Record, source: int, colour: int) -> int:
    """Take all tiles of the colour; what else lies in a factory goes to the centre. How many were taken."""
    taken = game.tiles[source, colour]
    game.tiles[source, colour] = 0
    game.holders[colour] &= ALL_SOURCES ^ (1 << source)
    if source != CENTRE:
        move_to_centre(game, source)
    return taken


@helper
def take_start_token(game: Record, seat: int) -> None:
    """The token goes to the leftmost free floor space; with a full floor it is held all the same."""
    game.start_token = seat
    board = game.boards[seat]
    if board.floor_count < FLOOR_SPACES:
        board.floor[board.floor_count] = TOKEN
        board.floor_count += 1


@helper
def drop(game: Record, board: Record, colour: int, count: int) -> int:
    """Tiles fall onto the floor line; what finds no space there goes to the box lid: how many of them."""
    fallen = min(count, FLOOR_SPACES - board.floor_count)
    for _ in range(fallen):
        board.floor[board.floor_count] = colour + 1
        board.floor_count += 1
    game.box_lid[colour] += count - fallen
    return count - fallen


@helper
def add_to_line(board: Record, line: int, colour: int, count: int) -> None:
    """Tiles go to a pattern line with room for them; it is closed to other colours, and to all when full."""
    board.line_colour[line] = colour
    board.line_count[line] += count
    elsewhere = ALL_OPEN ^ (1 << line)
    for other in range(KINDS):
        if other != colour or board.line_count[line] > line:
            board.open_to[other] &= elsewhere


@helper
def draft(game: Record, source: int, colour: int, destination: int) -> None:
    """One factory offer of the seat to decide; then the next seat, or wall-tiling from the token's holder on."""
    board = game.boards[game.seat]
    count = take_tiles(game, source, colour)
    if source == CENTRE and game.start_token == TOKEN_IN_CENTRE:
        take_start_token(game, game.seat)
    if destination != FLOOR:
        placed = min(count, destination + 1 - board.line_count[destination])
        add_to_line(board, destination, colour, placed)
        count -= placed
    drop(game, board, colour, count)
    if any_source_holds_a_tile(game):
        game.seat = next_seat(game, game.seat)
    else:
        game.stage = TILING
        game.seat = starter(game)


@helper
def check_draft(game: Record, source: int, colour: int, destination: int) -> int:
    """Why the seat to decide may not draft so, or 0."""
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
