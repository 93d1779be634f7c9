"""The queues that wake workers, and the heartbeats of those who work.

A job is a wake-up, no more: what has to be decided stands in the store, so a job that is lost or
runs twice does no harm. What would do harm is a job that blocks its own repetition: RQ refuses an
id for as long as the job's hash exists, and a worker killed between taking a job and leasing the
decision leaves that hash behind. So whoever wakes again finds such a remnant and replaces it.

The queue may live on another Redis than the games (RQ does not run on Redis Cluster), so nothing
here shares a script with the store. Only JSON is written: never pickle.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, cast

from rq import Queue as RqQueue
from rq import Retry
from rq.exceptions import DuplicateJobError, NoSuchJobError
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer

from service.state import keys
from service.state.connect import connect

NAME = "turns"
TAKE_TURN = "workers.jobs.take_turn"
BACKGROUND = "background"
CALLS = "calls"
"""Decisions of opponents over HTTP in live games."""
HOOKS = "hooks"
"""Deliveries to webhooks."""
MATCHES = "matches"
"""Games of tournaments with opponents over HTTP."""
ASK = "workers.jobs.ask_endpoint"
DELIVER = "workers.deliveries.deliver"
JOB_TIMEOUT_S = 180
QUEUED_TTL_S = 3600
WORK_TTL_S = 86_400
"""A job of the background that nobody takes for so long is forgotten."""
FAILURE_TTL_S = 60
STARTING_S = 2.0
"""A job neither waiting nor leased for this long was lost with its worker."""


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

    def wake(self, game_id: str, revision: int, seat: int, attempt: int, *, call: bool = False) -> bool:
        """Have a worker look at this decision; False if a job for it is on its way already.

        `attempt` is the number of leases granted for it so far; `call`: an opponent over HTTP makes it.
        """
        job_id = f"{game_id}-{revision}-{seat}-{attempt}"
        queue, job = (self.calls, ASK) if call else (self.rq, TAKE_TURN)
        return self._once(queue, job, job_id, (game_id, revision, seat))

    def deliver(self, player_id: str, webhook_id: str, delivery_id: str, attempt: int) -> bool:
        """Have a dialer deliver what a webhook is to be told; False if a job for it is on its way already."""
        job_id = f"{delivery_id}-{attempt}"
        return self._once(self.hooks, DELIVER, job_id, (player_id, webhook_id, delivery_id))

    def _once(self, queue: Any, job: str, job_id: str, arguments: tuple[Any, ...]) -> bool:
        try:
            self._enqueue(queue, job, job_id, arguments)
        except DuplicateJobError:
            if not self._clear_remnant(queue, job_id):
                return False
            try:
                self._enqueue(queue, job, job_id, arguments)
            except DuplicateJobError:
                return False
        return True

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

    def _clear_remnant(self, queue: Any, job_id: str) -> bool:
        """Delete the job if no worker will run it any more; True if its id is free."""
        if self.redis.lpos(queue.key, job_id) is not None:
            return False
        try:
            job = Job.fetch(job_id, connection=self.redis, serializer=JSONSerializer)
        except NoSuchJobError:
            return True
        since = job.started_at or job.enqueued_at
        alive = job.get_status(refresh=False) in (JobStatus.QUEUED, JobStatus.STARTED)
        if alive and since is not None and _age_s(since) < STARTING_S:
            return False
        job.delete()
        return True

    def age_s(self) -> float:
        """How long the oldest waiting job has been waiting; 0.0 if none waits."""
        waiting = self.rq.get_job_ids(0, 20)
        jobs = Job.fetch_many(waiting, connection=self.redis, serializer=JSONSerializer)
        ages = [_age_s(job.enqueued_at) for job in jobs if job is not None and job.enqueued_at is not None]
        return max(0.0, *ages) if ages else 0.0

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


def _age_s(moment: datetime) -> float:
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (datetime.now(UTC) - aware).total_seconds()
