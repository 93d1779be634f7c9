"""Piles of tiles as JSON: the number of each colour, without zeros."""

from __future__ import annotations

from typing import Any


def add_tiles(heap: dict[str, Any], tile: str, count: int = 1) -> None:
    """Add tiles, or remove them with a negative count. An invalid pile has a count below zero."""
    heap[tile] = heap.get(tile, 0) + count
    if not heap[tile]:
        del heap[tile]
