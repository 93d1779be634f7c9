"""One way to reach Redis, whatever stands behind the URL.

Time-outs are short, because a request that waits for a dead Redis holds its client longer than a
503 would; retries are few, because the store makes repeating a commit safe (see store) but not
free. RESP2 is pinned: every server from Redis 6.2 to Valkey 9 speaks it, with one shape of answers.

A pool is bounded and waits for a free connection: a thousand event streams woken at once must
become a short queue, not a thousand sockets.

Redis has many words for "not now": `outage` knows them, wherever they come from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty
from typing import Any, cast
from urllib.parse import unquote, urlsplit

from redis import BlockingConnectionPool, Redis, RedisCluster
from redis.backoff import ExponentialWithJitterBackoff, NoBackoff
from redis.exceptions import (
    BusyLoadingError,
    ClusterDownError,
    ConnectionError,  # noqa: A004 - Redis' own
    MasterDownError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    RedisError,
    TimeoutError,  # noqa: A004
    TryAgainError,
)
from redis.retry import Retry
from redis.sentinel import Sentinel, SentinelConnectionPool

__all__ = ["OUTAGES", "RedisError", "away", "connect", "outage"]

UNREACHABLE, LOADING, BUSY, CLUSTER_DOWN = "unreachable", "loading", "busy", "cluster_down"
READ_ONLY, OUT_OF_MEMORY, DISK, TOO_FEW_REPLICAS = "read_only", "out_of_memory", "disk", "too_few_replicas"
OUTAGES = (UNREACHABLE, LOADING, BUSY, CLUSTER_DOWN, READ_ONLY, OUT_OF_MEMORY, DISK, TOO_FEW_REPLICAS)
"""Why Redis cannot serve now. With the last four it still answers reads."""

OUTAGE_OF = {  # the more special classes first
    BusyLoadingError: LOADING,
    ClusterDownError: CLUSTER_DOWN,
    TryAgainError: CLUSTER_DOWN,
    MasterDownError: UNREACHABLE,
    OutOfMemoryError: OUT_OF_MEMORY,
    ReadOnlyError: READ_ONLY,
    ConnectionError: UNREACHABLE,
    TimeoutError: UNREACHABLE,
}
OUTAGE_OF_WORD = {"MISCONF": DISK, "NOREPLICAS": TOO_FEW_REPLICAS, "BUSY": BUSY}
"""redis-py has no class for these: the error begins with the word, in a pipeline after naming the command."""
FIRST_WORD = re.compile(r"(?:^|caused error: )([A-Z]+) ")

SCHEMES = ("redis", "rediss", "unix", "redis+cluster", "rediss+cluster", "redis+sentinel", "rediss+sentinel")

ANSWER_TIMEOUT_S = 5.0
"""Longest wait for an answer; a blocking read must ask for less (see events.BLOCK_MS)."""
CONNECT_TIMEOUT_S = 2.0
RETRIES = 3
QUICK_TIMEOUT_S = 1.0
"""Of who asks once, and is content with no answer."""
MAX_CONNECTIONS = 64
SENTINEL_PORT = 26379


def connect(url: str, max_connections: int = MAX_CONNECTIONS, *, patient: bool = True) -> Redis:
    """A client for `url`; opens no connection yet, except to discover a cluster.

    `redis://`, `rediss://` and `unix://` as redis-py reads them; `redis+cluster://host:port` for
    Redis Cluster; `redis+sentinel://[user:password@]host:port,host:port/service[/db]` for the
    primary that the sentinels name; the `rediss+` forms speak TLS. Answers are bytes. The client
    is safe to share between threads and greenlets, and across a fork. A cluster's client is typed
    as `Redis`, too: it has the same commands. One that is not `patient` tries once, for a second.

    Raises `ValueError` for a URL that cannot be read (without repeating it: it may hold a
    password), `redis.exceptions.RedisError` when a cluster cannot be discovered.
    """
    scheme, _, rest = url.partition("://")
    if scheme not in SCHEMES:
        raise ValueError(f"the URL of Redis must begin with one of {', '.join(s + '://' for s in SCHEMES)}")
    transport, _, arrangement = scheme.partition("+")
    if arrangement == "cluster":
        cluster = _Cluster.from_url(
            f"{transport}://{rest}",
            connection_pool_class=_Pool,
            max_connections=max_connections,
            **_options(patient),
        )
        return cast("Redis", cluster)
    if arrangement == "sentinel":
        return _through_sentinels(url, max_connections, _options(patient), tls=transport == "rediss")
    pool = _Pool.from_url(url, max_connections=max_connections, timeout=ANSWER_TIMEOUT_S, **_options(patient))
    return Redis.from_pool(pool)


def outage(error: BaseException) -> str | None:
    """Why Redis cannot serve now, one of `OUTAGES`: try again later. None for any other error, which is a fault."""
    for kind, reason in OUTAGE_OF.items():
        if isinstance(error, kind):
            return reason
    word = FIRST_WORD.search(str(error)) if isinstance(error, RedisError) else None
    return None if word is None else OUTAGE_OF_WORD.get(word[1])


@contextmanager
def away(redis: Redis) -> Iterator[None]:
    """Have a cluster say that it is away in the same words as any other Redis.

    redis-py says it with `RedisClusterException`, which is no `RedisError`, or, between two looks
    for nodes, with an `AttributeError` on the node that is not there. The client that `connect`
    makes does this for commands; whoever executes a pipeline does it themselves.
    """
    client: Any = redis
    try:
        yield
    except RedisClusterException as error:
        raise ConnectionError(str(error)) from error
    except AttributeError as error:
        if not isinstance(client, RedisCluster) or client.nodes_manager.nodes_cache:
            raise
        raise ConnectionError("no node of the cluster can be reached") from error


class _Pool(BlockingConnectionPool):
    """Gives out connections without looking whether the server has closed them: that is seen when one is used, and
    tried again on another. Looking costs a third of an exchange, since gevent's `poll` goes through its event loop.
    """

    def get_connection(self, *_: Any, **__: Any) -> Any:
        """A connection, waited for where all are in use."""
        pool: Any = self
        pool._checkpid()  # noqa: SLF001 - redis-py's own, as its pools use it
        try:
            connection = pool.pool.get(timeout=self.timeout)
        except Empty:
            raise ConnectionError("no connection has become free") from None
        connection = connection or pool.make_connection()
        try:
            connection.connect()
        except BaseException:
            pool.release(connection)
            raise
        return connection


class _WaitingSentinelPool(SentinelConnectionPool, _Pool):
    """The pool of a primary that sentinels name; who finds it empty waits, as with a single server."""


class _Cluster(RedisCluster):
    def execute_command(self, *args: Any, **kwargs: Any) -> Any:
        execute: Any = super().execute_command
        with away(cast("Redis", self)):
            return execute(*args, **kwargs)


def _options(patient: bool) -> dict[str, Any]:  # noqa: FBT001 - as `connect` is told
    return {
        "protocol": 2,
        "decode_responses": False,
        "socket_timeout": ANSWER_TIMEOUT_S if patient else QUICK_TIMEOUT_S,
        "socket_connect_timeout": CONNECT_TIMEOUT_S if patient else QUICK_TIMEOUT_S,
        "health_check_interval": 30,
        "retry": Retry(ExponentialWithJitterBackoff(base=0.05, cap=0.5), RETRIES if patient else 0),
    }


def _through_sentinels(url: str, max_connections: int, options: dict[str, Any], *, tls: bool) -> Redis:
    parts = urlsplit(url)
    credentials, _, places = parts.netloc.rpartition("@")
    service, _, db = parts.path.strip("/").partition("/")
    if not service or not places or (db and not db.isdecimal()):
        raise ValueError("expected redis+sentinel://host:port,host:port/service or …/service/db")
    user, _, password = credentials.partition(":")
    options |= {"db": int(db or 0), "ssl": tls, "max_connections": max_connections}
    if credentials:
        options |= {"username": unquote(user) or None, "password": unquote(password) or None}
    untyped: Any = Sentinel
    once = {name: option for name, option in options.items() if name.startswith("socket_")} | {
        "retry": Retry(NoBackoff(), 0)  # instead, the next sentinel is asked; redis-py would pause for seconds
    }
    sentinels = untyped([_place(text) for text in places.split(",")], sentinel_kwargs=once, **options)
    pool = {"connection_pool_class": _WaitingSentinelPool, "timeout": ANSWER_TIMEOUT_S}
    return cast("Redis", sentinels.master_for(service, **pool))


def _place(text: str) -> tuple[str, int]:
    """`host`, `host:port` or `[v6]:port`."""
    host, colon, port = text.rpartition(":")
    if not colon or port.endswith("]"):
        host, port = text, str(SENTINEL_PORT)
    if not host or not port.isdecimal():
        raise ValueError(f"a sentinel is written host:port, not {text!r}")
    return host.strip("[]"), int(port)
