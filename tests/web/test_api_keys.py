"""Applications and their keys."""

from __future__ import annotations

import re

import pytest

from service.operate.__main__ import main as operate
from service.operate.doctor import doctor
from service.operate.redis.launcher import EmbeddedRedis
from service.settings import Settings
from tests.web.client import refused
from tests.web.limited import KEY, KEYS, NEW_GAME, TIGHT, Serve, create, read, statuses
from tests.web.table import Table


def test_an_application_is_counted_by_its_key_wherever_it_comes_from(serve: Serve) -> None:
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
        assert (401, "auth/api_key_unknown") == refused(answer)
        assert "ApiKey" in answer.headers["WWW-Authenticate"]
        assert "RateLimit" not in answer.headers


def test_without_keys_the_header_says_nothing(serve: Serve) -> None:
    assert [200, 200] == statuses(serve(), 1, X_Api_Key="x") + statuses(serve(RATE_LIMITS="off"), 1, X_Api_Key="x")


def test_where_a_key_is_required_nobody_is_served_without(serve: Serve) -> None:
    client = serve(API_KEYS=KEYS, API_KEY_REQUIRED="on", RATE_LIMITS="off")
    for answer in (read(client), client.post("/v1/games", NEW_GAME), client.get("/v1/games/q7Wz0nYk3xTb9LmA")):
        assert (401, "auth/api_key_required") == refused(answer)
    table = create(client, X_Api_Key=KEY)
    assert 200 == table.host.get(table.path, X_Api_Key=KEY).status_code
    assert 404 == client.get("/v1/nothing").status_code


@pytest.fixture
def locked(serve: Serve) -> Table:
    """A game of a service that requires a key, which its clients do not send."""
    return create(serve(API_KEYS=KEYS, API_KEY_REQUIRED="on", RATE_LIMITS="off"), X_Api_Key=KEY)


TICKET_PATHS = ("/events?after=0", "/board.svg?", "/animation.svg?")


def test_a_good_ticket_stands_for_the_key_where_a_browser_cannot_send_it(locked: Table) -> None:
    locked.host.post(f"{locked.path}/abort", {}, X_Api_Key=KEY)
    for path in TICKET_PATHS:
        ticket = (locked.host.post(f"{locked.path}/tickets", {}, X_Api_Key=KEY).json or {})["ticket"]
        statuses = [locked.anyone.get(f"{locked.path}{path}&ticket={ticket}").status_code for _ in range(2)]
        assert [200, 401] == statuses  # it is spent


@pytest.mark.parametrize("ticket", ["x", "", "A" * 43])
def test_a_ticket_that_is_none_stands_for_nothing(locked: Table, ticket: str) -> None:
    for path in TICKET_PATHS:
        answer = locked.anyone.get(f"{locked.path}{path}&ticket={ticket}")
        assert (401, "auth/api_key_required") == refused(answer)


def test_a_good_ticket_stands_for_the_key_of_nothing_else(locked: Table) -> None:
    ticket = (locked.host.post(f"{locked.path}/tickets", {}, X_Api_Key=KEY).json or {})["ticket"]
    query = f"?ticket={ticket}"
    asked = [
        locked.anyone.post(f"/v1/games{query}", NEW_GAME),
        locked.anyone.post(f"/v1/players{query}", {"name": "Ana"}),
        locked.anyone.post(f"/v1/tournaments{query}", {}),
        locked.anyone.post(f"{locked.path}/actions{query}", {}),
        locked.anyone.get(f"/v1/games{query}"),
        locked.anyone.get(f"{locked.path}{query}"),
        locked.anyone.get(f"{locked.path}/history{query}"),
        locked.anyone.get(f"/v1/games/q7Wz0nYk3xTb9LmA/events{query}"),
    ]
    assert [(401, "auth/api_key_required")] * len(asked) == [refused(one) for one in asked]


@pytest.mark.parametrize("query", ["dry_run=true", "dry_run=false", "after=1", "wait=0&limit=1", "nonsense"])
def test_no_query_of_a_post_stands_for_a_key(locked: Table, query: str) -> None:
    answer = locked.seat(0).post(f"{locked.path}/actions?{query}", {"id": "0", "revision": 3})
    assert (401, "auth/api_key_required") == refused(answer)


def test_the_key_that_the_command_makes_is_let_in(serve: Serve, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == operate(["key", "my-table"])
    _, key, _, setting = (line.strip() for line in capsys.readouterr().out.splitlines())
    client = serve(API_KEYS=setting.removeprefix("API_KEYS="), API_KEY_REQUIRED="on")
    assert [200, 401] == statuses(client, 1, X_Api_Key=key) + statuses(client, 1)


def test_the_command_keeps_the_keys_that_there_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("API_KEYS", KEYS)
    assert (0, 2) == (operate(["key", "table"]), operate(["key", "a:b"]))
    actual = capsys.readouterr()
    assert f"API_KEYS={KEYS},table:" in actual.out
    assert "'a:b' is not a valid application name" in actual.err


def test_doctor_tells_whether_limits_hold(valkey: EmbeddedRedis, capsys: pytest.CaptureFixture[str]) -> None:
    for settings in ({}, {"RATE_LIMITS": "on"}, {"TRUSTED_PROXIES": "1"}):
        doctor(Settings.from_environment({"REDIS_URL": valkey.url, **settings}))
    actual = re.findall(r"rate limits are (on|off)", capsys.readouterr().out)
    assert ["off", "on", "on"] == actual
