"""A store that a newer version has changed is neither read nor written, until a backup is restored."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from redis import Redis
from structlog.testing import capture_logs

from service.app import create_app
from service.operate.redis.launcher import EmbeddedRedis
from service.settings import Settings
from service.storage.games.store_agreement import agree_on_version
from service.store_version import KEY, STORE_VERSION
from service.usecases.base.context import Context
from service.web.api import STORE_CODES
from tests.web.client import OPERATIONS, Client, refusal_of
from tests.web.table import Table
from workers import keeper

NEWER = (503, "service/newer_version")
ENTITY_ID = "AAAAAAAAAAAAAAAA"
NUMBERS = ("revision", "seat", "offer", "message")
"""Parameters of paths that are not ids."""
USING_THE_STORE = [
    name for name, (_, _, definition) in OPERATIONS.items() if STORE_CODES[-1] in str(definition["responses"])
]


def read_all(redis: Redis) -> dict[bytes, bytes | None]:
    """Return the content of all keys except those of the queue."""
    return {key: redis.dump(key) for key in redis.scan_iter("{b*")}


@pytest.fixture
def new_process(valkey: EmbeddedRedis, redis_client: Redis) -> Flask:
    """Return a web process that starts on a store of the next version."""
    redis_client.set(KEY, STORE_VERSION + 1)
    return create_app(Settings.from_environment({"REDIS_URL": valkey.url, "OUTGOING": "on"}))


def test_every_operation_that_uses_the_store_is_refused(new_process: Flask, redis_client: Redis) -> None:
    before = read_all(redis_client)
    for name in USING_THE_STORE:
        method, path, _ = OPERATIONS[name]
        path = re.sub(r"\{(\w+)\}", lambda found: "1" if found[1] in NUMBERS else ENTITY_ID, path)
        answer = Client(new_process.test_client()).send(method, path)
        assert NEWER == refusal_of(answer), name
    assert before == read_all(redis_client)


def test_readiness_reports_the_versions(new_process: Flask, redis_client: Redis) -> None:
    client = Client(new_process.test_client())
    checks = (client.get("/readyz").json or {})["checks"]
    assert (False, "newer_version", STORE_VERSION) == (checks["redis"], checks["outage"], checks["store_version"])
    redis_client.delete(KEY)  # as after a backup was restored
    assert (client.get("/readyz").json or {})["checks"]["redis"]


def test_running_processes_stop_using_a_store_that_becomes_newer(
    table: Table, context: Context, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 201 == table.act().status_code
    redis_client.set(KEY, STORE_VERSION + 1)
    before = read_all(redis_client)
    monkeypatch.setattr(context.clock, "refresh_at", 0.0)  # as REFRESH_S later
    for answer in (table.seat(0).post(f"{table.path}/resignation"), table.anyone.get(table.path)):
        assert NEWER == refusal_of(answer)
    assert before == read_all(redis_client)
    redis_client.delete(KEY)
    assert 201 == table.act().status_code


def test_a_keeper_does_not_start_on_a_newer_store(context: Context, redis_client: Redis) -> None:
    redis_client.set(KEY, STORE_VERSION + 1)
    before = read_all(redis_client)
    with capture_logs() as logs, pytest.raises(SystemExit, match="2"):
        keeper.keep(context)
    assert f"its version is {STORE_VERSION + 1}, and this service uses versions up to" in logs[0]["reason"]
    assert before == read_all(redis_client)


def test_the_first_keeper_stores_the_version_and_raises_an_older_one(redis_client: Redis) -> None:
    for stored in (None, b"0"):
        redis_client.delete(KEY)
        if stored is not None:
            redis_client.set(KEY, stored)
        agree_on_version(redis_client)
        assert str(STORE_VERSION).encode() == redis_client.get(KEY)
