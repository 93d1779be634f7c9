"""`python -m workers`: a worker that plays the turns of AIs.

`--background` starts one for analyses, tournaments and imports, and `--dial` starts dialers. Live games have their own
workers, so they never wait for a tournament. Background workers run at low priority (`BACKGROUND_NICE`). Dialers call
bots and webhooks. They mostly wait, so they form a pool. Calls of live games, webhooks and tournaments have separate
queues, and some dialers serve only calls of live games.

On Linux the supervisor starts `workers.crew` instead, which forks all of these processes.
"""

from __future__ import annotations

import argparse
import sys

import structlog

from service.storage.work.queue import BACKGROUND, TURNS, WORKER
from workers.processes import pool
from workers.processes.starting import set_up_process
from workers.worker import DIALER, be_nice, dialer_queues, listen_to_signals, preload, work

log = structlog.get_logger("workers")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m workers", description="an AI worker")
    parser.set_defaults(kind=WORKER)
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument(
        "--background",
        dest="kind",
        action="store_const",
        const=BACKGROUND,
        help="do analyses, tournaments and imports, at low priority, instead of decisions in live games",
    )
    kinds.add_argument(
        "--dial",
        dest="kind",
        action="store_const",
        const=DIALER,
        help="call opponents and webhooks, in DIALERS processes",
    )
    return parser.parse_args()


def main() -> int:
    """Run until a signal. Return 0; invalid settings exit with status 2."""
    kind = _arguments().kind
    listen_to_signals()
    settings = set_up_process()
    if kind == BACKGROUND:
        be_nice(settings.background_nice)
    preload()
    log.info("worker_ready", kind=kind, forks=pool.FORKS)
    if kind == DIALER:
        count = max(1, settings.dialers)
        pool.run(count, lambda number: work(settings, kind, dialer_queues(number, count)))
    else:
        work(settings, kind, (TURNS,) if kind == WORKER else (BACKGROUND,))
    log.info("worker_stopped")
    return 0


if __name__ == "__main__":
    sys.exit(main())
