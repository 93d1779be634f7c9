"""A wake-up is one job, whatever sends it. A lost job does not block the next."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Connection, Redis
from redis.exceptions import RedisError
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer

from service.operate.redis.launcher import EmbeddedRedis
from service.storage.base import keys
from service.storage.base.keys import Keys
from service.storage.work import queue as queue_module
from service.storage.work.queue import Queue, WakeResult
from tests import burst
from tests.patience import HANG_S, wait_until
from tests.storage import jobs


@pytest.fixture
def queue(valkey: EmbeddedRedis, client: Redis) -> Iterator[Queue]:
    queue = Queue(valkey.url)
    yield queue
    queue.redis.close()


@pytest.fixture
def played_turns(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, int]]:
    """Run a job that records the turns. Return them."""
    monkeypatch.setattr(queue_module, "TAKE_TURN", "tests.storage.jobs.note")
    jobs.PLAYED.clear()
    return jobs.PLAYED


def queue_url(queue: Queue) -> str:
    """Return the URL of the queue's Redis."""
    options = queue.redis.connection_pool.connection_kwargs
    return f"redis://:{options['password']}@127.0.0.1:{options['port']}/0"


def fetch_job(queue: Queue, job_id: str) -> Job:
    return Job.fetch(job_id, connection=queue.redis, serializer=JSONSerializer)


@pytest.fixture
def two_servers(valkey: EmbeddedRedis, client: Redis, tmp_path: Path) -> Iterator[tuple[Queue, EmbeddedRedis]]:
    """Start a queue on two servers. Return it and the second server."""
    with EmbeddedRedis(tmp_path) as other:
        yield Queue(f"{valkey.url} {other.url}"), other


def lengths(queue: Queue) -> list[int]:
    """Return the number of waiting turns at each server."""
    return [turns.count for turns in queue.turns]


def wake_many(queue: Queue) -> set[WakeResult]:
    return {queue.wake(f"game-{number}", 3, 1, 0) for number in range(40)}


def test_games_are_distributed_among_servers(two_servers: tuple[Queue, EmbeddedRedis]) -> None:
    queue, _ = two_servers
    assert {WakeResult.SENT} == wake_many(queue)
    assert {WakeResult.WAITING} == wake_many(queue)
    first, second = lengths(queue)
    assert (40, True) == (first + second, min(first, second) > 5)


def test_turns_are_sent_to_servers_with_workers(two_servers: tuple[Queue, EmbeddedRedis]) -> None:
    queue, _ = two_servers
    queue.beat("worker", "one", 30, server=1)
    queue.update_served()
    wake_many(queue)
    assert [0, 40] == lengths(queue)
    queue.end_beat("worker", "one", server=1)
    queue.beat("worker", "two", 30, server=0)
    queue.update_served()
    wake_many(queue)
    assert [40, 40] == lengths(queue)


def test_an_unavailable_server_is_skipped(two_servers: tuple[Queue, EmbeddedRedis]) -> None:
    queue, other = two_servers
    for number in range(2):
        queue.beat("worker", "one", 30, server=number)
    wake_many(queue)
    assert {0: 1, 1: 1} == queue.living("worker")
    assert queue.age_s() > 0
    other.kill9()
    assert {0: 1} == queue.living("worker")
    assert 1 == queue.count_living("worker")
    assert queue.age_s() > 0
    queue.update_served()
    assert {WakeResult.SENT, WakeResult.WAITING} == wake_many(queue)
    assert 40 == queue.turns[0].count


def test_turns_at_a_server_without_workers_do_not_count_as_late(two_servers: tuple[Queue, EmbeddedRedis]) -> None:
    queue, _ = two_servers
    wake_many(queue)
    queue.beat("worker", "one", 30, server=1)
    queue.servers[1].delete(queue.turns[1].key)
    assert 0 == queue.age_s()


def test_a_drained_process_is_informed_and_not_counted(queue: Queue) -> None:
    assert not queue.beat("worker", "one", 30)
    queue.beat("worker", "two", 30)
    queue.drain("one")
    assert {"one": False, "two": False} == queue.names("worker")
    assert queue.beat("worker", "one", 30)
    assert ({"one": True, "two": False}, 1) == (queue.names("worker"), queue.count_living("worker"))
    queue.resume("one")
    assert not queue.beat("worker", "one", 30)
    assert ({"one": False, "two": False}, 2) == (queue.names("worker"), queue.count_living("worker"))
    queue.drain("one")
    queue.beat("worker", "one", 30)
    queue.end_beat("worker", "one")
    assert {"two": False} == queue.names("worker")


def test_draining_ends_after_a_day(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue_module, "DRAINED_S", -1)
    queue.drain("one")
    assert not queue.beat("worker", "one", 30)
    queue.drain("two")
    assert [b"two"] == queue.redis.zrange(keys.DRAINED, 0, -1)


def test_repeated_wake_ups_create_one_job(queue: Queue) -> None:
    assert WakeResult.SENT is queue.wake("game", 3, 1, 0)
    assert WakeResult.WAITING is queue.wake("game", 3, 1, 0)
    assert queue.turns[0].get_job_ids() == ["game-3-1-0"]
    assert WakeResult.SENT is queue.wake("game", 3, 1, 1)
    assert queue.turns[0].count == 2


def test_a_job_contains_the_workers_function_and_json(queue: Queue) -> None:
    queue.wake("game", 3, 1, 0)
    job = fetch_job(queue, "game-3-1-0")
    assert (job.func_name, list(job.args), job.kwargs) == ("workers.jobs.take_turn", ["game", 3, 1], {"before": 0})
    raw = queue.redis.hget("rq:job:game-3-1-0", "data")
    assert raw is not None
    assert b"workers.jobs.take_turn" in __import__("zlib").decompress(raw)


def test_every_game_id_is_valid_in_a_job_id(queue: Queue) -> None:
    ids = {Keys(1).new_id() for _ in range(100)}
    assert {WakeResult.SENT} == {queue.wake(game_id, 1, 0, 0) for game_id in ids}
    assert queue.turns[0].count == 100


def test_a_worker_runs_the_job_and_frees_its_id(queue: Queue, played_turns: list[tuple[str, int, int]]) -> None:
    queue.wake("game", 3, 1, 0)
    burst.work([queue.turns[0]])
    assert played_turns == [("game", 3, 1)]
    assert WakeResult.SENT is queue.wake("game", 3, 1, 0)
    burst.work([queue.turns[0]])
    assert len(played_turns) == 2


def test_a_failed_job_does_not_block_the_next_wake_up(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue_module, "TAKE_TURN", "tests.storage.jobs.fail")
    queue.wake("game", 3, 1, 0)
    burst.work([queue.turns[0]])
    assert fetch_job(queue, "game-3-1-0").get_status() == JobStatus.FAILED
    assert WakeResult.SENT is queue.wake("game", 3, 1, 0)
    assert queue.turns[0].get_job_ids() == ["game-3-1-0"]


def test_a_job_of_a_dead_worker_is_replaced_after_the_time_to_start(
    queue: Queue, monkeypatch: pytest.MonkeyPatch, played_turns: list[tuple[str, int, int]]
) -> None:
    queue.wake("game", 3, 1, 0)
    queue.redis.lmove(queue.turns[0].key, queue.turns[0].intermediate_queue_key)
    monkeypatch.setattr(queue_module, "STARTING_S", HANG_S)
    assert WakeResult.TAKEN is queue.wake("game", 3, 1, 0)
    jobs.age(queue, "game-3-1-0", round(HANG_S))
    assert WakeResult.SENT is queue.wake("game", 3, 1, 0)
    burst.work([queue.turns[0]])
    assert played_turns == [("game", 3, 1)]


@pytest.mark.parametrize("is_taken", [False, True])
def test_waking_succeeds_when_a_worker_finishes_the_job_before_any_command(
    queue: Queue, played_turns: list[tuple[str, int, int]], monkeypatch: pytest.MonkeyPatch, *, is_taken: bool
) -> None:
    monkeypatch.setattr(queue_module, "STARTING_S", 0.0)  # as if the job had taken long
    keeper, turns = Queue(queue_url(queue)), queue.turns[0]
    send: Any = Connection.send_packed_command
    for number in range(8):
        queue.wake("game", 3, 1, 0)
        if is_taken:
            queue.redis.lmove(turns.key, turns.intermediate_queue_key)
        left = itertools.count(number, -1)

        def finish_and_send(connection: Connection, *arguments: Any, left: Iterator[int] = left, **more: Any) -> None:
            if next(left) == 0:
                if is_taken:
                    queue.redis.delete("rq:job:game-3-1-0")
                else:
                    burst.work([turns])
            send(connection, *arguments, **more)

        with monkeypatch.context() as patch:
            patch.setattr(Connection, "send_packed_command", finish_and_send)
            assert keeper.wake("game", 3, 1, 0) in (WakeResult.SENT, WakeResult.WAITING)
        queue.redis.flushdb()


@pytest.mark.nightly
def test_waking_succeeds_while_a_worker_finishes_the_job(
    queue: Queue, played_turns: list[tuple[str, int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker takes the job, registers it with RQ, and deletes it. A keeper may wake at any moment."""
    monkeypatch.setattr(queue_module, "STARTING_S", 0.0)  # as if each job had taken long
    raised: list[Exception] = []
    over = threading.Event()

    def wake() -> None:
        other = Queue(queue_url(queue))
        while not over.is_set():
            try:
                other.wake("game", 3, 1, 0)
            except Exception as error:  # noqa: BLE001 - whatever it is
                raised.append(error)

    wakers = [threading.Thread(target=wake) for _ in range(2)]
    for waker in wakers:
        waker.start()
    while len(played_turns) < 10:
        burst.work([queue.turns[0]])
    over.set()
    for waker in wakers:
        waker.join(HANG_S)
    assert [] == raised


@pytest.mark.parametrize("left", [{"status": "queued", "enqueued_at": "yesterday"}, {"nothing": "known"}])
def test_damaged_jobs_are_replaced(
    queue: Queue, played_turns: list[tuple[str, int, int]], left: dict[Any, Any]
) -> None:
    queue.redis.hset("rq:job:game-3-1-0", mapping=left)
    assert WakeResult.SENT is queue.wake("game", 3, 1, 0)
    burst.work([queue.turns[0]])
    assert played_turns == [("game", 3, 1)]


def test_a_damaged_queue_refuses_wake_ups(queue: Queue) -> None:
    queue.redis.set(queue.turns[0].key, "no list")
    assert WakeResult.REFUSED is queue.wake("game", 3, 1, 0)


def test_waking_raises_without_redis(queue: Queue, valkey: EmbeddedRedis) -> None:
    valkey.kill9()
    with pytest.raises(RedisError):
        queue.wake("game", 3, 1, 0)
    valkey.restart()


def test_the_age_of_the_queue_is_that_of_its_oldest_job(queue: Queue) -> None:
    assert queue.age_s() == 0.0
    for game_id in ("old", "new"):
        queue.wake(game_id, 1, 0, 0)
    jobs.age(queue, "old-1-0-0", 3_600)
    assert 3_600 <= queue.age_s()


def test_heartbeats_count_until_they_expire_or_end(queue: Queue) -> None:
    queue.beat("worker", "a", 60)
    queue.beat("worker", "a", 60)
    queue.beat("worker", "b", 60)
    queue.beat("keeper", "c", 60)
    assert tuple(queue.count_living(kind) for kind in ("worker", "keeper", "nobody")) == (2, 1, 0)
    queue.redis.zincrby(keys.heartbeats("keeper"), -60_000, "c")
    queue.end_beat("worker", "b")
    assert (queue.count_living("worker"), queue.count_living("keeper")) == (1, 0)


def hand_over(queue: Queue, worker: str = "other") -> bool:
    return queue.hand_over("job", "game", 1, worker)


def test_a_turn_is_handed_over_to_an_idle_worker_that_holds_its_tree(queue: Queue) -> None:
    queue.remember_holder("game", 1, "holder")
    received = list[Any]()
    waiting = threading.Thread(
        target=lambda: received.append(queue.redis.blpop([queue.own_turns("holder").key], HANG_S))
    )
    waiting.start()
    wait_until(lambda: queue.redis.info("clients")["blocked_clients"])
    assert hand_over(queue)
    waiting.join(HANG_S)
    assert [(b"rq:queue:turns-holder", b"job")] == received


def test_a_turn_is_not_handed_over_to_a_busy_or_missing_worker(queue: Queue) -> None:
    queue.remember_holder("game", 1, "holder")
    assert not hand_over(queue)
    assert not queue.redis.exists(queue.own_turns("holder").key)


def test_a_worker_keeps_a_turn_if_it_or_no_worker_holds_the_tree(queue: Queue) -> None:
    assert not hand_over(queue)
    queue.remember_holder("game", 1, "holder")
    assert not hand_over(queue, "holder")
    assert 0 < queue.redis.ttl(keys.tree_holder("game", 1)) <= queue_module.TREE_KEPT_S


@pytest.mark.parametrize("key", [keys.tree_holder("game", 1), "rq:queue:turns-holder"])
def test_a_damaged_queue_hands_over_no_turns(queue: Queue, key: str) -> None:
    queue.remember_holder("game", 1, "holder")
    queue.redis.delete(key)
    queue.redis.sadd(key, "what is no part of it")
    assert not hand_over(queue)
