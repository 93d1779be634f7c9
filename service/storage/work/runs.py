"""Work that somebody waits for: its jobs are on the queue, and what comes of them is put into a list of the run.

Who waits says again and again that it does; what is on the queue for a run that nobody waits for any more ends at once.
"""

from __future__ import annotations

import secrets
from typing import Any, cast

from service.storage.base import keys
from service.storage.base.connect import RedisError, connect
from service.storage.base.pipelining import ask_all

__all__ = ["RedisError", "Run"]

WAITED_FOR_S = 60  # after the last sign of life
REPORTS_S = 3600  # that nobody has fetched


class Run:
    """A run, as seen by who waits and by who works. Every method may raise `RedisError`."""

    def __init__(self, redis: Any, run_id: str) -> None:
        self._redis, self.id = redis, run_id

    @classmethod
    def new(cls, redis_url: str) -> Run:
        """A new one (ValueError: no URL that can be read)."""
        return cls(connect(redis_url), secrets.token_urlsafe(keys.ID_BYTES))

    def wait_on(self) -> None:
        """Say that its reports are waited for."""
        self._redis.set(keys.run(self.id), 1, ex=WAITED_FOR_S)

    def end(self) -> None:
        """Say that they are not, and forget them."""
        self._redis.delete(keys.run(self.id), keys.reports(self.id))

    @property
    def is_waited_for(self) -> bool:
        """Whether somebody does."""
        return bool(self._redis.exists(keys.run(self.id)))

    def report(self, content: bytes) -> None:
        """What has come of a part."""
        name = keys.reports(self.id)
        ask_all(self._redis, (("RPUSH", name, content), ("EXPIRE", name, REPORTS_S)))

    def next_report(self, wait_s: int) -> bytes | None:
        """A report, once; None if there is none for so long."""
        reply = self._redis.blpop([keys.reports(self.id)], timeout=wait_s)
        return None if reply is None else cast("bytes", reply[1])
