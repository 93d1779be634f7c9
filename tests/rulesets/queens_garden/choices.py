"""Expands the choices: every action once. Each part must belong to an action."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from service.rulesets.wire import Json


def expand(choices: Json) -> Iterator[Json]:
    """Named actions."""
    for chosen in choices["acquire"]:
        yield from acquisitions(chosen, choices["tile_spaces"], choices["expansion_spaces"])
    for tile in choices["place_tile"]:
        for space, payment in itertools.product(tile["spaces"], payments(tile["payment"])):
            where = {"hexagon": tile["hexagon"], "space": space["space"]}
            yield {"type": "queens-garden.place_tile", **where, "payment": payment}
    for expansion in choices["place_expansion"]:
        lying = [
            {"area": placement["area"], "rotation": rotation}
            for placement in expansion["placements"]
            for rotation in placement["rotations"]
        ]
        for where, payment in itertools.product(lying, payments(expansion["payment"])):
            yield {
                "type": "queens-garden.place_expansion",
                "hexagon": expansion["hexagon"],
                **where,
                "payment": payment,
            }
    for bought in choices["buy_expansion"]:
        yield {"type": "queens-garden.buy_expansion", "area": bought["area"]}
    yield from passes(choices["pass"]["tiles"], choices["pass"]["expansions"])


def acquisitions(chosen: Json, tile_spaces: int, expansion_spaces: int) -> Iterator[Json]:
    """Yield the acquisitions: one source for each hexagon, so that all pieces fit."""
    options = [[{**source, "hexagon": piece["hexagon"]} for source in piece["sources"]] for piece in chosen["pieces"]]
    unused = [piece for pieces in options for piece in pieces]
    for pieces in itertools.product(*options):
        expansions = sum(piece["kind"] == "expansion" for piece in pieces)
        if expansions <= expansion_spaces and len(pieces) - expansions <= tile_spaces:
            unused = [piece for piece in unused if piece not in pieces]
            yield {
                "type": "queens-garden.acquire",
                "by": chosen["by"],
                "value": chosen["value"],
                "pieces": list(pieces),
            }
    assert [] == unused


def payments(choice: Json) -> Iterator[Json]:
    """Yield the payments: hexagons of one list, each as one of its kinds. Jokers make up the number."""
    for name in ("by_colour", "by_pattern"):
        unused = [(other["hexagon"], kind) for other in choice[name] for kind in other["kinds"]]
        options = [[(other["hexagon"], kind) for kind in (None, *other["kinds"])] for other in choice[name]]
        for given in itertools.product(*options):
            pieces = {
                kind: [hexagon for hexagon, chosen_kind in given if chosen_kind == kind]
                for kind in ("tile", "expansion")
            }
            jokers = choice["pieces"] - len(pieces["tile"]) - len(pieces["expansion"])
            if 0 <= jokers <= choice["jokers"]:
                unused = [part for part in unused if part not in given]
                if name == "by_colour" or jokers < choice["pieces"]:  # payments with jokers only occur once
                    yield {"tiles": pieces["tile"], "expansions": pieces["expansion"], "jokers": jokers}
        assert [] == unused


def passes(tiles: dict[str, dict[str, int]], expansions: list[Json]) -> Iterator[Json]:
    """Yield the passes: any pieces of the storage may be discarded."""
    held = [
        ({"colour": colour, "pattern": pattern}, count)
        for colour, row in tiles.items()
        for pattern, count in row.items()
    ]
    discards = [
        [hexagon for (hexagon, _), number in zip(held, numbers, strict=True) for _ in range(number)]
        for numbers in itertools.product(*(range(count + 1) for _, count in held))
    ]
    for number in range(len(expansions) + 1):
        for given in itertools.combinations(expansions, number):
            for discarded in discards:
                yield {"type": "queens-garden.pass", "discard": {"tiles": discarded, "expansions": list(given)}}
