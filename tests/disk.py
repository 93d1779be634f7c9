"""A server's disk: its file written anew, and how it becomes full."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from redis import Redis
from redis.exceptions import ResponseError

from tests.patience import until


class Server(Protocol):
    """A running server, such as `EmbeddedRedis`."""

    @property
    def pid(self) -> int | None: ...
    @property
    def data_dir(self) -> Path: ...
    @property
    def url(self) -> str: ...


def rewritten(client: Redis) -> None:
    """Have the append-only file written anew, and wait until it is, also where the server does so already."""
    with suppress(ResponseError):
        client.bgrewriteaof()
    states = ("aof_rewrite_in_progress", "aof_rewrite_scheduled")
    until(lambda: not any(client.info("persistence")[state] for state in states), "the file is rewritten")


@contextmanager
def full(server: Server) -> Iterator[None]:
    """The server's disk is full: by a limit to the size of its files, which it meets as it would a full disk."""
    _, hard = resource.prlimit(server.pid or 0, resource.RLIMIT_FSIZE)
    files = [path.stat() for path in (server.data_dir / "redis" / "appendonlydir").glob("*.incr.aof")]
    written = max(files, key=lambda file: file.st_mtime_ns)
    resource.prlimit(server.pid or 0, resource.RLIMIT_FSIZE, (written.st_size + 1024, hard))
    with Redis.from_url(server.url) as client:
        try:
            until(lambda: not _writes(client), "the disk is full")
            yield
        finally:
            resource.prlimit(server.pid or 0, resource.RLIMIT_FSIZE, (hard, hard))
            until(lambda: _writes(client), "the disk is no longer full")


def _writes(client: Redis) -> bool:
    """Whether the server can be written."""
    try:
        return bool(client.set("filling", "x" * 1024, ex=1))
    except ResponseError:
        return False
