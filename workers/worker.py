"""A worker takes jobs from queues, one at a time, and runs them in a child process.

It loads rules and search before it forks, so jobs start fast, and a crash affects one job. Wake-ups (decisions, calls,
deliveries) share a child, and each long job gets a new one. On systems where forking is unsafe or unavailable, jobs run
in the worker itself. A crash then ends the worker, and the supervisor starts another.

Redis gives a job to the worker that has waited longest. If another idle worker has the seat's search tree, the job is
handed over to it (`Queue.hand_over`).

A wake-up's job is deleted when it starts, because the store contains the due work and its lease. RQ's job records would
cost more than a decision.

If Redis is unavailable or RQ fails, the worker retries every second. SIGTERM and SIGINT stop it after the current job.
A second signal stops it at once, and a keeper wakes the lost work.
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
from service.storage.work.queue import CALLS, HOOKS, JOB_TIMEOUT_S, MATCHES, TAKE_TURN, TURNS, WAKE_UPS, WORKER
from workers import jobs
from workers.processes import pool, queue_assignment
from workers.processes.heartbeat import Heartbeat
from workers.processes.job_arguments import named_arguments
from workers.processes.job_process import JobProcess
from workers.search.record_abi import is_compiled

DIALER = "dialer"

WORKER_TTL_S = 20  # RQ waits for a job 15 s less than this, then writes its heartbeat
MONITOR_S = 5  # interval of the heartbeat during a job
MAINTAIN_S = 10  # interval of checks for jobs of killed workers, and for leaving this server
HEARTBEAT_EVERY_S = 1.0
DRAINED_POLL_S = 0.2
FIRST_PAUSE_S, MAX_PAUSE_S = 0.5, 1.0

log = structlog.get_logger("workers")

Base: Any = ForkingWorker if pool.FORKS else SimpleWorker
if TYPE_CHECKING:
    Base = ForkingWorker


class TurnWorker(Base):  # type: ignore[misc]  # rq ships no types
    """RQ's worker with a reused child for wake-ups. It can move to another server of the queue."""

    max_connection_wait_time = MAX_PAUSE_S
    asked_to_stop = False
    if not hasattr(signal, "SIGALRM"):
        death_penalty_class = TimerDeathPenalty

    def __init__(self, *args: Any, heartbeat: Heartbeat, background_nice: int, **named: Any) -> None:
        super().__init__(*args, **named)
        self._process_heartbeat = heartbeat
        self._background_nice = background_nice
        self._beat_at = float("-inf")
        self._child = JobProcess(_perform, _finish)
        if TURNS in self.queue_names():
            jobs.taken_by = self.name, heartbeat.server
            self._ordered_queues = [heartbeat.queue.own_turns(*jobs.taken_by), *self.queues]

    @property
    def _may_leave(self) -> bool:
        """Whether it can take turns from another server."""
        return len(self._process_heartbeat.queue.servers) > 1 and TURNS in self.queue_names()

    def run_maintenance_tasks(self) -> None:
        """Run RQ's tasks between two jobs. Then leave if drained, or if another server needs more workers."""
        super().run_maintenance_tasks()
        heartbeat = self._process_heartbeat
        if heartbeat.is_drained or (
            self._may_leave and queue_assignment.should_leave(heartbeat.server, heartbeat.queue.living(WORKER))
        ):
            raise StopRequested

    def set_state(self, state: str, pipeline: Any = None) -> None:  # noqa: ARG002 - RQ's
        """Set the state, which signals depend on. Unlike RQ, do not write it into Redis, where nothing reads it."""
        self._state = state

    def heartbeat(self, *args: Any, **named: Any) -> None:
        """Write the heartbeat, at most every `HEARTBEAT_EVERY_S`. Leave an unavailable server if there are others.

        RQ calls this three times for each job, and before it waits for a job. RQ misses a signal between two jobs, so
        an idle worker stops here.
        """
        if self.asked_to_stop and self.get_state() == WorkerStatus.IDLE:
            raise StopRequested
        now = time.monotonic()
        if not (args or named) and now < self._beat_at + HEARTBEAT_EVERY_S:
            return
        try:
            super().heartbeat(*args, **named)
            self._beat_at = now
        except RedisError as error:
            if self._may_leave and outage(error) is not None:
                raise StopRequested from error
            raise

    def execute_job(self, job: Any, queue: Any) -> None:
        """Run a wake-up in the reused child, and any other job like RQ. Raises NewerStoreError."""
        jobs.context().now_ms()  # raises; a keeper of the newer version repeats the wake-up
        take_over_compiled_code()
        if job.func_name not in WAKE_UPS:
            super().execute_job(job, queue)
            return
        if job.func_name == TAKE_TURN and self._is_handed_over(job):
            return
        self.set_state(WorkerStatus.BUSY)  # a signal then lets the job finish
        with self.connection.pipeline(transaction=False) as pipeline:
            pipeline.lrem(queue.intermediate_queue_key, 1, job.id)
            pipeline.delete(job.key)
            pipeline.execute()
        wake_up = json.dumps([job.func_name, job.args, job.kwargs])
        if pool.FORKS:
            self._run_in_child(wake_up)
            return
        try:
            with self.death_penalty_class(JOB_TIMEOUT_S, JobTimeoutException, job_id=job.id):  # type: ignore[no-untyped-call]
                _perform(wake_up)
        except Exception:
            log.exception("task_failed", task=job.id)

    def _is_handed_over(self, job: Any) -> bool:
        """Return whether the job went to the worker with the search tree of the seat's previous turn."""
        turn = named_arguments(jobs.take_turn, job.args, job.kwargs)
        return self._process_heartbeat.queue.hand_over(
            job.id, turn["game_id"], turn["seat"], self.name, self._process_heartbeat.server
        )

    def _run_in_child(self, wake_up: str) -> None:
        end = time.monotonic() + JOB_TIMEOUT_S
        self._child.begin(wake_up)
        self._horse_pid = self._child.pid
        while not self._child.has_ended(MONITOR_S):
            self.heartbeat()
            if time.monotonic() > end:
                self._child.kill()
        self._horse_pid = 0

    def teardown(self) -> None:
        """End the child after its outgoing calls. If it has a job, the worker has failed and the job is repeated."""
        self._child.stop()
        super().teardown()

    def perform_job(self, job: Any, queue: Any) -> bool:
        """Perform a job, and send its traces before the child ends."""
        try:
            return bool(super().perform_job(job, queue))
        finally:
            tracing.flush()

    def main_work_horse(self, job: Any, queue: Any) -> None:
        """Run a job in a child that ends with the worker."""
        tie(self.pid)
        if queue.name == MATCHES:
            be_nice(self._background_nice)  # live games have priority over tournaments
        super().main_work_horse(job, queue)

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Handle SIGTERM and SIGINT."""
        type(self).asked_to_stop = True
        super().request_stop(signum, frame)


def _perform(wake_up: str) -> None:
    name, arguments, named = json.loads(wake_up)
    import_attribute(name)(*arguments, **named)


def _finish() -> None:
    """Let the calls of a child that ends be completed."""
    from workers import dialing

    dialing.wait_for_calls()


def be_nice(niceness: int) -> None:
    """Lower the priority of this process."""
    if hasattr(os, "nice"):
        os.nice(niceness)


def preload() -> None:
    """Load everything that jobs need."""
    import workers.dialing  # noqa: F401 - jobs are found by name

    take_over_compiled_code()
    jobs.context()
    gc.collect()
    gc.freeze()  # children share these pages


def take_over_compiled_code() -> None:
    """Load new machine code, so that later forks share it."""
    for ruleset in RULESETS.values():
        is_compiled(ruleset)


def _stop(_signum: int, _frame: FrameType | None) -> None:
    TurnWorker.asked_to_stop = True
    raise SystemExit(0)


def _asked_to_stop() -> bool:
    return TurnWorker.asked_to_stop


def _new_worker(settings: Settings, queues: tuple[str, ...], heartbeat: Heartbeat) -> Any:
    """Return a worker for the queues. For turns, it uses the server with the fewest workers. Raises NewerStoreError."""
    jobs.context().now_ms()  # raises, so that an older worker takes no wake-ups from newer ones
    servers = settings.queue_url.split()
    heartbeat.server = (
        queue_assignment.least_served(heartbeat.queue.living(WORKER)) if len(servers) > 1 and TURNS in queues else 0
    )
    return TurnWorker(
        list(queues),
        name=f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}",
        connection=connect(servers[heartbeat.server]),
        serializer=JSONSerializer,
        worker_ttl=WORKER_TTL_S,
        job_monitoring_interval=MONITOR_S,
        maintenance_interval=MAINTAIN_S,
        log_job_description=False,
        heartbeat=heartbeat,
        background_nice=settings.background_nice,
    )


def dialer_queues(number: int, count: int) -> tuple[str, ...]:
    """Return the queues of a dialer, by priority. The last one also plays games of tournaments, which take minutes."""
    return (CALLS, HOOKS, MATCHES) if number == count - 1 else (CALLS, HOOKS)


def work(settings: Settings, kind: str, queues: tuple[str, ...]) -> None:
    """Serve queues until a signal, with a new RQ worker whenever one has left or failed."""
    heartbeat = Heartbeat(settings, kind)
    pause = FIRST_PAUSE_S
    while not _asked_to_stop():
        if heartbeat.is_drained:
            time.sleep(DRAINED_POLL_S)
            continue
        began = time.monotonic()
        try:
            worker = _new_worker(settings, queues, heartbeat)
            worker.work(logging_level="DEBUG" if settings.log_level == "DEBUG" else "WARNING")
        except Exception as error:
            if _asked_to_stop():  # a signal can make a new connection fail
                return
            if outage(error) is None:
                log.exception("worker_failed", again_in_s=pause)
            else:
                log.warning("redis_unreachable", error=str(error), again_in_s=pause)
        listen_to_signals()
        if _asked_to_stop():
            return
        pause = FIRST_PAUSE_S if time.monotonic() - began > MAX_PAUSE_S else pause
        time.sleep(pause)
        pause = min(2 * pause, MAX_PAUSE_S)


def listen_to_signals() -> None:
    """Handle signals while no RQ worker does."""
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, _stop)
