"""Actions as ints: bit fields, so that an int says all of an action, whatever the position.

Bits 0-2 are the type. Then, from bit 3 on:

- ACQUIRE: by colour or by pattern (1 bit), which one (3), and for each of the six on the other axis what is taken (5):
  0 nothing, FIRST_TILE + p a tile from place p of the display, FIRST_FACE + n the face-up expansion with number n;
- PLACE_TILE: hexagon (6), space (6), payment (13); PLACE_EXPANSION: hexagon (6), area (3), rotation (3), payment (13);
- BUY_EXPANSION: area (3);
- PASS: the rank of the discards (47);
- REFUSED: a reason (8), for named actions that no position allows, so that they are refused in the rules' words.

A **payment** is what is given beside the placed hexagon: the axis it shares with the pieces (1 bit; 0 if no hexagon is
given), then on the other axis a mask of tiles (6) and a mask of expansions (6). Jokers make up the number.

The **rank** of discards: expansions as 2 out of 37 kinds with repetition, tiles as 12 out of 37 (the 37th: nothing), by
the combinatorial number system (Knuth, The Art of Computer Programming 4A, 7.2.1.3).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from service.rulesets.kernel import Ints, helper
from service.rulesets.queens_garden.rules.components import (
    EXPANSION_SPACES,
    HEXAGONS,
    KINDS,
    MAX_BESIDE,
    TILE_SPACES,
)
from service.rulesets.queens_garden.rules.state import PLACES

ACQUIRE, PLACE_TILE, PLACE_EXPANSION, BUY_EXPANSION, PASS, REFUSED = range(6)
FIRST_TILE = 1
FIRST_FACE = FIRST_TILE + PLACES
SOURCES = FIRST_FACE + MAX_BESIDE
PIECE_BITS = 5
PAYMENT_BITS = 1 + 2 * KINDS
NOTHING_PAID = 0

# CHOOSE[n, k]: k out of n
CHOOSE = np.array(
    [[math.comb(n, k) for k in range(TILE_SPACES + 1)] for n in range(HEXAGONS + TILE_SPACES + 1)], np.int64
)
TILE_RANKS = math.comb(HEXAGONS + TILE_SPACES, TILE_SPACES)
EXPANSION_RANKS = math.comb(HEXAGONS + EXPANSION_SPACES, EXPANSION_SPACES)


# ------------------------------------------------------------------------------------------ packing


@helper
def kind_of(action: int) -> int:
    """ACQUIRE … REFUSED, of an action that is not negative; 6 and 7 are none."""
    return action & 7


@helper
def acquiring(by: int, value: int, pieces: int) -> int:
    """The action that acquires by colour (0) or pattern (1); `pieces` holds five bits for each on the other axis."""
    return ACQUIRE | by << 3 | value << 4 | pieces << 7


@helper
def acquired(action: int) -> tuple[int, int, int]:
    """(by, value, pieces)."""
    return action >> 3 & 1, action >> 4 & 7, action >> 7


@helper
def piece_of(pieces: int, other: int) -> int:
    """What is taken of that place on the other axis: 0, FIRST_TILE + place, or FIRST_FACE + number."""
    return pieces >> (PIECE_BITS * other) & 31


@helper
def paying(axis: int, tiles: int, expansions: int) -> int:
    """A payment of these further hexagons, masks over the other axis."""
    return axis | tiles << 1 | expansions << 7 if tiles | expansions else NOTHING_PAID


@helper
def paid(payment: int) -> tuple[int, int, int]:
    """(axis, tiles, expansions)."""
    return payment & 1, payment >> 1 & 63, payment >> 7 & 63


@helper
def placing_tile(hexagon: int, space: int, payment: int) -> int:
    """The action that places a tile so."""
    return PLACE_TILE | hexagon << 3 | space << 9 | payment << 15


@helper
def tile_placed(action: int) -> tuple[int, int, int]:
    """(hexagon, space, payment)."""
    return action >> 3 & 63, action >> 9 & 63, action >> 15


@helper
def placing_expansion(hexagon: int, area: int, rotation: int, payment: int) -> int:
    """The action that places an expansion so."""
    return PLACE_EXPANSION | hexagon << 3 | area << 9 | rotation << 12 | payment << 15


@helper
def expansion_placed(action: int) -> tuple[int, int, int, int]:
    """(hexagon, area, rotation, payment)."""
    return action >> 3 & 63, action >> 9 & 7, action >> 12 & 7, action >> 15


@helper
def buying(area: int) -> int:
    """The action that buys an expansion for the area."""
    return BUY_EXPANSION | area << 3


def refused(reason: int) -> int:
    """The int of a named action that no position allows, for this reason."""
    return REFUSED | reason << 3


# ----------------------------------------------------------------------------------------- discards


@helper
def rank_of(counts: Any, most: int) -> int:
    """The rank of at most so many pieces, counts by hexagon (36,); 0 of none."""
    rank, digit = 0, most
    for hexagon in range(HEXAGONS - 1, -1, -1):
        for _ in range(counts[hexagon]):
            rank += CHOOSE[hexagon + digit, digit]
            digit -= 1
    return rank


@helper
def of_rank(rank: int, most: int, counts: Ints) -> None:
    """The pieces of a rank, counts by hexagon into (36,)."""
    counts[:] = 0
    kind = HEXAGONS
    for digit in range(most, 0, -1):
        while CHOOSE[kind + digit - 1, digit] > rank:
            kind -= 1
        rank -= CHOOSE[kind + digit - 1, digit]
        if kind:
            counts[kind - 1] += 1


@helper
def passing(tiles: Any, expansions: Any) -> int:
    """The action that passes and discards so, counts by hexagon (36,)."""
    rank = rank_of(tiles, TILE_SPACES) * EXPANSION_RANKS + rank_of(expansions, EXPANSION_SPACES)
    return PASS | rank << 3


@helper
def discarded(action: int, tiles: Ints, expansions: Ints) -> None:
    """The discards of a pass, counts by hexagon into (36,) each."""
    rank = action >> 3
    of_rank(rank // EXPANSION_RANKS, TILE_SPACES, tiles)
    of_rank(rank % EXPANSION_RANKS, EXPANSION_SPACES, expansions)


# -------------------------------------------------------------------------------------------- shape


@helper
def well_formed_payment(payment: int, hexagon: int) -> bool:
    """Whether the bits of a payment for that hexagon are those of one: each hexagon once, and not its own."""
    axis, tiles, expansions = paid(payment)
    own = hexagon // KINDS if axis else hexagon % KINDS
    given = tiles | expansions
    if payment >> PAYMENT_BITS or tiles & expansions or given >> own & 1:
        return False
    return given != 0 or payment == NOTHING_PAID
