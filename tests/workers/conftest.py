"""The doors to a real valkey, and processes that work there."""

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
    """The doors of a service with an empty store."""
    return open_context(Settings.from_environment({"REDIS_URL": valkey.url, "DATA_DIR": str(tmp_path)}))


@pytest.fixture
def at_work(context: Context, monkeypatch: pytest.MonkeyPatch) -> Context:
    """The doors of this process, which is the worker now."""
    monkeypatch.setattr(jobs, "context", lambda: context)
    return context


@pytest.fixture
def processes(valkey: EmbeddedRedis, redis_client: redis.Redis, tmp_path: Path) -> Iterator[Processes]:
    """What the test starts works at the test's valkey and does not outlive the test."""
    started = Processes(valkey.url, tmp_path)
    yield started
    started.end()
