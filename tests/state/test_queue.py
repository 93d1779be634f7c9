"""A wake-up is one job, whoever sends it; a lost one does not block the next."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from redis import Redis
from rq import SimpleWorker
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer

from service.operate.launcher import EmbeddedRedis
from service.state import queue as queue_module
from service.state.keys import Keys
from service.state.queue import Queue
from tests.patience import SOON_S
from tests.state import jobs


@pytest.fixture
def queue(valkey: EmbeddedRedis, client: Redis) -> Iterator[Queue]:
    queue = Queue(valkey.url)
    yield queue
    queue.redis.close()


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, int]]:
    """The turns that the job of this test has been asked to take."""
    monkeypatch.setattr(queue_module, "TAKE_TURN", "tests.state.jobs.note")
    jobs.PLAYED.clear()
    return jobs.PLAYED


def work(queue: Queue) -> None:
    SimpleWorker([queue.rq], connection=queue.redis, serializer=JSONSerializer).work(
        burst=True, logging_level="WARNING"
    )


def fetched(queue: Queue, job_id: str) -> Job:
    return Job.fetch(job_id, connection=queue.redis, serializer=JSONSerializer)


def test_two_wake_ups_for_one_decision_are_one_job(queue: Queue) -> None:
    assert queue.wake("game", 3, 1, 0)
    assert not queue.wake("game", 3, 1, 0)
    assert queue.rq.get_job_ids() == ["game-3-1-0"]
    assert queue.wake("game", 3, 1, 1)
    assert queue.length() == 2


def test_a_job_names_the_workers_function_and_carries_json(queue: Queue) -> None:
    queue.wake("game", 3, 1, 0)
    job = fetched(queue, "game-3-1-0")
    assert (job.func_name, list(job.args)) == ("workers.jobs.take_turn", ["game", 3, 1])
    raw = queue.redis.hget("rq:job:game-3-1-0", "data")
    assert raw is not None
    assert b"workers.jobs.take_turn" in __import__("zlib").decompress(raw)


def test_every_game_id_makes_a_valid_job_id(queue: Queue) -> None:
    ids = {Keys(1).new_game_id() for _ in range(100)}
    assert all(queue.wake(game_id, 1, 0, 0) for game_id in ids)
    assert queue.length() == 100


def test_a_worker_runs_the_job_and_leaves_its_id_free(queue: Queue, played: list[tuple[str, int, int]]) -> None:
    queue.wake("game", 3, 1, 0)
    work(queue)
    assert played == [("game", 3, 1)]
    assert queue.wake("game", 3, 1, 0)
    work(queue)
    assert len(played) == 2


def test_a_failed_job_does_not_block_the_next_wake_up(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue_module, "TAKE_TURN", "tests.state.jobs.fail")
    queue.wake("game", 3, 1, 0)
    work(queue)
    assert fetched(queue, "game-3-1-0").get_status() == JobStatus.FAILED
    assert queue.wake("game", 3, 1, 0)
    assert queue.rq.get_job_ids() == ["game-3-1-0"]


def test_a_job_taken_by_a_worker_that_died_is_replaced_once_it_had_time_to_start(
    queue: Queue, monkeypatch: pytest.MonkeyPatch, played: list[tuple[str, int, int]]
) -> None:
    queue.wake("game", 3, 1, 0)
    queue.redis.lmove(queue.rq.key, queue.rq.intermediate_queue_key)
    assert not queue.wake("game", 3, 1, 0)
    monkeypatch.setattr(queue_module, "STARTING_S", 0.05)
    time.sleep(0.1)
    assert queue.wake("game", 3, 1, 0)
    work(queue)
    assert played == [("game", 3, 1)]


def test_the_age_of_the_queue_is_that_of_its_oldest_job(queue: Queue) -> None:
    assert queue.age_s() == 0.0
    queue.wake("old", 1, 0, 0)
    time.sleep(0.3)
    queue.wake("new", 1, 0, 0)
    assert 0.3 <= queue.age_s() < SOON_S


def test_heartbeats_count_until_they_run_out_or_are_taken_back(queue: Queue) -> None:
    queue.beat("worker", "a", 60)
    queue.beat("worker", "a", 60)
    queue.beat("worker", "b", 60)
    queue.beat("keeper", "c", 0.05)
    assert tuple(queue.alive(kind) for kind in ("worker", "keeper", "nobody")) == (2, 1, 0)
    time.sleep(0.1)
    queue.end_beat("worker", "b")
    assert (queue.alive("worker"), queue.alive("keeper")) == (1, 0)
