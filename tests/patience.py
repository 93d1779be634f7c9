"""How long tests wait, and how time passes without waiting: nothing in them depends on how fast the machine is."""

from __future__ import annotations

from redis import Redis

SOON_S = 10.0
"""What is to happen at once has happened by then; what a test says goes on for longer would still be going on."""


def by_redis(client: Redis) -> int:
    """Unix time in milliseconds, by the clock that expires keys."""
    seconds, micros = client.time()
    return int(seconds * 1000 + micros // 1000)


def let_expire(client: Redis, seconds: float) -> None:
    """As if so much time had passed for all keys of a store."""
    for key in client.scan_iter():
        if (left_ms := client.pttl(key)) >= 0:
            client.pexpire(key, left_ms - round(1000 * seconds))
