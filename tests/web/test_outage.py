"""While Redis cannot write or is damaged, writes are refused, reads work, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from service.app import create_app
from service.operate.redis.launcher import EmbeddedRedis
from service.settings import Settings
from tests import disk
from tests.e2e.stack import free_port
from tests.storage.conftest import spawning, start_cluster
from tests.web.client import refusal_of
from tests.web.table import Table
from tests.web.test_refusals import GAME


@contextmanager
def with_setting(server: EmbeddedRedis, name: str, value: str, normal: str) -> Iterator[None]:
    """Change a setting of the server in the block."""
    with Redis.from_url(server.url) as client:
        client.config_set(name, value)
        try:
            yield
        finally:
            client.config_set(name, normal)


OUTAGES: dict[str, Callable[[EmbeddedRedis], AbstractContextManager[None]]] = {
    "disk": disk.full_disk,
    "too_few_replicas": lambda server: with_setting(server, "min-replicas-to-write", "1", "0"),
    "out_of_memory": lambda server: with_setting(server, "maxmemory", "1", "0"),
}


@pytest.mark.parametrize("outage", OUTAGES)
def test_a_redis_that_cannot_write_is_reported_with_a_reason_and_reads_work(
    table: Table, valkey: EmbeddedRedis, outage: str
) -> None:
    before = table.view()
    with OUTAGES[outage](valkey):
        answers = [
            table.act(),
            table.act(Idempotency_Key="a-key-of-more-than-22-characters"),
            table.anyone.post("/v1/games", GAME),
            table.anyone.post("/v1/players", {"name": "Ana"}),
            table.seat(0).post(f"{table.path}/messages", {"text": "hello"}),
            table.anyone.post("/v1/analyses", {"position": before["position"]}),
        ]
        read = [table.anyone.get(f"{table.path}{path}") for path in ("", "/actions", "/history", "/board.svg")]
        ready = table.anyone.get("/readyz")
    for answer in answers:
        assert (503, "service/unavailable") == refusal_of(answer)
        assert outage == (answer.json or {})["outage"]
        assert int(answer.headers["Retry-After"]) > 0
    assert [200] * 4 == [answer.status_code for answer in read]
    assert (503, outage) == (ready.status_code, (ready.json or {})["checks"]["outage"])
    assert before == table.view()
    assert 201 == table.act().status_code


def test_a_service_answers_503_until_a_node_of_its_cluster_answers(tmp_path: Path, valkey: EmbeddedRedis) -> None:
    port = free_port()
    seeds = f"redis+cluster://127.0.0.1:{free_port()},127.0.0.1:{port}"
    app = create_app(Settings.from_environment({"REDIS_URL": seeds, "QUEUE_URL": valkey.url, "BUCKETS": "16"}))
    client: Any = app.test_client()
    for answer in (client.get("/v1/games"), client.post("/v1/games", json=GAME)):
        assert (503, "service/unavailable") == refusal_of(answer)
        assert "unreachable" == answer.json["outage"]
    ready = client.get("/readyz")
    assert (503, "unreachable") == (ready.status_code, ready.json["checks"]["outage"])
    assert 200 == client.get("/healthz").status_code
    with spawning(tmp_path) as spawn:
        start_cluster(spawn, port)
        assert 201 == client.post("/v1/games", json=GAME).status_code
        assert 200 == client.get("/v1/games").status_code


def test_a_damaged_store_is_reported_and_nothing_is_written(table: Table, redis_client: Redis) -> None:
    before = table.view()
    redis_client.delete("{b00}:hub")
    redis_client.set("{b00}:hub", "no stream")
    answer = table.act()
    redis_client.delete("{b00}:hub")
    assert (503, "service/damaged") == refusal_of(answer)
    assert before == table.view()
    assert 201 == table.act().status_code


def test_a_game_key_of_another_type_is_reported_as_damaged(table: Table, redis_client: Redis) -> None:
    key = f"{{b00}}:game:{table.id}"
    redis_client.delete(key)
    redis_client.set(key, "no hash")
    assert (503, "service/damaged") == refusal_of(table.anyone.get(table.path))


def test_a_damaged_frame_is_reported(table: Table, redis_client: Redis) -> None:
    key = next(iter(redis_client.scan_iter(f"*:game:{table.id}")))
    view: Any = redis_client.hget(key, "view")
    redis_client.hset(key, "view", view[:-5])
    answer = table.anyone.get(table.path)
    assert (503, "service/damaged") == refusal_of(answer)
