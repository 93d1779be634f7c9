"""A bag that tiles are drawn from one by one, and the reserve that goes into it whenever it is empty, not earlier.

Azul's reserve is the box lid, Summer Pavilion's the tower. `bag` and `reserve` are counts by kind of tile.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from service.rulesets.kernel import Ints, RngState, draw, helper


@helper
def sample_tiles(bag: Any, reserve: Any, most: int, rng: RngState, out: Ints) -> int:
    """Up to `most` tiles in the order drawn; how many: fewer where bag and reserve run out. Nothing is removed."""
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
def could_be_drawn(bag: Any, reserve: Any, most: int, tiles: Ints) -> bool:
    """Whether these tiles, in this order, could be what `sample_tiles` brings."""
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
def take_out(bag: Any, reserve: Any, tiles: Ints) -> None:
    """The drawn tiles leave the bag, in place."""
    left = bag.sum()
    for tile in tiles:
        if left == 0:
            for kind in range(len(bag)):
                bag[kind], reserve[kind] = reserve[kind], 0
            left = bag.sum()
        bag[tile] -= 1
        left -= 1
