"""Real workers and keepers at a real valkey: games go on whatever is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from service.cases import Cases
from service.operate.launcher import EmbeddedRedis
from tests.workers.processes import ROOT, Processes, until
from tests.workers.test_jobs import new_game, now


def ready(cases: Cases, kind: str, count: int = 1) -> None:
    assert until(lambda: cases.queue.alive(kind) >= count, 60), f"no {kind}"


def is_over(cases: Cases, game: str) -> bool:
    return now(cases, game)[2] != "playing"


def test_a_worker_plays_games_to_their_end_and_stops_when_told(cases: Cases, processes: Processes) -> None:
    worker, keeper = processes.start("workers"), processes.start("workers.keeper")
    ready(cases, "worker")
    ready(cases, "keeper")
    games = [new_game(cases, ("greedy", "random")), new_game(cases, ("random", "greedy", "random"), variant="grey")]
    assert until(lambda: all(is_over(cases, game) for game in games), 90), processes.output()
    for process in (worker, keeper):
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert 0 == process.wait(5), processes.output()
        assert time.monotonic() - began < 2
    assert "Traceback" not in processes.output()


@pytest.mark.skipif(sys.platform != "linux", reason="looks for the children of the worker in /proc")
def test_a_decision_is_made_within_five_seconds_after_its_worker_is_killed(cases: Cases, processes: Processes) -> None:
    processes.start("workers.keeper")
    first = processes.start("workers")
    ready(cases, "worker")
    game = new_game(cases, ("master", "master"))
    assert until(lambda: children(first.pid), 20)
    processes.start("workers")
    ready(cases, "worker", 2)
    assert until(lambda: children(first.pid) or not _is_playing(cases, game), 20)
    victims = [first.pid, *children(first.pid)]
    before = now(cases, game)[0]
    for pid in victims:
        os.kill(pid, signal.SIGKILL)
    killed = time.monotonic()
    assert until(lambda: now(cases, game)[0] > before, 20), processes.output()
    assert time.monotonic() - killed < 5


def _is_playing(cases: Cases, game: str) -> bool:
    return not is_over(cases, game)


def children(pid: int) -> list[int]:
    """Ids of its child processes now."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_the_keeper_wakes_what_nobody_was_woken_for(cases: Cases, processes: Processes) -> None:
    """The queue has lost everything: its Redis was restarted without it."""
    game = new_game(cases, ("random", "random"))
    for key in cases.queue.redis.scan_iter("rq:*"):
        cases.queue.redis.delete(key)
    processes.start("workers")
    processes.start("workers.keeper")
    assert until(lambda: is_over(cases, game), 60), processes.output()


def test_worker_and_keeper_outlive_an_outage_of_redis(
    cases: Cases, processes: Processes, valkey: EmbeddedRedis
) -> None:
    worker, keeper = processes.start("workers"), processes.start("workers.keeper")
    ready(cases, "worker")
    ready(cases, "keeper")
    valkey.kill9()
    time.sleep(2)
    assert (None, None) == (worker.poll(), keeper.poll()), processes.output()
    valkey.restart()
    game = new_game(cases, ("greedy", "random"))
    assert until(lambda: is_over(cases, game), 60), processes.output()


@pytest.mark.parametrize("module", ["workers", "workers.keeper"])
def test_a_signal_is_obeyed_while_redis_is_away(processes: Processes, valkey: EmbeddedRedis, module: str) -> None:
    valkey.kill9()
    process = processes.start(module)
    assert until(lambda: "redis_unreachable" in processes.output(), 60), processes.output()
    process.send_signal(signal.SIGTERM)
    assert 0 == process.wait(5), processes.output()


@pytest.mark.parametrize("module", ["workers", "workers.keeper"])
def test_without_a_redis_the_message_says_what_to_do(module: str, tmp_path: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if not key.endswith("_URL")}
    ended = subprocess.run(
        [sys.executable, "-m", module], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert 2 == ended.returncode
    assert "REDIS_URL is not set" in ended.stderr


def test_the_keeper_loads_neither_rules_nor_compiler() -> None:
    """So that it starts in half a second and stays small."""
    program = "import sys, workers.keeper; print({'numba', 'numpy', 'flask', 'workers.search'} & set(sys.modules))"
    ended = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "set()" == ended.stdout.strip()
