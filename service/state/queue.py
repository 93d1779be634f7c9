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
JOB_TIMEOUT_S = 180
QUEUED_TTL_S = 3600
WORK_TTL_S = 86_400
"""A job of the background that nobody takes for so long is forgotten."""
FAILURE_TTL_S = 60
STARTING_S = 2.0
"""A job neither waiting nor leased for this long was lost with its worker."""


class Queue:
    """The queue of turns; safe to share between threads and greenlets.

    Every method may raise `redis.exceptions.RedisError`.
    """

    def __init__(self, redis_url: str) -> None:
        self.redis = connect(redis_url)
        self.rq = RqQueue(NAME, connection=self.redis, serializer=JSONSerializer)
        self.background = RqQueue(BACKGROUND, connection=self.redis, serializer=JSONSerializer)

    def wake(self, game_id: str, revision: int, seat: int, attempt: int) -> bool:
        """Have a worker look at this decision; False if a job for it is on its way already.

        `attempt` is the number of leases granted for it so far.
        """
        job_id = f"{game_id}-{revision}-{seat}-{attempt}"
        try:
            self._enqueue(job_id, game_id, revision, seat)
        except DuplicateJobError:
            if not self._clear_remnant(job_id):
                return False
            try:
                self._enqueue(job_id, game_id, revision, seat)
            except DuplicateJobError:
                return False
        return True

    def _enqueue(self, job_id: str, game_id: str, revision: int, seat: int) -> None:
        self.rq.enqueue_call(
            TAKE_TURN,
            args=(game_id, revision, seat),
            job_id=job_id,
            unique=True,
            timeout=JOB_TIMEOUT_S,
            ttl=QUEUED_TTL_S,
            result_ttl=0,
            failure_ttl=FAILURE_TTL_S,
            description=job_id,
        )

    def work(self, job: str, timeout_s: int, *calls: tuple[Any, ...]) -> None:
        """Have the background workers call the function of that name, once with each of these arguments.

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
        self.background.enqueue_many(jobs)

    def _clear_remnant(self, job_id: str) -> bool:
        """Delete the job if no worker will run it any more; True if its id is free."""
        if self.redis.lpos(self.rq.key, job_id) is not None:
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
