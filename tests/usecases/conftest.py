"""The use cases on a real valkey, without workers: due work waits until a test executes it."""

from __future__ import annotations

from collections.abc import Iterator
from time import time_ns

import pytest
from redis import Redis

from service.operate.redis.launcher import EmbeddedRedis
from service.settings import Settings
from service.storage.games import hub
from service.usecases.base.context import Context, open_context
from tests.usecases.players import Time


@pytest.fixture(autouse=True)
def _short_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten reads, because a hub closes when its readers return."""
    monkeypatch.setattr(hub, "BLOCK_MS", 50)


@pytest.fixture
def context(valkey: EmbeddedRedis, redis_client: Redis, monkeypatch: pytest.MonkeyPatch) -> Iterator[Context]:
    """Open a context on an empty store. Its clock is that of the store, without the error of a slow answer."""
    opened = open_context(Settings.from_environment({"REDIS_URL": valkey.socket_url}))
    monkeypatch.setattr(opened, "now_ms", lambda: time_ns() // 1_000_000)
    yield opened
    opened.hub.close()


@pytest.fixture
def time(context: Context, monkeypatch: pytest.MonkeyPatch) -> Time:
    """Replace the clock of the use cases with one that the test moves."""
    return Time(context, monkeypatch)
