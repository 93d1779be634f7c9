"""The record of a Queen's Garden game, and its set-up.

Sets of spaces (48) and of hexagons (36) are bit masks, so groups and payments are found in few steps.
`boards[seat].colours[c]` and `patterns[p]` are the spaces of the garden with a colour or pattern. `held` are the
hexagons in the storage, `lies[source]` those on a place of the display.

A record contains nothing hidden. Stacks and supply are counts; a face is drawn from `unseen` when its expansion turns.
"""

from __future__ import annotations

import numpy as np

from service.rulesets.kernel import DRAWING, Record, Rules, helper, record_dtype, wrapping
from service.rulesets.queens_garden.rules.components import (
    AREAS,
    BIT_PLACE,
    EXPANSIONS,
    FOUNTAIN_SPACES,
    HEXAGONS,
    KINDS,
    MAX_BESIDE,
    POPCOUNT,
    ROUNDS,
    SPACES,
    STACKS,
    START_JOKERS,
    START_SCORE,
    TILES_A_HEXAGON,
    TILES_ON_TOP,
)
from service.rulesets.seats import MAX_SEATS

TOP = 0  # source of the stack's top; source 1 + n is expansion n beside the stack
PLACES = 1 + MAX_BESIDE
IN_DISPLAY = -1  # value of `marker` if no seat holds it
FREE, FACE_DOWN, FACE_UP = 0, 1, 2  # `area`; FACE_UP + rotation
ALL_HEXAGONS = (1 << HEXAGONS) - 1

# `stage`: part of the round. While DRAWING, FILLING waits for the first seat or tiles, TURNING for faces; settle()
# passes through the others after PLAYING
PLAYING, FILLING, TURNING, SCORING, ENDING_ROUND, PREPARING, COUNTING_STORAGES, SCORING_GROUPS = range(8)

BOARD = np.dtype(
    [
        ("open_spaces", "i8"),  # mask: free spaces of the placed boards
        ("colours", "i8", (KINDS,)),  # mask: spaces that show each colour
        ("patterns", "i8", (KINDS,)),  # mask: spaces that show each pattern
        ("held", "i8"),  # mask: hexagons of the tiles in the storage
        ("expansions", "i8"),  # mask: hexagons of the expansions in the storage, two at most
        ("garden", "i1", (len(SPACES),)),  # 0 nothing, else 1 + hexagon
        ("area", "i1", (AREAS,)),  # FREE, FACE_DOWN, or FACE_UP + rotation of the printed hexagon
        ("tiles", "i1", (HEXAGONS,)),  # in the storage
        ("tile_count", "i1"),  # their sum
        ("jokers", "i1"),
        ("storage_points", "i2"),  # points of the storage at the end
    ],
    align=True,
)

RECORD = record_dtype(
    [
        ("boards", BOARD, (MAX_SEATS,)),
        ("lies", "i8", (PLACES,)),  # mask: hexagons of the tiles on each place of the display
        ("faces", "i8"),  # mask: hexagons of the face-up expansions in the display
        ("unseen", "i8"),  # mask: faces that never turned up
        ("lying", "i1", (PLACES, TILES_ON_TOP)),  # tiles on each place: 1 + hexagon, then zeros
        ("face", "i1", (MAX_BESIDE,)),  # of each expansion beside the stack: 0, or 1 + hexagon
        ("beside", "u1"),  # mask: numbers of the expansions beside the stack
        ("left_stack", "u1"),  # expansions that have left the stack this round: the next one's number
        ("stack", "i1"),  # expansions in the stack, the top included
        ("supply", "i1"),
        ("bag", "i1", (HEXAGONS,)),
        ("tower", "i1", (HEXAGONS,)),
        ("round_number", "u1"),  # 1..4
        ("stage", "u1"),
        ("passed", "u1"),  # mask of the seats that have passed in this round
        ("marker", "i1"),  # IN_DISPLAY, or the seat that holds it
        ("start_seat", "i1"),  # starting seat of the round; NO_SEAT before a random first seat is drawn
    ],
)

rule = Rules("queens-garden", RECORD)


@helper
def stack_size(seats: int) -> int:
    """Return the number of expansions in a round stack."""
    return 5 if seats == 2 else seats + 4


assert {seats: stack_size(seats) for seats in STACKS} == STACKS  # noqa: S101 - the formula is the table


@wrapping
def lowest_bit(mask: int) -> int:
    """Return the position of the lowest one bit of a mask of up to 48 bits."""
    return BIT_PLACE[(mask & -mask) % 67]


@helper
def count_bits(mask: int) -> int:
    """Return the number of one bits of a mask of up to 48 bits."""
    return POPCOUNT[mask & 4095] + POPCOUNT[mask >> 12 & 4095] + POPCOUNT[mask >> 24 & 4095] + POPCOUNT[mask >> 36]


@helper
def mask_of_bit(bit: int) -> int:
    """Return the mask with that bit."""
    return np.int64(1) << np.int64(bit)  # type: ignore[return-value]


@helper
def axis_of(hexagons: int, by: int, value: int) -> int:
    """Return six bits: the hexagons of a colour, by pattern (`by` 0), or of a pattern, by colour (`by` 1)."""
    if by == 0:
        return hexagons >> (KINDS * value) & 63
    strided = hexagons >> value
    row = 0
    for colour in range(KINDS):
        row |= (strided >> (KINDS * colour) & 1) << colour
    return row


@helper
def hexagon_at(by: int, value: int, other: int) -> int:
    """Return the hexagon of a colour and a pattern: `value` on the axis `by`, `other` on the other axis."""
    return value * KINDS + other if by == 0 else other * KINDS + value


@rule
def start(game: Record, variant: int, seats: int, first_seat: int) -> None:
    """Set up: lay out the first stack. The first seat or the first fill is due."""
    game.variant = variant
    game.seats = seats
    game.status = DRAWING
    game.stage = FILLING
    game.seat = max(first_seat, 0)
    game.start_seat = first_seat
    game.round_number = 1
    game.marker = IN_DISPLAY
    game.bag[:] = TILES_A_HEXAGON
    game.unseen = ALL_HEXAGONS
    game.stack = stack_size(seats)
    game.supply = EXPANSIONS - ROUNDS * stack_size(seats)
    for seat in range(seats):
        game.score[seat] = START_SCORE
        game.boards[seat].jokers = START_JOKERS
        game.boards[seat].open_spaces = FOUNTAIN_SPACES
