"""What an operator wants to know of the stores as they are now, in a bounded number of commands.

How many things are due, and since when; how long each queue is, and how long its oldest job has waited; which processes
beat; how soon a server answers and what memory it takes. Every function may raise `redis.exceptions.RedisError`.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from redis import Redis, RedisCluster
from redis.exceptions import ConnectionError, ResponseError  # noqa: A004 - Redis' own
from rq import Queue
from rq.job import Job

from service.storage.base import keys
from service.storage.base.connect import RedisError, away
from service.storage.base.keys import Keys
from service.storage.base.pipelining import Command, ask_all
from service.storage.work.queue import BACKGROUND, CALLS, HOOKS, MATCHES, NAME, seconds_since

QUEUES = (NAME, CALLS, HOOKS, MATCHES, BACKGROUND)
DUE = {
    "decision": "due",
    "time": "timeouts",
    "follow_up": "follow_ups_due",
    "delivery": "deliveries_due",
    "push": "pushes_due",
    "pairing": "pairings_due",
}
"""What is due, and which keys of a bucket hold it."""


@dataclass(frozen=True)
class Waiting:
    """How many wait, and how long the first has waited: 0.0 where none does."""

    count: int
    oldest_s: float


@dataclass(frozen=True)
class Server:
    """How soon a store answers and the memory it takes in bytes, of a cluster the slowest and the sum.

    None where it does not tell; `most_bytes` 0: as much as the machine has.
    """

    ping_s: float
    used_bytes: int | None
    most_bytes: int | None


def due(redis: Redis, names: Keys, now_ms: int) -> dict[str, Waiting]:
    """What is due by now, for each of `DUE`; two commands a kind and bucket, in one exchange."""
    buckets = [*names.every_bucket()]
    every = [getattr(bucket, attribute) for attribute in DUE.values() for bucket in buckets]
    commands: list[Command] = []
    for key in every:
        commands += [("ZCOUNT", key, "-inf", now_ms), ("ZRANGE", key, 0, 0, "WITHSCORES")]
    replies = ask_all(redis, commands)
    found = {}
    for kind in DUE:
        counts, firsts = replies[: 2 * len(buckets) : 2], replies[1 : 2 * len(buckets) : 2]
        del replies[: 2 * len(buckets)]
        since = min((first[0][1] for first in firsts if first), default=now_ms)
        found[kind] = Waiting(sum(counts), max(0.0, now_ms - since) / 1000)
    return found


def queues(each: Iterable[Redis]) -> dict[str, Waiting]:
    """The jobs that wait in each of `QUEUES`, over all of their servers; two exchanges with each."""
    found = dict.fromkeys(QUEUES, Waiting(0, 0.0))
    for redis in each:
        for name, here in _queues(redis).items():
            before = found[name]
            found[name] = Waiting(before.count + here.count, max(before.oldest_s, here.oldest_s))
    return found


def _queues(redis: Redis) -> dict[str, Waiting]:
    lists = [f"{Queue.redis_queue_namespace_prefix}{name}" for name in QUEUES]
    commands: list[Command] = [("LLEN", key) for key in lists]
    commands += [("LINDEX", key, 0) for key in lists]
    *replies, (seconds, micros) = ask_all(redis, [*commands, ("TIME",)])
    lengths, firsts = replies[: len(QUEUES)], replies[len(QUEUES) :]
    jobs = [Job.key_for((first or b"none").decode()) for first in firsts]
    moments = ask_all(redis, (("HGET", job, "enqueued_at") for job in jobs))
    now_ms = int(seconds) * 1000 + int(micros) // 1000
    waited = [seconds_since((moment or b"").decode(errors="replace"), now_ms) or 0.0 for moment in moments]
    return {name: Waiting(*both) for name, *both in zip(QUEUES, lengths, waited, strict=True)}


def server(redis: Redis) -> Server:
    """Two commands; on a cluster to each primary."""
    client: Any = redis
    is_cluster = isinstance(client, RedisCluster)
    pings, used, most = [], list[int](), list[int]()
    with away(redis):
        for target in [{"target_nodes": node} for node in client.get_primaries()] if is_cluster else [{}]:
            began = time.perf_counter()
            client.ping(**target)
            pings.append(time.perf_counter() - began)
            try:
                memory = cast("dict[str, int]", client.info("memory", **target))
            except ResponseError:  # an operator may forbid it
                continue
            used.append(int(memory["used_memory"]))
            most.append(int(memory.get("maxmemory", 0)))
    if not pings:
        raise ConnectionError("no primary of the cluster is known")
    return Server(max(pings), sum(used) if used else None, sum(most) if most else None)


def servers(named: Mapping[str, Redis]) -> dict[str, Server | None]:
    """Each of these; None where it does not answer."""
    found = dict[str, Server | None]()
    for name, redis in named.items():
        try:
            found[name] = server(redis)
        except RedisError:
            found[name] = None
    return found


def beating(each: Iterable[Redis], kinds: tuple[str, ...]) -> dict[str, int]:
    """How many processes of each kind have a heartbeat, over all servers of the queues; two exchanges with each."""
    found = dict.fromkeys(kinds, 0)
    for redis in each:
        seconds, micros = cast("Any", redis.time())
        now_ms = seconds * 1000 + micros // 1000
        commands = [("ZCOUNT", keys.beats(kind), f"({now_ms}", "+inf") for kind in kinds]
        for kind, count in zip(kinds, ask_all(redis, commands), strict=True):
            found[kind] += count
    return found
