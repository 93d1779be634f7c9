"""The log of a failing view contains its place and no secret, neither from local variables nor from the error."""

from __future__ import annotations

import importlib.util
import io
import secrets
from typing import Any

import pytest
import structlog
from flask import Flask
from redis import Redis

from service.operate.observability import logs
from service.outgoing import signing
from service.settings import Settings
from service.usecases.views import reading
from tests.web.client import Client
from tests.web.conftest import ADMIN_TOKEN
from tests.web.table import Table

PASSWORD = "of-our-redis"
KEY = "an-idempotency-key-of-the-caller"
API_KEY = "an api key that is no base64"


@pytest.fixture
def log_stream(request: pytest.FixtureRequest, restored_logging: None) -> io.StringIO:
    """Log to a stream in the format of the test's parameter."""
    stream = io.StringIO()
    settings = Settings.from_environment({"ADMIN_TOKEN": ADMIN_TOKEN, "REDIS_URL": f"redis://:{PASSWORD}@localhost"})
    logs.configure("DEBUG", request.param, stream, settings.secrets)
    return stream


def in_every_format(test: Any) -> Any:
    return pytest.mark.parametrize("log_stream", ["text", "json"], indirect=True)(test)


def all_secrets(table: Table) -> dict[str, Any]:
    """Return one secret of each kind."""
    return {
        "a seat's token": table.tokens["seats"]["0"],
        "a player's token": (table.anyone.post("/v1/players").json or {})["token"],
        "the operator's token": ADMIN_TOKEN,
        "a seed": secrets.token_hex(32),
        "a seed as bytes": secrets.token_bytes(32),
        "a webhook's secret": signing.new_secret(),
        "a ticket": secrets.token_urlsafe(32),
        "an idempotency key": KEY,
        "an API key": API_KEY,
        "the password of Redis": PASSWORD,
    }


@in_every_format
def test_a_failing_view_logs_its_traceback_and_no_secret(
    log_stream: io.StringIO, app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_values = all_secrets(table)

    def failing(*_: Any) -> None:
        local = dict(all_values)
        message = f"it met {list(local.values())}, redis://user:{PASSWORD}@host and Bearer {local['a ticket']}"
        structlog.get_logger("view").warning(message, token=local["a seat's token"], known=local)
        raise ValueError(message)

    monkeypatch.setattr(reading, "glance", failing)
    headers = {"Idempotency_Key": KEY, "X_Api_Key": API_KEY}
    ticket = all_values["a ticket"]
    answer = table.seat(0).get(f"{table.path}?wait=0", **headers)
    table.anyone.get(f"{table.path}/events?ticket={ticket}", **headers)
    assert 500 == answer.status_code
    actual = log_stream.getvalue()
    assert "ValueError" in actual
    assert "failing" in actual
    leaked = {kind: secret for kind, secret in all_values.items() if str(secret) in actual or repr(secret) in actual}
    assert {} == leaked


@in_every_format
def test_local_variables_are_not_logged(log_stream: io.StringIO, app: Flask, table: Table, monkeypatch: Any) -> None:
    """The installed `rich` would let structlog print local variables."""
    assert importlib.util.find_spec("rich") is not None

    def fail(*_: Any) -> None:
        harmless = "only-in-a-local-variable"
        raise ValueError(len(harmless))

    monkeypatch.setattr(reading, "glance", fail)
    table.anyone.get(table.path)
    assert "ValueError: 24" in log_stream.getvalue()
    assert "only-in-a-local-variable" not in log_stream.getvalue()


@in_every_format
def test_redis_errors_are_logged_without_secrets(log_stream: io.StringIO, anyone: Client, redis_client: Redis) -> None:
    """The error of a pipeline repeats the command with its arguments."""
    redis_client.config_set("maxmemory", 1)
    refusal = anyone.post("/v1/players", {"name": "Ana"})
    redis_client.config_set("maxmemory", 0)
    assert 503 == refusal.status_code
    assert "store unavailable" in log_stream.getvalue()
    assert not any(len(word) == 64 and word.isalnum() for word in log_stream.getvalue().split())
