"""Optimistic changes: read, compute, and write only if no other writer has written in between. Otherwise retry."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeVar

from redis.exceptions import RedisError

MAX_TRIES = 200
PAUSE_S, MAX_PAUSE_S = 0.002, 0.02
Result = TypeVar("Result")


class LostRaceError(RedisError):
    """Another writer was faster; nothing was written."""


def optimistic(
    attempt: Callable[[], Result], is_lost: Callable[[Exception], bool] = lambda error: isinstance(error, LostRaceError)
) -> Result:
    """Return the result of the attempt. Repeat it after errors that mean that another writer was faster.

    Raises any other error, and that of the last attempt.
    """
    for number in range(1, MAX_TRIES):
        try:
            return attempt()
        except Exception as error:
            if not is_lost(error):
                raise
        time.sleep(random.uniform(0, min(number * PAUSE_S, MAX_PAUSE_S)))
    return attempt()
