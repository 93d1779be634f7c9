"""What chance must bring to a position of Summer Pavilion, from the published recipe and the position's JSON alone."""

from __future__ import annotations

from typing import Any

from tests.e2e.recipes import counting
from tests.textbook import Textbook

COLOURS = ("purple", "green", "orange", "yellow", "blue", "red")


def draw(rng: Textbook, position: dict[str, Any]) -> dict[str, Any]:
    """The named draw: the supply up to ten, and for a deal four tiles for each factory."""
    seats, kind = len(position["seats"]), position["phase"]
    if position["start_seat"] is None:
        return {"type": "summer-pavilion.first_seat", "seat": rng.below(seats)}
    most = 10 - sum(position["supply"].values())
    if kind == "deal":
        most += 4 * (2 * seats + 1)
    return {
        "type": f"summer-pavilion.{kind}",
        "tiles": counting.drawn(rng, position["bag"], position["tower"], COLOURS, most),
    }
