"""What chance brings, and how it is laid out: the first seat, tiles for the stack's top, faces of expansions.

A fill draws four tiles; when the bag holds fewer, the tower goes into it first; if that is still too few, fewer lie on
the top. The face of an expansion is drawn when it turns face up, from those never seen: which is the same as
shuffling all expansions at the start.
"""

from __future__ import annotations

import numpy as np

from service.rulesets.kernel import DECIDING, DRAWING, Ints, Record, RngState, draw, helper
from service.rulesets.parts.bag import could_be_drawn
from service.rulesets.parts.turns import NO_SEAT, could_be_first_seat, sample_first_seat
from service.rulesets.queens_garden.rules.components import HEXAGONS, MAX_BESIDE, TILES_ON_TOP
from service.rulesets.queens_garden.rules.display import turning
from service.rulesets.queens_garden.rules.state import FILLING, PLAYING, TOP, TURNING, bits, one, rule

MAX_DRAWN = MAX_BESIDE


@helper
def left_to_draw(game: Record, left: Ints) -> int:
    """What chance draws from, counts by hexagon into (36,): tiles, or faces never seen. How many it draws at most."""
    if game.stage == FILLING:
        for hexagon in range(HEXAGONS):
            left[hexagon] = game.bag[hexagon]
        if left.sum() < TILES_ON_TOP:
            left += game.tower
        return TILES_ON_TOP
    for hexagon in range(HEXAGONS):
        left[hexagon] = game.unseen >> hexagon & 1
    return bits(turning(game))


@rule
def sample(game: Record, rng: RngState, out: Ints) -> int:
    """The first seat, alone; or the tiles of a fill, in the order drawn; or faces, by the numbers of the expansions."""
    if game.start_seat == NO_SEAT:
        return sample_first_seat(game, rng, out)
    left = np.empty(HEXAGONS, np.int64)
    most, total = left_to_draw(game, left), left.sum()
    count = min(most, total)
    for k in range(count):
        out[k] = draw(rng, left, total)
        left[out[k]] -= 1
        total -= 1
    return count


@rule
def check_draw(game: Record, drawn: Ints) -> int:
    """0 if chance could bring this now, in this order; 1 if not."""
    if game.status != DRAWING:
        return 1
    if game.start_seat == NO_SEAT:
        return 0 if could_be_first_seat(game, drawn) else 1
    left = np.empty(HEXAGONS, np.int64)
    needed = left_to_draw(game, left)
    return 0 if could_be_drawn(left, np.zeros_like(left), needed, drawn) else 1


@helper
def lay_tiles(game: Record, drawn: Ints) -> None:
    """The tiles lie on the stack's top."""
    if game.bag.sum() < TILES_ON_TOP:
        game.bag += game.tower
        game.tower[:] = 0
    for k in range(len(drawn)):
        game.bag[drawn[k]] -= 1
        game.lying[TOP, k] = drawn[k] + 1
        game.lies[TOP] |= one(drawn[k])


@helper
def lay_faces(game: Record, drawn: Ints) -> None:
    """The expansions without tiles lie face up."""
    due, k = turning(game), 0
    for number in range(MAX_BESIDE):
        if due >> number & 1:
            game.face[number] = drawn[k] + 1
            game.faces |= one(drawn[k])
            game.unseen &= ~one(drawn[k])
            k += 1


@rule
def apply_draw(game: Record, drawn: Ints) -> None:
    """The first seat is known; or the stack's top is filled; or faces turned up."""
    if game.start_seat == NO_SEAT:
        game.start_seat = drawn[0]
        game.seat = drawn[0]
        return
    game.status = DECIDING
    if game.stage == FILLING:
        lay_tiles(game, drawn)
        game.stage = TURNING
    else:
        lay_faces(game, drawn)
        game.stage = PLAYING
