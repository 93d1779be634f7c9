"""Bit masks: number and positions of one bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from service.rulesets.kernel import Ints, helper, wrapping


def popcounts(width: int) -> Ints:
    """Return the number of one bits of each mask of this width.

    Each compiled rule has a copy, so the table is small.
    """
    return np.array([mask.bit_count() for mask in range(1 << width)], np.int64)


POPCOUNT = popcounts(10)


@helper
def without_lowest(mask: Any, count: int) -> Any:
    """Return the mask without its lowest `count` one bits."""
    for _ in range(count):
        mask &= mask - 1
    return mask


@wrapping
def place_of_bit(mask: Any, rank: int) -> int:
    """Return the position of the one bit of a rank in a mask of up to 10 bits; rank 0 is the lowest."""
    rest = without_lowest(mask, rank)
    return POPCOUNT[(rest & -rest) - 1]
