"""Rewrite the append-only file of a server, and fill its disk."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from redis import Redis
from redis.exceptions import ResponseError

from tests.patience import wait_until


class Server(Protocol):
    """A running server, such as `EmbeddedRedis`."""

    @property
    def pid(self) -> int | None: ...
    @property
    def data_dir(self) -> Path: ...
    @property
    def url(self) -> str: ...


def rewrite_aof(client: Redis) -> None:
    """Rewrite the append-only file, and wait until this rewrite, or one that has already begun, has ended."""
    with suppress(ResponseError):
        client.bgrewriteaof()
    states = ("aof_rewrite_in_progress", "aof_rewrite_scheduled")
    wait_until(lambda: not any(client.info("persistence")[state] for state in states), "the file is rewritten")


@contextmanager
def full_disk(server: Server) -> Iterator[None]:
    """Limit the size of the server's files, so that its writes fail as on a full disk."""
    _, hard = resource.prlimit(server.pid or 0, resource.RLIMIT_FSIZE)
    files = [path.stat() for path in (server.data_dir / "redis" / "appendonlydir").glob("*.incr.aof")]
    written = max(files, key=lambda file: file.st_mtime_ns)
    resource.prlimit(server.pid or 0, resource.RLIMIT_FSIZE, (written.st_size + 1024, hard))
    with Redis.from_url(server.url) as client:
        try:
            wait_until(lambda: not _can_write(client), "the disk is full")
            yield
        finally:
            resource.prlimit(server.pid or 0, resource.RLIMIT_FSIZE, (hard, hard))
            wait_until(lambda: _can_write(client), "the disk is no longer full")


def _can_write(client: Redis) -> bool:
    """Return whether the server accepts writes."""
    try:
        return bool(client.set("filling", "x" * 1024, ex=1))
    except ResponseError:
        return False
