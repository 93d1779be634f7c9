"""Wait for conditions, never for a duration: no test depends on the speed or load of the machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from redis import Redis

T = TypeVar("T")

HANG_S = 120.0
"""Protection against hangs: longer than anything takes on a busy machine, shorter than pytest's limit for a test."""

POLL_S = 0.02


def wait_until(condition: Callable[[], T | None], what: str | Callable[[], str] = "") -> T:
    """Return the result of the condition once it is true.

    Raises:
        AssertionError: it has not become true for HANG_S seconds; the message is `what`, or what that returns.

    """
    end = time.monotonic() + HANG_S
    while not (result := condition()):
        assert time.monotonic() < end, what() if callable(what) else what
        time.sleep(POLL_S)
    return result


def redis_now_ms(client: Redis) -> int:
    """Return the Unix time in milliseconds by the clock that expires keys."""
    seconds, micros = client.time()
    return int(seconds * 1000 + micros // 1000)


def let_expire(client: Redis, seconds: float) -> None:
    """Make every key of a store that many seconds older."""
    for key in client.scan_iter():
        if (left_ms := client.pttl(key)) >= 0:
            client.pexpire(key, left_ms - round(1000 * seconds))
