"""The queues that wake workers, and the heartbeats of processes.

A job is only a wake-up. The store contains the due decisions, so a lost or repeated job is harmless. A job must not
block its own repetition, though. RQ refuses an id while the hash of its job exists, and a worker that is killed between
taking a job and leasing the decision leaves that hash behind. So the next wake-up replaces such a hash.

It does not use RQ's `Job.delete`, which fails if a worker finishes the job at that moment. It deletes the hash
directly, and RQ's registries remove their entries later. Wake-ups raise only if Redis is unavailable, not if a queue is
damaged.

The queue may be on another Redis than the games, because RQ does not run on Redis Cluster. So no script uses both. All
jobs are JSON, never pickle.

The queue may use several servers. The turns of AIs are spread over them by game, and each worker takes turns from one.
Keepers know which servers have no living worker, and use another server instead. All other jobs are on the first
server.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from datetime import UTC, datetime
from enum import Enum
from typing import Any, TypeVar, cast

import structlog
from redis import Redis
from rq import Queue as RqQueue
from rq import Retry
from rq.exceptions import DuplicateJobError
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer

from service.storage.base import keys
from service.storage.base.connect import RedisError, connect, outage
from service.storage.base.pipelining import ask_all, decode, decode_all

LOG = structlog.get_logger()

TURNS = "turns"
WORKER = "worker"
"""The kind of processes that take turns, for heartbeats."""
ARCHIVE = "archive"
"""The kind of keepers that have reached the archive, for heartbeats."""
TAKE_TURN = "workers.jobs.take_turn"
BACKGROUND = "background"
CALLS = "calls"
"""Wake-ups for decisions of opponents over HTTP in live games."""
HOOKS = "hooks"
"""Wake-ups for deliveries to webhooks and devices."""
MATCHES = "matches"
"""Games of tournaments with opponents over HTTP."""
DIAL = "workers.dialing.dial"
WAKE_UPS = (TAKE_TURN, DIAL)
"""Jobs that may be lost, because the store contains the due work."""
DO_NEXT = "workers.background.do_next"
LONGEST_PIECE_S = 25_000
"""Timeout of a piece: a game of a tournament in which an endpoint needs its last attempt for each decision."""
JOB_TIMEOUT_S = 180
QUEUED_TTL_S = 3600
WORK_TTL_S = 86_400
"""Lifetime of a background job in the queue."""
FAILURE_TTL_S = 60
STARTING_S = 2.0
"""A job that was neither waiting nor leased for this long was lost with its worker."""
PREFIX_OF_DRAINED = "drained-"
"""Prefix of the kind of drained processes."""
TREE_KEPT_S = 600
"""Lifetime of the name of the worker that has a seat's search tree."""
DRAINED_S = 86_400
"""A drained process takes no jobs for this time, unless it is resumed."""

Reply = TypeVar("Reply")
Arguments = dict[str, Any]
"""Named arguments of a job, so that other versions can add some."""


class WakeResult(Enum):
    """The result of a wake-up."""

    SENT = "sent"
    """A job was added to the queue."""
    WAITING = "waiting"
    """The queue already contains a job."""
    TAKEN = "taken"
    """A worker has just taken the job."""
    REFUSED = "refused"
    """The queue is damaged."""


class Queue:
    """The queues. Safe to share between threads and greenlets.

    Every method may raise `redis.exceptions.RedisError`. If there are several servers, methods that count or list skip
    unavailable ones.
    """

    def __init__(self, urls: str, *, dialers: bool = True) -> None:
        """`urls`: URLs of the servers, separated by spaces. All but the first are tried once, for a second.

        `dialers`: False if there are none. Workers then take the jobs of opponents over HTTP, and report an error.
        """
        self.servers = tuple(connect(url, patient=not number) for number, url in enumerate(urls.split()))
        self.redis = self.servers[0]
        self.turns = tuple(RqQueue(TURNS, connection=server, serializer=JSONSerializer) for server in self.servers)
        self.background, self.calls, self.hooks, self.matches = (
            RqQueue(name, connection=self.redis, serializer=JSONSerializer)
            for name in (BACKGROUND, CALLS if dialers else TURNS, HOOKS, MATCHES)
        )
        self._served = tuple(range(len(self.turns)))

    def wake(self, game_id: str, revision: int, seat: int, attempt: int) -> WakeResult:
        """Wake a worker for a decision of an AI. Several wake-ups for the same attempt add one job.

        `attempt`: number of leases granted so far. The job does nothing if there is another lease when it starts.
        """
        job_id = f"{game_id}-{revision}-{seat}-{attempt}"
        queue, turn = self._turns_of(game_id), (game_id, revision, seat)
        return self._enqueue_once(queue, TAKE_TURN, job_id, turn, before=attempt)

    def _turns_of(self, game_id: str) -> Any:
        """Return the queue of the game's turns, or another queue if it has no worker."""
        code, served = zlib.crc32(game_id.encode()), self._served
        own = code % len(self.turns)
        return self.turns[own if own in served else served[code % len(served)]]

    def update_served(self) -> None:
        """Send turns only to servers with a living worker, if there are any. Keepers call this regularly."""
        if len(self.turns) > 1:
            served = tuple(number for number, count in self.living(WORKER).items() if count)
            self._served = served or tuple(range(len(self.turns)))

    def remember_holder(self, game_id: str, seat: int, worker: str, server: int = 0) -> None:
        """Store which worker has the tree of the seat's last decision. `server`: the number of the worker's server."""
        self.servers[server].set(keys.tree_holder(game_id, seat), worker, ex=TREE_KEPT_S)

    def hand_over(self, job_id: str, game_id: str, seat: int, worker: str, server: int = 0) -> bool:
        """Give a turn that `worker` has taken to the worker that has the seat's tree, if that worker is idle.

        Return False if it is not idle. Redis delivers a pushed job to a waiting worker before it executes the next
        command, which removes the job if it was not delivered.
        """
        redis = self.servers[server]
        try:
            holder = decode(redis.get(keys.tree_holder(game_id, seat)))
            if holder is None or holder == worker:
                return False
            key = self.own_turns(holder, server).key
            return not ask_all(redis, (("RPUSH", key, job_id), ("LREM", key, 1, job_id)))[1]
        except RedisError as error:
            if outage(error) is not None:
                raise
            LOG.exception("the queue is damaged", job=job_id)
            return False

    def own_turns(self, worker: str, server: int = 0) -> Any:
        """Return the queue of turns that are handed over to a worker."""
        return RqQueue(f"{TURNS}-{worker}", connection=self.servers[server], serializer=JSONSerializer)

    def wake_dialer(self, name: str) -> WakeResult:
        """Wake a dialer for the queue of outgoing calls with this name, `CALLS` or `HOOKS`. At most one job waits."""
        return self._enqueue_once(self.calls if name == CALLS else self.hooks, DIAL, f"dial-{name}", (name,))

    def _enqueue_once(self, queue: Any, job: str, job_id: str, known: tuple[Any, ...], **named: Any) -> WakeResult:
        """Add a wake-up. `known`: the arguments of the first version, whose workers ignore `named`."""
        try:
            try:
                self._enqueue(queue, job, job_id, known, named)
            except DuplicateJobError:
                result = self._find_job(queue, job_id)
                if result is not None:
                    return result
                queue.connection.delete(Job.key_for(job_id))
                self._enqueue(queue, job, job_id, known, named)
        except DuplicateJobError:  # another process has replaced it
            return WakeResult.WAITING
        except RedisError as error:
            if outage(error) is not None:
                raise
            LOG.exception("the queue is damaged", job=job_id)
            return WakeResult.REFUSED
        return WakeResult.SENT

    def _enqueue(self, queue: Any, job: str, job_id: str, known: tuple[Any, ...], named: Arguments) -> None:
        queue.enqueue_call(
            job,
            args=known,
            kwargs=named,
            job_id=job_id,
            unique=True,
            timeout=JOB_TIMEOUT_S,
            ttl=QUEUED_TTL_S,
            result_ttl=0,
            failure_ttl=FAILURE_TTL_S,
            description=job_id,
        )

    def wake_background(self, name: str, count: int) -> None:
        """Wake `count` background workers for the backlog of this name, or dialers if it is theirs."""
        if count > 0:
            self.work(DO_NEXT, LONGEST_PIECE_S, *[{"name": name}] * count, dial=name == MATCHES)

    def count_wake_ups(self, name: str) -> int:
        """Return the number of waiting wake-ups for a backlog."""
        return int((self.matches if name == MATCHES else self.background).count)

    def work(self, job: str, timeout_s: int, *calls: Arguments, dial: bool = False) -> None:
        """Let background workers, or dialers, call the function of this name with each of these named arguments.

        If a worker is killed, its job is run again, so jobs must be idempotent.
        """
        jobs = [
            RqQueue.prepare_data(
                job,
                kwargs=arguments,
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

    def _find_job(self, queue: Any, job_id: str) -> WakeResult | None:
        """Return whether a job waits or was taken. Return None if no worker will run it."""
        redis = queue.connection
        if redis.lpos(queue.key, job_id) is not None:
            return WakeResult.WAITING
        status, started, enqueued = _job_fields(redis, job_id, "status", "started_at", "enqueued_at")
        is_alive = status in (JobStatus.QUEUED, JobStatus.STARTED)
        age_s = seconds_since(started or enqueued, _now_ms(redis))
        return WakeResult.TAKEN if is_alive and age_s is not None and age_s < STARTING_S else None

    def _ask_each(self, ask: Callable[[Redis], Reply]) -> dict[int, Reply]:
        """Return the result of `ask` for each server by number. If there are several, skip unavailable ones."""
        replies = {}
        for number, server in enumerate(self.servers):
            try:
                replies[number] = ask(server)
            except RedisError:
                if len(self.servers) == 1:
                    raise
        return replies

    def age_s(self) -> float:
        """Return the age in seconds of the oldest waiting turn, 0.0 if none waits. Ignores servers without workers."""
        ages = self._ask_each(lambda server: _oldest_s(server, self.turns[0].key))
        living = self.living(WORKER) if len(self.servers) > 1 else {}
        return max((age for number, age in ages.items() if living.get(number, 1)), default=0.0)

    def decisions(self) -> int:
        """Return the number of waiting wake-ups for decisions of AIs and endpoints."""
        turns = self._ask_each(lambda server: int(cast("Any", server.llen(self.turns[0].key))))
        return sum(turns.values()) + int(self.calls.count)

    # Heartbeats use the clock of the server, because the processes may run on several machines.

    def beat(self, kind: str, name: str, ttl_s: float, server: int = 0) -> bool:
        """Count the process `name` as a living `kind` (such as "worker") for `ttl_s`. Return whether it is drained.

        Drained processes are counted separately. `server`: the number of a worker's server.
        """
        redis = self.servers[server]
        (seconds, micros), until = ask_all(redis, (("TIME",), ("ZSCORE", keys.DRAINED, name)))
        now = milliseconds(seconds, micros)
        is_drained = until is not None and until > now
        mine, other = (f"{PREFIX_OF_DRAINED}{kind}", kind) if is_drained else (kind, f"{PREFIX_OF_DRAINED}{kind}")
        beat = ("ZADD", keys.heartbeats(mine), now + int(1000 * ttl_s), name)
        cleanup = (("ZREMRANGEBYSCORE", keys.heartbeats(mine), "-inf", now), ("ZREM", keys.heartbeats(other), name))
        ask_all(redis, (beat, *cleanup))
        return is_drained

    def end_beat(self, kind: str, name: str, server: int = 0) -> None:
        """Remove the heartbeat of a process that ends."""
        for prefix in ("", PREFIX_OF_DRAINED):
            self.servers[server].zrem(keys.heartbeats(f"{prefix}{kind}"), name)

    def living(self, kind: str) -> dict[int, int]:
        """Return the number of living processes of a kind, by number of the server."""
        return self._ask_each(
            lambda server: int(cast("Any", server.zcount(keys.heartbeats(kind), f"({_now_ms(server)}", "+inf")))
        )

    def count_living(self, kind: str) -> int:
        """Return the number of living processes of a kind on all servers."""
        return sum(self.living(kind).values())

    def names(self, kind: str) -> dict[str, bool]:
        """Return the living processes of a kind by name, and whether each is drained."""
        found = dict[str, bool]()
        for prefix in ("", PREFIX_OF_DRAINED):
            key = keys.heartbeats(f"{prefix}{kind}")
            replies = self._ask_each(
                lambda server, beats=key: decode_all(  # type: ignore[misc]
                    server.zrangebyscore(beats, f"({_now_ms(server)}", "+inf")
                )
            )
            found |= {name: bool(prefix) for names in replies.values() for name in names}
        return dict(sorted(found.items()))

    def drain(self, name: str) -> None:
        """Let a process take no more jobs after its current one, for `DRAINED_S`."""

        def mark(server: Redis) -> None:
            now = _now_ms(server)
            server.zremrangebyscore(keys.DRAINED, "-inf", now)
            server.zadd(keys.DRAINED, {name: now + DRAINED_S * 1000})

        self._ask_each(mark)

    def resume(self, name: str) -> None:
        """Let a drained process take jobs again."""
        self._ask_each(lambda server: server.zrem(keys.DRAINED, name))


def _now_ms(redis: Redis) -> int:
    return milliseconds(*cast("Any", redis.time()))


def milliseconds(seconds: int, micros: int) -> int:
    """Return the reply of TIME as unix ms."""
    return int(seconds) * 1000 + int(micros) // 1000


def _job_fields(redis: Redis, job_id: str, *fields: str) -> list[str]:
    """Return fields of a job's hash, empty if they are missing."""
    reply = cast("list[bytes | None]", redis.hmget(Job.key_for(job_id), *fields))
    return [(field or b"").decode(errors="replace") for field in reply]


def _oldest_s(redis: Redis, key: str) -> float:
    """Return the age in seconds of the oldest job in the queue of this key, 0.0 if it is empty."""
    waiting, now_ms = cast("list[bytes]", redis.lrange(key, 0, 19)), _now_ms(redis)
    ages = [
        seconds_since(enqueued, now_ms)
        for job_id in waiting
        for enqueued in _job_fields(redis, job_id.decode(), "enqueued_at")
    ]
    return max((age for age in ages if age is not None), default=0.0)


def seconds_since(moment: str, now_ms: int) -> float | None:
    """Return the seconds since a time in the format of RQ, or None if it is not one."""
    try:
        time = datetime.fromisoformat(moment)
    except ValueError:
        return None
    aware = time if time.tzinfo else time.replace(tzinfo=UTC)
    return max(0.0, now_ms / 1000 - aware.timestamp())
