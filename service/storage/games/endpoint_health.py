"""Failures in a row of the endpoints of seats, over all games of an endpoint."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

from service.storage.base.bucket_store import BucketStore
from service.storage.base.transactions import Transaction, by_name

KEPT_FAILURES_MS = 7 * 86_400_000
"""Lifetime of an endpoint's failures after the last one."""


class Failures(NamedTuple):
    """Consecutive failed calls: their number, and unix ms of the first and the last."""

    number: int
    since_ms: int
    last_ms: int


class EndpointHealth(BucketStore):
    """Counts the failures of endpoints. Nothing is stored for an endpoint whose last call succeeded."""

    def get(self, endpoint_id: str) -> Failures | None:
        """Return the failures of the endpoint, or None if its last call succeeded."""
        return _failures(self._redis.hgetall(self._key(endpoint_id)))

    def fail(self, endpoint_id: str, now_ms: int) -> Failures:
        """Count a failure. Return all in a row."""
        key, change = self._key(endpoint_id), Transaction(self._redis)
        change.run("HINCRBY", key, "count", 1)
        change.run("HSETNX", key, "since", now_ms)
        change.run("HSET", key, "last", now_ms)
        change.run("PEXPIRE", key, KEPT_FAILURES_MS)
        change.run("HGETALL", key)
        return cast("Failures", _failures(by_name(change.commit().replies[-1])))

    def reset(self, endpoint_id: str) -> None:
        """Forget the failures, after a call that succeeded."""
        self._redis.delete(self._key(endpoint_id))

    def _key(self, endpoint_id: str) -> str:
        return self._keys.home(endpoint_id).endpoint_health(endpoint_id)


def _failures(fields: Any) -> Failures | None:
    return Failures(*(int(fields[name]) for name in (b"count", b"since", b"last"))) if fields else None
