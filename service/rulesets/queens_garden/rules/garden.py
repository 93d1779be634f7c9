"""The garden: where a hexagon may lie, and which elements it completes.

Where a space has neighbours with hexagons, at least one of them shares the colour or the pattern. After placing,
neither the connected group of its colour nor that of its pattern holds two identical hexagons, however they are joined.
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
from service.rulesets.queens_garden.rules.state import FACE_DOWN, FACE_UP, FREE, one, place_of
from service.rulesets.queens_garden.rules.steps import Reason


@helper
def occupied(board: Record) -> int:
    """Mask of the spaces that show a hexagon."""
    mask = board.colours[0]
    for colour in range(1, KINDS):
        mask |= board.colours[colour]
    return mask


@helper
def group_from(mask: int, space: int) -> int:
    """The spaces of the mask that a chain of neighbours, all in the mask, joins to a space (itself not counted)."""
    reached = NEIGHBOURS[space] & mask
    frontier = reached
    while frontier:
        reachable = NEIGHBOURS[place_of(frontier)] & mask & ~reached
        frontier = frontier & (frontier - 1) | reachable
        reached |= reachable
    return reached & ~one(space)


@helper
def repeats(group: int, rows: int, own: int) -> bool:
    """Whether a group, joined by a hexagon that is `own` on the other axis, would show something there twice."""
    for other in range(KINDS):
        shown = group & rows[other]  # type: ignore[index]  # an array of masks
        if shown and (other == own or shown & (shown - 1)):
            return True
    return False


@helper
def check_garden(board: Record, hexagon: int, space: int) -> int:
    """Why the hexagon may not lie on that free space, or 0."""
    colour, pattern = hexagon // KINDS, hexagon % KINDS
    near = NEIGHBOURS[space]
    same_colour, same_pattern = near & board.colours[colour], near & board.patterns[pattern]
    if not same_colour | same_pattern:
        return Reason.NEIGHBOURS_DIFFER if near & occupied(board) else 0
    if same_colour and repeats(group_from(board.colours[colour], space), board.patterns, pattern):
        return Reason.GROUP_REPEATS_HEXAGON
    if same_pattern and repeats(group_from(board.patterns[pattern], space), board.colours, colour):
        return Reason.GROUP_REPEATS_HEXAGON
    return 0


@helper
def check_free(board: Record, space: int) -> int:
    """Why no tile may lie on the space, or 0."""
    if board.open_spaces >> space & 1:
        return 0
    return Reason.SPACE_TAKEN if board.garden[space] else Reason.NO_BOARD_THERE


@helper
def check_area(board: Record, area: int) -> int:
    """Why no expansion may lie on the area, or 0."""
    return 0 if board.area[area] == FREE else Reason.AREA_TAKEN


@helper
def spaces_for(board: Record, hexagon: int) -> int:
    """Mask of the free spaces that may take the hexagon."""
    mask, rest = 0, board.open_spaces
    while rest:
        space = place_of(rest)
        rest &= rest - 1
        if check_garden(board, hexagon, space) == 0:
            mask |= one(space)
    return mask


@helper
def rotations_for(board: Record, hexagon: int, area: int) -> int:
    """Mask of the rotations in which an expansion with that hexagon may lie on the free area."""
    mask = 0
    for rotation in range(KINDS):
        if check_garden(board, hexagon, FIRST_OF_AREA[area] + rotation) == 0:
            mask |= 1 << rotation
    return mask


@helper
def show(board: Record, hexagon: int, space: int) -> None:
    """The hexagon lies on the space."""
    bit = one(space)
    board.garden[space] = hexagon + 1
    board.colours[hexagon // KINDS] |= bit
    board.patterns[hexagon % KINDS] |= bit
    board.open_spaces &= ~bit


@helper
def lay_expansion(board: Record, hexagon: int, area: int, rotation: int) -> None:
    """An expansion lies face up on the area: five free spaces, a pavilion, and the printed hexagon."""
    board.area[area] = FACE_UP + rotation
    board.open_spaces |= RING_OF_AREA[area]
    show(board, hexagon, FIRST_OF_AREA[area] + rotation)


@helper
def lay_face_down(board: Record, area: int) -> None:
    """An expansion lies face down on the area: seven free spaces."""
    board.area[area] = FACE_DOWN
    board.open_spaces |= RING_OF_AREA[area] | CENTRE_OF_AREA[area]


@helper
def is_complete(board: Record, element: int, shown: int) -> bool:
    """Whether the element is there, and all six spaces round it are among those that show hexagons."""
    if ELEMENT_SPACES[element] & ~shown:
        return False
    return element < FIRST_PAVILION or board.area[element - FIRST_PAVILION] >= FACE_UP


@helper
def jokers_of_space(board: Record, space: int) -> int:
    """Jokers for the elements that a tile on the space, which lies there already, has completed."""
    jokers, shown = 0, occupied(board)
    for element in ELEMENTS_AT[space]:
        if element != NO_ELEMENT and is_complete(board, element, shown):
            jokers += JOKERS_OF[element]
    return jokers


@helper
def gain_jokers(board: Record, jokers: int) -> int:
    """Jokers go to the free tile spaces; what does not fit is lost. How many fitted."""
    fitting = min(jokers, TILE_SPACES - board.tile_count - board.jokers)
    board.jokers += fitting
    return fitting
