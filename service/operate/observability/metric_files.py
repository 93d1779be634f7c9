"""A number for each living process, used again when the process has ended.

prometheus-client keeps what a process has counted in files of its own, named by the process' id, and those of processes
that have ended for ever, since their counts still count. Here processes come and go all the time: a worker forks a
child for its decisions, a dialer one for each job. So they are named by a number that is free, the least, and whoever
gets the number of a process that has ended goes on with its counts. There are never more files than there were
processes at one time, and no count is lost when a process is killed.

Who has a number holds a lock on a byte of one file, which the kernel gives back when the process ends, however it ends.
Whoever comes when nobody else is there removes all files: the service counts from 0 again.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

GATE, FIRST = 0, 1  # bytes: of whoever looks for a free number; of the first number
MAX_PROCESSES = 10_000


class Slots:
    """The numbers of the processes that share a folder; called, it gives that of this process.

    Locks are those of `lockf`: a forked child has none of its parent's. Only one descriptor of the file may be open in
    a process, since closing any gives back all.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folder = folder
        self._descriptor = os.open(folder / "slots", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._owner = 0
        self._number = 0

    def __call__(self) -> int:
        """The number, from 0; another after a fork."""
        if self._owner != os.getpid():
            with self._gate():
                self._number = self._taken()
            self._owner = os.getpid()
        return self._number

    def forget_gauges(self) -> None:
        """Remove what processes that have ended say of the present."""
        with self._gate():
            for number in {int(path.stem.rpartition("_")[2]) for path in self._folder.glob("gauge_live*.db")}:
                if not (number == self._number and self._owner == os.getpid()) and self._lock(FIRST + number):
                    self._forget(number)
                    fcntl.lockf(self._descriptor, fcntl.LOCK_UN, 1, FIRST + number)

    def _taken(self) -> int:
        if self._lock(FIRST, MAX_PROCESSES):  # nobody else is there
            for path in self._folder.glob("*.db"):
                path.unlink()
            fcntl.lockf(self._descriptor, fcntl.LOCK_UN, MAX_PROCESSES, FIRST)
        number = next(number for number in range(MAX_PROCESSES) if self._lock(FIRST + number))
        self._forget(number)
        return number

    def _forget(self, number: int) -> None:
        for path in self._folder.glob(f"gauge_live*_{number}.db"):
            path.unlink()

    def _lock(self, first: int, count: int = 1) -> bool:
        try:
            fcntl.lockf(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, count, first)
        except OSError:
            return False
        return True

    @contextlib.contextmanager
    def _gate(self) -> Iterator[None]:
        fcntl.lockf(self._descriptor, fcntl.LOCK_EX, 1, GATE)
        try:
            yield
        finally:
            fcntl.lockf(self._descriptor, fcntl.LOCK_UN, 1, GATE)
