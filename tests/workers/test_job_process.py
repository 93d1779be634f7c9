"""A job process runs one task after another, and is replaced after its death."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.patience import HANG_S
from workers.processes import job_process
from workers.processes.job_process import JobProcess

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks on Linux only")


@pytest.fixture
def task_log(tmp_path: Path) -> Path:
    """Return the file with a line for each task: its name and the process that ran it."""
    return tmp_path / "task_log"


@pytest.fixture
def child(task_log: Path) -> Iterator[JobProcess]:
    def do(task: str) -> None:
        if task == "fail":
            raise ValueError
        if task == "hang":
            signal.pause()
        with task_log.open("a") as file:
            file.write(f"{task} {os.getpid()}\n")

    child = JobProcess(do)
    yield child
    child.kill()


def have_done(child: JobProcess, *tasks: str) -> None:
    for task in tasks:
        child.begin(task)
        assert child.has_ended(HANG_S)


def test_one_child_does_one_task_after_another(child: JobProcess, task_log: Path) -> None:
    have_done(child, "a", "b", "c")
    assert [f"{task} {child.pid}" for task in "abc"] == task_log.read_text().splitlines()
    assert os.getpid() != child.pid


def test_child_continues_after_a_failed_task(child: JobProcess, task_log: Path) -> None:
    have_done(child, "a", "fail", "b")
    assert [f"a {child.pid}", f"b {child.pid}"] == task_log.read_text().splitlines()


@pytest.mark.parametrize("busy", [True, False])
def test_next_task_after_a_kill_is_done_by_another_child(child: JobProcess, task_log: Path, *, busy: bool) -> None:
    have_done(child, "a")
    first = child.pid
    if busy:
        child.begin("hang")
        assert not child.has_ended(0.1)
    os.kill(first, signal.SIGKILL)
    os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
    if busy:
        assert child.has_ended(HANG_S)
    have_done(child, "b")
    assert [f"a {first}", f"b {child.pid}"] == task_log.read_text().splitlines()
    assert first != child.pid


def test_hanging_child_is_killed(child: JobProcess) -> None:
    child.begin("hang")
    first = child.pid
    assert not child.has_ended(0.1)
    child.kill()
    assert child.has_ended(0.0)
    assert 0 == child.pid
    assert not Path(f"/proc/{first}").exists()


def test_child_that_another_process_has_ended_is_replaced(child: JobProcess, task_log: Path) -> None:
    have_done(child, "a")
    os.kill(child.pid, signal.SIGKILL)
    os.waitpid(child.pid, 0)
    child.kill()
    have_done(child, "b")
    assert 2 == len({line.split()[1] for line in task_log.read_text().splitlines()})


def test_after_many_tasks_another_child_does_the_next(
    child: JobProcess, task_log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_process, "MAX_TASKS", 2)
    have_done(child, *"abcde")
    pids = [line.split()[1] for line in task_log.read_text().splitlines()]
    assert (3, pids[0], pids[2]) == (len(set(pids)), pids[1], pids[3])


def test_child_ends_after_its_last_task(child: JobProcess, task_log: Path) -> None:
    child.begin("a")
    assert 0 == child.end()
    assert task_log.read_text().startswith("a ")
    assert 0 == child.end()
