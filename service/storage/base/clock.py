"""One clock for all processes: the time of the Redis server. Also detects a restarted or replaced server.

One process writes due times that another reads. If the clocks of their machines differed by an hour, a decision of an
AI would wait for an hour, and a person's time would be up an hour early. So each process reads the time of the server
now and then, and counts on with the monotonic clock, which nobody adjusts.

The version of the store is read together with the time. A store of a newer version is refused here, because every
change of the store needs the time.

A server that was killed, or that replaces another, may have lost the last seconds, and games then continue differently.
Caches of what was read from the server must be cleared then.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from redis import Redis

from service import store_version
from service.storage.base.connect import NewerStoreError, RedisError

REFRESH_S = 2.0
"""Clocks drift apart much more slowly than this."""
QUICK_S = 0.1
"""The time of a slower response is ignored. Half of the delay is the largest possible error."""


class Clock:
    """The time of the Redis server. Safe to share between threads and greenlets, and across a fork."""

    def __init__(
        self,
        redis: Redis,
        machine_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._redis = redis
        self.on_new_server: Callable[[], object] = bool
        """Called when another server responds, or the same server after a restart."""
        self._run_id: str | None = None
        self._machine_ms = machine_ms
        self._monotonic = monotonic
        self._zero_ms: float | None = None  # the server's time when the monotonic clock was 0
        self.refresh_at = float("-inf")
        """Value of `monotonic` from which the next call reads the server's time and the version of the store."""

    def now_ms(self) -> int:
        """Return unix time in milliseconds. Until the server has responded, this is the time of the machine.

        Raises NewerStoreError.
        """
        if self._zero_ms is None or self._monotonic() >= self.refresh_at:
            self._refresh()
        return self._machine_ms() if self._zero_ms is None else round(self._zero_ms + 1000 * self._monotonic())

    def _refresh(self) -> None:
        """Read the time of the server. If Redis is unavailable, the next refresh tries again."""
        before = self._monotonic()
        if self._zero_ms is not None:
            self.refresh_at = before + REFRESH_S  # so that other threads do not refresh, too
        try:
            seconds, micros = self._redis.time()
            after = self._monotonic()
            self._check_server(self._redis.info("server").get("run_id"))
            stored = self._redis.get(store_version.KEY)
        except RedisError:
            return
        if stored not in store_version.READABLE:
            self._zero_ms, self.refresh_at = None, float("-inf")  # every call reads the version again
            raise NewerStoreError(store_version.describe_newer(stored))
        self.refresh_at = before + REFRESH_S
        if after - before <= QUICK_S or self._zero_ms is None:
            self._zero_ms = 1000 * (seconds - (before + after) / 2) + micros / 1000

    def _check_server(self, run_id: str | None) -> None:
        if self._run_id not in (None, run_id):
            self.on_new_server()
        self._run_id = run_id
