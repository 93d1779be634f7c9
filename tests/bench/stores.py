"""A private Redis for a benchmark."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from redis import Redis

from service.operate.redis.launcher import EmbeddedRedis
from service.settings import Settings
from service.storage.base.connect import connect
from service.usecases.base.context import Context, open_context


@contextmanager
def own_redis() -> Iterator[EmbeddedRedis]:
    """Yield an empty server."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(Path(folder)) as server:
        yield server


@contextmanager
def own_context() -> Iterator[tuple[Context, Redis]]:
    """Yield the dependencies of such a server, and a connection."""
    with own_redis() as server, connect(server.socket_url) as redis:
        context = open_context(Settings.from_environment({"REDIS_URL": server.socket_url, "ACCESS_LOG": "off"}))
        try:
            yield context, redis
        finally:
            context.hub.close()
