"""Accessible names of the places of a table: wheel, display, areas of a garden, and storage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from service.rulesets.pictures.drawing import Scene, Words
from service.rulesets.queens_garden.letters import list_tiles
from service.rulesets.queens_garden.rules.components import DIRECTIONS, TILE_SPACES, Space
from service.rulesets.wire import Json


def wheel_label(scene: Scene, printed: Json) -> str:
    """Return the scoring of each round in words, and the present round. `printed`: a side of the wheel."""
    words = scene.words
    quarters = [
        words.format(
            "quarter",
            round=quarter["round"],
            shown=", ".join(words.format("scores", value=each["shown"], **each) for each in quarter["shown"]),
        )
        for quarter in printed["rounds"]
    ]
    return words.format(
        "wheel",
        round=scene.position["round"],
        pavilion=printed["pavilion_points"],
        quarters="; ".join(quarters),
    )


def stack_label(words: Words, display: Json) -> str:
    """Return the stack of the display in words, with the tiles on top."""
    return words.format("stack", count=display["stack"], tiles=_list(words, display["top"]))


def expansion_label(words: Words, number: int, lying: Json | None) -> str:
    """Return a place beside the stack in words: free, with tiles, or a face-up expansion."""
    face = lying["face"] if lying else None
    content = words.format("expansion", hexagon=face) if face else _list(words, lying["tiles"] if lying else [])
    return words.format("beside-stack", number=number + 1, content=content)


def area_label(words: Words, area: int, lying: Json | None, shown: Mapping[Space, Json], centre: Space) -> str:
    """Return an area of a garden in words, space by space. `shown`: the garden's hexagons by space."""
    if lying is None:
        return words.format("free-area", number=area + 1)
    middle = ["middle"] if lying["face"] != "up" else []
    spaces = [_space_text(words, direction, shown, centre) for direction in (*range(len(DIRECTIONS)), *middle)]
    return words.format("area", number=area + 1, face=lying["face"], spaces=", ".join(spaces))


def fountain_label(words: Words, shown: Mapping[Space, Json]) -> str:
    """Return the spaces around the fountain in words."""
    spaces = [_space_text(words, direction, shown, (0, 0)) for direction in range(len(DIRECTIONS))]
    return words.format("fountain", spaces=", ".join(spaces))


def surrounded_label(words: Words, kinds: Iterable[str]) -> str:
    """Return the number of surrounded elements of each kind in words."""
    counts = [words.format("element", kind=kind, count=count) for kind, count in sorted(Counter(kinds).items())]
    return words.format("surrounded", elements=", ".join(counts) or words["nothing"])


def storage_label(words: Words, board: Json) -> str:
    """Return a storage in words: tiles, expansions, jokers, and free spaces for tiles."""
    tiles = list_tiles(board["tiles"])
    expansions = [words.format("expansion", hexagon=face) for face in board["expansions"]]
    return words.format(
        "storage",
        pieces=", ".join([*_hexagons(words, tiles), *expansions]) or words["nothing"],
        jokers=board["jokers"],
        free=TILE_SPACES - len(tiles) - board["jokers"],
    )


def _list(words: Words, hexagons: Sequence[Json]) -> str:
    return ", ".join(_hexagons(words, hexagons)) or words["empty"]


def _hexagons(words: Words, hexagons: Sequence[Json]) -> list[str]:
    return [words.format("hexagon", hexagon=each) for each in hexagons]


def _space_text(words: Words, direction: int | str, shown: Mapping[Space, Json], centre: Space) -> str:
    """Return a space and its hexagon in words. `direction`: from the centre, or "middle"."""
    q, r = DIRECTIONS[direction] if isinstance(direction, int) else (0, 0)
    found = shown.get((centre[0] + q, centre[1] + r))
    content = words.format("hexagon", hexagon=found["hexagon"]) if found else words["free"]
    return words.format("garden-space", rotation=direction, content=content)
