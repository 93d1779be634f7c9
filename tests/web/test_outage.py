"""While Redis is away: everything that needs it says so, and nothing is lost."""

from __future__ import annotations

from service.operate.launcher import EmbeddedRedis
from tests.disk import be_written
from tests.web.client import Client
from tests.web.conftest import Table
from tests.web.test_refusals import GAME, code


def test_without_redis_the_service_is_alive_but_not_ready(anyone: Client, valkey: EmbeddedRedis) -> None:
    valkey.kill9()
    alive, ready = anyone.get("/healthz"), anyone.get("/readyz")
    valkey.restart()
    assert (200, 503) == (alive.status_code, ready.status_code)
    assert (ready.json or {})["checks"]["redis"] is False


def test_without_redis_every_operation_says_503_and_nothing_is_lost(table: Table, valkey: EmbeddedRedis) -> None:
    before = table.view()
    be_written(valkey.url)
    valkey.kill9()
    answers = [
        table.anyone.get(table.path),
        table.seat(0).post(f"{table.path}/actions", {"id": "0", "revision": 1}),
        table.anyone.post("/v1/games", GAME),
    ]
    valkey.restart()
    for answer in answers:
        assert (503, "service/unavailable") == (answer.status_code, code(answer))
        assert int(answer.headers["Retry-After"]) > 0
    assert before == table.view()
