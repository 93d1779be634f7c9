"""Two crews: one works, and the other has loaded everything and takes over at once when the first is killed."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path

import pytest

from service.usecases.base.context import Context
from tests.patience import HANG_S, wait_until
from tests.workers.processes import Processes
from tests.workers.test_jobs import new_game
from tests.workers.test_processes import child_pids, is_over, ready

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks on Linux only")
CREW = {"keeper": 1, "worker": 2, "background": 1}


@pytest.fixture
def crews(context: Context, processes: Processes) -> Processes:
    """Start two crews and wait until both are loaded."""
    processes.environment |= {"WORKERS": "2", "KEEPERS": "1", "BACKGROUND_WORKERS": "1"}
    for _ in range(2):
        processes.start("workers.crew")
    wait_until(lambda: processes.output().count("crew_loaded") == 2, processes.output)
    for kind, count in CREW.items():
        ready(context, kind, count)
    return processes


def process_name(pid: int) -> str:
    """Return the name that a process has given itself, or an empty string if it has ended."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/comm").read_text().strip()
    return ""


def crew_of(pid: int) -> list[str]:
    """Return the names of the children of a process."""
    return sorted(process_name(child) for child in child_pids(pid))


def on_duty(crews: Processes) -> int:
    """Return the process of the crew that has children."""
    (pid,) = [process.pid for process in crews.started if process.poll() is None and child_pids(process.pid)]
    return pid


def test_second_crew_takes_over_without_loading_when_the_first_is_killed(context: Context, crews: Processes) -> None:
    first = on_duty(crews)
    everyone = ["azul-background", "azul-keeper", "azul-worker", "azul-worker"]
    assert everyone == crew_of(first)
    os.kill(first, signal.SIGKILL)
    (second,) = [process.pid for process in crews.started if process.pid != first]
    wait_until(lambda: everyone == crew_of(second), crews.output)
    assert 2 == crews.output().count("crew_loaded")
    game = new_game(context, ("greedy", "random"))
    wait_until(lambda: is_over(context, game), crews.output)


def test_killed_process_of_a_crew_is_replaced(crews: Processes) -> None:
    crew = on_duty(crews)
    before, victims = crew_of(crew), child_pids(crew)
    for victim in victims:
        os.kill(victim, signal.SIGKILL)
    wait_until(lambda: before == crew_of(crew) and not set(victims) & set(child_pids(crew)))


def test_both_crews_end_cleanly_with_all_children(crews: Processes) -> None:
    forked = child_pids(on_duty(crews))
    for process in crews.started:
        process.send_signal(signal.SIGTERM)
    assert [0, 0] == [process.wait(HANG_S) for process in crews.started]
    assert [] == [pid for pid in forked if Path(f"/proc/{pid}").exists()]
    assert "Traceback" not in crews.output()
