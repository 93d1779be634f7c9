"""Draws: the first seat, tiles for the stack's top, and faces of expansions.

A fill draws four tiles. If the bag holds fewer, the tower is emptied into it first. If there are still too few, the top
gets fewer. The face of an expansion is drawn from the unseen faces when it turns face up, which is equivalent to
shuffling all expansions at the start.
"""

from __future__ import annotations

import numpy as np

from service.rulesets.kernel import DECIDING, DRAWING, Ints, Record, RngState, draw, helper
from service.rulesets.parts.bag import is_possible_draw
from service.rulesets.parts.turns import NO_SEAT, is_possible_first_seat, sample_first_seat
from service.rulesets.queens_garden.rules.components import HEXAGONS, MAX_BESIDE, TILES_ON_TOP
from service.rulesets.queens_garden.rules.display import expansions_to_turn
from service.rulesets.queens_garden.rules.state import FILLING, PLAYING, TOP, TURNING, count_bits, mask_of_bit, rule

MAX_DRAWN = MAX_BESIDE


@helper
def left_to_draw(game: Record, left: Ints) -> int:
    """Fill `left` (36,) with the counts by hexagon of the pieces to draw from. Return the maximum size of the draw."""
    if game.stage == FILLING:
        for hexagon in range(HEXAGONS):
            left[hexagon] = game.bag[hexagon]
        if left.sum() < TILES_ON_TOP:
            left += game.tower
        return TILES_ON_TOP
    for hexagon in range(HEXAGONS):
        left[hexagon] = game.unseen >> hexagon & 1
    return count_bits(expansions_to_turn(game))


@rule
def sample(game: Record, rng: RngState, out: Ints) -> int:
    """Sample the first seat, the tiles of a fill in the order drawn, or faces by the numbers of the expansions."""
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
    """Return 0 if the draw is possible now, in this order, else 1."""
    if game.status != DRAWING:
        return 1
    if game.start_seat == NO_SEAT:
        return 0 if is_possible_first_seat(game, drawn) else 1
    left = np.empty(HEXAGONS, np.int64)
    needed = left_to_draw(game, left)
    return 0 if is_possible_draw(left, np.zeros_like(left), needed, drawn) else 1


@helper
def lay_tiles(game: Record, drawn: Ints) -> None:
    """Put the tiles on the stack's top."""
    if game.bag.sum() < TILES_ON_TOP:
        game.bag += game.tower
        game.tower[:] = 0
    for k in range(len(drawn)):
        game.bag[drawn[k]] -= 1
        game.lying[TOP, k] = drawn[k] + 1
        game.lies[TOP] |= mask_of_bit(drawn[k])


@helper
def lay_faces(game: Record, drawn: Ints) -> None:
    """Turn the expansions without tiles face up."""
    due, k = expansions_to_turn(game), 0
    for number in range(MAX_BESIDE):
        if due >> number & 1:
            game.face[number] = drawn[k] + 1
            game.faces |= mask_of_bit(drawn[k])
            game.unseen &= ~mask_of_bit(drawn[k])
            k += 1


@rule
def apply_draw(game: Record, drawn: Ints) -> None:
    """Set the first seat, fill the stack's top, or turn expansions face up."""
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
