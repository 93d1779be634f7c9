"""Applications and their keys."""

from __future__ import annotations

import re

import pytest

from service.operate.__main__ import main as operate
from service.operate.doctor import doctor
from service.operate.redis.launcher import EmbeddedRedis
from service.settings import Settings
from tests.web.client import refusal_of
from tests.web.limited_service import KEY, KEYS, NEW_GAME, TIGHT, Serve, create, read, statuses
from tests.web.table import Table


def test_an_application_is_counted_by_its_key_from_any_address(serve: Serve) -> None:
    client = serve(**TIGHT, API_KEYS=KEYS)
    assert [200, 200, 200, 429] == statuses(client, 4, "192.0.2.1")
    hosts = ("192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4")
    assert [200, 200, 200, 429] == [read(client, host, X_Api_Key=KEY).status_code for host in hosts]
    assert [200] == statuses(client, 1, "192.0.2.4")


@pytest.mark.parametrize("switch", ["on", "off"])
def test_an_unknown_key_is_refused_and_not_counted(serve: Serve, switch: str) -> None:
    client = serve(**TIGHT, API_KEYS=KEYS, RATE_LIMITS=switch)
    for key in ("other", KEY.upper(), ""):
        answer = read(client, X_Api_Key=key)
        assert (401, "auth/api_key_unknown") == refusal_of(answer)
        assert "ApiKey" in answer.headers["WWW-Authenticate"]
        assert "RateLimit" not in answer.headers


def test_without_keys_the_header_is_ignored(serve: Serve) -> None:
    assert [200, 200] == statuses(serve(), 1, X_Api_Key="x") + statuses(serve(RATE_LIMITS="off"), 1, X_Api_Key="x")


def test_a_required_key_is_enforced(serve: Serve) -> None:
    client = serve(API_KEYS=KEYS, API_KEY_REQUIRED="on", RATE_LIMITS="off")
    for answer in (read(client), client.post("/v1/games", NEW_GAME), client.get("/v1/games/q7Wz0nYk3xTb9LmA")):
        assert (401, "auth/api_key_required") == refusal_of(answer)
    table = create(client, X_Api_Key=KEY)
    assert 200 == table.host.get(table.path, X_Api_Key=KEY).status_code
    assert 404 == client.get("/v1/nothing").status_code


@pytest.fixture
def locked_table(serve: Serve) -> Table:
    """Create a game of a service that requires a key, with clients that send none."""
    return create(serve(API_KEYS=KEYS, API_KEY_REQUIRED="on", RATE_LIMITS="off"), X_Api_Key=KEY)


TICKET_PATHS = ("/events?after=0", "/board.svg?", "/animation.svg?")


def test_a_valid_ticket_replaces_the_key_for_browser_requests(locked_table: Table) -> None:
    locked_table.host.post(f"{locked_table.path}/abort", {}, X_Api_Key=KEY)
    for path in TICKET_PATHS:
        ticket = (locked_table.host.post(f"{locked_table.path}/tickets", {}, X_Api_Key=KEY).json or {})["ticket"]
        statuses = [locked_table.anyone.get(f"{locked_table.path}{path}&ticket={ticket}").status_code for _ in range(2)]
        assert [200, 401] == statuses  # the ticket is used up


@pytest.mark.parametrize("ticket", ["x", "", "A" * 43])
def test_an_invalid_ticket_does_not_replace_the_key(locked_table: Table, ticket: str) -> None:
    for path in TICKET_PATHS:
        answer = locked_table.anyone.get(f"{locked_table.path}{path}&ticket={ticket}")
        assert (401, "auth/api_key_required") == refusal_of(answer)


def test_a_valid_ticket_does_not_replace_the_key_for_other_requests(locked_table: Table) -> None:
    ticket = (locked_table.host.post(f"{locked_table.path}/tickets", {}, X_Api_Key=KEY).json or {})["ticket"]
    query = f"?ticket={ticket}"
    answers = [
        locked_table.anyone.post(f"/v1/games{query}", NEW_GAME),
        locked_table.anyone.post(f"/v1/players{query}", {"name": "Ana"}),
        locked_table.anyone.post(f"/v1/tournaments{query}", {}),
        locked_table.anyone.post(f"{locked_table.path}/actions{query}", {}),
        locked_table.anyone.get(f"/v1/games{query}"),
        locked_table.anyone.get(f"{locked_table.path}{query}"),
        locked_table.anyone.get(f"{locked_table.path}/history{query}"),
        locked_table.anyone.get(f"/v1/games/q7Wz0nYk3xTb9LmA/events{query}"),
    ]
    assert [(401, "auth/api_key_required")] * len(answers) == [refusal_of(one) for one in answers]


@pytest.mark.parametrize("query", ["after=1", "wait=0&limit=1", "nonsense"])
def test_the_query_of_a_post_request_does_not_replace_the_key(locked_table: Table, query: str) -> None:
    answer = locked_table.seat(0).post(f"{locked_table.path}/actions?{query}", {"id": "0", "revision": 3})
    assert (401, "auth/api_key_required") == refusal_of(answer)


def test_a_key_created_by_the_command_is_accepted(serve: Serve, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == operate(["key", "my-table"])
    _, key, _, setting = (line.strip() for line in capsys.readouterr().out.splitlines())
    client = serve(API_KEYS=setting.removeprefix("API_KEYS="), API_KEY_REQUIRED="on")
    assert [200, 401] == statuses(client, 1, X_Api_Key=key) + statuses(client, 1)


def test_the_command_keeps_existing_keys(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("API_KEYS", KEYS)
    assert (0, 2) == (operate(["key", "table"]), operate(["key", "a:b"]))
    actual = capsys.readouterr()
    assert f"API_KEYS={KEYS},table:" in actual.out
    assert "'a:b' is not a valid application name" in actual.err


def test_doctor_reports_whether_limits_are_on(valkey: EmbeddedRedis, capsys: pytest.CaptureFixture[str]) -> None:
    for settings in ({}, {"RATE_LIMITS": "on"}, {"TRUSTED_PROXIES": "1"}):
        doctor(Settings.from_environment({"REDIS_URL": valkey.url, **settings}))
    actual = re.findall(r"rate limits are (on|off)", capsys.readouterr().out)
    assert ["off", "on", "on"] == actual
