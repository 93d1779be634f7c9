"""`python -m workers.crew`: all workers, keepers and dialers of a machine, forked from one process.

A crew loads rules and search once and then forks as many workers, background workers, keepers and dialers as the
settings say. A child that dies is replaced within milliseconds, because nothing has to be loaded. A child takes about
ten megabytes instead of a hundred.

The supervisor starts two crews. One is on duty, and the other is loaded and on standby. The crew on duty holds a lock,
which the kernel passes on when the process ends; its children end with it. If a crew is killed, the other one repeats
the decisions that it was computing.

On systems where forking is unsafe, such as macOS, the supervisor starts each program separately.
"""

from __future__ import annotations

import fcntl
import os
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial

import structlog

from service.operate.data_dir import CREW_LOCK, open_lock
from service.operate.parent_death import name_process
from service.settings import Settings
from service.storage.work.queue import BACKGROUND, TURNS, WORKER
from workers import exporter, keeper
from workers.exporter import EXPORTER
from workers.keeper import KEEPER
from workers.processes import pool
from workers.processes.starting import set_up_process
from workers.worker import DIALER, be_nice, dialer_queues, listen_to_signals, preload, work

log = structlog.get_logger("crew")


def tasks(settings: Settings) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield kind and work of each child."""
    for _ in range(settings.keepers):
        yield KEEPER, partial(keeper.work, settings)
    for _ in range(settings.workers):
        yield WORKER, partial(work, settings, WORKER, (TURNS,))
    for _ in range(settings.background_workers):
        yield BACKGROUND, partial(_work_in_the_background, settings)
    if settings.metrics_port:
        yield EXPORTER, partial(exporter.serve, settings)
    count = settings.dialers if settings.allows_calls else 0
    for number in range(count):
        yield DIALER, partial(work, settings, DIALER, dialer_queues(number, count))


def _work_in_the_background(settings: Settings) -> None:
    be_nice(settings.background_nice)
    work(settings, BACKGROUND, (BACKGROUND,))


def wait_for_duty(settings: Settings) -> int:
    """Wait until no other crew of this supervisor is on duty. Return the descriptor of the lock.

    `lockf` is used because forked children do not inherit its locks. Each supervisor locks a different byte, so several
    supervisors with one DATA_DIR and external Redis servers do not wait for one another.
    """
    descriptor = open_lock(settings.data_dir, CREW_LOCK)
    fcntl.lockf(descriptor, fcntl.LOCK_EX, 1, os.getppid())
    return descriptor


def main() -> int:
    """Run until a signal. Return 0; invalid settings exit with status 2."""
    listen_to_signals()
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    settings = set_up_process()
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
