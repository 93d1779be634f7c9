"""The record of a Summer Pavilion game, and its set-up.

Bit masks speed up the search:

- `holders[colour]`: sources that hold the colour (bit per source; bit CENTRE is the centre);
- `boards[seat].filled[star]`: slots of the star that hold a tile;
- `boards[seat].open_to[star]`: colours that the star can still take, including its kind (one colour, or six different).

The points of a placement, the features it surrounds and its legality are table look-ups. `stars` contains the colours
themselves, for the view and the end.
"""

from __future__ import annotations

import numpy as np

from service.rulesets.kernel import DRAWING, Record, Rules, helper, record_dtype
from service.rulesets.parts.factories import SOURCES, TOKEN_IN_CENTRE
from service.rulesets.seats import MAX_SEATS
from service.rulesets.summer_pavilion.rules.components import (
    CENTRE_STAR,
    COLOURS,
    SLOTS,
    STAR_COLOUR,
    STARS,
    START_SCORE,
    TILES_A_COLOUR,
)

KINDS = len(COLOURS)
STAR_COUNT = len(STARS)
ALL_COLOURS = (1 << KINDS) - 1

COLOURED, GREY = 0, 1  # `variant`
# `stage`: part of the round. While DRAWING, PLAYING waits for the supply's tiles, ACQUIRING for the first seat or a
# deal; settle() passes through those after TAKING_BONUS
ACQUIRING, PLAYING, TAKING_BONUS, ENDING_ROUND, COUNTING, PAYING_LEFTOVERS = range(6)

BOARD = np.dtype(
    [
        ("stars", "i1", (STAR_COUNT, SLOTS)),  # [star, slot]: 0 free, else 1 + colour
        ("filled", "u1", (STAR_COUNT,)),  # slots of each star that hold a tile
        ("open_to", "u1", (STAR_COUNT,)),  # colours that each star may still take
        ("hand", "i1", (KINDS,)),  # tiles beside the board
        ("corners", "i1", (KINDS,)),  # tiles kept on passing, four at most
        ("leftover_penalty", "i1"),  # points lost at the end for tiles in corners, 0..4
    ],
    align=True,
)

RECORD = record_dtype(
    [
        ("boards", BOARD, (MAX_SEATS,)),
        ("tiles", "i1", (SOURCES, KINDS)),  # tiles in each source
        ("holders", "u2", (KINDS,)),  # sources that hold each colour
        ("bag", "i1", (KINDS,)),
        ("tower", "i1", (KINDS,)),
        ("supply", "i1", (KINDS,)),
        ("round_number", "u1"),  # 1..6 from the first deal on; its wild colour is number round_number - 1
        ("stage", "u1"),
        ("passed", "u1"),  # mask of the seats that have passed in this round
        ("bonus_owed", "u1"),  # bonus tiles that the seat to decide has still to take, 0..3
        ("start_token", "i1"),  # TOKEN_IN_CENTRE, or the seat that holds it
        ("start_seat", "i1"),  # starting seat of the round; NO_SEAT before a random first seat is drawn
    ],
)

rule = Rules("summer-pavilion", RECORD)


@helper
def wild_colour(game: Record) -> int:
    """Return the wild colour of the round. Valid from the first deal on."""
    return np.int64(game.round_number) - 1  # type: ignore[return-value]


@rule
def start(game: Record, variant: int, seats: int, first_seat: int) -> None:
    """Set up: fill the bag and put the token into the centre. The first seat or the first deal is due."""
    game.variant = variant
    game.seats = seats
    game.status = DRAWING
    game.stage = ACQUIRING
    game.bag[:] = TILES_A_COLOUR
    game.start_token = TOKEN_IN_CENTRE
    game.start_seat = first_seat
    for seat in range(seats):
        game.score[seat] = START_SCORE
        board = game.boards[seat]
        for star in range(STAR_COUNT):
            board.open_to[star] = ALL_COLOURS
            if variant == COLOURED and star != CENTRE_STAR:
                board.open_to[star] = 1 << STAR_COLOUR[star]
