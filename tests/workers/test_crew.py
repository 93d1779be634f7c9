"""Crews: one works, the other has loaded everything and takes over at once, whatever of the first is killed."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path

import pytest

from service.usecases.base.context import Context
from tests.patience import HANG_S, until
from tests.workers.processes import Processes
from tests.workers.test_jobs import new_game
from tests.workers.test_processes import children, is_over, ready

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks on Linux only")
CREW = {"keeper": 1, "worker": 2, "background": 1}


@pytest.fixture
def crews(context: Context, processes: Processes) -> Processes:
    """Two of them, both loaded."""
    processes.environment |= {"WORKERS": "2", "KEEPERS": "1", "BACKGROUND_WORKERS": "1"}
    for _ in range(2):
        processes.start("workers.crew")
    until(lambda: processes.output().count("crew_loaded") == 2, processes.output)
    for kind, count in CREW.items():
        ready(context, kind, count)
    return processes


def named(pid: int) -> str:
    """What a process calls itself; nothing, once it has ended."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/comm").read_text().strip()
    return ""


def crew_of(pid: int) -> list[str]:
    """What the children of a process call themselves."""
    return sorted(named(child) for child in children(pid))


def on_duty(crews: Processes) -> int:
    """Which of the two has children."""
    (results,) = [process.pid for process in crews.started if process.poll() is None and children(process.pid)]
    return results


def test_one_crew_is_on_duty_and_a_kill_puts_the_other_there_without_loading(
    context: Context, crews: Processes
) -> None:
    first = on_duty(crews)
    everyone = ["azul-background", "azul-keeper", "azul-worker", "azul-worker"]
    assert everyone == crew_of(first)
    os.kill(first, signal.SIGKILL)
    (second,) = [process.pid for process in crews.started if process.pid != first]
    until(lambda: everyone == crew_of(second), crews.output)
    assert 2 == crews.output().count("crew_loaded")
    game = new_game(context, ("greedy", "random"))
    until(lambda: is_over(context, game), crews.output)


def test_whoever_of_a_crew_is_killed_is_there_again(crews: Processes) -> None:
    crew = on_duty(crews)
    before, victims = crew_of(crew), children(crew)
    for victim in victims:
        os.kill(victim, signal.SIGKILL)
    until(lambda: before == crew_of(crew) and not set(victims) & set(children(crew)))


def test_both_end_in_order_and_leave_nobody_behind(crews: Processes) -> None:
    forked = children(on_duty(crews))
    for process in crews.started:
        process.send_signal(signal.SIGTERM)
    assert [0, 0] == [process.wait(HANG_S) for process in crews.started]
    assert [] == [pid for pid in forked if Path(f"/proc/{pid}").exists()]
    assert "Traceback" not in crews.output()
