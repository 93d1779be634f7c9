"""Figures of the stores for operators, read with a bounded number of commands.

Number and age of due work and of the jobs in each queue, number of living processes, latency and memory of the servers.
Every function may raise `redis.exceptions.RedisError`.
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
from service.storage.base.connect import RedisError, translate_cluster_errors
from service.storage.base.keys import Keys
from service.storage.base.pipelining import Command, ask_all
from service.storage.work.queue import BACKGROUND, CALLS, HOOKS, MATCHES, TURNS, milliseconds, seconds_since

QUEUES = (TURNS, CALLS, HOOKS, MATCHES, BACKGROUND)
NO_EVICTION = "noeviction"
DUE = {
    "decision": "due",
    "time": "timeouts",
    "follow_up": "follow_ups_due",
    "delivery": "deliveries_due",
    "push": "pushes_due",
    "pairing": "pairings_due",
}
"""Kind of due work -> key of a bucket."""


@dataclass(frozen=True)
class Waiting:
    """Number of waiting entries, and how long the first has waited, 0.0 if none waits."""

    count: int
    oldest_s: float


@dataclass(frozen=True)
class Server:
    """Latency and memory of a server. For a cluster, the largest latency and the sum of the memory.

    Memory is None if the server does not report it. `most_bytes` is the limit, 0 for none. `evicts`: whether a full
    server deletes keys.
    """

    ping_s: float
    used_bytes: int | None
    most_bytes: int | None
    evicts: bool


def due(redis: Redis, names: Keys, now_ms: int) -> dict[str, Waiting]:
    """Return the due work of each kind in `DUE`. Sends two commands for each kind and bucket, in one round trip."""
    buckets = [*names.all_buckets()]
    names_due = [getattr(bucket, attribute) for attribute in DUE.values() for bucket in buckets]
    commands: list[Command] = []
    for key in names_due:
        commands += [("ZCOUNT", key, "-inf", now_ms), ("ZRANGE", key, 0, 0, "WITHSCORES")]
    replies = ask_all(redis, commands)
    found = {}
    for kind in DUE:
        counts, firsts = replies[: 2 * len(buckets) : 2], replies[1 : 2 * len(buckets) : 2]
        del replies[: 2 * len(buckets)]
        since = min((first[0][1] for first in firsts if first), default=now_ms)
        found[kind] = Waiting(sum(counts), max(0.0, now_ms - since) / 1000)
    return found


def queues(servers: Iterable[Redis]) -> dict[str, Waiting]:
    """Return the waiting jobs in each of `QUEUES` over all servers. Needs two round trips with each server."""
    found = dict.fromkeys(QUEUES, Waiting(0, 0.0))
    for redis in servers:
        for name, (count, oldest_s) in _queues(redis).items():
            total = found[name]
            found[name] = Waiting(total.count + count, max(total.oldest_s, oldest_s))
    return found


def _queues(redis: Redis) -> dict[str, tuple[int, float]]:
    lists = [f"{Queue.redis_queue_namespace_prefix}{name}" for name in QUEUES]
    commands: list[Command] = [("LLEN", key) for key in lists]
    commands += [("LINDEX", key, 0) for key in lists]
    *replies, (seconds, micros) = ask_all(redis, [*commands, ("TIME",)])
    lengths, firsts = replies[: len(QUEUES)], replies[len(QUEUES) :]
    jobs = [Job.key_for((first or b"none").decode()) for first in firsts]
    moments = ask_all(redis, (("HGET", job, "enqueued_at") for job in jobs))
    now_ms = milliseconds(seconds, micros)
    waited = [seconds_since((moment or b"").decode(errors="replace"), now_ms) or 0.0 for moment in moments]
    return dict(zip(QUEUES, zip(lengths, waited, strict=True), strict=True))


def server(redis: Redis) -> Server:
    """Return the figures of a server, or of all primaries of a cluster. Sends two commands to each."""
    client: Any = redis
    is_cluster = isinstance(client, RedisCluster)
    pings, used, most, evicts = [], list[int](), list[int](), False
    with translate_cluster_errors(redis):
        for target in [{"target_nodes": node} for node in client.get_primaries()] if is_cluster else [{}]:
            began = time.perf_counter()
            client.ping(**target)
            pings.append(time.perf_counter() - began)
            try:
                memory = cast("dict[str, Any]", client.info("memory", **target))
            except ResponseError:  # an operator may forbid INFO
                continue
            used.append(int(memory["used_memory"]))
            most.append(int(memory.get("maxmemory", 0)))
            evicts |= memory.get("maxmemory_policy", NO_EVICTION) != NO_EVICTION
    if not pings:
        raise ConnectionError("the cluster has no known primary: check that its nodes are running")
    return Server(max(pings), sum(used) if used else None, sum(most) if most else None, evicts)


def servers(named: Mapping[str, Redis]) -> dict[str, Server | None]:
    """Return the figures of these servers, None for one that is unavailable."""
    found = dict[str, Server | None]()
    for name, redis in named.items():
        try:
            found[name] = server(redis)
        except RedisError:
            found[name] = None
    return found


def count_heartbeats(servers: Iterable[Redis], kinds: tuple[str, ...]) -> dict[str, int]:
    """Return the number of living processes of each kind over all servers. Needs two round trips with each server."""
    found = dict.fromkeys(kinds, 0)
    for redis in servers:
        now_ms = milliseconds(*cast("Any", redis.time()))
        commands = [("ZCOUNT", keys.heartbeats(kind), f"({now_ms}", "+inf") for kind in kinds]
        for kind, count in zip(kinds, ask_all(redis, commands), strict=True):
            found[kind] += count
    return found
