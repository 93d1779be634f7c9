"""A pool of workers: one process forks several, and ends them."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import HANG_S, until
from tests.workers.processes import ROOT
from workers.worker import dialed

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


def seen(folder: Path) -> dict[int, list[int]]:
    """The processes that have begun, by number."""
    results: dict[int, list[int]] = {}
    for path in folder.iterdir():
        number, _, process = path.name.partition("-")
        results.setdefault(int(number), []).append(int(process))
    return results


def lives(process: int) -> bool:
    """Whether it runs; a process that has ended and was not collected yet has no command line."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return bool(Path(f"/proc/{process}/cmdline").read_bytes())
    return False


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (1, [("calls", "hooks", "matches")]),
        (2, [("calls", "hooks"), ("calls", "matches")]),
        (3, [("calls", "hooks"), ("calls", "matches"), ("calls",)]),
        (4, [("calls", "hooks"), ("calls", "matches"), ("calls", "hooks"), ("calls",)]),
    ],
)
def test_calls_of_live_games_wait_for_nothing_else(count: int, expected: list[tuple[str, ...]]) -> None:
    assert expected == [dialed(number, count) for number in range(count)]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_worker_that_ends_is_forked_again_and_none_outlives_the_first(tmp_path: Path, number: int) -> None:
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(tmp_path)], cwd=ROOT, env={**os.environ})
    try:
        until(lambda: {0, 1, 2} == seen(tmp_path).keys())
        (victim,) = seen(tmp_path)[1]
        os.kill(victim, signal.SIGKILL)
        until(lambda: len(seen(tmp_path)[1]) == 2)
        assert [1, 1] == [len(seen(tmp_path)[other]) for other in (0, 2)]
        process.send_signal(number)
        process.wait(HANG_S)
        until(lambda: not any(lives(one) for every in seen(tmp_path).values() for one in every))
    finally:
        process.kill()
