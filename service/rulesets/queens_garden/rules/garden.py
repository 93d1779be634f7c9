"""The garden: legal places for hexagons, and the elements they complete.

If a space has neighbours with hexagons, at least one of them must share the colour or the pattern. After placing,
neither the connected group of its colour nor that of its pattern may contain two identical hexagons, even if the
hexagon joins several groups.
"""

from __future__ import annotations

from service.rulesets.kernel import Record, helper
from service.rulesets.queens_garden.rules.components import (
    CENTRE_OF_AREA,
    ELEMENT_SPACES,
    ELEMENTS_AT,
    FIRST_OF_AREA,
    FIRST_PAVILION,
    JOKERS_OF,
    KINDS,
    NEIGHBOURS,
    NO_ELEMENT,
    RING_OF_AREA,
    TILE_SPACES,
)
from service.rulesets.queens_garden.rules.state import FACE_DOWN, FACE_UP, FREE, lowest_bit, mask_of_bit
from service.rulesets.queens_garden.rules.steps import Reason


@helper
def shown_spaces(board: Record) -> int:
    """Return the mask of the spaces that show a hexagon."""
    mask = board.colours[0]
    for colour in range(1, KINDS):
        mask |= board.colours[colour]
    return mask


@helper
def group_from(mask: int, space: int) -> int:
    """Return the spaces of the mask connected to a space by neighbours within the mask, without the space itself."""
    reached = NEIGHBOURS[space] & mask
    frontier = reached
    while frontier:
        reachable = NEIGHBOURS[lowest_bit(frontier)] & mask & ~reached
        frontier = frontier & (frontier - 1) | reachable
        reached |= reachable
    return reached & ~mask_of_bit(space)


@helper
def has_repeated_hexagon(group: int, rows: int, own: int) -> bool:
    """Return True if a group with an added hexagon, `own` on the other axis, would show a hexagon twice."""
    for other in range(KINDS):
        shown = group & rows[other]  # type: ignore[index]  # an array of masks
        if shown and (other == own or shown & (shown - 1)):
            return True
    return False


@helper
def check_garden(board: Record, hexagon: int, space: int) -> int:
    """Return the reason why the hexagon cannot be placed on that free space, or 0."""
    colour, pattern = hexagon // KINDS, hexagon % KINDS
    near = NEIGHBOURS[space]
    same_colour, same_pattern = near & board.colours[colour], near & board.patterns[pattern]
    if not same_colour | same_pattern:
        return Reason.NEIGHBOURS_DIFFER if near & shown_spaces(board) else 0
    if same_colour and has_repeated_hexagon(group_from(board.colours[colour], space), board.patterns, pattern):
        return Reason.GROUP_REPEATS_HEXAGON
    if same_pattern and has_repeated_hexagon(group_from(board.patterns[pattern], space), board.colours, colour):
        return Reason.GROUP_REPEATS_HEXAGON
    return 0


@helper
def check_free(board: Record, space: int) -> int:
    """Return the reason why no tile can be placed on the space, or 0."""
    if board.open_spaces >> space & 1:
        return 0
    return Reason.SPACE_TAKEN if board.garden[space] else Reason.NO_BOARD_THERE


@helper
def check_area(board: Record, area: int) -> int:
    """Return the reason why no expansion can be placed on the area, or 0."""
    return 0 if board.area[area] == FREE else Reason.AREA_TAKEN


@helper
def spaces_for(board: Record, hexagon: int) -> int:
    """Return the mask of the free spaces that can take the hexagon."""
    mask, rest = 0, board.open_spaces
    while rest:
        space = lowest_bit(rest)
        rest &= rest - 1
        if check_garden(board, hexagon, space) == 0:
            mask |= mask_of_bit(space)
    return mask


@helper
def rotations_for(board: Record, hexagon: int, area: int) -> int:
    """Return the mask of the possible rotations of an expansion with that hexagon on the free area."""
    mask = 0
    for rotation in range(KINDS):
        if check_garden(board, hexagon, FIRST_OF_AREA[area] + rotation) == 0:
            mask |= 1 << rotation
    return mask


@helper
def show(board: Record, hexagon: int, space: int) -> None:
    """Put the hexagon on the space."""
    bit = mask_of_bit(space)
    board.garden[space] = hexagon + 1
    board.colours[hexagon // KINDS] |= bit
    board.patterns[hexagon % KINDS] |= bit
    board.open_spaces &= ~bit


@helper
def lay_expansion(board: Record, hexagon: int, area: int, rotation: int) -> None:
    """Place an expansion face up on the area: five free spaces, a pavilion, and the printed hexagon."""
    board.area[area] = FACE_UP + rotation
    board.open_spaces |= RING_OF_AREA[area]
    show(board, hexagon, FIRST_OF_AREA[area] + rotation)


@helper
def lay_face_down(board: Record, area: int) -> None:
    """Place an expansion face down on the area: seven free spaces."""
    board.area[area] = FACE_DOWN
    board.open_spaces |= RING_OF_AREA[area] | CENTRE_OF_AREA[area]


@helper
def is_complete(board: Record, element: int, shown: int) -> bool:
    """Return True if the element exists and all six spaces around it are in the mask of shown spaces."""
    if ELEMENT_SPACES[element] & ~shown:
        return False
    return element < FIRST_PAVILION or board.area[element - FIRST_PAVILION] >= FACE_UP


@helper
def jokers_of_space(board: Record, space: int) -> int:
    """Return the jokers for the elements completed by a tile that was placed on the space."""
    jokers, shown = 0, shown_spaces(board)
    for element in ELEMENTS_AT[space]:
        if element != NO_ELEMENT and is_complete(board, element, shown):
            jokers += JOKERS_OF[element]
    return jokers


@helper
def gain_jokers(board: Record, jokers: int) -> int:
    """Put jokers on the free tile spaces; the rest is lost. Return the number that fit."""
    fitting = min(jokers, TILE_SPACES - board.tile_count - board.jokers)
    board.jokers += fitting
    return fitting
