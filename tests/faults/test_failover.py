"""Games on a Redis Cluster whose slots move and whose primary is killed, and on a primary that sentinels look after."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from redis.crc import key_slot

from service.storage.keys import Keys
from tests.e2e.stack import Stack
from tests.faults.bot import bot
from tests.faults.chaos import ENVIRONMENT, Faults, Run, Wanted
from tests.faults.journal import Journal
from tests.faults.servers import Cluster, Sentinels, free_ports, started

BUCKETS = 8
MOVED = 500
TABLES = 3
KILLED = "Redis killed"
PLAYED_S = 2.0
"""Games are played for so long before, between and after what is done to Redis."""
DYING_S = 0.2
"""What was answered so long before or after the kill may not have reached the replica."""


def killed(run: Run, kill: Callable[[], None]) -> None:
    """Kill a primary and wait for its successor, while people play."""
    time.sleep(PLAYED_S)
    now = time.monotonic()
    run.journal.unwritten.append((now - DYING_S, now + DYING_S))
    with run.journal.in_force(KILLED, time.monotonic):
        kill()
    time.sleep(PLAYED_S)
    run.no_more.set()
    run.orders.end.set()


def violations(folder: Path, faults: Faults, **environment: str) -> list[str]:
    """What is wrong after games were played on a service with these settings, and faults."""
    settings = {**ENVIRONMENT, "WORKERS": "1", "DIALERS": "1", **environment}
    with Stack(folder, **settings) as stack, bot() as bot_url:
        run = Run(Wanted("failover", 0, None, TABLES), stack, Journal(), faults, bot_url)
        run.go()
        results = run.check()
    assert len(run.ended) >= TABLES
    return results


@pytest.mark.nightly
def test_games_go_on_while_slots_of_a_cluster_move_and_after_a_primary_is_killed(tmp_path: Path) -> None:
    first = key_slot(Keys(BUCKETS).of_seeks.hub.encode())  # of a bucket that always has keys
    with contextlib.ExitStack() as stack:
        cluster, queue = Cluster(tmp_path, stack), started(stack, tmp_path, free_ports(1)[0], "--save", "")
        number = next(number for number, slots in enumerate(cluster.slots) if first in slots)
        source, target = cluster.primaries[number], cluster.primaries[number - 1]

        def faults(run: Run) -> None:
            time.sleep(PLAYED_S)
            cluster.move(source, target, range(first, min(first + MOVED, cluster.slots[number].stop)))
            assert target.run("CLUSTER", "COUNTKEYSINSLOT", first)
            killed(run, lambda: cluster.kill(target))

        urls = {"REDIS_URL": cluster.url, "QUEUE_URL": f"redis://127.0.0.1:{queue.port}"}
        assert [] == violations(tmp_path, faults, BUCKETS=str(BUCKETS), **urls)


def test_games_go_on_after_sentinels_have_put_a_replica_in_the_place_of_its_primary(tmp_path: Path) -> None:
    with contextlib.ExitStack() as stack:
        sentinels = Sentinels(tmp_path, stack)
        urls = {"REDIS_URL": sentinels.url, "QUEUE_URL": sentinels.url}
        assert [] == violations(tmp_path, lambda run: killed(run, sentinels.kill), **urls)
