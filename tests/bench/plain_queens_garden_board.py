"""What lies on the table in the plain-object Queen's Garden of plain_queens_garden.py: display, gardens, storages.

A hexagon is (colour, pattern), both from 0, so that `hexagon[axis]` is what it has of that axis; a pattern's value is
one more. Spaces are axial coordinates (q, r).
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

Hexagon = tuple[int, int]  # colour, pattern
Space = tuple[int, int]  # q, r

COLOUR, PATTERN = AXES = (0, 1)
KINDS = range(6)  # of colours, and of patterns
HEXAGONS: list[Hexagon] = [(colour, pattern) for colour in KINDS for pattern in KINDS]
TILE_SPACES, EXPANSION_SPACES = 12, 2

DIRECTIONS: list[Space] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
TOP = -1  # as a place of the display, beside the numbers of the expansions that left the stack

AREAS = range(6)
ROTATIONS = range(6)
AREA_CENTRES: list[Space] = [(3 * q, 3 * r) for q, r in DIRECTIONS]
FOUNTAIN: Space = (0, 0)
FOUNTAIN_JOKERS, BETWEEN_JOKERS, PAVILION_JOKERS = 1, 2, 3  # between neighbouring areas stand statues and benches


def value(hexagon: Hexagon) -> int:
    """What a hexagon costs, and what it scores in a group."""
    return hexagon[PATTERN] + 1


@functools.cache
def around(space: Space) -> list[Space]:
    """The six places next to a space, by direction."""
    return [(space[0] + q, space[1] + r) for q, r in DIRECTIONS]


def any_of(choices: Iterator[object]) -> bool:
    """Whether there is a choice at all."""
    return next(choices, None) is not None


def elements() -> dict[Space, int]:
    """Where elements stand, and how many jokers each is worth."""
    found = {FOUNTAIN: FOUNTAIN_JOKERS}
    for (q, r), (q_next, r_next) in zip(DIRECTIONS, DIRECTIONS[1:] + DIRECTIONS[:1], strict=True):
        found[q + q_next, r + r_next] = BETWEEN_JOKERS
    return found | dict.fromkeys(AREA_CENTRES, PAVILION_JOKERS)


ELEMENTS = elements()


class Piece(NamedTuple):
    """What lies in the display."""

    place: int
    hexagon: Hexagon
    expansion: bool = False


@dataclass
class Beside:
    """An expansion that has left the stack and still lies in the display."""

    number: int
    face: Hexagon
    tiles: list[Hexagon]
    turned: bool = False


@dataclass
class Display:
    """The stack of a round, its top last, the tiles on the top, and what lies beside the stack."""

    stack: list[Hexagon]
    top: list[Hexagon] = field(default_factory=list)
    beside: list[Beside] = field(default_factory=list)
    left: int = 0

    def move_top(self) -> None:
        """The top expansion moves beside the stack, with the tiles on it."""
        self.beside.append(Beside(self.left, self.stack.pop(), self.top))
        self.top = []
        self.left += 1

    def turn(self) -> None:
        """What carries no tiles beside the stack lies there with its face up."""
        for one in self.beside:
            one.turned = one.turned or not one.tiles

    def pieces(self) -> list[Piece]:
        """What can be taken; the same hexagon on the same place is told once."""
        found = [Piece(TOP, tile) for tile in self.top]
        for one in self.beside:
            found += [Piece(one.number, tile) for tile in one.tiles]
            if one.turned:
                found.append(Piece(one.number, one.face, expansion=True))
        return list(dict.fromkeys(found))

    def matching(self) -> dict[tuple[int, int], list[list[Piece]]]:
        """By axis and colour or pattern: for each hexagon that matches, the pieces that show it.

        A pattern that matches just what a colour matches is left out.
        """
        found: dict[tuple[int, int], dict[Hexagon, list[Piece]]] = {}
        for piece in self.pieces():
            for axis in AXES:
                hexagons = found.setdefault((axis, piece.hexagon[axis]), {})
                hexagons.setdefault(piece.hexagon, []).append(piece)
        every = {match: list(hexagons.values()) for match, hexagons in sorted(found.items())}
        colours = [sources for match, sources in every.items() if match[0] == COLOUR]
        return {match: sources for match, sources in every.items() if match[0] == COLOUR or sources not in colours}

    def take(self, piece: Piece) -> None:
        """The piece lies there no more."""
        if piece.place == TOP:
            self.top.remove(piece.hexagon)
            return
        one = next(one for one in self.beside if one.number == piece.place)
        if piece.expansion:
            self.beside.remove(one)
        else:
            one.tiles.remove(piece.hexagon)


class Garden:
    """The spaces that lie there so far, and the hexagons on them, printed ones too."""

    def __init__(self) -> None:
        self.spaces = set(around(FOUNTAIN))
        self.hexagons: dict[Space, Hexagon] = {}
        self.free_areas = list(AREAS)
        self.pavilions = 0
        self.bought: list[Hexagon] = []  # faces that nobody has seen

    def group(self, space: Space, axis: int, kind: int) -> set[Space]:
        """The space and all that hangs together with it in hexagons of one colour, or of one pattern."""
        found, reached = {space}, [space]
        while reached:
            for other in around(reached.pop()):
                if other in self.hexagons and other not in found and self.hexagons[other][axis] == kind:
                    found.add(other)
                    reached.append(other)
        return found

    def allows(self, space: Space, hexagon: Hexagon) -> bool:
        """Whether a neighbour, if there is any, has something in common, and no group would hold anything twice."""
        neighbours = [self.hexagons[other] for other in around(space) if other in self.hexagons]
        if not neighbours:
            return True
        if all(other[COLOUR] != hexagon[COLOUR] and other[PATTERN] != hexagon[PATTERN] for other in neighbours):
            return False
        for axis in AXES:
            group = self.group(space, axis, hexagon[axis]) - {space}
            if len({hexagon, *(self.hexagons[other] for other in group)}) <= len(group):
                return False
        return True

    def spaces_for(self, hexagon: Hexagon) -> Iterator[Space]:
        """Where a tile may be placed."""
        for space in self.spaces:
            if space not in self.hexagons and self.allows(space, hexagon):
                yield space

    def areas_for(self, hexagon: Hexagon) -> Iterator[tuple[int, int]]:
        """The areas and rotations in which an expansion may be placed."""
        for area in self.free_areas:
            for rotation, space in enumerate(around(AREA_CENTRES[area])):
                if self.allows(space, hexagon):
                    yield area, rotation

    def place_tile(self, hexagon: Hexagon, space: Space) -> int:
        """A tile lies there; how many jokers the elements bring that it completes."""
        self.hexagons[space] = hexagon
        return sum(
            ELEMENTS[at]
            for at in around(space)
            if at in ELEMENTS and at not in self.spaces and all(other in self.hexagons for other in around(at))
        )

    def place_expansion(self, hexagon: Hexagon, area: int, rotation: int) -> None:
        """An expansion lies there with its face up: six spaces round a pavilion."""
        self.free_areas.remove(area)
        self.spaces.update(around(AREA_CENTRES[area]))
        self.hexagons[around(AREA_CENTRES[area])[rotation]] = hexagon
        self.pavilions += 1

    def place_bought(self, face: Hexagon, area: int) -> None:
        """An expansion lies there with its face down: seven spaces, as the centre is one too."""
        self.free_areas.remove(area)
        self.spaces.update([*around(AREA_CENTRES[area]), AREA_CENTRES[area]])
        self.bought.append(face)

    def groups(self, axis: int) -> list[list[Hexagon]]:
        """All groups of one colour each, or of one pattern each."""
        found: list[list[Hexagon]] = []
        left = set(self.hexagons)
        while left:
            space = left.pop()
            group = self.group(space, axis, self.hexagons[space][axis])
            left -= group
            found.append([self.hexagons[other] for other in group])
        return found


class Payment(NamedTuple):
    """What leaves the storage together with the piece that is placed."""

    tiles: tuple[Hexagon, ...]
    expansions: tuple[Hexagon, ...]
    jokers: int


@dataclass
class Player:
    """A seat: points, storage, garden."""

    score: int = 15
    passed: bool = False
    jokers: int = 3
    tiles: list[Hexagon] = field(default_factory=list)
    expansions: list[Hexagon] = field(default_factory=list)
    garden: Garden = field(default_factory=Garden)

    def lose(self, points: int) -> None:
        """No loss takes a score below 0."""
        self.score = max(0, self.score - points)

    def room_for_tiles(self) -> int:
        """Free tile spaces of the storage."""
        return TILE_SPACES - len(self.tiles) - self.jokers

    def room_for_expansions(self) -> int:
        """Free expansion spaces of the storage."""
        return EXPANSION_SPACES - len(self.expansions)

    def payments(self, hexagon: Hexagon) -> Iterator[Payment]:
        """All ways to pay for a piece of the storage, each once."""
        wanted = value(hexagon) - 1
        if wanted <= self.jokers:
            yield Payment((), (), wanted)
        for axis in AXES:
            pieces = [(tile, False) for tile in sorted(set(self.tiles))] + [(face, True) for face in self.expansions]
            fitting = [piece for piece in pieces if piece[0] != hexagon and piece[0][axis] == hexagon[axis]]
            for count in range(max(1, wanted - self.jokers), wanted + 1):
                for chosen in itertools.combinations(fitting, count):
                    if len({other for other, _ in chosen}) == count:
                        yield Payment(
                            tuple(other for other, expansion in chosen if not expansion),
                            tuple(other for other, expansion in chosen if expansion),
                            wanted - count,
                        )

    def placeable_tiles(self) -> list[Hexagon]:
        """Different tiles of the storage that can be paid for and have a space."""
        tiles = sorted(set(self.tiles))
        return [tile for tile in tiles if any_of(self.payments(tile)) and any_of(self.garden.spaces_for(tile))]

    def placeable_expansions(self) -> list[Hexagon]:
        """Expansions of the storage that can be paid for and have an area."""
        faces = self.expansions
        return [face for face in faces if any_of(self.payments(face)) and any_of(self.garden.areas_for(face))]

    def gain_jokers(self, jokers: int) -> None:
        """As many as find a space."""
        self.jokers += min(jokers, self.room_for_tiles())
