"""Limits on requests over HTTP. Every answer is compared with the document."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest
from flask import g
from redis import Redis
from structlog.testing import capture_logs

from service.games.errors import GameError
from service.operate.redis.launcher import EmbeddedRedis
from service.storage.base.limits import budget_key
from service.web.codes import CODES, is_limit
from service.web.http import limits, problems
from service.web.http.client_address import counted_address
from service.web.http.limits import BUDGETS
from tests.patience import let_expire
from tests.web.client import spec
from tests.web.limited_service import KEYS, NEW_GAME, TIGHT, Serve, code, create, read, statuses

AN_HOUR = range(1, 3601)
COMPETITION = {
    "name": "Open",
    "format": "swiss",
    "ruleset": "azul",
    "variant": "grey",
    "clock": {"turn_s": 30, "bank_s": 60},
}
DOCUMENTS = {
    "getOpenapi",
    "getOpenapiYaml",
    "getAdminOpenapi",
    "getAdminOpenapiYaml",
    "getAsyncapi",
    "getPostmanCollection",
}
UNCOUNTED = {"getIndex", "getHealth", "getReadiness", *DOCUMENTS}


def remaining(answer: Any) -> tuple[str, int]:
    """Return the budget of an answer and its remaining requests. Its window ends within an hour."""
    results = re.fullmatch(r'"(\w+)";r=(\d+);t=(\d+)', answer.headers["RateLimit"])
    assert results
    assert int(results[3]) in AN_HOUR
    return results[1], int(results[2])


# ------------------------------------------------------------------------------------------------- budgets


def test_answers_contain_the_budget_and_the_remaining_requests(serve: Serve) -> None:
    client = serve(**TIGHT)
    answers = [read(client) for _ in range(4)]
    assert {'"reads";q=3;w=3600'} == {answer.headers["RateLimit-Policy"] for answer in answers}
    assert [("reads", 2), ("reads", 1), ("reads", 0), ("reads", 0)] == [remaining(answer) for answer in answers]
    assert [200, 200, 200, 429] == [answer.status_code for answer in answers]


def test_requests_beyond_the_budget_are_refused_with_budget_and_wait(serve: Serve) -> None:
    client = serve(**TIGHT)
    statuses(client, 3)
    refusal = read(client, Accept_Language="de")
    assert ("limit/requests", "reads", "Zu viele Anfragen") == tuple(
        (refusal.json or {})[name] for name in ("code", "budget", "title")
    )
    assert int(refusal.headers["Retry-After"]) in AN_HOUR


def test_the_budget_is_restored_after_its_window(serve: Serve, redis_client: Redis) -> None:
    client = serve(LIMIT_READS="3/3600")
    assert [200, 200, 200, 429] == statuses(client, 4)
    let_expire(redis_client, 3600)
    assert '"reads";r=2;t=3600' == read(client).headers["RateLimit"]


def test_reading_too_much_still_allows_acting_creating_and_following(serve: Serve) -> None:
    table = create(serve(**TIGHT))
    first = table.actions(1)[0]
    assert [200, 200, 429] == statuses(table.anyone, 3)
    done = table.seat(0).post(f"{table.path}/actions", {"id": first["id"], "revision": 3})
    assert (201, ("actions", 2)) == (done.status_code, remaining(done))
    assert '"games";q=3;w=3600' == table.anyone.post("/v1/games", NEW_GAME).headers["RateLimit-Policy"]
    stream = table.anyone.get(f"{table.path}/events")
    assert (200, ("streams", 2)) == (stream.status_code, remaining(stream))
    stream.close()


def test_acting_too_much_still_allows_reading(serve: Serve) -> None:
    table = create(serve(**TIGHT))
    for _ in range(3):
        table.host.post(f"{table.path}/actions", {})
    refusal = table.host.post(f"{table.path}/abort")
    assert (429, "actions") == (refusal.status_code, (refusal.json or {})["budget"])
    assert "playing" == table.view()["status"]


def test_an_action_beyond_the_budget_is_not_executed(serve: Serve) -> None:
    table = create(serve(**TIGHT))
    body = {"id": table.actions(1)[0]["id"], "revision": 3}
    for faulty in ({"id": 1}, {"id": "0", "revision": 9}, {}):
        assert 400 <= table.seat(0).post(f"{table.path}/actions", faulty).status_code < 429
    refusal = table.seat(0).post(f"{table.path}/actions", body)
    assert (429, "limit/requests", "actions") == (refusal.status_code, code(refusal), (refusal.json or {})["budget"])
    assert ("actions", 0) == remaining(refusal)
    assert int(refusal.headers["Retry-After"]) in AN_HOUR
    again = table.seat(0).post(f"{table.path}/actions", {})
    assert (429, ("actions", 0)) == (again.status_code, remaining(again))
    assert 3 == table.view()["revision"]


def test_a_damaged_count_refuses_no_request(serve: Serve, redis_client: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SILENT_S", 0.0)
    table = create(serve(**TIGHT))
    key = budget_key(counted_address("127.0.0.1"), "reads")
    redis_client.delete(key)
    redis_client.lpush(key, "no count")
    redis_client.expire(key, 3600)
    for path in (table.path, f"{table.path}/actions", "/v1/levels"):
        assert 200 == table.anyone.get(path).status_code


def test_creating_has_its_own_budget(serve: Serve) -> None:
    client = serve(**TIGHT)
    answers = [client.post("/v1/games", NEW_GAME) for _ in range(4)]
    assert [201, 201, 201, 429] == [answer.status_code for answer in answers]
    assert "games" == (answers[-1].json or {})["budget"]


def test_analyses_and_tournaments_have_their_own_budget(serve: Serve) -> None:
    client = serve(LIMIT_ANALYSES="2/3600")
    body = {"ruleset": "azul", "variant": "grey", "levels": ["random", "greedy"], "deals": 1}
    answers = [client.post("/v1/tournaments", body) for _ in range(3)]
    assert [202, 202, 429] == [answer.status_code for answer in answers]
    assert "analyses" == (answers[-1].json or {})["budget"]
    assert 201 == client.post("/v1/games", NEW_GAME).status_code


def test_animations_have_their_own_budget(serve: Serve) -> None:
    table = create(serve(LIMIT_ANALYSES="2/3600", **TIGHT))
    table.host.post(f"{table.path}/abort")
    answers = [table.anyone.get(f"{table.path}/animation.svg") for _ in range(3)]
    assert [200, 200, 429] == [answer.status_code for answer in answers]
    assert ("animations", 1) == remaining(answers[0])
    assert 200 == table.anyone.get(table.path).status_code


def test_trials_of_actions_count_as_reading(serve: Serve) -> None:
    table = create(serve(**TIGHT))
    body = {"id": table.actions(1)[0]["id"], "revision": 3}
    trial = table.seat(0).post(f"{table.path}/actions/preview", body)
    done = table.seat(0).post(f"{table.path}/actions", body)
    assert (("reads", 1), ("actions", 2)) == (remaining(trial), remaining(done))


def test_requests_refused_for_other_reasons_count(serve: Serve) -> None:
    client = serve(**TIGHT)
    answers = [client.get("/v1/games/q7Wz0nYk3xTb9LmA") for _ in range(4)]
    assert [404, 404, 404, 429] == [answer.status_code for answer in answers]
    assert ("reads", 2) == remaining(answers[0])


def test_a_head_request_counts_like_get(serve: Serve) -> None:
    client = serve(**TIGHT)
    assert ("reads", 2) == remaining(client.send("HEAD", "/v1/levels"))


def test_a_quota_of_0_disables_the_limit(serve: Serve) -> None:
    client = serve(LIMIT_READS="0")
    answer = read(client)
    assert (200, False) == (answer.status_code, "RateLimit" in answer.headers)


def test_health_and_documents_need_neither_budget_nor_key(serve: Serve) -> None:
    client = serve(LIMIT_READS="1/3600", API_KEYS=KEYS, API_KEY_REQUIRED="on")
    pages = (
        "/docs",
        "/play",
        "/embed/AAAAAAAAAAAAAAAA",
        "/v1/openapi.json",
        "/v1/openapi.yaml",
        "/v1/admin/openapi.json",
        "/v1/postman.json",
        "/v1/asyncapi.json",
        "/static/pages/pages.js",
    )
    for path in ("/healthz", "/readyz", *pages):
        answers = [client.flask.get(path, headers={"X-Api-Key": "unknown"}) for _ in range(3)]
        assert not {401, 429} & {answer.status_code for answer in answers}, path
        assert "RateLimit" not in answers[-1].headers, path


def test_a_preflight_is_never_refused_and_allows_the_header_of_the_key(serve: Serve) -> None:
    client = serve(LIMIT_READS="1/3600", LIMIT_ACTIONS="1/3600", API_KEYS=KEYS, API_KEY_REQUIRED="on")
    headers = {"Origin": "https://a.example", "Access-Control-Request-Method": "POST"}
    answers = [client.send("OPTIONS", "/v1/levels", headers=headers) for _ in range(3)]
    assert {200} == {answer.status_code for answer in answers}
    assert "X-Api-Key" in answers[-1].headers["Access-Control-Allow-Headers"]


# ------------------------------------------------------------------------------------------------- callers


def test_two_instances_share_a_budget(serve: Serve) -> None:
    one, other = serve(**TIGHT), serve(**TIGHT)
    assert [200, 200, 200, 429] == statuses(one, 2) + statuses(other, 2)


def test_budgets_belong_to_addresses_and_not_to_tokens(serve: Serve) -> None:
    client = serve(**TIGHT)
    assert [200, 200, 200, 429] == statuses(client, 4, "192.0.2.1")
    assert [200] == statuses(client, 1, "192.0.2.2")
    assert [429] == statuses(client.with_token("invented"), 1, "192.0.2.1")


def test_addresses_are_counted_by_their_network() -> None:
    for address, counted in {
        "192.0.2.1": "192.0.2.1",
        "192.0.2.1:4711": "192.0.2.1",
        "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
        "2001:DB8:1:2::": "2001:db8:1:2::/64",
        "[2001:db8:1:2::9]:4711": "2001:db8:1:2::/64",
        "fe80::1%eth0": "fe80::/64",
        "::ffff:192.0.2.1": "192.0.2.1",
        "unknown": "unknown",
        "": "",
    }.items():
        assert counted == counted_address(address), (address, counted)


def test_ipv6_addresses_in_the_same_64_network_share_a_budget(serve: Serve) -> None:
    client = serve(**TIGHT)
    hosts = ("2001:db8::1", "2001:db8::ffff:2", "2001:db8::3", "2001:db8::4", "2001:db8:0:1::1")
    assert [200, 200, 200, 429, 200] == [read(client, host).status_code for host in hosts]


@pytest.mark.parametrize(("trusted", "expected"), [("0", [200, 429, 429]), ("1", [200, 200, 429])])
def test_a_forwarded_address_counts_where_the_proxy_is_trusted(serve: Serve, trusted: str, expected: list[int]) -> None:
    client = serve(LIMIT_READS="1/3600", TRUSTED_PROXIES=trusted)
    actual = ("192.0.2.1", "192.0.2.2", "192.0.2.9, 192.0.2.1")
    assert expected == [read(client, X_Forwarded_For=address).status_code for address in actual]


@pytest.mark.parametrize(
    ("host", "proxies", "expected"),
    [("127.0.0.1", "0", False), ("127.0.0.1", "1", True), ("0.0.0.0", "0", True)],  # noqa: S104
)
def test_limits_are_off_by_default_on_a_local_service(serve: Serve, host: str, proxies: str, *, expected: bool) -> None:
    client = serve(RATE_LIMITS="auto", HOST=host, TRUSTED_PROXIES=proxies, LIMIT_READS="1/3600")
    assert expected == ("RateLimit" in read(client).headers)
    assert expected == (429 in statuses(client, 2))


def test_no_address_is_stored(serve: Serve, redis_client: Redis) -> None:
    read(serve(), "192.0.2.1")
    assert [budget_key("192.0.2.1", "reads").encode()] == list(redis_client.scan_iter("*lim*"))


# ---------------------------------------------------------------------------------------- Redis, document


def test_without_redis_every_request_is_allowed_and_a_warning_is_logged_once(
    serve: Serve, valkey: EmbeddedRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, now = serve(LIMIT_READS="1/3600", API_KEYS=KEYS), [0.0]
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: now[0]))
    assert [200, 429] == statuses(client, 2)
    valkey.kill9()
    try:
        with capture_logs() as logs:
            assert [200, 200, 200] == statuses(client, 3)
            assert 401 == read(client, X_Api_Key="other").status_code
            assert 503 == client.get("/v1/games/q7Wz0nYk3xTb9LmA").status_code
    finally:
        valkey.restart()
    assert 1 == len([record for record in logs if record["event"].startswith("limits not applied")])
    assert "RateLimit" not in read(client).headers
    now[0] += limits.SILENT_S
    assert "RateLimit" in read(client).headers


def test_every_operation_with_a_budget_documents_its_refusals() -> None:
    uncounted = set()
    for path, item in spec()["paths"].items():
        for method, operation in item.items():
            if method == "parameters":
                continue
            refusal = operation["responses"].get("429")
            if refusal is None:
                uncounted.add(operation["operationId"])
                continue
            assert "limit/requests" in refusal["x-codes"]
            assert {"Retry-After", "RateLimit", "RateLimit-Policy"} <= set(refusal["headers"])
            assert set(limits.API_KEY_CODES) <= set(operation["responses"]["401"]["x-codes"]), (method, path)
    assert uncounted == UNCOUNTED


def test_limits_of_streams_and_open_games_are_documented_at_their_operations() -> None:
    def operations_with(code: str) -> set[tuple[str, str]]:
        return {
            (method, path) for path, item in spec()["paths"].items() for method in item if code in str(item[method])
        }

    followed = ("games/{game_id}", "tournaments/{task_id}", "seeks/{seek_id}")
    others = ("me", "me/challenges", "competitions/{competition_id}")
    assert {("get", f"/v1/{one}/events") for one in (*followed, *others)} == operations_with("limit/streams")
    assert ("post", "/v1/games") in operations_with("limit/open_games")


BUDGET_OF = {  # by budget, without /v1
    "reads": [
        "GET /games/<game_id>",
        "HEAD /games/<game_id>/history/<int:revision>",
        "GET /me/turns",
        "POST /positions",
    ],
    "streams": [
        "GET /me/events",
        "GET /games/<game_id>/events",
        "GET /tournaments/<id>/events",
        "GET /seeks/<seek_id>/events",
    ],
    "games": [
        *("POST /games", "POST /games/import", "POST /games/<game_id>/rematch", "POST /players", "GET /me/export"),
        *("POST /me/webhooks/<webhook_id>/secret", "POST /me/bot/secret", "PUT /me/bot"),
        "POST /me/webhooks/<webhook_id>/deliveries/<delivery_id>/attempts",
        *("POST /me/webhooks", "POST /me/webhooks/<webhook_id>/ping", "POST /me/tokens", "POST /me/identities"),
        *("POST /sign-ins", "POST /sign-ins/<sign_in>/token", "POST /seeks", "POST /seeks/<seek_id>/join"),
        *("POST /competitions", "POST /competitions/<competition_id>/join"),
    ],
    "analyses": ["POST /tournaments", "POST /analyses", "POST /games/<game_id>/analyses"],
    "actions": [
        *("POST /games/<game_id>/actions", "POST /games/<game_id>/seats", "POST /competitions/<competition_id>/start"),
        *("PATCH /me/webhooks/<webhook_id>", "DELETE /me/webhooks/<webhook_id>"),
        *("DELETE /analyses/<id>", "DELETE /tournaments/<id>"),
    ],
    "handles": ["PUT /me/handle"],
    "": [
        "GET /openapi.json",
        "GET /openapi.yaml",
        "GET /admin/openapi.json",
        "GET /asyncapi.json",
        "GET /postman.json",
    ],
}


def test_method_and_path_determine_the_budget() -> None:
    assert {"", *BUDGETS} >= BUDGET_OF.keys()
    for budget, requests in BUDGET_OF.items():
        for request in requests:
            method, path = request.split()
            assert budget == limits.row_of(method, f"/v1{path}").budget, request
    for path in ("/healthz", "/static/<path:filename>"):
        assert "" == limits.row_of("GET", path).budget, path


# ------------------------------------------------------------------------------------------------- shares


def test_every_documented_limit_has_a_retry_after() -> None:
    documented = [
        (answer, code)
        for item in spec()["paths"].values()
        for method, operation in item.items()
        if method != "parameters"
        for answer in operation["responses"].values()
        for code in answer.get("x-codes", ())
        if is_limit(code)
    ]
    assert {code for code in CODES if is_limit(code)} == {code for _, code in documented}
    assert all("Retry-After" in answer["headers"] for answer, _ in documented)


@pytest.mark.parametrize("code", [code for code in CODES if is_limit(code)])
def test_every_refusal_of_a_limit_has_a_retry_after(serve: Serve, code: str) -> None:
    with serve().flask.application.test_request_context():
        g.request_id = "of-a-test"
        assert int(problems.refusal(GameError(code)).headers["Retry-After"]) > 0
        assert "7" == problems.refusal(GameError(code, retry_after_s=7)).headers["Retry-After"]


def test_one_address_cannot_announce_what_others_need(serve: Serve) -> None:
    client = serve(LIMIT_SHARE="2")

    def announce(address: str) -> Any:
        remote = {"REMOTE_ADDR": address}
        made = client.send("POST", "/v1/players", json={}, environ_base=remote)
        token = (made.json or {})["token"]
        return client.with_token(token).send("POST", "/v1/competitions", json=COMPETITION, environ_base=remote)

    answers = [announce(address) for address in ("192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2")]
    assert [201, 201, 409, 201] == [answer.status_code for answer in answers]
    assert (("limit/competitions", 2), "30") == (
        ((answers[2].json or {})["code"], (answers[2].json or {})["limit"]),
        answers[2].headers["Retry-After"],
    )
