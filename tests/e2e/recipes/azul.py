"""What chance must bring to a position of Azul, from the published recipe and the position's JSON alone."""

from __future__ import annotations

from typing import Any

from tests.e2e.recipes import counting
from tests.textbook import Textbook

COLOURS = ("blue", "yellow", "red", "black", "white")


def draw(rng: Textbook, position: dict[str, Any]) -> dict[str, Any]:
    """The named draw."""
    seats = len(position["seats"])
    if position["start_seat"] is None:
        return {"type": "azul.first_seat", "seat": rng.below(seats)}
    tiles = counting.drawn(rng, position["bag"], position["box_lid"], COLOURS, 4 * (2 * seats + 1))
    return {"type": "azul.deal", "tiles": tiles}
