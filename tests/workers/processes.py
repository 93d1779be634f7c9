"""Workers and keepers as processes of their own, forked out of one that has everything loaded, as a crew forks them."""

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
    "workers.keeper:LOOK_S": 0.05,
    "workers.keeper:LONGEST_LOOK_PAUSE_S": 0.1,
    "workers.worker:DRAINED_LOOK_S": 0.05,
    "workers.worker:FIRST_PAUSE_S": 0.05,
    "workers.worker:LONGEST_PAUSE_S": 0.1,
    "workers.worker:MAINTAIN_S": 0.1,
    "workers.worker:WORKER_TTL_S": 16,
    "workers.worker:TurnWorker.max_connection_wait_time": 0.1,
    "workers.deliveries:DEADLINE_S": HANG_S,
    "service.usecases.keeping.duties:AGAIN_MS": 100,
    "service.usecases.keeping.duties:WAITING_MS": 100,
    "service.usecases.games.endpoints:SPARE_MS": 1000 * int(HANG_S),
    "service.usecases.notifications.dispatch:BACKOFF_S": (0, 0, 0, 0, 0),
}
"""Constants of the started processes: they look often and wait long, so that no test depends on the machine."""


@functools.cache
def nursery() -> ForkServerContext:
    """Forks processes that need not load anything; started once for all tests of this process."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["workers.__main__", "tests.workers.preloaded"])
    return context


def run(
    module: str, arguments: list[str], environment: dict[str, str], constants: dict[str, Any], output: Path
) -> None:
    """Be `python -m module …` in a forked process, with other values of constants."""
    descriptor = os.open(output, os.O_WRONLY)
    for standard in (1, 2):
        os.dup2(descriptor, standard)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(ROOT)
    sys.argv = [module, *arguments]
    for name, value in constants.items():
        owner, _, constant = name.replace(":", ".").rpartition(".")
        setattr(resolve_name(owner), constant, value)
    sys.exit(importlib.import_module("workers.__main__" if module == "workers" else module).main())


def signal_before_waiting(worker: Worker, *arguments: Any) -> Any:
    """Be RQ's method, and get SIGTERM after RQ has looked for one and before it waits for the next job."""
    if worker.get_state() == WorkerStatus.BUSY:
        os.kill(os.getpid(), signal.SIGTERM)
    return Worker.dequeue_job_and_maintain_ttl(worker, *arguments)


class Forked:
    """A forked process, asked as `subprocess.Popen` is."""

    def __init__(self, process: ForkServerProcess) -> None:
        self._process = process
        self.pid = process.pid or 0

    def poll(self) -> int | None:
        """Its exit status; None while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Its exit status, once it has ended; TimeoutExpired after so many seconds."""
        self._process.join(timeout)
        status = self.poll()
        if status is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        return status

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """End it by force."""
        self.send_signal(signal.SIGKILL)


class Processes:
    """Starts them at one Redis and ends what is left of them."""

    def __init__(self, redis_url: str, folder: Path) -> None:
        self.environment = {**os.environ, "REDIS_URL": redis_url, "DATA_DIR": str(folder), "LOG_FORMAT": "text"}
        self.environment.pop("QUEUE_URL", None)
        self.environment["BACKGROUND_NICE"] = "0"  # or it would not come to its turn while other tests compute
        self.constants = dict(QUICK)
        self.folder = folder
        self.started: list[Forked | subprocess.Popen[bytes]] = []

    def start(self, module: str, *arguments: str) -> Forked | subprocess.Popen[bytes]:
        """What `python -m module …` does, its output in a file of the folder; where forking is unsafe, that itself."""
        if not sys.platform.startswith("linux"):
            return self.start_afresh(module, *arguments)
        given = (module, [*arguments], self.environment, self.constants, self._output(module))
        process = nursery().Process(target=run, args=given, daemon=True)
        process.start()
        self.started.append(Forked(process))
        return self.started[-1]

    def start_afresh(self, module: str, *arguments: str) -> subprocess.Popen[bytes]:
        """`python -m module …`, which loads everything for itself."""
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
        """Return what each of them has said."""
        return [path.read_text() for path in sorted(self.folder.glob("*.log"))]

    def output(self) -> str:
        """What all of them have said."""
        return "\n".join(self.outputs())

    def end(self) -> None:
        """By force, where a test has not done so."""
        for process in self.started:
            process.kill()
            process.wait()
