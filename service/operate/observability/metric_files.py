"""Numbers of processes, for the names of metric files.

prometheus-client writes the counts of each process into files with the process id in their name, and keeps them for
ever. Here processes are short-lived: workers and dialers fork a child for each job. So files are named by the lowest
free number instead. A new process continues the counts of the ended process with the same number. There are never more
files than simultaneous processes, and no count is lost when a process is killed.

A process holds its number by a lock on one byte of a file. The kernel releases the lock when the process ends. The
first process removes all files, so that counts start at 0.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

GATE, FIRST = 0, 1  # offsets of locked bytes: for searching a free number; for the first number
MAX_PROCESSES = 10_000


class ProcessNumbers:
    """Numbers of the processes that share a folder. Calling the object returns the number of this process.

    `lockf` locks are not inherited by forks. A process must open the file only once, because closing any descriptor
    releases all locks.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folder = folder
        self._descriptor = os.open(folder / "slots", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._number: int | None = None
        os.register_at_fork(after_in_child=self._forget)  # asking for the process id with each count takes longer

    def __call__(self) -> int:
        """Return the number, from 0. A fork gets a new one."""
        if self._number is None:
            with self._gate():
                self._number = self._claim_number()
        return self._number

    def _forget(self) -> None:
        self._number = None

    def remove_dead_gauges(self) -> None:
        """Remove the gauges of processes that have ended."""
        with self._gate():
            for number in {int(path.stem.rpartition("_")[2]) for path in self._folder.glob("gauge_live*.db")}:
                if number != self._number and self._lock(FIRST + number):
                    self._remove_gauges(number)
                    fcntl.lockf(self._descriptor, fcntl.LOCK_UN, 1, FIRST + number)

    def _claim_number(self) -> int:
        if self._lock(FIRST, MAX_PROCESSES):  # this is the only process
            for path in self._folder.glob("*.db"):
                path.unlink()
            fcntl.lockf(self._descriptor, fcntl.LOCK_UN, MAX_PROCESSES, FIRST)
        number = next(number for number in range(MAX_PROCESSES) if self._lock(FIRST + number))
        self._remove_gauges(number)
        return number

    def _remove_gauges(self, number: int) -> None:
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
