"""A worker: it takes jobs from queues, one at a time, and does each in a child that it forks, or in its own process.

It loads everything, and only then forks, one child a job. So a job finds the rules and the search ready, and a crash
(or a kill) hurts one job. A decision of an AI that does not search takes less than a fork: the worker makes it itself.
Where it failed, the keeper has it repeated in a child. Where forking is unsafe (macOS) or unknown (Windows), all jobs
run in the worker itself, equally preloaded; a crash then ends the worker and the supervisor starts another.

Redis may go away, or RQ stumble: the worker does not exit, it tries again every second. SIGTERM and SIGINT end it
after the job at hand, the decisions of one seat's turn; a second signal ends it at once, and the keeper wakes what was
lost.
"""

from __future__ import annotations

import gc
import os
import secrets
import signal
import socket
import time
from types import FrameType
from typing import TYPE_CHECKING, Any

import structlog
from rq.serializers import JSONSerializer
from rq.timeouts import TimerDeathPenalty
from rq.worker import SimpleWorker
from rq.worker import Worker as ForkingWorker

from service.operate.parent_death import tie
from service.rulesets.registry import RULESETS
from service.settings import Settings
from service.storage.connect import connect, outage
from service.storage.queue import CALLS, HOOKS, MATCHES, TAKE_QUICK_TURN
from workers import heart, jobs, pool
from workers.search.record_abi import is_compiled

NICE = 19  # of a background worker: it takes what live games leave
WORKER, DIALER = "worker", "dialer"

WORKER_TTL_S = 20  # RQ waits for a job 15 s less than this, then shows that it is alive
MONITOR_S = 5  # it shows so during a job, too
MAINTAIN_S = 60  # how often it looks for jobs whose worker was killed; those of the background are run again
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 1.0

log = structlog.get_logger("workers")

Base: Any = ForkingWorker if pool.FORKS else SimpleWorker
if TYPE_CHECKING:
    Base = ForkingWorker


class TurnWorker(Base):  # type: ignore[misc]  # rq ships no types
    """RQ's worker, which remembers that it was asked to stop."""

    max_connection_wait_time = LONGEST_PAUSE_S
    asked_to_stop = False
    if not hasattr(signal, "SIGALRM"):
        death_penalty_class = TimerDeathPenalty

    def execute_job(self, job: Any, queue: Any) -> None:
        """A quick decision is made in this process, and what may take long, or hang, in a child."""
        take_over_compiled_code()
        if job.func_name == TAKE_QUICK_TURN:
            SimpleWorker.execute_job(self, job, queue)
        else:
            super().execute_job(job, queue)

    def main_work_horse(self, job: Any, queue: Any) -> None:
        """In the child that does a job: it does not outlive the worker, whose jobs others will do."""
        tie(self.pid)
        if queue.name == MATCHES:
            os.nice(NICE)  # games of tournaments take what live games leave
        super().main_work_horse(job, queue)

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """SIGTERM or SIGINT."""
        type(self).asked_to_stop = True
        super().request_stop(signum, frame)


def be_nice() -> None:
    """Take what processor time live games leave."""
    if hasattr(os, "nice"):
        os.nice(NICE)


def preload() -> None:
    """Load all that a job may need."""
    import workers.arena.remote
    import workers.deliveries  # noqa: F401 - jobs are found by name

    take_over_compiled_code()
    jobs.context()
    gc.collect()
    gc.freeze()  # children share these pages


def take_over_compiled_code() -> None:
    """Load the machine code that is there and has not been loaded: what is forked later need not."""
    for ruleset in RULESETS.values():
        is_compiled(ruleset)


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


def work(settings: Settings, kind: str, queues: tuple[str, ...]) -> None:
    """Work on queues until a signal asks to stop, with a new RQ worker whenever Redis has thrown the old one out."""
    heart.start(settings, kind)
    pause = FIRST_PAUSE_S
    while not _asked_to_stop():
        began = time.monotonic()
        try:
            worker = _new_worker(settings, queues)
            worker.work(logging_level="DEBUG" if settings.log_level == "DEBUG" else "WARNING")
        except Exception as error:
            if outage(error) is None:
                log.exception("worker_failed", again_in_s=pause)
            else:
                log.warning("redis_unreachable", error=str(error), again_in_s=pause)
        listen_to_signals()
        if _asked_to_stop():
            return
        pause = FIRST_PAUSE_S if time.monotonic() - began > LONGEST_PAUSE_S else pause
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE_S)


def listen_to_signals() -> None:
    """While no RQ worker does."""
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, _stop)
