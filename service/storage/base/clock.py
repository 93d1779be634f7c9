"""One clock for all processes, on however many machines: that of the store; and whether it is still the same store.

What one process writes as due, another reads; where their machines' clocks differ by an hour, a decision of an AI waits
an hour, and a person's time is up an hour early. So each process asks the store for its time, now and then, and goes
on from there by the monotonic clock, which nobody sets.

A server that was killed, or another that took its place, may have lost the last seconds, and games then go on in
another way. Whoever remembers what was read of a store is told so.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from redis import Redis

from service.storage.base.connect import RedisError

AGAIN_S = 2.0
"""Clocks run alike for longer than this."""
QUICK_S = 0.1
"""An answer that took longer gives an older time; half of the delay bounds the error."""


class Clock:
    """The store's time; safe to share between threads and greenlets, and across a fork."""

    def __init__(
        self,
        redis: Redis,
        machine_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._redis = redis
        self.when_another: Callable[[], object] = bool
        """Called when another server answers, or the same one that was started again."""
        self._run_id: str | None = None
        self._machine_ms = machine_ms
        self._monotonic = monotonic
        self._zero_ms: float | None = None  # the store's time when the monotonic clock stood at 0
        self._again_at = float("-inf")

    def now_ms(self) -> int:
        """Unix time in milliseconds; by the machine's clock, until the store has answered."""
        if self._zero_ms is None or self._monotonic() >= self._again_at:
            self._ask()
        return self._machine_ms() if self._zero_ms is None else round(self._zero_ms + 1000 * self._monotonic())

    def _ask(self) -> None:
        """A store that is away is asked again later; the caller is about to notice it anyway."""
        before = self._monotonic()
        self._again_at = before + AGAIN_S  # others need not ask meanwhile
        try:
            seconds, micros = self._redis.time()
            answered = self._monotonic()
            self._look_at(self._redis.info("server").get("run_id"))
        except RedisError:
            return
        if answered - before <= QUICK_S or self._zero_ms is None:
            self._zero_ms = 1000 * (seconds - (before + answered) / 2) + micros / 1000

    def _look_at(self, run_id: str | None) -> None:
        if self._run_id not in (None, run_id):
            self.when_another()
        self._run_id = run_id
