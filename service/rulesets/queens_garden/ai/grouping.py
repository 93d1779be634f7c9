"""The connected groups of a garden, and the value that a further hexagon adds to them.

The six colours and then the six patterns are the **lines**, 0..11. Groups are stored by line.
"""

from __future__ import annotations

import numpy as np

from service.rulesets.kernel import Record, helper, wrapping
from service.rulesets.queens_garden.ai.value_tables import AROUND, CHUNK, LATER, OPEN, SHUT, VALUE_OF
from service.rulesets.queens_garden.rules.components import KINDS, NEIGHBOURS, POPCOUNT, SPACES
from service.rulesets.queens_garden.rules.state import lowest_bit

LINES = 2 * KINDS
GROUPS_TRACKED = 2 * len(SPACES)
MAX_HELD = 16

# intermediate results for a seat: a record, because compiled code passes records at no cost
NOTES = np.dtype(
    [
        ("near", "i8", (GROUPS_TRACKED,)),  # mask of the neighbours of each group's spaces
        ("members", "i8", (GROUPS_TRACKED,)),  # mask of each group's hexagons, on the other axis
        ("first", "i8", (LINES + 1,)),  # first group of each line; the next line's first group ends it
        ("counts", "i8", (LINES,)),  # different hexagons in the storage, by line
        ("hexagons", "i8", (MAX_HELD,)),  # that can be placed
        ("gains", "f8", (MAX_HELD,)),  # points for each of these
        ("areas", "i8"),  # mask: rings of the areas that are free
    ],
    align=True,
)

_LOW = (1 << CHUNK) - 1
_EVERY_SECOND, _EVERY_PAIR = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_NIBBLES, _BYTES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
_ONE, _TWO, _FOUR, _TOP_BYTE = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)


@wrapping
def count_of(mask: int) -> int:
    """Return the number of one bits of a mask. Compilers recognise this form and generate a single instruction."""
    x = np.uint64(mask)
    x = x - ((x >> _ONE) & _EVERY_SECOND)
    x = (x & _EVERY_PAIR) + ((x >> _TWO) & _EVERY_PAIR)
    x = (x + (x >> _FOUR)) & _NIBBLES
    return np.int64((x * _BYTES) >> _TOP_BYTE)  # type: ignore[return-value]


@helper
def neighbours_of(mask: int) -> int:
    """Return all neighbours of the spaces of a mask."""
    near = AROUND[0, mask & _LOW] | AROUND[1, mask >> CHUNK & _LOW]
    return near | AROUND[2, mask >> 2 * CHUNK & _LOW] | AROUND[3, mask >> 3 * CHUNK]  # type: ignore[no-any-return]


@helper
def group_of(spaces: int) -> tuple[int, int]:
    """Return (the group of the lowest space of a mask, the neighbours of its members)."""
    group = spaces & -spaces
    near: int = NEIGHBOURS[lowest_bit(spaces)]
    joined = near & spaces & ~group
    while joined:
        group |= joined
        near |= neighbours_of(joined)
        joined = near & spaces & ~group
    return group, near


@helper
def members_of(board: Record, line: int, group: int) -> int:
    """Return the mask of the hexagons of a group of that line, on the other axis."""
    members = 0
    for other in range(KINDS):
        shown = board.patterns[other] if line < KINDS else board.colours[other]
        members |= (1 << other) * (shown & group != 0)
    return members


@helper
def value_of(line: int, members: int) -> int:
    """Return the sum of the values of a group's hexagons."""
    return VALUE_OF[members] if line < KINDS else (line - KINDS + 1) * POPCOUNT[members]  # type: ignore[no-any-return]


@helper
def reach_of(board: Record, areas: int, near: int) -> int:
    """Return where a group with these neighbours can grow. `areas`: mask of the rings of the free areas."""
    if near & board.open_spaces:
        return OPEN
    return LATER if near & areas else SHUT


@helper
def find_groups(board: Record, notes: Record, now: Record) -> float:
    """Store all groups of a garden in the notes and return their expected points."""
    count, points = 0, 0.0
    for line in range(LINES):
        notes["first"][line] = count
        rest = board.colours[line] if line < KINDS else board.patterns[line - KINDS]
        while rest:
            group, near = group_of(rest)
            rest &= ~group
            members = members_of(board, line, group)
            notes["members"][count] = members
            notes["near"][count] = near
            count += 1
            size, reach = POPCOUNT[members], reach_of(board, notes["areas"], near)
            points += now["chance"][reach, size] * value_of(line, members) + now["extra"][reach, size]
    notes["first"][LINES] = count
    return points


@helper
def joining(notes: Record, line: int, hexagon: int, now: Record, where: int) -> tuple[float, int]:
    """Return (points of the hexagon in the best group of a line, free spaces of `where` next to that group)."""
    other, value = hexagon % KINDS if line < KINDS else hexagon // KINDS, hexagon % KINDS + 1
    most, spaces = 0.0, 0
    for group in range(notes["first"][line], notes["first"][line + 1]):
        members, near = notes["members"][group], notes["near"][group] & where
        if near == 0 or members >> other & 1:
            continue
        size, before = POPCOUNT[members], value_of(line, members)
        points = now["chance"][OPEN, size + 1] * (before + value) - now["chance"][OPEN, size] * before
        points += now["extra"][OPEN, size + 1] - now["extra"][OPEN, size]
        if points > most:
            most, spaces = points, near
    return most, spaces


@helper
def worth_in_groups(notes: Record, hexagon: int, now: Record, where: int) -> float:
    """Return the value that a hexagon, placed on one of the spaces `where`, adds to groups."""
    by_colour, beside_colour = joining(notes, hexagon // KINDS, hexagon, now, where)
    by_pattern, beside_pattern = joining(notes, KINDS + hexagon % KINDS, hexagon, now, where)
    if beside_colour & beside_pattern:
        return by_colour + by_pattern
    alone = (hexagon % KINDS + 1) * now["chance"][OPEN, 1]
    return max(by_colour, by_pattern, alone) + alone  # type: ignore[no-any-return]
