"""Optimistic changes: read, compute, and write only if nobody has written in between; otherwise try again."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeVar

from redis.exceptions import RedisError

MAX_TRIES = 200
PAUSE_S, MAX_PAUSE_S = 0.002, 0.02
Result = TypeVar("Result")


class LostRace(Exception):  # noqa: N818 - the name says what happened
    """Another writer was faster; nothing was written."""


def optimistic(attempt: Callable[[], Result]) -> Result:
    """Return the result of the attempt, which is repeated while it raises `LostRace`.

    Raises what the attempt raises; `redis.exceptions.RedisError` after `MAX_TRIES`.
    """
    for number in range(1, MAX_TRIES + 1):
        try:
            return attempt()
        except LostRace:
            time.sleep(random.uniform(0, min(number * PAUSE_S, MAX_PAUSE_S)))
    raise RedisError(f"{MAX_TRIES} attempts to change something were too late")
