"""The display: the stack with tiles on its top, the expansions beside it, and acquisitions from both.

An acquisition by a colour or a pattern takes exactly one piece of each different hexagon that matches, and all of them
must fit into the storage. If a tile came from the stack's top, the top moves beside the stack and the next top gets
tiles. Then every expansion without tiles turns face up. Fills and faces are draws (chance.py).

A colour and a pattern take the same pieces only if one hexagon is the only one of both in the display. Then the
acquisition by the pattern is an *alias* of the one by the colour: it is legal, but not listed.
"""

from __future__ import annotations

from service.rulesets.kernel import Ints, Record, helper
from service.rulesets.queens_garden.rules.codes import (
    FIRST_FACE,
    FIRST_TILE,
    PIECE_BITS,
    SOURCES,
    pack_acquire,
    piece_of,
)
from service.rulesets.queens_garden.rules.components import (
    EXPANSION_SPACES,
    KINDS,
    MAX_BESIDE,
    POPCOUNT,
    TILE_SPACES,
    TILES_ON_TOP,
)
from service.rulesets.queens_garden.rules.state import PLACES, TOP, axis_of, count_bits, hexagon_at, mask_of_bit
from service.rulesets.queens_garden.rules.steps import Reason


@helper
def tiles_in_display(game: Record) -> int:
    """Return the mask of the hexagons with a tile in the display."""
    mask = game.lies[TOP]
    for source in range(1, PLACES):
        mask |= game.lies[source]
    return mask


@helper
def in_display(game: Record) -> int:
    """Return the mask of the hexagons that can be taken."""
    return tiles_in_display(game) | game.faces  # type: ignore[no-any-return]


@helper
def alias_patterns(hexagons: int) -> int:
    """Return the mask of the patterns that match only one hexagon, which is also the only one of its colour."""
    once = twice = 0
    for colour in range(KINDS):
        patterns = hexagons >> (KINDS * colour) & 63
        twice |= once & patterns
        once |= patterns
    matching = 0
    for colour in range(KINDS):
        patterns = hexagons >> (KINDS * colour) & 63
        if patterns & (patterns - 1) == 0:
            matching |= patterns & ~twice
    return matching


@helper
def free_tile_spaces(board: Record) -> int:
    """Return the number of free storage spaces for tiles and jokers."""
    return TILE_SPACES - board.tile_count - board.jokers


@helper
def free_expansion_spaces(board: Record) -> int:
    """Return the number of free storage spaces for expansions."""
    return EXPANSION_SPACES - count_bits(board.expansions)


@helper
def fits_somehow(board: Record, tiles: int, expansions: int) -> bool:
    """Return True if a choice fits. The masks contain the tiles and expansions to choose from, over the other axis."""
    free = free_expansion_spaces(board)
    if POPCOUNT[expansions & ~tiles] > free:
        return False
    taken_as_expansions = min(POPCOUNT[expansions], free)
    return POPCOUNT[tiles | expansions] - taken_as_expansions <= free_tile_spaces(board)


@helper
def is_available(game: Record, piece: int, hexagon: int) -> bool:
    """Return True if that source (FIRST_TILE + place, FIRST_FACE + number) has a piece with the hexagon."""
    if piece >= FIRST_FACE:
        return game.face[piece - FIRST_FACE] == hexagon + 1  # type: ignore[no-any-return]
    return game.lies[piece - FIRST_TILE] >> hexagon & 1 != 0


@helper
def check_pieces(game: Record, by: int, value: int, pieces: int) -> int:
    """Return the reason why these are not the pieces to take by that colour or pattern, or 0."""
    tiles, faces = axis_of(tiles_in_display(game), by, value), axis_of(game.faces, by, value)
    if not tiles | faces:
        return Reason.NOTHING_MATCHES
    missing = False
    for other in range(KINDS):
        piece, hexagon = piece_of(pieces, other), hexagon_at(by, value, other)
        if piece == 0:
            missing = missing or (tiles | faces) >> other & 1 != 0
        elif not is_available(game, piece, hexagon):
            return Reason.PIECE_NOT_THERE
    return Reason.PIECES_INCOMPLETE if missing else 0


@helper
def check_acquire(game: Record, by: int, value: int, pieces: int) -> int:
    """Return the reason why the seat to decide cannot acquire this, or 0."""
    reason = check_pieces(game, by, value, pieces)
    if reason:
        return reason
    tiles = expansions = 0
    for other in range(KINDS):
        piece = piece_of(pieces, other)
        expansions += piece >= FIRST_FACE
        tiles += 0 < piece < FIRST_FACE
    board = game.boards[game.seat]
    if tiles > free_tile_spaces(board):
        return Reason.NO_ROOM_FOR_TILES
    return Reason.NO_ROOM_FOR_EXPANSIONS if expansions > free_expansion_spaces(board) else 0


@helper
def remove_tile(game: Record, source: int, hexagon: int) -> None:
    """Remove one tile with that hexagon from the place and close the gap."""
    row = game.lying[source]
    k = 0
    while row[k] != hexagon + 1:
        k += 1
    for later in range(k, TILES_ON_TOP - 1):
        row[later] = row[later + 1]
    row[TILES_ON_TOP - 1] = 0
    for left in row:
        if left == hexagon + 1:
            return
    game.lies[source] &= ~mask_of_bit(hexagon)


@helper
def remove_face(game: Record, number: int) -> None:
    """Remove the face-up expansion with that number from the display."""
    game.faces &= ~mask_of_bit(game.face[number] - 1)
    game.face[number] = 0
    game.beside ^= 1 << number


@helper
def move_top_beside(game: Record) -> None:
    """Move the stack's top and its tiles beside the stack, under the next number."""
    beside = 1 + game.left_stack
    for k in range(TILES_ON_TOP):
        game.lying[beside, k] = game.lying[TOP, k]
        game.lying[TOP, k] = 0
    game.lies[beside] = game.lies[TOP]
    game.lies[TOP] = 0
    game.beside |= 1 << game.left_stack
    game.left_stack += 1
    game.stack -= 1


@helper
def acquire(game: Record, by: int, value: int, pieces: int) -> bool:
    """Move the pieces to the storage of the seat to decide. Return True if the stack's top moved beside."""
    board = game.boards[game.seat]
    from_top = False
    for other in range(KINDS):
        piece, hexagon = piece_of(pieces, other), hexagon_at(by, value, other)
        if piece >= FIRST_FACE:
            remove_face(game, piece - FIRST_FACE)
            board.expansions |= mask_of_bit(hexagon)
        elif piece:
            remove_tile(game, piece - FIRST_TILE, hexagon)
            from_top = from_top or piece == FIRST_TILE + TOP
            board.tiles[hexagon] += 1
            board.tile_count += 1
            board.held |= mask_of_bit(hexagon)
    if from_top:
        move_top_beside(game)
    return from_top


@helper
def list_choices(game: Record, by: int, value: int, out: Ints, count: int) -> int:
    """Append all acquisitions by that colour or pattern that fit to `count` actions and return the new count."""
    board = game.boards[game.seat]
    tiles, faces = axis_of(tiles_in_display(game), by, value), axis_of(game.faces, by, value)
    if not tiles | faces or not fits_somehow(board, tiles, faces):
        return count
    first = count
    out[count] = 0
    count += 1
    for other in range(KINDS):  # extend every choice by every source of the next hexagon
        if not (tiles | faces) >> other & 1:
            continue
        last = count
        for k in range(first, last):
            for piece in range(FIRST_TILE, SOURCES):
                if is_available(game, piece, hexagon_at(by, value, other)):
                    out[count] = out[k] | piece << (PIECE_BITS * other)
                    count += 1
        for k in range(last, count):
            out[first + k - last] = out[k]
        count = first + count - last
    kept = first
    for k in range(first, count):
        if check_acquire(game, by, value, out[k]) == 0:
            out[kept] = pack_acquire(by, value, out[k])
            kept += 1
    return kept


@helper
def clear_display(game: Record) -> None:
    """Clear the display after a round: tiles to the tower, expansions face down under the supply."""
    for source in range(PLACES):
        for k in range(TILES_ON_TOP):
            if game.lying[source, k]:
                game.tower[game.lying[source, k] - 1] += 1
                game.lying[source, k] = 0
        game.lies[source] = 0
    game.supply += game.stack + POPCOUNT[game.beside]
    game.stack = 0
    game.face[:] = 0
    game.faces = 0
    game.beside = 0
    game.left_stack = 0


@helper
def expansions_to_turn(game: Record) -> int:
    """Return the mask of the numbers of the expansions that turn face up: those without tiles and face."""
    mask = 0
    for number in range(MAX_BESIDE):
        if game.beside >> number & 1 and game.lies[1 + number] == 0 and game.face[number] == 0:
            mask |= 1 << number
    return mask


@helper
def spread_stack(game: Record) -> int:
    """Move the rest of the stack beside it, because no tiles are left to draw. Return the number of expansions."""
    count = game.stack
    while game.stack:
        move_top_beside(game)
    return count
