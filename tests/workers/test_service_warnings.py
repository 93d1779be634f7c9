"""Faults with which the service still runs are reported by `/readyz` and the metrics, and end with their cause."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis

from service.app import create_app
from service.operate import setting_warnings
from service.operate.redis.launcher import EmbeddedRedis
from service.operate.setting_warnings import MCP_MISSING, MISSPELT_SETTING
from service.settings import Settings
from service.usecases.base.context import open_context
from service.usecases.keeping import archiving
from service.usecases.keeping.service_warnings import ARCHIVE_UNREACHABLE, EVICTION_POLICY, WARNINGS
from tests.web.client import Client
from workers.exporter import WholeService

Report = Callable[..., list[str]]


@pytest.fixture
def report(valkey: EmbeddedRedis, redis_client: redis.Redis) -> Report:
    """Return a function that returns the warnings of a service that can play games, which the metrics confirm."""

    def warnings(**environment: str) -> list[str]:
        settings = Settings.from_environment({"REDIS_URL": valkey.url, **environment})
        context = open_context(settings)
        for kind in ("worker", "keeper"):
            context.queue.beat(kind, "one", 30)
        answer = Client(create_app(settings).test_client()).get("/readyz")
        assert 200 == answer.status_code, answer.text
        ready = answer.json or {}
        (family,) = (one for one in WholeService(context).collect() if one.name == "azul_warnings")
        gauges = {sample.labels["warning"]: sample.value for sample in family.samples}
        assert {code: float(code in ready["warnings"]) for code in WARNINGS} == gauges
        assert ready["status"] == ("degraded" if ready["warnings"] else "ready")
        return list(ready["warnings"])

    return warnings


@pytest.fixture
def _environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Read the variables of the process again, before and after the test."""
    setting_warnings.misspelt_here.cache_clear()
    yield
    monkeypatch.undo()
    setting_warnings.misspelt_here.cache_clear()


def test_an_archive_that_no_keeper_reaches_is_reported(report: Report, valkey: EmbeddedRedis, tmp_path: Path) -> None:
    archive = {"ARCHIVE_URL": "local", "DATA_DIR": str(tmp_path)}
    keeper = open_context(Settings.from_environment({"REDIS_URL": valkey.url, **archive}))
    assert [ARCHIVE_UNREACHABLE] == report(**archive)
    archiving.probe(keeper, "one")
    assert [] == report(**archive)
    shutil.rmtree(tmp_path / "archive")
    (tmp_path / "archive").touch()  # as if a disk could not be mounted
    archiving.probe(keeper, "one")
    assert [ARCHIVE_UNREACHABLE] == report(**archive)
    assert [] == report()


def test_a_redis_that_would_delete_games_is_reported(report: Report, redis_client: redis.Redis) -> None:
    redis_client.config_set("maxmemory-policy", "allkeys-lru")
    try:
        assert [EVICTION_POLICY] == report()
    finally:
        redis_client.config_set("maxmemory-policy", "noeviction")
    assert [] == report()


@pytest.mark.usefixtures("_environment")
def test_a_variable_that_looks_like_a_setting_is_reported(report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKES", "4")
    assert [MISSPELT_SETTING] == report()


def test_only_variables_that_look_like_a_setting_are_misspelt() -> None:
    wrong = {"WORKES": "WORKERS", "REDIS_ULR": "REDIS_URL", "limit_game": "LIMIT_GAMES", "PUBLICURL": "PUBLIC_URL"}
    others = ("HOSTNAME", "WEB_PORT", "REDIS_HOST", "VALKEY_PORT", "WEB_CONCURRENCY", "LOGNAME", "PATH", "WEB_LISTENER")
    assert wrong == setting_warnings.misspelt(dict.fromkeys([*wrong, *others, "WORKERS"], "4"))


def test_an_mcp_server_without_its_sdk_is_reported(report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [] == report(MCP_PORT="8765")
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "mcp" else found(name))
    assert [MCP_MISSING] == report(MCP_PORT="8765")
    assert [] == report()
