"""How the published recipes draw tiles: one by one, counting through the bag by colour."""

from __future__ import annotations

from typing import Any

from tests.textbook import Textbook

Tiles = dict[str, int]


def drawn(rng: Textbook, bag: Tiles, spare: Tiles, colours: tuple[str, ...], most: int) -> list[Any]:
    """Tiles in the order drawn; what is spare goes into the bag when it is empty, and not earlier."""
    left = [bag.get(colour, 0) for colour in colours]
    then = [spare.get(colour, 0) for colour in colours]
    tiles: list[Any] = []
    while len(tiles) < most:
        if not sum(left):
            left, then = then, [0] * len(colours)
            if not sum(left):
                break
        rest, kind = rng.below(sum(left)), 0
        while rest >= left[kind]:
            rest -= left[kind]
            kind += 1
        left[kind] -= 1
        tiles.append(colours[kind])
    return tiles
