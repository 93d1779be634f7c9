"""The garden from axial coordinates and the places of its elements, typed by hand from the facts file.

A space is (q, r). Nothing here asks the code what is printed: the tables follow from six directions.
"""

from __future__ import annotations

from collections.abc import Collection

Space = tuple[int, int]

DIRECTIONS: tuple[Space, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
AREAS = range(6)


def ring(centre: Space) -> tuple[Space, ...]:
    """Return the six places around a place, by direction."""
    return tuple((centre[0] + q, centre[1] + r) for q, r in DIRECTIONS)


CENTRES: tuple[Space, ...] = tuple((3 * q, 3 * r) for q, r in DIRECTIONS)
FOUNTAIN_RING = ring((0, 0))
AREA_RINGS = tuple(ring(centre) for centre in CENTRES)
RING_SPACES = (*FOUNTAIN_RING, *(space for area_ring in AREA_RINGS for space in area_ring))
SPACES = (*FOUNTAIN_RING, *(space for area in AREAS for space in (*AREA_RINGS[area], CENTRES[area])))

ELEMENT_AT: dict[str, Space] = {
    "fountain": (0, 0),
    "bench0": (1, 1),
    "statue1": (-1, 2),
    "bench2": (-2, 1),
    "statue3": (-1, -1),
    "bench4": (1, -2),
    "statue5": (2, -1),
    **{f"pavilion{area}": CENTRES[area] for area in AREAS},
}
ELEMENTS = tuple(ELEMENT_AT)
JOKERS = {"fountain": 1, "statue": 2, "bench": 2, "pavilion": 3}


def kind_of(element: str) -> str:
    """`bench` of `bench0`."""
    return element.rstrip("012345")


def jokers_of(element: str) -> int:
    """Return the jokers for surrounding the element."""
    return JOKERS[kind_of(element)]


def spaces_around(element: str) -> tuple[Space, ...]:
    """Return the six spaces around an element."""
    return ring(ELEMENT_AT[element])


def elements_at(space: Space) -> list[str]:
    """Return the elements that a space helps to surround."""
    return [element for element in ELEMENTS if space in spaces_around(element)]


def areas_of(spaces: Collection[Space]) -> list[int]:
    """Return the areas that contain some of the spaces."""
    return [area for area in AREAS if {*AREA_RINGS[area], CENTRES[area]} & set(spaces)]


def neighbours(space: Space) -> list[Space]:
    """Return the spaces beside a space."""
    return [other for other in ring(space) if other in SPACES]


def connected_parts(spaces: Collection[Space]) -> list[set[Space]]:
    """Return the connected parts of some spaces."""
    left, parts = set(spaces), []
    while left:
        part, edge = set[Space](), {min(left)}
        while edge:
            part |= edge
            edge = {other for space in edge for other in ring(space) if other in left} - part
        parts.append(part)
        left -= part
    return parts
