"""`python -m workers`: a worker that plays AIs' turns; `--background`, for long work (analyses, tournaments, imports);
`--dial`, dialers.

Live games have workers of their own, so that nobody waits for a tournament to get out of the way; the others take
what processor time is left over (`BACKGROUND_NICE`). Dialers call opponents and webhooks: they mostly wait, so there
are several in a pool. Webhooks, and tournaments with opponents that are called, each have a queue that some of them
serve beside the calls of live games, so that these never wait for the others.

On one machine the supervisor starts `workers.crew` instead, which forks all of them.
"""

from __future__ import annotations

import argparse
import sys

import structlog

from service.storage.work.queue import BACKGROUND, NAME, WORKER
from workers.processes import pool
from workers.processes.starting import started
from workers.worker import DIALER, be_nice, dialed, listen_to_signals, preload, work

log = structlog.get_logger("workers")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m workers", description="an AI worker")
    parser.set_defaults(kind=WORKER)
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--background",
        dest="kind",
        action="store_const",
        const=BACKGROUND,
        help="do analyses, tournaments and imports, at low priority, instead of decisions in live games",
    )
    instead.add_argument(
        "--dial",
        dest="kind",
        action="store_const",
        const=DIALER,
        help="call opponents and webhooks, in DIALERS processes",
    )
    return parser.parse_args()


def main() -> int:
    """The exit status: 0 after a signal, 2 for bad settings."""
    kind = _arguments().kind
    listen_to_signals()
    settings = started()
    if kind == BACKGROUND:
        be_nice(settings.background_nice)
    preload()
    log.info("worker_ready", kind=kind, forks=pool.FORKS)
    if kind == DIALER:
        count = max(1, settings.dialers)
        pool.run(count, lambda number: work(settings, kind, dialed(number, count)))
    else:
        work(settings, kind, (NAME,) if kind == WORKER else (BACKGROUND,))
    log.info("worker_stopped")
    return 0


if __name__ == "__main__":
    sys.exit(main())
