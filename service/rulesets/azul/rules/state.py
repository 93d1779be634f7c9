"""The record of an Azul game, and its set-up.

Bit masks speed up the search:

- `holders[colour]`: sources that hold the colour (bit per source; bit CENTRE is the centre);
- `boards[seat].open_to[colour]`: destinations that can take the colour (bits 0..4 the pattern lines, bit FLOOR).

The seat to decide has popcount(holders[c]) * popcount(open_to[c]) actions in colour c, and a tile's points are two
table look-ups in the wall's row and column masks. `wall` contains the colours themselves, for the view and `grey`.
"""

from __future__ import annotations

import numpy as np

from service.rulesets.azul.rules.components import (
    COLOURS,
    FLOOR_SPACES,
    LINES,
    TILES_A_COLOUR,
)
from service.rulesets.kernel import DRAWING, Record, Rules, record_dtype
from service.rulesets.parts.factories import SOURCES, TOKEN_IN_CENTRE
from service.rulesets.seats import MAX_SEATS

KINDS = len(COLOURS)
FLOOR = LINES  # the destination after the pattern lines
DESTINATIONS = LINES + 1
FULL_ROW = (1 << LINES) - 1  # mask of a row or column of the wall
ALL_OPEN = (1 << DESTINATIONS) - 1
TOKEN = KINDS + 1  # on a floor space: 0 free, 1..5 a tile of colour k - 1, 6 the start token

COLOURED, GREY = 0, 1  # `variant`
# `stage`: part of the round; settle() passes through those after DRAFTING
DRAFTING, TILING, ENDING_ROUND, COUNTING = 0, 1, 2, 3

BOARD = np.dtype(
    [
        ("line_colour", "i1", (LINES,)),  # colour of each pattern line; 0 where the line is empty
        ("line_count", "i1", (LINES,)),  # tiles on it, 0..line + 1
        ("wall", "i1", (LINES, LINES)),  # [row, column]: 0 free, else 1 + colour
        ("row_mask", "u1", (LINES,)),  # filled columns of each wall row
        ("column_mask", "u1", (LINES,)),  # filled rows of each wall column
        ("row_colours", "u1", (LINES,)),  # colours in each wall row
        ("column_colours", "u1", (LINES,)),  # colours in each wall column
        ("open_to", "u1", (KINDS,)),  # destinations that may take each colour
        ("floor", "i1", (FLOOR_SPACES,)),  # from the left
        ("floor_count", "i1"),  # occupied spaces, 0..7
    ],
    align=True,
)

RECORD = record_dtype(
    [
        ("boards", BOARD, (MAX_SEATS,)),
        ("tiles", "i1", (SOURCES, KINDS)),  # tiles in each source
        ("holders", "u2", (KINDS,)),  # sources that hold each colour
        ("bag", "i1", (KINDS,)),
        ("box_lid", "i1", (KINDS,)),
        ("round_number", "u2"),  # 1 from the first deal on; five idle rounds end a game, so far fewer than 65,536
        ("stage", "u1"),
        ("start_token", "i1"),  # TOKEN_IN_CENTRE, or the seat that holds it
        ("start_seat", "i1"),  # starting seat of the round; NO_SEAT before a random first seat is drawn
        ("rounds_without_tile", "u1"),  # rounds in a row in which no wall gained a tile
        ("wall_gained_tile", "u1"),  # 1 if one did in this round
        ("reason_of_end", "u1"),  # index into REASONS_OF_END; 0 until the game is over
    ],
)

REASONS_OF_END = ("", "row_completed", "no_tile_dealt", "no_wall_gained")
ROW_COMPLETED, NO_TILE_DEALT, NO_WALL_GAINED = 1, 2, 3

rule = Rules("azul", RECORD)


@rule
def start(game: Record, variant: int, seats: int, first_seat: int) -> None:
    """Set up: fill the bag and put the token into the centre. The first seat or the first deal is due."""
    game.variant = variant
    game.seats = seats
    game.status = DRAWING
    game.bag[:] = TILES_A_COLOUR
    game.start_token = TOKEN_IN_CENTRE
    game.start_seat = first_seat
    for seat in range(seats):
        game.boards[seat].open_to[:] = ALL_OPEN
