"""A worker: it takes jobs from queues, one at a time, and has each done by a child.

It loads everything, and only then forks. So a job finds the rules and the search ready, and a crash (or a kill) hurts
one job. The child that follows a wake-up (to a decision, a call, a delivery) is kept for the next; long work gets a
child a job. Where forking is unsafe (macOS) or unknown (Windows), all jobs run in the worker itself, equally preloaded;
a crash then ends the worker and the supervisor starts another.

Of workers that wait, Redis gives a job to the one that has waited longest. So that a seat's turn comes to the worker
that holds its tree, another that gets it hands it over, if that one waits, too (`Queue.hand_over`).

A wake-up's job is forgotten when it is begun: what is due stands in the store, with who works on it. RQ's accounts of
what was executed, when and with what result would cost more than a decision.

Redis may go away, or RQ stumble: the worker does not exit, it tries again every second. SIGTERM and SIGINT end it
after the job at hand, the decisions of one seat's turn; a second signal ends it at once, and the keeper wakes what was
lost.
"""

from __future__ import annotations

import gc
import json
import os
import secrets
import signal
import socket
import time
from types import FrameType
from typing import TYPE_CHECKING, Any

import structlog
from rq.exceptions import StopRequested
from rq.serializers import JSONSerializer
from rq.timeouts import JobTimeoutException, TimerDeathPenalty
from rq.utils import import_attribute
from rq.worker import SimpleWorker, WorkerStatus
from rq.worker import Worker as ForkingWorker

from service.operate.observability import tracing
from service.operate.parent_death import tie
from service.rulesets.registry import RULESETS
from service.settings import Settings
from service.storage.base.connect import RedisError, connect, outage
from service.storage.work.queue import CALLS, HOOKS, JOB_TIMEOUT_S, MATCHES, NAME, TAKE_TURN, WAKE_UPS, WORKER
from workers import jobs
from workers.processes import pool, queue_assignment
from workers.processes.heartbeat import Heart
from workers.processes.job_process import KeptChild
from workers.search.record_abi import is_compiled

DIALER = "dialer"

WORKER_TTL_S = 20  # RQ waits for a job 15 s less than this, then shows that it is alive
MONITOR_S = 5  # it shows so during a job, too
MAINTAIN_S = 10  # how often it looks for jobs whose worker was killed (those of the background are run again), and
# whether it is to take no more here
SHOWN_EVERY_S = 1.0
DRAINED_LOOK_S = 0.2
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

    def __init__(self, *args: Any, heart: Heart, background_nice: int, **named: Any) -> None:
        super().__init__(*args, **named)
        self._heart = heart
        self._background_nice = background_nice
        self._shown_at = float("-inf")
        self._child = KeptChild(_follow)
        if NAME in self.queue_names():
            jobs.taken_by = self.name, heart.server
            self._ordered_queues = [heart.queue.own_turns(*jobs.taken_by), *self.queues]

    @property
    def _may_leave(self) -> bool:
        """Whether it could take turns from another server."""
        return len(self._heart.queue.servers) > 1 and NAME in self.queue_names()

    def run_maintenance_tasks(self) -> None:
        """Between two jobs: as RQ does; then leave, if it is to take no more here."""
        super().run_maintenance_tasks()
        heart = self._heart
        if heart.is_drained or (
            self._may_leave and queue_assignment.should_leave(heart.server, heart.queue.living(WORKER))
        ):
            raise StopRequested

    def set_state(self, state: str, pipeline: Any = None) -> None:  # noqa: ARG002 - RQ's
        """Whether it is busy: for its own signals. RQ writes it into Redis, where nobody asks for it."""
        self._state = state

    def heartbeat(self, *args: Any, **named: Any) -> None:
        """Show that it is alive, where it has not just done so; where its server is away and there are others, leave.

        RQ calls it three times a job, and before each wait for a job. RQ misses a signal between two jobs, so an idle
        worker that was asked to stop stops here.
        """
        if self.asked_to_stop and self.get_state() == WorkerStatus.IDLE:
            raise StopRequested
        now = time.monotonic()
        if not (args or named) and now < self._shown_at + SHOWN_EVERY_S:
            return
        try:
            super().heartbeat(*args, **named)
            self._shown_at = now
        except RedisError as error:
            if self._may_leave and outage(error) is not None:
                raise StopRequested from error
            raise

    def execute_job(self, job: Any, queue: Any) -> None:
        """Have a wake-up followed by the child that is kept, and anything else done as RQ does it."""
        take_over_compiled_code()
        if job.func_name not in WAKE_UPS:
            super().execute_job(job, queue)
            return
        if job.func_name == TAKE_TURN and self._is_handed_over(job):
            return
        self.set_state(WorkerStatus.BUSY)  # a signal lets it be followed
        with self.connection.pipeline(transaction=False) as pipeline:
            pipeline.lrem(queue.intermediate_queue_key, 1, job.id)
            pipeline.delete(job.key)
            pipeline.execute()
        wake_up = json.dumps([job.func_name, job.args])
        if pool.FORKS:
            self._have_followed(wake_up)
            return
        try:
            with self.death_penalty_class(JOB_TIMEOUT_S, JobTimeoutException, job_id=job.id):  # type: ignore[no-untyped-call]
                _follow(wake_up)
        except Exception:
            log.exception("task_failed", task=job.id)

    def _is_handed_over(self, job: Any) -> bool:
        """Whether it went to a worker that begins with what it found out in the seat's turn before."""
        game_id, _, seat, *_ = job.args
        return self._heart.queue.hand_over(job.id, game_id, seat, self.name, self._heart.server)

    def _have_followed(self, wake_up: str) -> None:
        end = time.monotonic() + JOB_TIMEOUT_S
        self._child.begin(wake_up)
        self._horse_pid = self._child.pid
        while not self._child.has_ended(MONITOR_S):
            self.heartbeat()
            if time.monotonic() > end:
                self._child.kill()
        self._horse_pid = 0

    def teardown(self) -> None:
        """The worker ends, and its child with it: idle, or at what is repeated, as the worker has failed."""
        self._child.kill()
        super().teardown()

    def perform_job(self, job: Any, queue: Any) -> bool:
        """Do a job; what was traced is sent, since a child that does one ends with it."""
        try:
            return bool(super().perform_job(job, queue))
        finally:
            tracing.flush()

    def main_work_horse(self, job: Any, queue: Any) -> None:
        """In the child that does a job: it does not outlive the worker, whose jobs others will do."""
        tie(self.pid)
        if queue.name == MATCHES:
            be_nice(self._background_nice)  # games of tournaments take what live games leave
        super().main_work_horse(job, queue)

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """SIGTERM or SIGINT."""
        type(self).asked_to_stop = True
        super().request_stop(signum, frame)


def _follow(wake_up: str) -> None:
    name, arguments = json.loads(wake_up)
    import_attribute(name)(*arguments)


def be_nice(niceness: int) -> None:
    """Take what processor time live games leave."""
    if hasattr(os, "nice"):
        os.nice(niceness)


def preload() -> None:
    """Load all that a job may need."""
    import workers.deliveries
    import workers.pushes  # noqa: F401 - jobs are found by name

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


def _new_worker(settings: Settings, queues: tuple[str, ...], heart: Heart) -> Any:
    """One that serves these queues: those of turns at the server where fewest do."""
    servers = settings.queue_url.split()
    heart.server = (
        queue_assignment.least_served(heart.queue.living(WORKER)) if len(servers) > 1 and NAME in queues else 0
    )
    return TurnWorker(
        list(queues),
        name=f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}",
        connection=connect(servers[heart.server]),
        serializer=JSONSerializer,
        worker_ttl=WORKER_TTL_S,
        job_monitoring_interval=MONITOR_S,
        maintenance_interval=MAINTAIN_S,
        log_job_description=False,
        heart=heart,
        background_nice=settings.background_nice,
    )


def dialed(number: int, count: int) -> tuple[str, ...]:
    """The queues that a dialer of a pool serves, the first before the others. Of many, the last serves calls alone."""
    if count == 1:
        return (CALLS, HOOKS, MATCHES)
    if number == 1:
        return (CALLS, MATCHES)
    return (CALLS,) if number == count - 1 else (CALLS, HOOKS)


def work(settings: Settings, kind: str, queues: tuple[str, ...]) -> None:
    """Work on queues until a signal asks to stop, with a new RQ worker whenever one has left or was thrown out."""
    heart = Heart(settings, kind)
    pause = FIRST_PAUSE_S
    while not _asked_to_stop():
        if heart.is_drained:
            time.sleep(DRAINED_LOOK_S)
            continue
        began = time.monotonic()
        try:
            worker = _new_worker(settings, queues, heart)
            worker.work(logging_level="DEBUG" if settings.log_level == "DEBUG" else "WARNING")
        except Exception as error:
            if _asked_to_stop():  # in the middle of making a connection, which then fails somehow
                return
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
