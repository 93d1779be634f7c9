"""Bit masks: how many ones they have, and where those stand."""

from __future__ import annotations

from typing import Any

import numpy as np

from service.rulesets.kernel import Ints, helper, wrapping


def popcounts(width: int) -> Ints:
    """How many ones a mask of so many bits has, by mask. Kept small: each compiled rule has a copy."""
    return np.array([mask.bit_count() for mask in range(1 << width)], np.int64)


POPCOUNT = popcounts(10)


@helper
def without_lowest(mask: Any, count: int) -> Any:
    """A mask less so many of its lowest ones."""
    for _ in range(count):
        mask &= mask - 1
    return mask


@wrapping
def place_of_bit(mask: Any, rank: int) -> int:
    """Where the one of that rank stands in a mask of up to 10: rank 0 is the lowest."""
    rest = without_lowest(mask, rank)
    return POPCOUNT[(rest & -rest) - 1]
