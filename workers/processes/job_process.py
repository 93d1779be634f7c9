"""A child process that does one task after another for the process that forked it, which may kill it at any time.

To fork a child for each task takes longer than many tasks: its pages are copied as it writes, it connects to Redis
anew and loads what it needs. This one is forked when it is first wanted, and again when it has died or done many.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

import structlog

from service.operate.observability import tracing
from service.operate.parent_death import tie

MAX_TASKS = 1_000  # of one child: what leaks, leaks no longer

log = structlog.get_logger("workers")


class KeptChild:
    """At most one child at a time, with at most one task."""

    def __init__(self, do: Callable[[str], None]) -> None:
        """`do` is called in the child with each task; what it raises is logged there."""
        self._do = do
        self._tasks = 0
        self._connection: Connection[str, None] | None = None
        self.pid = 0
        """Of the child, 0 where there is none."""

    def begin(self, task: str) -> None:
        """Give the child a task; fork one where there is none."""
        if self._tasks >= MAX_TASKS:
            self.end()
        self.has_ended(0.0)  # it may have died since
        if self._connection is None:
            self._connection = self._forked()
        self._tasks += 1
        self._connection.send(task)

    def has_ended(self, seconds: float) -> bool:
        """Wait so long at most; whether the task has ended, done or with the child."""
        if self._connection is None or not self._connection.poll(seconds):
            return self._connection is None
        try:
            self._connection.recv()
        except (EOFError, ConnectionResetError):
            log.warning("child_died", status=self.end())
        return True

    def kill(self) -> None:
        """End the child, whatever it does."""
        if self.pid:
            with contextlib.suppress(ProcessLookupError):  # RQ has killed it, at a second signal
                os.kill(self.pid, signal.SIGKILL)
            self.end()

    def end(self) -> int:
        """Have no child any more, once it has done its task; its exit status, negative for a signal."""
        if self._connection is None:
            return 0
        self._connection.close()
        status = 0
        with contextlib.suppress(ChildProcessError):  # it is gone already
            _, status = os.waitpid(self.pid, 0)
        self._connection, self.pid, self._tasks = None, 0, 0
        return os.waitstatus_to_exitcode(status)

    def _forked(self) -> Connection[str, None]:
        ours, theirs = multiprocessing.Pipe()
        parent = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            ours.close()
            self._serve(parent, theirs)
        theirs.close()
        return ours

    def _serve(self, parent: int, tasks: Connection[Any, Any]) -> None:
        """Be the child."""
        status = 1
        try:
            os.setpgrp()  # signals of a terminal are for the parent, which ends this one
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            tie(parent)
            while True:
                task = tasks.recv()
                try:
                    self._do(task)
                except Exception:
                    log.exception("task_failed", task=task)
                tasks.send(None)
        except (EOFError, ConnectionError):
            status = 0
        finally:
            tracing.flush()
            os._exit(status)
