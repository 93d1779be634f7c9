"""A child that is kept: one task after another, and another child where it has died."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.patience import HANG_S
from workers.processes import job_process
from workers.processes.job_process import KeptChild

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks on Linux only")


@pytest.fixture
def done(tmp_path: Path) -> Path:
    """What was done: a line a task, with the process that did it."""
    return tmp_path / "done"


@pytest.fixture
def child(done: Path) -> Iterator[KeptChild]:
    def do(task: str) -> None:
        if task == "fail":
            raise ValueError
        if task == "hang":
            signal.pause()
        with done.open("a") as file:
            file.write(f"{task} {os.getpid()}\n")

    child = KeptChild(do)
    yield child
    child.kill()


def have_done(child: KeptChild, *tasks: str) -> None:
    for task in tasks:
        child.begin(task)
        assert child.has_ended(HANG_S)


def test_one_child_does_one_task_after_another(child: KeptChild, done: Path) -> None:
    have_done(child, "a", "b", "c")
    assert [f"{task} {child.pid}" for task in "abc"] == done.read_text().splitlines()
    assert os.getpid() != child.pid


def test_a_task_that_fails_is_over_and_the_child_lives(child: KeptChild, done: Path) -> None:
    have_done(child, "a", "fail", "b")
    assert [f"a {child.pid}", f"b {child.pid}"] == done.read_text().splitlines()


@pytest.mark.parametrize("busy", [True, False])
def test_where_it_has_been_killed_the_next_task_is_done_by_another(child: KeptChild, done: Path, *, busy: bool) -> None:
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
    assert [f"a {first}", f"b {child.pid}"] == done.read_text().splitlines()
    assert first != child.pid


def test_one_that_hangs_is_killed(child: KeptChild) -> None:
    child.begin("hang")
    first = child.pid
    assert not child.has_ended(0.1)
    child.kill()
    assert child.has_ended(0.0)
    assert 0 == child.pid
    assert not Path(f"/proc/{first}").exists()


def test_one_that_somebody_else_has_ended_is_no_child_any_more(child: KeptChild, done: Path) -> None:
    have_done(child, "a")
    os.kill(child.pid, signal.SIGKILL)
    os.waitpid(child.pid, 0)
    child.kill()
    have_done(child, "b")
    assert 2 == len({line.split()[1] for line in done.read_text().splitlines()})


def test_after_many_tasks_another_child_does_the_next(
    child: KeptChild, done: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_process, "MAX_TASKS", 2)
    have_done(child, *"abcde")
    pids = [line.split()[1] for line in done.read_text().splitlines()]
    assert (3, pids[0], pids[2]) == (len(set(pids)), pids[1], pids[3])


def test_it_ends_with_its_last_task(child: KeptChild, done: Path) -> None:
    child.begin("a")
    assert 0 == child.end()
    assert done.read_text().startswith("a ")
    assert 0 == child.end()
