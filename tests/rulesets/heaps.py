"""Heaps of tiles as positions tell them in JSON: how many of each colour, zeros left out."""

from __future__ import annotations

from typing import Any


def put(heap: dict[str, Any], tile: str, count: int = 1) -> None:
    """So many tiles more, or fewer; below zero where too few lay there, which no position tells."""
    heap[tile] = heap.get(tile, 0) + count
    if not heap[tile]:
        del heap[tile]
