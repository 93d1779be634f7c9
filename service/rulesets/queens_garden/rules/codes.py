"""Actions as integers: bit fields that contain the whole action, independent of the position.

Bits 0-2 are the type. From bit 3 on:

- ACQUIRE: by colour or by pattern (1 bit), the colour or pattern (3), and five bits for each of the six values of the
  other axis: 0 nothing, FIRST_TILE + p a tile from place p of the display, FIRST_FACE + n face-up expansion n;
- PLACE_TILE: hexagon (6), space (6), payment (13); PLACE_EXPANSION: hexagon (6), area (3), rotation (3), payment (13);
- BUY_EXPANSION: area (3);
- PASS: the rank of the discards (47);
- REFUSED: a reason (8), for JSON actions that are illegal in every position, so that the rules refuse them.

A **payment** contains the pieces in addition to the placed hexagon: the axis that they share with it (1 bit; 0 without
pieces), then masks of tiles (6) and of expansions (6) over the other axis. Jokers make up the rest.

The **rank** of discards combines expansions (2 out of 37 kinds with repetition) and tiles (12 out of 37; the 37th:
nothing), by the combinatorial number system (Knuth, The Art of Computer Programming 4A, 7.2.1.3).
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

# CHOOSE[n, k]: binomial coefficient
CHOOSE = np.array(
    [[math.comb(n, k) for k in range(TILE_SPACES + 1)] for n in range(HEXAGONS + TILE_SPACES + 1)], np.int64
)
TILE_RANKS = math.comb(HEXAGONS + TILE_SPACES, TILE_SPACES)
EXPANSION_RANKS = math.comb(HEXAGONS + EXPANSION_SPACES, EXPANSION_SPACES)


# ------------------------------------------------------------------------------------------ packing


@helper
def kind_of(action: int) -> int:
    """Return the type, ACQUIRE … REFUSED, of an action that is not negative; 6 and 7 are invalid."""
    return action & 7


@helper
def pack_acquire(by: int, value: int, pieces: int) -> int:
    """Return the action that acquires by colour (0) or pattern (1).

    `pieces`: five bits for each value of the other axis.
    """
    return ACQUIRE | by << 3 | value << 4 | pieces << 7


@helper
def unpack_acquire(action: int) -> tuple[int, int, int]:
    """Return (by, value, pieces)."""
    return action >> 3 & 1, action >> 4 & 7, action >> 7


@helper
def piece_of(pieces: int, other: int) -> int:
    """Return the piece taken for a value of the other axis: 0, FIRST_TILE + place, or FIRST_FACE + number."""
    return pieces >> (PIECE_BITS * other) & 31


@helper
def pack_payment(axis: int, tiles: int, expansions: int) -> int:
    """Return the payment of further hexagons, given as masks over the other axis."""
    return axis | tiles << 1 | expansions << 7 if tiles | expansions else NOTHING_PAID


@helper
def unpack_payment(payment: int) -> tuple[int, int, int]:
    """Return (axis, tiles, expansions)."""
    return payment & 1, payment >> 1 & 63, payment >> 7 & 63


@helper
def pack_place_tile(hexagon: int, space: int, payment: int) -> int:
    """Return the action that places a tile."""
    return PLACE_TILE | hexagon << 3 | space << 9 | payment << 15


@helper
def unpack_place_tile(action: int) -> tuple[int, int, int]:
    """Return (hexagon, space, payment)."""
    return action >> 3 & 63, action >> 9 & 63, action >> 15


@helper
def pack_place_expansion(hexagon: int, area: int, rotation: int, payment: int) -> int:
    """Return the action that places an expansion."""
    return PLACE_EXPANSION | hexagon << 3 | area << 9 | rotation << 12 | payment << 15


@helper
def unpack_place_expansion(action: int) -> tuple[int, int, int, int]:
    """Return (hexagon, area, rotation, payment)."""
    return action >> 3 & 63, action >> 9 & 7, action >> 12 & 7, action >> 15


@helper
def pack_buy_expansion(area: int) -> int:
    """Return the action that buys an expansion for the area."""
    return BUY_EXPANSION | area << 3


def pack_refusal(reason: int) -> int:
    """Return the integer of a JSON action that is illegal in every position for this reason."""
    return REFUSED | reason << 3


# ----------------------------------------------------------------------------------------- discards


@helper
def rank_of(counts: Any, most: int) -> int:
    """Return the rank of at most `most` pieces, given as counts by hexagon (36,). The rank of an empty set is 0."""
    rank, digit = 0, most
    for hexagon in range(HEXAGONS - 1, -1, -1):
        for _ in range(counts[hexagon]):
            rank += CHOOSE[hexagon + digit, digit]
            digit -= 1
    return rank


@helper
def unrank(rank: int, most: int, counts: Ints) -> None:
    """Fill `counts` (36,) with the pieces of a rank, by hexagon."""
    counts[:] = 0
    kind = HEXAGONS
    for digit in range(most, 0, -1):
        while CHOOSE[kind + digit - 1, digit] > rank:
            kind -= 1
        rank -= CHOOSE[kind + digit - 1, digit]
        if kind:
            counts[kind - 1] += 1


@helper
def pack_pass(tiles: Any, expansions: Any) -> int:
    """Return the action that passes with these discards, given as counts by hexagon (36,)."""
    rank = rank_of(tiles, TILE_SPACES) * EXPANSION_RANKS + rank_of(expansions, EXPANSION_SPACES)
    return PASS | rank << 3


@helper
def unpack_discards(action: int, tiles: Ints, expansions: Ints) -> None:
    """Fill `tiles` and `expansions` (36,) with the discards of a pass, by hexagon."""
    rank = action >> 3
    unrank(rank // EXPANSION_RANKS, TILE_SPACES, tiles)
    unrank(rank % EXPANSION_RANKS, EXPANSION_SPACES, expansions)


# -------------------------------------------------------------------------------------------- shape


@helper
def is_well_formed_payment(payment: int, hexagon: int) -> bool:
    """Return True if the bits are a valid payment for the hexagon: no hexagon twice, and not its own."""
    axis, tiles, expansions = unpack_payment(payment)
    own = hexagon // KINDS if axis else hexagon % KINDS
    given = tiles | expansions
    if payment >> PAYMENT_BITS or tiles & expansions or given >> own & 1:
        return False
    return given != 0 or payment == NOTHING_PAID
