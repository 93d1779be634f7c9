"""What all tests share: one real valkey for the run, an empty database for each test that asks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis

from service.operate.launcher import EmbeddedRedis


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedRedis]:
    """A running embedded Redis: `.url`, `.socket_url`, `.pid`, `.kill9()`, `.restart()`."""
    with EmbeddedRedis(tmp_path_factory.mktemp("valkey")) as server:
        yield server


@pytest.fixture
def redis_client(valkey: EmbeddedRedis) -> Iterator[redis.Redis]:
    """A client of `valkey`, emptied first; a server that a test has killed is started again."""
    if valkey.pid is None:
        valkey.restart()
    with redis.Redis.from_url(valkey.socket_url) as client:
        client.flushdb()
        yield client
