"""What chance must bring to a position of Queen's Garden, from the published recipe and the position's JSON alone."""

from __future__ import annotations

from typing import Any

from tests.e2e.recipes import counting
from tests.textbook import Textbook

COLOURS = ("blue", "dark_green", "light_green", "yellow", "light_purple", "dark_purple")
PATTERNS = ("tree", "bird", "butterfly", "flower", "plant", "bellflower")
HEXAGONS = tuple(f"{colour} {pattern}" for colour in COLOURS for pattern in PATTERNS)

Counts = dict[str, dict[str, int]]


def flat(*counts: Counts) -> dict[str, int]:
    """How many of each hexagon."""
    results = dict.fromkeys(HEXAGONS, 0)
    for tiles in counts:
        for colour, patterns in tiles.items():
            for pattern, count in patterns.items():
                results[f"{colour} {pattern}"] += count
    return results


def named(hexagons: list[str]) -> list[dict[str, str]]:
    """As they stand in a draw."""
    pairs = [hexagon.split() for hexagon in hexagons]
    return [{"colour": colour, "pattern": pattern} for colour, pattern in pairs]


def draw(rng: Textbook, position: dict[str, Any]) -> dict[str, Any]:
    """The named draw: four tiles for the stack's top, or the faces of the expansions that turn face up."""
    if position["start_seat"] is None:
        return {"type": "queens-garden.first_seat", "seat": rng.below(len(position["seats"]))}
    if position["phase"] == "turn":
        unseen = {f"{face['colour']} {face['pattern']}": 1 for face in position["unseen"]}
        beside = position["display"]["beside"]
        turning = sum(not expansion["tiles"] and expansion["face"] is None for expansion in beside)
        return {"type": "queens-garden.turn", "faces": named(counting.drawn(rng, unseen, {}, HEXAGONS, turning))}
    tiles = flat(position["bag"])
    if sum(tiles.values()) < 4:
        tiles = flat(position["bag"], position["tower"])
    return {"type": "queens-garden.fill", "tiles": named(counting.drawn(rng, tiles, {}, HEXAGONS, 4))}
