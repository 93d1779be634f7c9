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

It may live on several servers: AIs' turns are spread over them by game, and each worker takes turns from one. Keepers
know at which of them no worker lives, and send elsewhere what is due there. Everything else is on the first.
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
from service.storage.base.pipelining import ask_all

LOG = structlog.get_logger()

NAME = "turns"
WORKER = "worker"
"""Who takes turns, as heartbeats call them."""
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
WAKE_UPS = (TAKE_TURN, ASK, DELIVER, PUSH)
"""Jobs that are lost without harm: what is to be done stands in the store."""
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
PREFIX_OF_DRAINED = "drained-"
"""Before the kind of those that take no jobs for now."""
TREE_KEPT_S = 600
"""For so long it is remembered which worker holds a seat's search tree."""
DRAINED_S = 86_400
"""For so long a process that is drained takes no jobs, unless it is to go on before."""

T = TypeVar("T")


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

    `urls`: of its servers, divided by blanks; all but the first are asked once, for a second. Every method may raise
    `redis.exceptions.RedisError`; where there are several servers, those that count or list pass over one that is away.
    """

    def __init__(self, urls: str, *, dialers: bool = True) -> None:
        self.servers = tuple(connect(url, patient=not number) for number, url in enumerate(urls.split()))
        self.redis = self.servers[0]
        self.turns = tuple(RqQueue(NAME, connection=one, serializer=JSONSerializer) for one in self.servers)
        self.background, self.calls, self.hooks, self.matches = (
            RqQueue(name, connection=self.redis, serializer=JSONSerializer)
            for name in (BACKGROUND, CALLS if dialers else NAME, HOOKS, MATCHES)
        )
        self._served = tuple(range(len(self.turns)))

    def wake(self, game_id: str, revision: int, seat: int, attempt: int, *, call: bool = False) -> Woken:
        """Have a worker look at this decision, once however often it is woken for it.

        `attempt` is the number of leases granted for it so far: a job that comes when there is one more does nothing.
        `call`: an opponent over HTTP makes it.
        """
        job_id = f"{game_id}-{revision}-{seat}-{attempt}"
        queue, job = (self.calls, ASK) if call else (self._turns_of(game_id), TAKE_TURN)
        return self._once(queue, job, job_id, (game_id, revision, seat, attempt))

    def _turns_of(self, game_id: str) -> Any:
        """The queue of the game's turns: where nobody serves it, another that is served."""
        code, served = zlib.crc32(game_id.encode()), self._served
        own = code % len(self.turns)
        return self.turns[own if own in served else served[code % len(served)]]

    def look_who_serves(self) -> None:
        """From now on send turns only where a worker lives, if there is any; for keepers, again and again."""
        if len(self.turns) > 1:
            served = tuple(number for number, count in self.living(WORKER).items() if count)
            self._served = served or tuple(range(len(self.turns)))

    def remember_holder(self, game_id: str, seat: int, worker: str, server: int = 0) -> None:
        """The worker of that name holds the tree of the seat's last decision; `server`: the number of its own."""
        self.servers[server].set(keys.tree_holder(game_id, seat), worker, ex=TREE_KEPT_S)

    def hand_over(self, job_id: str, game_id: str, seat: int, worker: str, server: int = 0) -> bool:
        """Give a turn that `worker` has taken to the one that holds the seat's tree, if that waits for work just now.

        Redis gives what is pushed to who waits for it before it looks at the next command; what is still there then
        is taken back.
        """
        redis = self.servers[server]
        try:
            holder = cast("bytes | None", redis.get(keys.tree_holder(game_id, seat)))
            if holder is None or holder.decode() == worker:
                return False
            key = self.own_turns(holder.decode(), server).key
            return not ask_all(redis, (("RPUSH", key, job_id), ("LREM", key, 1, job_id)))[1]
        except RedisError as error:
            if outage(error) is not None:
                raise
            LOG.exception("the queue is damaged", job=job_id)
            return False

    def own_turns(self, worker: str, server: int = 0) -> Any:
        """The queue of what is handed over to a worker."""
        return RqQueue(f"{NAME}-{worker}", connection=self.servers[server], serializer=JSONSerializer)

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
                queue.connection.delete(Job.key_for(job_id))
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
        redis = queue.connection
        if redis.lpos(queue.key, job_id) is not None:
            return Woken.WAITING
        status, started, enqueued = _job_fields(redis, job_id, "status", "started_at", "enqueued_at")
        is_alive = status in (JobStatus.QUEUED, JobStatus.STARTED)
        age_s = seconds_since(started or enqueued, _now_ms(redis))
        return Woken.TAKEN if is_alive and age_s is not None and age_s < STARTING_S else None

    def _of_each(self, ask: Callable[[Redis], T]) -> dict[int, T]:
        """What is asked of each server, by its number: of several, those that answer."""
        answers = {}
        for number, server in enumerate(self.servers):
            try:
                answers[number] = ask(server)
            except RedisError:
                if len(self.servers) == 1:
                    raise
        return answers

    def age_s(self) -> float:
        """How long the oldest turn that waits has waited; 0.0 if none waits. Who serves no more is not asked."""
        ages = self._of_each(lambda server: _oldest_s(server, self.turns[0].key))
        living = self.living(WORKER) if len(self.servers) > 1 else {}
        return max((age for number, age in ages.items() if living.get(number, 1)), default=0.0)

    def decisions(self) -> int:
        """How many decisions wait, of AIs and of endpoints."""
        turns = self._of_each(lambda server: int(cast("Any", server.llen(self.turns[0].key))))
        return sum(turns.values()) + int(self.calls.count)

    # Heartbeats go by the server's clock: the processes may stand on several machines.

    def beat(self, kind: str, name: str, ttl_s: float, server: int = 0) -> bool:
        """Count the process `name` as a living `kind` (such as "worker") for `ttl_s` seconds; whether it is drained.

        `server`: the number of that which a worker serves. Who is drained is counted apart.
        """
        redis = self.servers[server]
        (seconds, micros), until = ask_all(redis, (("TIME",), ("ZSCORE", keys.DRAINED, name)))
        now = _ms(seconds, micros)
        is_drained = until is not None and until > now
        mine, other = (f"{PREFIX_OF_DRAINED}{kind}", kind) if is_drained else (kind, f"{PREFIX_OF_DRAINED}{kind}")
        beat = ("ZADD", keys.beats(mine), now + int(1000 * ttl_s), name)
        forgetting = (("ZREMRANGEBYSCORE", keys.beats(mine), "-inf", now), ("ZREM", keys.beats(other), name))
        ask_all(redis, (beat, *forgetting))
        return is_drained

    def end_beat(self, kind: str, name: str, server: int = 0) -> None:
        """The process has ended, and says so itself."""
        for each in (kind, f"{PREFIX_OF_DRAINED}{kind}"):
            self.servers[server].zrem(keys.beats(each), name)

    def living(self, kind: str) -> dict[int, int]:
        """How many of this kind have a heartbeat that has not run out, by the number of the server."""
        return self._of_each(
            lambda server: int(cast("Any", server.zcount(keys.beats(kind), f"({_now_ms(server)}", "+inf")))
        )

    def alive(self, kind: str) -> int:
        """How many they are in all."""
        return sum(self.living(kind).values())

    def names(self, kind: str) -> dict[str, bool]:
        """The processes of this kind that live, and whether each is drained."""
        found = dict[str, bool]()
        for prefix in ("", PREFIX_OF_DRAINED):
            beats = keys.beats(f"{prefix}{kind}")
            replies = self._of_each(
                lambda server, beats=beats: cast(  # type: ignore[misc]
                    "list[bytes]", server.zrangebyscore(beats, f"({_now_ms(server)}", "+inf")
                )
            )
            found |= {name.decode(): bool(prefix) for reply in replies.values() for name in reply}
        return dict(sorted(found.items()))

    def drain(self, name: str) -> None:
        """The process of that name takes no more jobs after the one it is at; see `DRAINED_S`."""

        def mark(server: Redis) -> None:
            now = _now_ms(server)
            server.zremrangebyscore(keys.DRAINED, "-inf", now)
            server.zadd(keys.DRAINED, {name: now + DRAINED_S * 1000})

        self._of_each(mark)

    def go_on(self, name: str) -> None:
        """It takes jobs again."""
        self._of_each(lambda server: server.zrem(keys.DRAINED, name))


def _now_ms(redis: Redis) -> int:
    return _ms(*cast("Any", redis.time()))


def _ms(seconds: int, micros: int) -> int:
    """The server's time in unix ms."""
    return int(seconds) * 1000 + int(micros) // 1000


def _job_fields(redis: Redis, job_id: str, *fields: str) -> list[str]:
    """Fields of a job's hash, nothing for each that is not there."""
    reply = cast("list[bytes | None]", redis.hmget(Job.key_for(job_id), *fields))
    return [(field or b"").decode(errors="replace") for field in reply]


def _oldest_s(redis: Redis, key: str) -> float:
    """How long the oldest job has waited that is in the queue of this key; 0.0 if none is."""
    waiting, now_ms = cast("list[bytes]", redis.lrange(key, 0, 19)), _now_ms(redis)
    ages = [
        seconds_since(enqueued, now_ms)
        for job_id in waiting
        for enqueued in _job_fields(redis, job_id.decode(), "enqueued_at")
    ]
    return max((age for age in ages if age is not None), default=0.0)


def seconds_since(moment: str, now_ms: int) -> float | None:
    """Seconds since a moment as RQ writes it; None if it is none."""
    try:
        reply = datetime.fromisoformat(moment)
    except ValueError:
        return None
    aware = reply if reply.tzinfo else reply.replace(tzinfo=UTC)
    return max(0.0, now_ms / 1000 - aware.timestamp())
