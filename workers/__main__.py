"""`python -m workers`: a worker that plays AIs' turns; `--background`, for analyses and tournaments; `--dial`, dialers.

Live games have workers of their own, so that nobody waits for a tournament to get out of the way; the others take
what processor time is left over (nice 19). Dialers call opponents and webhooks: they mostly wait, so there are several
in a pool. Webhooks, and tournaments with opponents that are called, each have a queue that some of them serve beside
the calls of live games, so that these never wait for the others.

A worker imports and compiles everything, and only then forks, one child a job. So a job finds the rules and the
search ready, and a crash (or a kill) hurts one job. Where forking is unsafe (macOS) or unknown (Windows), jobs run in
the worker itself, equally preloaded; a crash then ends the worker and the supervisor starts another.

Redis may go away: the worker does not exit, it tries again every few seconds. SIGTERM and SIGINT end it after the
job at hand, the decisions of one seat's turn; a second signal ends it at once, and the keeper wakes what was lost.
"""

from __future__ import annotations

import argparse
import gc
import os
import secrets
import signal
import socket
import sys
import time
from types import FrameType
from typing import TYPE_CHECKING, Any

import structlog
from rq.serializers import JSONSerializer
from rq.timeouts import TimerDeathPenalty
from rq.worker import SimpleWorker
from rq.worker import Worker as ForkingWorker

from service.levels import LEVELS
from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.settings import Settings
from service.state.connect import RedisError, connect
from service.state.queue import BACKGROUND, CALLS, HOOKS, MATCHES, NAME
from workers import jobs, pool
from workers.search.search import by_level
from workers.starting import started

NICE = 19  # of a background worker: it takes what live games leave
WORKER, DIALER = "worker", "dialer"

WORKER_TTL_S = 20  # RQ waits for a job 15 s less than this, then shows that it is alive
MONITOR_S = 5  # it shows so during a job, too
MAINTAIN_S = 60  # how often it looks for jobs whose worker was killed; those of the background are run again
BEAT_TTL_S = 15.0
BEAT_EVERY_S = 1.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 5.0

log = structlog.get_logger("workers")

Base: Any = ForkingWorker if pool.FORKS else SimpleWorker
if TYPE_CHECKING:
    Base = ForkingWorker


class TurnWorker(Base):  # type: ignore[misc]  # rq ships no types
    """RQ's worker, which also tells the service that it is alive, and remembers that it was asked to stop."""

    max_connection_wait_time = LONGEST_PAUSE_S
    asked_to_stop = False
    kind = WORKER
    _beaten = 0.0
    if not hasattr(signal, "SIGALRM"):
        death_penalty_class = TimerDeathPenalty

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        """Also beat as a living worker, at most once a second."""
        super().heartbeat(timeout, pipeline)
        if time.monotonic() - self._beaten >= BEAT_EVERY_S:
            self._beaten = time.monotonic()
            jobs.cases().queue.beat(self.kind, self.name, BEAT_TTL_S)

    def main_work_horse(self, job: Any, queue: Any) -> None:
        """In the child that does a job: games of tournaments take what live games leave."""
        if queue.name == MATCHES:
            os.nice(NICE)
        super().main_work_horse(job, queue)

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """SIGTERM or SIGINT."""
        type(self).asked_to_stop = True
        super().request_stop(signum, frame)


def preload() -> None:
    """Import and compile all that a job may need, and use it once."""
    import workers.arena.remote
    import workers.deliveries  # noqa: F401 - jobs are found by name

    for ruleset in RULESETS.values():
        position = ruleset.start(ruleset.variants[0], ruleset.seat_counts[0], 0)
        while position.status == "drawing":
            rng = generator(secrets.token_bytes(32))
            position = position.deal(position.sample(rng))
        for level in LEVELS:
            by_level(position, level, secrets.token_bytes(32)).choose(simulations=10)
    jobs.cases()
    gc.collect()
    gc.freeze()  # children share these pages


def _stop(_signum: int, _frame: FrameType | None) -> None:
    TurnWorker.asked_to_stop = True
    raise SystemExit(0)


def _asked_to_stop() -> bool:
    return TurnWorker.asked_to_stop


def _new_worker(settings: Settings, queues: tuple[str, ...]) -> Any:
    return TurnWorker(
        list(queues),
        name=f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}",
        connection=connect(settings.queue_url),
        serializer=JSONSerializer,
        worker_ttl=WORKER_TTL_S,
        job_monitoring_interval=MONITOR_S,
        maintenance_interval=MAINTAIN_S,
        log_job_description=False,
    )


def dialed(number: int, count: int) -> tuple[str, ...]:
    """The queues that a dialer of a pool serves, the first before the others. Of many, the last serves calls alone."""
    if count == 1:
        return (CALLS, HOOKS, MATCHES)
    if number == 1:
        return (CALLS, MATCHES)
    return (CALLS,) if number == count - 1 else (CALLS, HOOKS)


def work(settings: Settings, queues: tuple[str, ...] = (NAME,)) -> None:
    """Work on queues until a signal asks to stop, with a new RQ worker whenever Redis has thrown the old one out."""
    pause = FIRST_PAUSE_S
    while not _asked_to_stop():
        began = time.monotonic()
        try:
            worker = _new_worker(settings, queues)
            worker.work(logging_level="DEBUG" if settings.log_level == "DEBUG" else "WARNING")
        except RedisError as error:
            log.warning("redis_unreachable", error=str(error), again_in_s=pause)
        _listen_to_signals()
        if _asked_to_stop():
            return
        pause = FIRST_PAUSE_S if time.monotonic() - began > LONGEST_PAUSE_S else pause
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE_S)


def _listen_to_signals() -> None:
    """While no RQ worker does."""
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, _stop)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m workers", description="an AI worker")
    parser.set_defaults(kind=WORKER)
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument(
        "--background",
        dest="kind",
        action="store_const",
        const=BACKGROUND,
        help="do analyses and tournaments, at low priority, instead of decisions in live games",
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
    TurnWorker.kind = kind = _arguments().kind
    if kind == BACKGROUND and hasattr(os, "nice"):
        os.nice(NICE)
    _listen_to_signals()
    settings = started()
    preload()
    log.info("worker_ready", kind=kind, forks=pool.FORKS)
    if kind == DIALER:
        count = max(1, settings.dialers)
        pool.run(count, lambda number: work(settings, dialed(number, count)))
    else:
        work(settings, (NAME,) if kind == WORKER else (BACKGROUND,))
    log.info("worker_stopped")
    return 0


if __name__ == "__main__":
    sys.exit(main())
