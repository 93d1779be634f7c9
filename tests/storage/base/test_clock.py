"""One clock for all: the store's, whatever the machine says."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from redis import Redis

from service.operate.redis.launcher import EmbeddedRedis
from service.storage.base.clock import AGAIN_S, Clock
from service.storage.base.connect import connect
from tests.patience import by_redis

HOUR_MS = 3_600_000


def assert_tells(clock: Clock, now_ms: Callable[[], int]) -> None:
    """The clock is right, but for the time that asking takes: half of it bounds the error."""
    before, actual, after = now_ms(), clock.now_ms(), now_ms()
    delay = after - before + 1  # whole milliseconds, rounded up
    assert before - delay <= actual <= after + delay


@pytest.mark.parametrize("wrong_ms", [HOUR_MS, -HOUR_MS])
def test_a_machine_whose_clock_is_wrong_tells_the_time_of_the_store(client: Redis, wrong_ms: int) -> None:
    clock = Clock(client, lambda: time.time_ns() // 1_000_000 + wrong_ms)
    assert_tells(clock, lambda: by_redis(client))


def test_the_store_is_asked_once_in_a_while_and_time_goes_on_meanwhile(client: Redis) -> None:
    passed, asked = 0.0, by_redis(client)
    clock = Clock(client, monotonic=lambda: passed)
    first = clock.now_ms()
    calls = _calls_of_time(client)
    passed = AGAIN_S - 0.5
    assert first + 1000 * passed == clock.now_ms()
    assert calls == _calls_of_time(client)
    passed = 100.0
    assert asked <= clock.now_ms() <= by_redis(client) + 1
    assert calls + 1 == _calls_of_time(client) - 1  # by_redis asks, too


def test_a_clock_that_is_set_while_a_process_runs_changes_nothing(client: Redis) -> None:
    wrong_ms = 0
    clock = Clock(client, lambda: time.time_ns() // 1_000_000 + wrong_ms, lambda: 0.0)
    before = clock.now_ms()
    wrong_ms = HOUR_MS
    assert before == clock.now_ms()


def test_while_the_store_is_away_time_goes_on_as_it_was_told(valkey: EmbeddedRedis) -> None:
    passed = 0.0
    with connect(valkey.url) as client:
        clock = Clock(client, monotonic=lambda: passed)
        first = clock.now_ms()
        valkey.kill9()
        passed = 10.0
        assert first + 10_000 == clock.now_ms()
        valkey.restart()


def test_before_the_store_has_answered_once_the_machines_clock_must_do(valkey: EmbeddedRedis) -> None:
    with connect(valkey.url) as client:
        valkey.kill9()
        assert 7 == Clock(client, lambda: 7).now_ms()
        valkey.restart()


def test_a_server_that_was_started_again_is_noticed_once(valkey: EmbeddedRedis) -> None:
    """It may have lost its last seconds."""
    passed, noticed = 0.0, list[float]()
    with connect(valkey.url) as client:
        clock = Clock(client, monotonic=lambda: passed)
        clock.when_another = lambda: noticed.append(passed)
        for passed in (0.0, 10.0, 20.0, 30.0):
            clock.now_ms()
            if passed == 10.0:
                valkey.kill9()
                valkey.restart()
    assert [20.0] == noticed


def test_a_cluster_tells_the_time_like_a_single_server(cluster_url: str) -> None:
    with connect(cluster_url) as client:
        assert_tells(Clock(client, lambda: 0), lambda: time.time_ns() // 1_000_000)


def _calls_of_time(client: Redis) -> int:
    return int(client.info("commandstats").get("cmdstat_time", {"calls": 0})["calls"])
