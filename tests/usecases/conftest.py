"""The use cases on a real valkey, without workers: what is due stays due until a test plays it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis

from service.operate.redis.launcher import EmbeddedRedis
from service.settings import Settings
from service.storage.games import hub
from service.usecases.base.context import Context, open_context
from tests.usecases.players import Time


@pytest.fixture(autouse=True)
def _short_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hub closes when its readers return."""
    monkeypatch.setattr(hub, "BLOCK_MS", 50)


@pytest.fixture
def context(valkey: EmbeddedRedis, redis_client: redis.Redis) -> Iterator[Context]:
    """Doors to an empty store."""
    opened = open_context(Settings.from_environment({"REDIS_URL": valkey.socket_url}))
    yield opened
    opened.hub.close()


@pytest.fixture
def time(context: Context, monkeypatch: pytest.MonkeyPatch) -> Time:
    """What the use cases take for now; moved by the test."""
    return Time(context, monkeypatch)
