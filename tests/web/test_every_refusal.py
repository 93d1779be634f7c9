"""Every documented refusal of an operation can be caused."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from flask import Flask
from redis import Redis

from service.identity_providers import Provider
from service.operate.redis.launcher import EmbeddedRedis
from tests.web.client import OPERATIONS, Json, refusal_of
from tests.web.refusals import CODES_OF, OF_PLAYERS, Refusals
from tests.web.test_callers import ACTING, NO_GAME

GOOGLE = Provider("google", "https://accounts.google.com", ("games.example",))
ELSEWHERE = ("limit/", "auth/api_key_", "service/", "request/timeout")


@pytest.fixture
def refusals(app: Flask, redis_client: Redis) -> Refusals:
    return Refusals(app, redis_client)


@pytest.mark.parametrize("operation", CODES_OF)
def test_every_documented_refusal_can_be_caused(refusals: Refusals, operation: str) -> None:
    differing = {}
    for code in CODES_OF[operation]:
        if code.startswith(ELSEWHERE):
            continue
        actual = (refusals.request(operation, code).json or {}).get("code")
        if actual != code:
            differing[code] = actual
        vars(refusals.context).pop("now_ms", None)
    assert {} == differing


def test_without_redis_operations_that_need_it_answer_503_and_lose_no_data(
    refusals: Refusals, valkey: EmbeddedRedis
) -> None:
    dependent = [operation for operation, codes in CODES_OF.items() if "service/unavailable" in codes]
    dependent.remove("listSettings")  # the operator's token is checked without Redis
    tables = {operation: refusals.new() for operation in dependent}
    anyone, before = tables["getGame"].anyone, tables["getGame"].view()
    ids = ("task_id", "webhook_id", "seek_id", "challenge_id", "competition_id", "player")
    changes: Json = {
        **{operation: {"body": {"id": "0", "revision": 3}} for operation in ACTING},
        "analysePosition": {"body": {"position": before["position"]}},
    }
    for name in CODES_OF:
        if re.match(OF_PLAYERS, OPERATIONS[name][1]):
            changes[name] = {"token": f"{'A' * 16}.{'x' * 43}"}
    settings = refusals.context.settings
    refusals.context.settings = replace(settings, oidc_providers=(GOOGLE,))

    def refusal_without_redis(operation: str) -> tuple[int, str, bool]:
        path = dict.fromkeys(ids, NO_GAME)
        answer = refusals.ask(operation, tables[operation], path=path, **changes.get(operation, {}))
        return *refusal_of(answer), int(answer.headers["Retry-After"]) > 0

    valkey.kill9()
    with ThreadPoolExecutor(8) as pool:  # each tries again for a while
        actual = dict(zip(dependent, pool.map(refusal_without_redis, dependent), strict=True))
    alive, ready = anyone.get("/healthz"), anyone.get("/readyz")
    valkey.restart()
    refusals.context.settings = settings
    assert dict.fromkeys(dependent, (503, "service/unavailable", True)) == actual
    checks = (ready.json or {})["checks"]
    assert (200, 503, False, "unreachable") == (alive.status_code, ready.status_code, checks["redis"], checks["outage"])
    assert before == tables["getGame"].view()
