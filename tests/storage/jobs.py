"""Jobs that the tests of the queue run in a real RQ worker."""

from __future__ import annotations

from datetime import UTC, datetime

from rq.job import Job

from service.storage.work.queue import Queue
from tests.patience import redis_now_ms

PLAYED: list[tuple[str, int, int]] = []


def note(game_id: str, revision: int, seat: int, before: int) -> None:
    PLAYED.append((game_id, revision, seat))


def fail(game_id: str, revision: int, seat: int, before: int) -> None:
    raise RuntimeError(f"{game_id} {revision} {seat}")


def age(queue: Queue, job_id: str, seconds: int) -> None:
    """Let the job look as if it had waited for this long."""
    moment = datetime.fromtimestamp(redis_now_ms(queue.redis) / 1000 - seconds, UTC)
    queue.redis.hset(Job.key_for(job_id), "enqueued_at", moment.isoformat())
