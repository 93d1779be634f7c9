"""Numbers of processes: one each, used again, by processes that are really there and really killed."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.operate.observability.metric_files import Slots


class Forked:
    """A process that has taken a number, and keeps it until it is killed."""

    def __init__(self, take: Callable[[], int]) -> None:
        reading, writing = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.write(writing, b"%d\n" % take())
                signal.pause()
            finally:
                os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as said:
            self.number = int(said.readline())

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)


@pytest.fixture
def forked() -> Iterator[Callable[[Callable[[], int]], Forked]]:
    started: list[Forked] = []

    def fork(take: Callable[[], int]) -> Forked:
        started.append(Forked(take))
        return started[-1]

    yield fork
    for one in started:
        with contextlib.suppress(ChildProcessError):
            one.kill()


def test_each_living_process_has_a_number_of_its_own_also_after_a_fork(tmp_path: Path, forked: type[Forked]) -> None:
    slots = Slots(tmp_path)
    assert (0, 0) == (slots(), slots())
    assert [1, 2, 3] == [forked(slots).number, forked(slots).number, forked(Slots(tmp_path)).number]
    assert 0 == slots()


def test_the_number_of_a_process_that_was_killed_is_used_again(tmp_path: Path, forked: type[Forked]) -> None:
    first, _second = (forked(Slots(tmp_path)) for _ in range(2))
    first.kill()
    assert [0, 2] == [forked(Slots(tmp_path)).number for _ in range(2)]


def test_who_comes_when_nobody_is_there_begins_anew(tmp_path: Path, forked: type[Forked]) -> None:
    first = forked(Slots(tmp_path))
    counted = tmp_path / "counter_0.db"
    counted.touch()
    second = forked(Slots(tmp_path))
    assert counted.exists()
    for one in (first, second):
        one.kill()
    assert 0 == forked(Slots(tmp_path)).number
    assert not counted.exists()


def test_gauges_of_processes_that_have_ended_are_forgotten_and_no_others(tmp_path: Path, forked: type[Forked]) -> None:
    slots = Slots(tmp_path)
    numbers = [slots(), *(forked(slots).number for _ in range(2))]
    ended = forked(slots)
    ended.kill()
    for number in (*numbers, ended.number):
        (tmp_path / f"gauge_livesum_{number}.db").touch()
        (tmp_path / f"counter_{number}.db").touch()
    slots.forget_gauges()
    assert {f"gauge_livesum_{number}.db" for number in numbers} == {path.name for path in tmp_path.glob("gauge*")}
    assert 4 == len([*tmp_path.glob("counter*")])
    assert ended.number == forked(slots).number  # its lock was given back
