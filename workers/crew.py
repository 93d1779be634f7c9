"""`python -m workers.crew`: everything that computes on one machine, out of one process that has it all in memory.

A crew loads rules and search once, and forks from there: workers, background workers, keepers and dialers, as many of
each as the settings say. A child that dies is there again in a moment, since nothing has to be loaded, and a child
takes some ten megabytes where a process of its own takes a hundred.

The supervisor starts two crews. One is **on duty**; the other has loaded everything and waits. Who is on duty holds a
lock that the kernel gives on when its process ends, however it ends; its children end with it. So a crew that is
killed costs no more than the decisions it was at, and those are made by the other.

Where forking is unsafe (macOS) there are no crews: each program is started by itself.
"""

from __future__ import annotations

import fcntl
import os
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import structlog

from service.operate.parent_death import name_process
from service.settings import Settings
from service.storage.work.queue import BACKGROUND, NAME, WORKER
from workers import exporter, keeper
from workers.exporter import EXPORTER
from workers.keeper import KEEPER
from workers.processes import pool
from workers.processes.starting import started
from workers.worker import DIALER, be_nice, dialed, listen_to_signals, preload, work

LOCK = "crew.lock"

log = structlog.get_logger("crew")


def tasks(settings: Settings) -> Iterator[tuple[str, Callable[[], None]]]:
    """What each child does: its kind, and its work."""
    for _ in range(settings.keepers):
        yield KEEPER, partial(keeper.work, settings)
    for _ in range(settings.workers):
        yield WORKER, partial(work, settings, WORKER, (NAME,))
    for _ in range(settings.background_workers):
        yield BACKGROUND, partial(_work_in_the_background, settings)
    if settings.metrics_port:
        yield EXPORTER, partial(exporter.serve, settings)
    count = settings.dialers if settings.calls else 0
    for number in range(count):
        yield DIALER, partial(work, settings, DIALER, dialed(number, count))


def _work_in_the_background(settings: Settings) -> None:
    be_nice(settings.background_nice)
    work(settings, BACKGROUND, (BACKGROUND,))


def wait_for_duty(settings: Settings) -> int:
    """Wait until no other crew of this supervisor is on duty; the open lock, which is held as long as this process.

    The lock is one of `lockf`: forked children do not hold it, as they would one of `flock`. Every supervisor has a
    byte of its own, so that several on one DATA_DIR, each with a Redis of its own, do not wait for one another.
    """
    path = Path(settings.data_dir) / LOCK
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.lockf(descriptor, fcntl.LOCK_EX, 1, os.getppid())
    return descriptor


def main() -> int:
    """The exit status: 0 after a signal, 2 for bad settings."""
    listen_to_signals()
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    settings = started()
    name_process("azul-crew")
    preload()
    keeper.learn_the_rules()
    log.info("crew_loaded")
    wait_for_duty(settings)
    log.info("crew_on_duty")
    duties = list(tasks(settings))

    def serve(number: int) -> None:
        kind, task = duties[number]
        name_process(f"azul-{kind}")
        task()

    pool.run(len(duties), serve)
    return 0


if __name__ == "__main__":
    sys.exit(main())
