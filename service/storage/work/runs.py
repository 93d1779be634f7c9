"""Runs of the laboratory: jobs on the queue, with a list of their results for the waiting process.

The waiting process renews a flag. Jobs of a run without that flag end at once.
"""

from __future__ import annotations

import secrets
from typing import Any, cast

from service.storage.base import keys
from service.storage.base.connect import RedisError, connect
from service.storage.base.pipelining import ask_all

__all__ = ["RedisError", "Run"]

WAITED_FOR_S = 60  # after the last renewal
REPORTS_S = 3600  # lifetime of reports that nobody reads


class Run:
    """A run, for the waiting process and for its workers. Every method may raise `RedisError`."""

    def __init__(self, redis: Any, run_id: str) -> None:
        self._redis, self.id = redis, run_id

    @classmethod
    def new(cls, redis_url: str) -> Run:
        """Return a new run. Raises `ValueError` for an invalid URL."""
        return cls(connect(redis_url), secrets.token_urlsafe(keys.ID_BYTES))

    def renew(self) -> None:
        """Renew the flag that a process waits for the reports."""
        self._redis.set(keys.run_key(self.id), 1, ex=WAITED_FOR_S)

    def end(self) -> None:
        """Delete the flag and the reports."""
        self._redis.delete(keys.run_key(self.id), keys.reports_key(self.id))

    @property
    def is_waited_for(self) -> bool:
        """True if a process waits for the reports."""
        return bool(self._redis.exists(keys.run_key(self.id)))

    def report(self, content: bytes) -> None:
        """Add the result of a job."""
        name = keys.reports_key(self.id)
        ask_all(self._redis, (("RPUSH", name, content), ("EXPIRE", name, REPORTS_S)))

    def next_report(self, wait_s: int) -> bytes | None:
        """Return the next report and remove it. Return None if there is none within `wait_s`."""
        reply = self._redis.blpop([keys.reports_key(self.id)], timeout=wait_s)
        return None if reply is None else cast("bytes", reply[1])
