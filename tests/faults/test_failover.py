"""Games on a Redis Cluster with moving slots and a killed primary, and on a primary with sentinels."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from redis.crc import key_slot

from service.storage.base.keys import Keys
from tests.e2e.stack import Stack
from tests.faults.bot import bot
from tests.faults.chaos import ENVIRONMENT, Faults, Run, Wanted
from tests.faults.journal import Journal
from tests.faults.servers import Cluster, Sentinels, Server, free_ports, start_server
from tests.patience import wait_until

BUCKETS = 8
MOVED = 500
TABLES = 3
KILLED = "Redis killed"
ANSWERS = 30
"""Requests to answer before, between and after the steps of a fail-over."""


def play_on(run: Run) -> None:
    """Wait until more requests are answered."""
    wanted = count_acknowledged(run) + ANSWERS
    wait_until(lambda: count_acknowledged(run) >= wanted, "games go on")


def count_acknowledged(run: Run) -> int:
    return sum(map(len, [*run.journal.acknowledged.values()]))


def fail_over(run: Run, primary: Server, replica: Server, is_replaced: Callable[[], bool]) -> None:
    """Kill a primary and wait for its successor while people play. Data that has not reached the replica is lost."""
    play_on(run)
    now, offset = time.monotonic(), primary.info("replication", "master_repl_offset")
    wait_until(lambda: replica.info("replication", "master_repl_offset") >= offset, "the replica follows")
    with run.journal.in_force(KILLED, time.monotonic):
        primary.kill()
        run.journal.unwritten.append((now, time.monotonic()))
        wait_until(is_replaced, "the replica serves in its place")
        wait_until(run.stack.is_ready, "ready again")
    play_on(run)
    run.no_more.set()
    run.orders.end.set()


def violations(folder: Path, faults: Faults, **environment: str) -> list[str]:
    """Return the violations after games on a service with these settings and faults."""
    settings = {**ENVIRONMENT, "WORKERS": "1", "WEB_WORKERS": "1", "DIALERS": "1", **environment}
    with Stack(folder, **settings) as stack, bot() as bot_url:
        run = Run(Wanted("failover", 0, None, TABLES), stack, Journal(), faults, bot_url)
        run.go()
        results = run.check()
    assert len(run.finished_tables) >= TABLES
    return results


@pytest.mark.nightly
def test_games_continue_while_cluster_slots_move_and_after_a_primary_is_killed(tmp_path: Path) -> None:
    first = key_slot(Keys(BUCKETS).matchmaking_bucket.hub.encode())  # a bucket that always has keys
    with contextlib.ExitStack() as stack:
        cluster, queue = Cluster(tmp_path, stack), start_server(stack, tmp_path, free_ports(1)[0], "--save", "")
        number = next(number for number, slots in enumerate(cluster.slots) if first in slots)
        source, target = cluster.primaries[number], cluster.primaries[number - 1]

        def faults(run: Run) -> None:
            play_on(run)
            cluster.move(source, target, range(first, min(first + MOVED, cluster.slots[number].stop)))
            assert target.run("CLUSTER", "COUNTKEYSINSLOT", first)
            fail_over(run, target, cluster.replica_of(target), lambda: cluster.is_replaced(target))

        urls = {"REDIS_URL": cluster.url, "QUEUE_URL": f"redis://127.0.0.1:{queue.port}"}
        assert [] == violations(tmp_path, faults, BUCKETS=str(BUCKETS), **urls)


@pytest.mark.nightly
def test_games_continue_after_sentinels_promote_a_replica(tmp_path: Path) -> None:
    with contextlib.ExitStack() as stack:
        sentinels = Sentinels(tmp_path, stack)
        urls = {"REDIS_URL": sentinels.url, "QUEUE_URL": sentinels.url}

        def faults(run: Run) -> None:
            fail_over(run, sentinels.primary, sentinels.replica, sentinels.is_replaced)

        assert [] == violations(tmp_path, faults, **urls)
