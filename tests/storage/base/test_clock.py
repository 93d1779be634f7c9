"""One clock for all processes: that of the store, whatever the machine's clock says."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from redis import Redis

from service.operate.redis.launcher import EmbeddedRedis
from service.storage.base.clock import REFRESH_S, Clock
from service.storage.base.connect import connect
from tests.patience import redis_now_ms

HOUR_MS = 3_600_000


def assert_accurate(clock: Clock, now_ms: Callable[[], int]) -> None:
    """Check the clock within the delay of the exchange, which bounds its error by half."""
    before, actual, after = now_ms(), clock.now_ms(), now_ms()
    delay = after - before + 1  # whole milliseconds, rounded up
    assert before - delay <= actual <= after + delay


@pytest.mark.parametrize("wrong_ms", [HOUR_MS, -HOUR_MS])
def test_a_machine_with_a_wrong_clock_uses_the_time_of_the_store(client: Redis, wrong_ms: int) -> None:
    clock = Clock(client, lambda: time.time_ns() // 1_000_000 + wrong_ms)
    assert_accurate(clock, lambda: redis_now_ms(client))


def test_the_clock_asks_the_store_rarely_and_advances_in_between(client: Redis) -> None:
    passed, asked_ms = 0.0, redis_now_ms(client)
    clock = Clock(client, monotonic=lambda: passed)
    first = clock.now_ms()
    calls = _calls_of_time(client)
    passed = REFRESH_S - 0.5
    assert first + 1000 * passed == clock.now_ms()
    assert calls == _calls_of_time(client)
    passed = 100.0
    assert asked_ms <= clock.now_ms() <= redis_now_ms(client) + 1
    assert calls + 1 == _calls_of_time(client) - 1  # redis_now_ms asks, too


def test_setting_the_machines_clock_changes_nothing(client: Redis) -> None:
    wrong_ms = 0
    clock = Clock(client, lambda: time.time_ns() // 1_000_000 + wrong_ms, lambda: 0.0)
    before = clock.now_ms()
    wrong_ms = HOUR_MS
    assert before == clock.now_ms()


def test_without_the_store_time_advances_from_its_last_answer(valkey: EmbeddedRedis) -> None:
    passed = 0.0
    with connect(valkey.url) as client:
        clock = Clock(client, monotonic=lambda: passed)
        first = clock.now_ms()
        valkey.kill9()
        passed = 10.0
        assert first + 10_000 == clock.now_ms()
        valkey.restart()


def test_before_the_first_answer_of_the_store_the_machines_clock_is_used(valkey: EmbeddedRedis) -> None:
    with connect(valkey.url) as client:
        valkey.kill9()
        assert 7 == Clock(client, lambda: 7).now_ms()
        valkey.restart()


def test_a_restarted_server_is_noticed_once(valkey: EmbeddedRedis) -> None:
    """It may have lost its last seconds."""
    passed, noticed = 0.0, list[float]()
    with connect(valkey.url) as client:
        clock = Clock(client, monotonic=lambda: passed)
        clock.on_new_server = lambda: noticed.append(passed)
        for passed in (0.0, 10.0, 20.0, 30.0):
            clock.now_ms()
            if passed == 10.0:
                valkey.kill9()
                valkey.restart()
    assert [20.0] == noticed


def test_a_cluster_has_a_clock_like_a_single_server(cluster_url: str) -> None:
    with connect(cluster_url) as client:
        assert_accurate(Clock(client, lambda: 0), lambda: time.time_ns() // 1_000_000)


def _calls_of_time(client: Redis) -> int:
    return int(client.info("commandstats").get("cmdstat_time", {"calls": 0})["calls"])
