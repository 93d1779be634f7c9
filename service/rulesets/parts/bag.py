"""A bag from which tiles are drawn one by one, and the reserve that fills it when it is empty.

The reserve is the box lid in Azul and the tower in Summer Pavilion. `bag` and `reserve` are counts by kind of tile.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from service.rulesets.kernel import Ints, RngState, draw, helper


@helper
def sample_tiles(bag: Any, reserve: Any, most: int, rng: RngState, out: Ints) -> int:
    """Sample up to `most` tiles in the order drawn and return their number; less only if both are empty.

    Nothing is removed.
    """
    left_in, left_out = bag.astype(np.int64), reserve.astype(np.int64)
    left = left_in.sum()
    count = 0
    while count < most:
        if left == 0:
            left_in, left_out = left_out, left_in
            left = left_in.sum()
            if left == 0:
                break
        out[count] = draw(rng, left_in, left)
        left_in[out[count]] -= 1
        left -= 1
        count += 1
    return count


@helper
def is_possible_draw(bag: Any, reserve: Any, most: int, tiles: Ints) -> bool:
    """Return True if `sample_tiles` could return these tiles in this order."""
    left_in, left_out = bag.astype(np.int64), reserve.astype(np.int64)
    if len(tiles) != min(most, left_in.sum() + left_out.sum()):
        return False
    for tile in tiles:
        if not 0 <= tile < len(left_in):
            return False
        if left_in.sum() == 0:
            left_in, left_out = left_out, left_in
        if left_in[tile] == 0:
            return False
        left_in[tile] -= 1
    return True


@helper
def remove_drawn(bag: Any, reserve: Any, tiles: Ints) -> None:
    """Remove the drawn tiles from the bag, in place."""
    left = bag.sum()
    for tile in tiles:
        if left == 0:
            for kind in range(len(bag)):
                bag[kind], reserve[kind] = reserve[kind], 0
            left = bag.sum()
        bag[tile] -= 1
        left -= 1
