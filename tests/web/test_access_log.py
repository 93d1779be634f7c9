"""The access log: a line for each request with its operation and status, and without secrets."""

from __future__ import annotations

import io
import json
import secrets
from collections.abc import Callable
from typing import Any

import pytest
from redis import Redis

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
    """Return a function that returns the request records logged since its last call. `.text` returns the whole text."""
    stream = io.StringIO()
    logs.configure("INFO", "json", stream, (ADMIN_TOKEN,))

    def records() -> list[dict[str, Any]]:
        read = [json.loads(line) for line in stream.getvalue().splitlines()]
        stream.seek(0)
        stream.truncate()
        return [record for record in read if record["logger"] == "access"]

    records.text = stream.getvalue  # type: ignore[attr-defined]
    return records


def test_a_line_contains_route_method_status_duration_game_and_request_id(log: Any, table: Table) -> None:
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


def test_a_stream_is_logged_when_it_ends(log: Any, table: Table) -> None:
    log()
    answer = table.host.flask.get(
        f"{table.path}/events", headers={"Authorization": f"Bearer {table.tokens['host']}"}, buffered=False
    )
    next(iter(answer.response))
    assert [] == log()
    answer.close()
    (record,) = log()
    assert ("streamEvents", 200, table.id) == (record["route"], record["status"], record["game"])


def test_tokens_are_never_logged(log: Any, table: Table) -> None:
    tokens = {
        "a seat's": table.tokens["seats"]["0"],
        "the host's": table.tokens["host"],
        "a player's": (table.anyone.post("/v1/players").json or {})["token"],
        "the operator's": ADMIN_TOKEN,
        "an API key": "an api key that is no base64",
        "an API key like the id of a game": "an-api-key-of-16",
        "an idempotency key": KEY,
        "a ticket": secrets.token_urlsafe(32),
    }
    log()
    for token in tokens.values():
        headers = {
            **dict.fromkeys(("Authorization", "X-Api-Key", "Idempotency-Key", "Cookie"), token),
            **dict.fromkeys(("User-Agent", "Referer", "traceparent", "If-None-Match"), token),
        }
        for path in (table.path, f"/v1/games/{token}", f"/v1/{token}", f"{table.path}/events"):
            for name in ("ticket", "wait", "access_token"):
                authorized = {**headers, "Authorization": f"Bearer {token}"}
                table.anyone.flask.get(path, headers=authorized, query_string={name: token}).close()
                table.anyone.flask.get(path, headers=headers, query_string={name: token}).close()
        table.anyone.flask.get(table.path, headers={**headers, "X-Request-Id": token})  # succeeds
    text = log.text()
    assert len(log()) == len(tokens) * (4 * 3 * 2 + 1)
    assert {} == {kind: token for kind, token in tokens.items() if token in text}


def test_a_request_id_that_looks_like_a_token_is_replaced(anyone: Client) -> None:
    token = secrets.token_urlsafe(32)
    assert token != anyone.get("/healthz", X_Request_Id=token).headers["X-Request-Id"]


def test_all_records_of_a_request_have_its_id(log: Any, anyone: Client, redis_client: Redis) -> None:
    stream = log.text
    redis_client.config_set("maxmemory", 1)
    anyone.post("/v1/players", {"name": "Ana"}, X_Request_Id="abc-2")
    redis_client.config_set("maxmemory", 0)
    records = [json.loads(line) for line in stream().splitlines()]
    outage = next(record for record in records if record["event"] == "store unavailable")
    assert "abc-2" == outage["request_id"]


def test_the_access_log_can_be_switched_off(log: Any, valkey: EmbeddedRedis, redis_client: Redis) -> None:
    for settings in ({"ACCESS_LOG": "off"}, {"LOG_FORMAT": "text"}, {"ACCESS_LOG": "on", "LOG_LEVEL": "WARNING"}):
        app = create_app(Settings.from_environment({"REDIS_URL": valkey.url, **settings}))
        app.test_client().get("/v1/levels")
    assert [] == log()
