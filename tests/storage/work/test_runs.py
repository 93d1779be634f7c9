"""Benchmark runs in Redis: unread reports and absent waiters expire."""

from __future__ import annotations

import pytest
from redis import Redis

from service.storage.base import keys
from service.storage.work.runs import REPORTS_S, WAITED_FOR_S, Run


@pytest.fixture
def run(client: Redis) -> Run:
    return Run(client, "of-the-test")


def test_unread_reports_expire(client: Redis, run: Run) -> None:
    run.report(b"a game")
    assert REPORTS_S - 10 < client.ttl(keys.reports_key(run.id)) <= REPORTS_S


def test_a_run_expires_when_its_waiter_stops_renewing_it(client: Redis, run: Run) -> None:
    run.renew()
    assert WAITED_FOR_S - 10 < client.ttl(keys.run_key(run.id)) <= WAITED_FOR_S


def test_an_ended_run_is_deleted(client: Redis, run: Run) -> None:
    run.renew()
    run.report(b"a game")
    run.end()
    assert [] == client.keys("*")
