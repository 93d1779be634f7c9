"""A server's disk: its file written anew, and how it becomes full."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from redis import Redis
from redis.exceptions import ResponseError

from tests.patience import HANG_S


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
    end = time.monotonic() + 20.0
    while any(client.info("persistence")[f"aof_rewrite_{how}"] for how in ("in_progress", "scheduled")):
        assert time.monotonic() < end, "the file is not rewritten"
        time.sleep(0.02)


@contextmanager
def full(server: Server) -> Iterator[None]:
    """The server's disk is full: by a limit to the size of its files, which it meets as it would a full disk."""
    _, hard = resource.prlimit(server.pid or 0, resource.RLIMIT_FSIZE)
    files = [path.stat() for path in (server.data_dir / "redis" / "appendonlydir").glob("*.incr.aof")]
    written = max(files, key=lambda file: file.st_mtime_ns)
    resource.prlimit(server.pid or 0, resource.RLIMIT_FSIZE, (written.st_size + 1024, hard))
    with Redis.from_url(server.url) as client:
        try:
            assert not _writes(client, within_s=HANG_S, wanted=False), "the disk is not full"
            yield
        finally:
            resource.prlimit(server.pid or 0, resource.RLIMIT_FSIZE, (hard, hard))
            assert _writes(client, within_s=HANG_S, wanted=True), "the disk is still full"


def _writes(client: Redis, *, within_s: float, wanted: bool) -> bool:
    """Whether the server can be written, as soon as that is as wanted."""
    end = time.monotonic() + within_s
    while True:
        try:
            client.set("filling", "x" * 1024, ex=1)
            results = True
        except ResponseError:
            results = False
        if results == wanted or time.monotonic() > end:
            return results
        time.sleep(0.05)
