"""The exporter in a separate process: its response while a store is down, its start and its end."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
import redis
import requests
from prometheus_client.parser import text_string_to_metric_families

from service.operate.redis.launcher import EmbeddedRedis
from tests.e2e.stack import free_port
from tests.patience import HANG_S, wait_until
from tests.workers.processes import Processes


@pytest.fixture
def url(processes: Processes, valkey: EmbeddedRedis, redis_client: redis.Redis) -> Iterator[str]:
    """Yield the URL of an exporter's metrics."""
    port = free_port()
    processes.environment["METRICS_PORT"] = str(port)
    url = f"http://127.0.0.1:{port}/metrics"
    processes.start("workers.exporter")
    wait_until(lambda: "exporter_ready" in processes.output(), processes.output)
    yield url
    if valkey.pid is not None:
        os.kill(valkey.pid, signal.SIGCONT)


def scrape(url: str) -> dict[str, dict[tuple[str, ...], float]]:
    """Return the samples: by name, by the values of the labels."""
    samples: dict[str, dict[tuple[str, ...], float]] = {}
    for family in text_string_to_metric_families(requests.get(url, timeout=HANG_S).text):
        for sample in family.samples:
            samples.setdefault(sample.name, {})[tuple(sample.labels.values())] = sample.value
    return samples


def test_store_that_hangs_or_is_down_is_reported_in_time(url: str, valkey: EmbeddedRedis) -> None:
    """Prometheus gives up after ten seconds and would then have no samples at all."""
    assert {("games",): 1, ("queue",): 1} == scrape(url)["azul_redis_up"]
    assert valkey.pid is not None
    os.kill(valkey.pid, signal.SIGSTOP)
    hung = scrape(url)
    assert {("games",): 0, ("queue",): 0} == hung["azul_redis_up"]
    assert "azul_due_length" not in hung
    assert "azul_build_info" in hung
    os.kill(valkey.pid, signal.SIGCONT)
    valkey.kill9()
    assert {("games",): 0, ("queue",): 0} == scrape(url)["azul_redis_up"]
    valkey.restart()
    wait_until(lambda: scrape(url)["azul_redis_up"] == {("games",): 1, ("queue",): 1})


def test_damaged_data_is_omitted_and_the_rest_is_exported(url: str, redis_client: redis.Redis) -> None:
    redis_client.set("{b00}:due", "no list of what is due")
    told = scrape(url)
    assert "azul_due_length" not in told
    assert {("games",): 1, ("queue",): 1} == told["azul_redis_up"]
    assert "azul_queue_length" in told


def test_exporter_without_a_port_waits_until_it_is_stopped(processes: Processes) -> None:
    exporter = processes.start("workers.exporter")
    wait_until(lambda: "no_metrics" in processes.output(), processes.output)
    exporter.send_signal(signal.SIGTERM)
    assert 0 == exporter.wait(HANG_S), processes.output()


def test_port_in_use_is_reported(url: str, processes: Processes) -> None:
    assert 1 == processes.start("workers.exporter").wait(HANG_S)
    assert "metrics_not_served" in processes.output()
    assert "Traceback" not in processes.output()
