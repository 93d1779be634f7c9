"""Runs of the arena in Redis: what nobody fetches, and who no longer waits, is forgotten."""

from __future__ import annotations

import pytest
from redis import Redis

from service.storage.base import keys
from service.storage.work.runs import REPORTS_S, WAITED_FOR_S, Run


@pytest.fixture
def run(client: Redis) -> Run:
    return Run(client, "of-the-test")


def test_reports_that_nobody_fetches_expire(client: Redis, run: Run) -> None:
    run.report(b"a game")
    assert REPORTS_S - 10 < client.ttl(keys.reports(run.id)) <= REPORTS_S


def test_who_does_not_say_again_that_they_wait_does_so_no_longer(client: Redis, run: Run) -> None:
    run.wait_on()
    assert WAITED_FOR_S - 10 < client.ttl(keys.run(run.id)) <= WAITED_FOR_S


def test_a_run_that_is_ended_leaves_nothing(client: Redis, run: Run) -> None:
    run.wait_on()
    run.report(b"a game")
    run.end()
    assert [] == client.keys("*")
