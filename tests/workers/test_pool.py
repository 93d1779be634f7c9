"""A pool of workers: one process forks several others and ends them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.operate.conftest import is_alive
from tests.patience import HANG_S, wait_until
from tests.workers.processes import ROOT
from workers.worker import dialer_queues

PROGRAM = """
import os, signal, sys
from pathlib import Path
from workers.processes import pool

def stop(*_): raise SystemExit(0)
signal.signal(signal.SIGTERM, stop)

def work(number):
    Path(sys.argv[1], f"{number}-{os.getpid()}").touch()
    signal.pause()

pool.PAUSE_S = 0
pool.run(3, work)
"""
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks on Linux only")


def processes_by_number(folder: Path) -> dict[int, list[int]]:
    """Return the processes that have started, by number."""
    results: dict[int, list[int]] = {}
    for path in folder.iterdir():
        number, _, process = path.name.partition("-")
        results.setdefault(int(number), []).append(int(process))
    return results


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (1, [("calls", "hooks", "matches")]),
        (2, [("calls", "hooks"), ("calls", "hooks", "matches")]),
        (4, [*[("calls", "hooks")] * 3, ("calls", "hooks", "matches")]),
    ],
)
def test_only_one_dialer_plays_games_of_tournaments(count: int, expected: list[tuple[str, ...]]) -> None:
    assert expected == [dialer_queues(number, count) for number in range(count)]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_killed_worker_is_forked_again_and_all_workers_end_with_the_first(tmp_path: Path, number: int) -> None:
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(tmp_path)], cwd=ROOT, env={**os.environ})
    try:
        wait_until(lambda: {0, 1, 2} == processes_by_number(tmp_path).keys())
        (victim,) = processes_by_number(tmp_path)[1]
        os.kill(victim, signal.SIGKILL)
        wait_until(lambda: len(processes_by_number(tmp_path)[1]) == 2)
        assert [1, 1] == [len(processes_by_number(tmp_path)[other]) for other in (0, 2)]
        process.send_signal(number)
        process.wait(HANG_S)
        wait_until(
            lambda: (
                not any(
                    is_alive(process) for processes in processes_by_number(tmp_path).values() for process in processes
                )
            )
        )
    finally:
        process.kill()
