"""Distribution of workers over the queue's servers.

A worker starts at the server with the fewest workers. If a server later has too many, each of its workers leaves with
the probability that is expected to balance the servers.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

UNEVEN = 2
"""A server has too many workers if it has this many more than another one."""


def least_served(living: Mapping[int, int]) -> int:
    """Return a random server among those with the fewest workers, or 0. `living`: workers by reachable server."""
    fewest = min(living.values(), default=0)
    return random.choice([number for number, count in living.items() if count == fewest] or [0])


def should_leave(own: int, living: Mapping[int, int]) -> bool:
    """Decide randomly whether a worker at the server `own` should move to another one."""
    count = living.get(own, 0)
    if count < min(living.values(), default=count) + UNEVEN:
        return False
    return random.random() < 1 - sum(living.values()) / len(living) / count
