"""The access log: a line for each request, which names what was asked and nothing that opens anything."""

from __future__ import annotations

import io
import json
import secrets
from collections.abc import Callable
from typing import Any

import pytest
import redis

from service.app import create_app
from service.operate.observability import logs
from service.operate.redis.launcher import EmbeddedRedis
from service.settings import Settings
from tests.web.client import Client
from tests.web.conftest import ADMIN_TOKEN
from tests.web.table import Table

KEY = "an-idempotency-key-of-the-caller"


@pytest.fixture
def log(restored_logging: None) -> Callable[[], list[dict[str, Any]]]:
    """The records of requests that were logged since the last look; all text stands in `.text`."""
    stream = io.StringIO()
    logs.configure("INFO", "json", stream, (ADMIN_TOKEN,))

    def records() -> list[dict[str, Any]]:
        read = [json.loads(line) for line in stream.getvalue().splitlines()]
        stream.seek(0)
        stream.truncate()
        return [record for record in read if record["logger"] == "access"]

    records.text = stream.getvalue  # type: ignore[attr-defined]
    return records


def test_a_line_tells_route_method_status_duration_game_and_request_id(log: Any, table: Table) -> None:
    log()
    answer = table.seat(0).get(f"{table.path}/actions?limit=1", X_Request_Id="abc-1")
    (record,) = log()
    assert 200 == answer.status_code
    assert record.pop("duration_ms") > 0
    assert record.pop("timestamp")
    expected = {
        "event": "request",
        "request_id": "abc-1",
        "route": "listLegalActions",
        "method": "GET",
        "status": 200,
        "game": table.id,
        "level": "info",
        "logger": "access",
    }
    assert expected == record


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("GET", "/v1/levels", ("listLevels", 200)),
        ("GET", "/v1/nothing/of/the/kind", ("unknown", 404)),
        ("PUT", "/v1/levels", ("unknown", 405)),
        ("GET", "/play", ("pages.get_table", 200)),
        ("GET", "/static/nothing", ("static", 404)),
        ("OPTIONS", "/v1/levels", ("preflight", 200)),
    ],
)
def test_a_request_is_named_by_its_operation_and_never_by_its_path(
    log: Any, anyone: Client, method: str, path: str, expected: tuple[str, int]
) -> None:
    anyone.flask.open(path, method=method).close()
    (record,) = log()
    assert expected == (record["route"], record["status"])
    assert "game" not in record


def test_the_line_of_a_stream_comes_when_it_has_ended(log: Any, table: Table) -> None:
    log()
    answer = table.host.flask.get(
        f"{table.path}/events", headers={"Authorization": f"Bearer {table.tokens['host']}"}, buffered=False
    )
    next(iter(answer.response))
    assert [] == log()
    answer.close()
    (record,) = log()
    assert ("streamEvents", 200, table.id) == (record["route"], record["status"], record["game"])


def test_no_token_is_told_wherever_it_stands(log: Any, table: Table) -> None:
    tokens = {
        "a seat's": table.tokens["seats"]["0"],
        "the host's": table.tokens["host"],
        "a player's": (table.anyone.post("/v1/players").json or {})["token"],
        "the operator's": ADMIN_TOKEN,
        "an API key": "an api key that is no base64",
        "an idempotency key": KEY,
        "a ticket": secrets.token_urlsafe(32),
    }
    log()
    for token in tokens.values():
        headers = {
            **dict.fromkeys(("Authorization", "X-Request-Id", "X-Api-Key", "Idempotency-Key", "Cookie"), token),
            **dict.fromkeys(("User-Agent", "Referer", "traceparent", "If-None-Match"), token),
        }
        for path in (table.path, f"/v1/games/{token}", f"/v1/{token}", f"{table.path}/events"):
            for name in ("ticket", "wait", "access_token"):
                given = {**headers, "Authorization": f"Bearer {token}"}
                table.anyone.flask.get(path, headers=given, query_string={name: token}).close()
                table.anyone.flask.get(path, headers=headers, query_string={name: token}).close()
    text = log.text()
    assert len(log()) == len(tokens) * 4 * 3 * 2
    assert {} == {kind: token for kind, token in tokens.items() if token in text}


def test_a_request_id_that_looks_like_a_token_is_not_passed_on(anyone: Client) -> None:
    token = secrets.token_urlsafe(32)
    assert token != anyone.get("/healthz", X_Request_Id=token).headers["X-Request-Id"]


def test_all_that_is_logged_of_a_request_has_its_id(log: Any, anyone: Client, redis_client: redis.Redis) -> None:
    stream = log.text
    redis_client.config_set("maxmemory", 1)
    anyone.post("/v1/players", {"name": "Ana"}, X_Request_Id="abc-2")
    redis_client.config_set("maxmemory", 0)
    records = [json.loads(line) for line in stream().splitlines()]
    away = next(record for record in records if record["event"] == "the store is away")
    assert "abc-2" == away["request_id"]


def test_it_can_be_switched_off(log: Any, valkey: EmbeddedRedis, redis_client: redis.Redis) -> None:
    for quiet in ({"ACCESS_LOG": "off"}, {"LOG_FORMAT": "text"}, {"ACCESS_LOG": "on", "LOG_LEVEL": "WARNING"}):
        app = create_app(Settings.from_environment({"REDIS_URL": valkey.url, **quiet}))
        app.test_client().get("/v1/levels")
    assert [] == log()
