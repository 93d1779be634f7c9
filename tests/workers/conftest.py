"""Dependencies on a real valkey, and processes that use it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from service.operate.redis.launcher import EmbeddedRedis
from service.settings import Settings
from service.usecases.base.context import Context, open_context
from tests.workers.processes import Processes
from workers import jobs


@pytest.fixture
def context(valkey: EmbeddedRedis, redis_client: redis.Redis, tmp_path: Path) -> Context:
    """Return the dependencies of a service with an empty store."""
    return open_context(Settings.from_environment({"REDIS_URL": valkey.url, "DATA_DIR": str(tmp_path)}))


@pytest.fixture
def at_work(context: Context, monkeypatch: pytest.MonkeyPatch) -> Context:
    """Make this process the worker, with these dependencies."""
    monkeypatch.setattr(jobs, "context", lambda: context)
    return context


@pytest.fixture
def processes(valkey: EmbeddedRedis, redis_client: redis.Redis, tmp_path: Path) -> Iterator[Processes]:
    """Yield a starter of processes that use the test's valkey and end with the test."""
    started = Processes(valkey.url, tmp_path)
    yield started
    started.end()
