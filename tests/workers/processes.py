"""Workers and keepers in separate processes, forked from a process that has loaded everything, as in a crew."""

from __future__ import annotations

import contextlib
import functools
import importlib
import multiprocessing
import os
import signal
import subprocess
import sys
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from rq.worker import Worker, WorkerStatus

from tests.patience import HANG_S

ROOT = Path(__file__).parents[2]
QUICK = {
    "workers.processes.heartbeat:BEAT_S": 0.1,
    "workers.processes.pool:PAUSE_S": 0.05,
    "workers.keeper:POLL_S": 0.05,
    "workers.keeper:MAX_KEEPER_PAUSE_S": 0.1,
    "workers.worker:DRAINED_POLL_S": 0.05,
    "workers.worker:FIRST_PAUSE_S": 0.05,
    "workers.worker:MAX_PAUSE_S": 0.1,
    "workers.worker:MAINTAIN_S": 0.1,
    "workers.worker:WORKER_TTL_S": 16,
    "workers.worker:TurnWorker.max_connection_wait_time": 0.1,
    "workers.deliveries:DEADLINE_S": HANG_S,
    "service.usecases.keeping.duties:REPEAT_MS": 100,
    "service.usecases.keeping.duties:WAITING_MS": 100,
    "service.usecases.games.endpoints:SPARE_MS": 1000 * int(HANG_S),
    "service.usecases.notifications.dispatch:BACKOFF_S": (0, 0, 0, 0, 0),
}
"""Constants of the started processes. They poll often and wait long, so that no test depends on the machine's speed."""


@functools.cache
def nursery() -> ForkServerContext:
    """Return the fork server of this test process, which has loaded everything."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["workers.__main__", "tests.workers.preload"])
    return context


def run(
    module: str, arguments: list[str], environment: dict[str, str], constants: dict[str, Any], output: Path
) -> None:
    """Behave like `python -m module …` in a forked process, with changed constants."""
    descriptor = os.open(output, os.O_WRONLY)
    for standard in (1, 2):
        os.dup2(descriptor, standard)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(ROOT)
    sys.argv = [module, *arguments]
    for name, value in constants.items():
        owner, _, constant = name.replace(":", ".").rpartition(".")
        if not hasattr(target := resolve_name(owner), constant):
            raise AttributeError(name)
        setattr(target, constant, value)
    sys.exit(importlib.import_module("workers.__main__" if module == "workers" else module).main())


def signal_before_waiting(worker: Worker, *arguments: Any) -> Any:
    """Send SIGTERM to the own process after RQ has looked for one and before it waits for the next job."""
    if worker.get_state() == WorkerStatus.BUSY:
        os.kill(os.getpid(), signal.SIGTERM)
    return Worker.dequeue_job_and_maintain_ttl(worker, *arguments)


class Forked:
    """A forked process with the methods of `subprocess.Popen`."""

    def __init__(self, process: ForkServerProcess) -> None:
        self._process = process
        self.pid = process.pid or 0

    def poll(self) -> int | None:
        """Return the exit status, or None while the process runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit status when the process has ended. Raise TimeoutExpired after `timeout` seconds."""
        self._process.join(timeout)
        status = self.poll()
        if status is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        return status

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal if the process runs."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send_signal(signal.SIGKILL)


class Processes:
    """Start processes that use one Redis, and end them."""

    def __init__(self, redis_url: str, folder: Path) -> None:
        self.environment = {**os.environ, "REDIS_URL": redis_url, "DATA_DIR": str(folder), "LOG_FORMAT": "text"}
        self.environment.pop("QUEUE_URL", None)
        self.environment["BACKGROUND_NICE"] = "0"  # otherwise it gets no time while other tests compute
        self.constants = dict(QUICK)
        self.folder = folder
        self.started: list[Forked | subprocess.Popen[bytes]] = []

    def start(self, module: str, *arguments: str) -> Forked | subprocess.Popen[bytes]:
        """Run `python -m module …` in a forked process with its output in a file. Where forking is unsafe, start it."""
        if not sys.platform.startswith("linux"):
            return self.start_afresh(module, *arguments)
        call = (module, [*arguments], self.environment, self.constants, self._output(module))
        process = nursery().Process(target=run, args=call, daemon=True)
        process.start()
        self.started.append(Forked(process))
        return self.started[-1]

    def start_afresh(self, module: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Start `python -m module …` without preloaded modules."""
        with self._output(module).open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", module, *arguments],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        self.started.append(process)
        return process

    def _output(self, module: str) -> Path:
        path = self.folder / f"{module}-{len(self.started)}.log"
        path.touch()
        return path

    def outputs(self) -> list[str]:
        """Return the output of each process."""
        return [path.read_text() for path in sorted(self.folder.glob("*.log"))]

    def output(self) -> str:
        """Return the output of all processes."""
        return "\n".join(self.outputs())

    def end(self) -> None:
        """Kill the processes that still run."""
        for process in self.started:
            process.kill()
            process.wait()
