"""Which server's turns a worker takes, where the queue has several: each about as many workers as any other.

A worker begins where fewest are. Now and then it looks again: where there are more than elsewhere, some leave, each by
its own lot, so many that all are served alike if as many leave as are expected to.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

UNEVEN = 2
"""So many more workers than at another server are too many."""


def least_served(living: Mapping[int, int]) -> int:
    """Of servers that answer, with how many workers each has, one that has fewest; 0 where none answers."""
    fewest = min(living.values(), default=0)
    return random.choice([number for number, count in living.items() if count == fewest] or [0])


def should_leave(own: int, living: Mapping[int, int]) -> bool:
    """Whether a worker at the server `own` is to go where fewer are."""
    count = living.get(own, 0)
    if count < min(living.values(), default=count) + UNEVEN:
        return False
    return random.random() < 1 - sum(living.values()) / len(living) / count
