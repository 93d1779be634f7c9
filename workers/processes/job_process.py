"""A child process that performs tasks for the process that forked it.

Forking for each task would take longer than most tasks: pages are copied, and each child connects to Redis. So a child
is forked with the first task, and replaced when it has died or performed many tasks. The parent can kill it any time.
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

MAX_TASKS = 1_000  # tasks of one child, to limit memory leaks

log = structlog.get_logger("workers")


class JobProcess:
    """At most one child at a time, with at most one task."""

    def __init__(self, do: Callable[[str], None], finish: Callable[[], None] = lambda: None) -> None:
        """`do`: called in the child with each task. The child logs its exceptions. `finish`: called before it ends."""
        self._do, self._finish = do, finish
        self._is_busy = False
        self._retired = list[int]()
        self._tasks = 0
        self._connection: Connection[str, None] | None = None
        self.pid = 0
        """Process id of the child, or 0."""

    def begin(self, task: str) -> None:
        """Give the child a task. Fork a child if there is none."""
        if self._tasks >= MAX_TASKS:
            self._retire()
        self.has_ended(0.0)  # notice a child that has died
        if self._connection is None:
            self._connection = self._fork()
        self._tasks += 1
        self._is_busy = True
        self._connection.send(task)

    def has_ended(self, seconds: float) -> bool:
        """Wait up to `seconds`. Return whether the task has ended or the child has died."""
        if self._connection is None or not self._connection.poll(seconds):
            return self._connection is None
        self._is_busy = False
        try:
            self._connection.recv()
        except (EOFError, ConnectionResetError):
            log.warning("child_died", status=self.end())
        return True

    def stop(self) -> None:
        """End an idle child, after it has finished. Kill a child that has a task."""
        if not self._is_busy:
            self.end()
        self.kill()

    def kill(self) -> None:
        """Kill the child."""
        if self.pid:
            with contextlib.suppress(ProcessLookupError):  # RQ kills it at a second signal
                os.kill(self.pid, signal.SIGKILL)
            self.end()

    def end(self) -> int:
        """End the child after its task. Return its exit status, negative for a signal."""
        if self._connection is None:
            return 0
        self._connection.close()
        status = 0
        with contextlib.suppress(ChildProcessError):  # already collected
            _, status = os.waitpid(self.pid, 0)
        self._connection, self.pid, self._tasks = None, 0, 0
        return os.waitstatus_to_exitcode(status)

    def _retire(self) -> None:
        """Let the child end, without waiting for it. Collect those that have ended."""
        if self._connection is not None:
            self._connection.close()
            self._retired.append(self.pid)
        self._connection, self.pid, self._tasks = None, 0, 0
        for pid in [*self._retired]:
            with contextlib.suppress(ChildProcessError):  # already collected
                if os.waitpid(pid, os.WNOHANG)[0] == 0:
                    continue
            self._retired.remove(pid)

    def _fork(self) -> Connection[str, None]:
        ours, theirs = multiprocessing.Pipe()
        parent = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            ours.close()
            self._serve(parent, theirs)
        theirs.close()
        return ours

    def _serve(self, parent: int, tasks: Connection[Any, Any]) -> None:
        """Perform tasks in the child."""
        status = 1
        try:
            os.setpgrp()  # signals of a terminal go only to the parent, which ends the child
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
            self._finish()
            status = 0
        finally:
            tracing.flush()
            os._exit(status)
