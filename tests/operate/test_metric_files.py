"""Each living process has its own number; numbers of killed processes are used again."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.operate.observability.metric_files import ProcessNumbers


class Forked:
    """A process that takes a number and keeps it until it is killed."""

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
        with os.fdopen(reading) as pipe:
            self.number = int(pipe.readline())

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)


@pytest.fixture
def fork_process() -> Iterator[Callable[[Callable[[], int]], Forked]]:
    started: list[Forked] = []

    def fork(take: Callable[[], int]) -> Forked:
        started.append(Forked(take))
        return started[-1]

    yield fork
    for process in started:
        with contextlib.suppress(ChildProcessError):
            process.kill()


def test_each_living_process_has_its_own_number_even_after_a_fork(tmp_path: Path, fork_process: type[Forked]) -> None:
    slots = ProcessNumbers(tmp_path)
    assert (0, 0) == (slots(), slots())
    assert [1, 2, 3] == [
        fork_process(slots).number,
        fork_process(slots).number,
        fork_process(ProcessNumbers(tmp_path)).number,
    ]
    assert 0 == slots()


def test_the_number_of_a_killed_process_is_reused(tmp_path: Path, fork_process: type[Forked]) -> None:
    first, _second = (fork_process(ProcessNumbers(tmp_path)) for _ in range(2))
    first.kill()
    assert [0, 2] == [fork_process(ProcessNumbers(tmp_path)).number for _ in range(2)]


def test_first_process_deletes_the_files_of_dead_processes(tmp_path: Path, fork_process: type[Forked]) -> None:
    first = fork_process(ProcessNumbers(tmp_path))
    counted = tmp_path / "counter_0.db"
    counted.touch()
    second = fork_process(ProcessNumbers(tmp_path))
    assert counted.exists()
    for process in (first, second):
        process.kill()
    assert 0 == fork_process(ProcessNumbers(tmp_path)).number
    assert not counted.exists()


def test_only_the_gauges_of_dead_processes_are_deleted(tmp_path: Path, fork_process: type[Forked]) -> None:
    slots = ProcessNumbers(tmp_path)
    numbers = [slots(), *(fork_process(slots).number for _ in range(2))]
    ended = fork_process(slots)
    ended.kill()
    for number in (*numbers, ended.number):
        (tmp_path / f"gauge_livesum_{number}.db").touch()
        (tmp_path / f"counter_{number}.db").touch()
    slots.remove_dead_gauges()
    assert {f"gauge_livesum_{number}.db" for number in numbers} == {path.name for path in tmp_path.glob("gauge*")}
    assert 4 == len([*tmp_path.glob("counter*")])
    assert ended.number == fork_process(slots).number  # its lock was released
