"""The use cases on a real valkey, without workers: what is due stays due until a test plays it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis

from service.cases import Cases, open_cases
from service.operate.launcher import EmbeddedRedis
from service.settings import Settings
from tests.cases.people import Time


@pytest.fixture
def cases(valkey: EmbeddedRedis, redis_client: redis.Redis) -> Iterator[Cases]:
    """Doors to an empty store."""
    opened = open_cases(Settings.from_environment({"REDIS_URL": valkey.socket_url}))
    yield opened
    opened.hub.close()


@pytest.fixture
def time(cases: Cases, monkeypatch: pytest.MonkeyPatch) -> Time:
    """What the use cases take for now; moved by the test."""
    return Time(cases, monkeypatch)
