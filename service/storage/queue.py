"""The queues that wake workers, and the heartbeats of those who work.

A job is a wake-up, no more: what has to be decided stands in the store, so a job that is lost or
runs twice does no harm. What would do harm is a job that blocks its own repetition: RQ refuses an
id for as long as the job's hash exists, and a worker killed between taking a job and leasing the
decision leaves that hash behind. So whoever wakes again finds such a remnant and replaces it.

That is done without RQ's own `Job.delete`, which fails where a worker is finishing the job at that very moment: the
hash is looked at and deleted as it is, and what RQ's registries still name of it they forget by themselves. Whatever
is wrong with the queue, waking raises for nothing but a Redis that is away.

The queue may live on another Redis than the games (RQ does not run on Redis Cluster), so nothing
here shares a script with the store. Only JSON is written: never pickle.
"""

from __future__ import annotations

from datetime import UTC, datetime
from enum import Enum
from typing import Any, cast

import structlog
from rq import Queue as RqQueue
from rq import Retry
from rq.exceptions import DuplicateJobError
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer

from service.storage import keys
from service.storage.connect import RedisError, connect, outage

LOG = structlog.get_logger()

NAME = "turns"
TAKE_TURN = "workers.jobs.take_turn"
BACKGROUND = "background"
CALLS = "calls"
"""Decisions of opponents over HTTP in live games."""
HOOKS = "hooks"
"""Deliveries to webhooks and devices."""
MATCHES = "matches"
"""Games of tournaments with opponents over HTTP."""
ASK = "workers.jobs.ask_endpoint"
DELIVER = "workers.deliveries.deliver"
PUSH = "workers.pushes.push"
DO_NEXT = "workers.background.do_next"
LONGEST_PIECE_S = 25_000
"""Of a tournament, a game with an endpoint that answers each decision with its last attempt."""
JOB_TIMEOUT_S = 180
QUEUED_TTL_S = 3600
WORK_TTL_S = 86_400
"""A job of the background that nobody takes for so long is forgotten."""
FAILURE_TTL_S = 60
STARTING_S = 2.0
"""A job neither waiting nor leased for this long was lost with its worker."""


class Woken(Enum):
    """What came of a wake-up."""

    SENT = "sent"
    """A job was put into the queue."""
    WAITING = "waiting"
    """A job for it waits in the queue already."""
    TAKEN = "taken"
    """A worker has just taken the job for it."""
    REFUSED = "refused"
    """The queue is damaged."""


class Queue:
    """The queues; safe to share between threads and greenlets. Without `dialers`, workers find that nobody is called.

    Every method may raise `redis.exceptions.RedisError`.
    """

    def __init__(self, redis_url: str, *, dialers: bool = True) -> None:
        self.redis = connect(redis_url)
        self.rq = RqQueue(NAME, connection=self.redis, serializer=JSONSerializer)
        self.background, self.calls, self.hooks, self.matches = (
            RqQueue(name, connection=self.redis, serializer=JSONSerializer)
            for name in (BACKGROUND, CALLS if dialers else NAME, HOOKS, MATCHES)
        )

    def wake(self, game_id: str, revision: int, seat: int, attempt: int, *, call: bool = False) -> Woken:
        """Have a worker look at this decision, once however often it is woken for it.

        `attempt` is the number of leases granted for it so far; `call`: an opponent over HTTP makes it.
        """
        job_id = f"{game_id}-{revision}-{seat}-{attempt}"
        queue, job = (self.calls, ASK) if call else (self.rq, TAKE_TURN)
        return self._once(queue, job, job_id, (game_id, revision, seat))

    def deliver(self, player_id: str, webhook_id: str, delivery_id: str, attempt: int, job: str = DELIVER) -> Woken:
        """Have a dialer deliver a notice to a webhook, or `PUSH` it, once however often it is woken for it."""
        job_id = f"{delivery_id}-{attempt}"
        return self._once(self.hooks, job, job_id, (player_id, webhook_id, delivery_id))

    def _once(self, queue: Any, job: str, job_id: str, arguments: tuple[Any, ...]) -> Woken:
        try:
            try:
                self._enqueue(queue, job, job_id, arguments)
            except DuplicateJobError:
                reply = self._whereabouts(queue, job_id)
                if reply is not None:
                    return reply
                self.redis.delete(Job.key_for(job_id))
                self._enqueue(queue, job, job_id, arguments)
        except DuplicateJobError:  # somebody else has replaced it
            return Woken.WAITING
        except RedisError as error:
            if outage(error) is not None:
                raise
            LOG.exception("the queue is damaged", job=job_id)
            return Woken.REFUSED
        return Woken.SENT

    def _enqueue(self, queue: Any, job: str, job_id: str, arguments: tuple[Any, ...]) -> None:
        queue.enqueue_call(
            job,
            args=arguments,
            job_id=job_id,
            unique=True,
            timeout=JOB_TIMEOUT_S,
            ttl=QUEUED_TTL_S,
            result_ttl=0,
            failure_ttl=FAILURE_TTL_S,
            description=job_id,
        )

    def wake_background(self, name: str, count: int) -> None:
        """Have so many background workers, or dialers where the backlog of that name is theirs, look into it."""
        if count > 0:
            self.work(DO_NEXT, LONGEST_PIECE_S, *[(name,)] * count, dial=name == MATCHES)

    def looking(self, name: str) -> int:
        """How many of them are asked to already, and have not begun."""
        return int((self.matches if name == MATCHES else self.background).count)

    def work(self, job: str, timeout_s: int, *calls: tuple[Any, ...], dial: bool = False) -> None:
        """Have the background workers, or the dialers, call the function of that name with each of these arguments.

        A job whose worker is killed is run again, so jobs must not mind what has been done already.
        """
        jobs = [
            RqQueue.prepare_data(
                job,
                args=arguments,
                timeout=timeout_s,
                ttl=WORK_TTL_S,
                result_ttl=0,
                failure_ttl=FAILURE_TTL_S,
                retry=Retry(max=2),
                description=f"{job}{arguments}",
            )
            for arguments in calls
        ]
        (self.matches if dial else self.background).enqueue_many(jobs)

    def _whereabouts(self, queue: Any, job_id: str) -> Woken | None:
        """Where the job is that has this id; None if no worker will run it any more."""
        if self.redis.lpos(queue.key, job_id) is not None:
            return Woken.WAITING
        status, started, enqueued = self._job_fields(job_id, "status", "started_at", "enqueued_at")
        is_alive = status in (JobStatus.QUEUED, JobStatus.STARTED)
        age_s = seconds_since(started or enqueued, self._now_ms())
        return Woken.TAKEN if is_alive and age_s is not None and age_s < STARTING_S else None

    def _job_fields(self, job_id: str, *fields: str) -> list[str]:
        """Fields of a job's hash, nothing for each that is not there."""
        reply = cast("list[bytes | None]", self.redis.hmget(Job.key_for(job_id), *fields))
        return [(field or b"").decode(errors="replace") for field in reply]

    def age_s(self) -> float:
        """How long the oldest waiting job has been waiting; 0.0 if none waits."""
        waiting = self.rq.get_job_ids(0, 20)
        now_ms = self._now_ms()
        ages = [
            seconds_since(enqueued, now_ms)
            for job_id in waiting
            for enqueued in self._job_fields(job_id, "enqueued_at")
        ]
        return max((age for age in ages if age is not None), default=0.0)

    def length(self) -> int:
        """The number of waiting jobs."""
        return int(self.rq.count)

    # Heartbeats go by the server's clock: the processes may stand on several machines.

    def beat(self, kind: str, name: str, ttl_s: float) -> None:
        """Count the process `name` as a living `kind` (such as "worker") for `ttl_s` seconds."""
        now = self._now_ms()
        pipeline = self.redis.pipeline()
        pipeline.zadd(keys.beats(kind), {name: now + int(ttl_s * 1000)})
        pipeline.zremrangebyscore(keys.beats(kind), "-inf", now)
        pipeline.execute()

    def end_beat(self, kind: str, name: str) -> None:
        """The process has ended, and says so itself."""
        self.redis.zrem(keys.beats(kind), name)

    def alive(self, kind: str) -> int:
        """How many of this kind have a heartbeat that has not run out."""
        return int(cast("Any", self.redis.zcount(keys.beats(kind), f"({self._now_ms()}", "+inf")))

    def _now_ms(self) -> int:
        seconds, micros = self.redis.time()
        return seconds * 1000 + micros // 1000


def seconds_since(moment: str, now_ms: int) -> float | None:
    """Seconds since a moment as RQ writes it; None if it is none."""
    try:
        reply = datetime.fromisoformat(moment)
    except ValueError:
        return None
    aware = reply if reply.tzinfo else reply.replace(tzinfo=UTC)
    return max(0.0, now_ms / 1000 - aware.timestamp())
