"""Clients for a single Redis server, a cluster, or a primary named by sentinels.

Timeouts are short, so that a request gets 503 instead of waiting for an unavailable Redis. There are few retries: the
store makes it safe to repeat a commit (see store), but not free. The protocol is always RESP2, because every server
from Redis 6.2 to Valkey 9 supports it and replies have one form.

A pool is bounded and waits for a free connection. A thousand event streams that wake at once share a few sockets.

No client sends CLIENT SETINFO, which Redis 7.0 does not know, so users need no right to it.

Redis reports that it is unavailable with many errors. `outage` recognises them.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty
from typing import Any, cast
from urllib.parse import unquote, urlsplit

from redis import BlockingConnectionPool, Redis, RedisCluster
from redis.backoff import ExponentialWithJitterBackoff, NoBackoff
from redis.cluster import ClusterNode
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

from service.addresses import CLUSTER_PORT, SENTINEL_PORT, addresses

__all__ = ["OUTAGES", "NewerStoreError", "RedisError", "connect", "outage", "translate_cluster_errors"]

UNREACHABLE, LOADING, BUSY, CLUSTER_DOWN = "unreachable", "loading", "busy", "cluster_down"
NEWER_VERSION = "newer_version"
READ_ONLY, OUT_OF_MEMORY, DISK, TOO_FEW_REPLICAS = "read_only", "out_of_memory", "disk", "too_few_replicas"
OUTAGES = (UNREACHABLE, LOADING, BUSY, CLUSTER_DOWN, NEWER_VERSION, READ_ONLY, OUT_OF_MEMORY, DISK, TOO_FEW_REPLICAS)
"""Reasons why Redis is unavailable. With the last four it still accepts reads."""


class NewerStoreError(RedisError):
    """A newer version has changed the store, so that this version must not use it. Nothing was changed."""


OUTAGE_OF = {  # subclasses before their base classes
    NewerStoreError: NEWER_VERSION,
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
"""redis-py has no classes for these. The error begins with the word; in a pipeline, the command precedes it."""
FIRST_WORD = re.compile(r"(?:^|caused error: )([A-Z]+) ")

SCHEMES = ("redis", "rediss", "unix", "redis+cluster", "rediss+cluster", "redis+sentinel", "rediss+sentinel")

ANSWER_TIMEOUT_S = 5.0
"""Longest wait for a reply. A blocking read must be shorter, see `hub.BLOCK_MS`."""
CONNECT_TIMEOUT_S = 2.0
RETRIES = 3
QUICK_TIMEOUT_S = 1.0
"""Timeout of clients that try once."""
MAX_CONNECTIONS = 64


def connect(url: str, max_connections: int = MAX_CONNECTIONS, *, patient: bool = True) -> Redis:
    """Return a client for `url`. Opens no connection yet.

    `redis://`, `rediss://` and `unix://` are URLs of redis-py. `redis+cluster://[user:password@]host:port,host:port` is
    the Redis Cluster that any of these nodes describes. `redis+sentinel://[user:password@]host:port,host:port/service
    [/db]` is the primary that the sentinels name. The `rediss+` forms use TLS. Replies are bytes. The client is safe to
    share between threads and greenlets, and across a fork. The client of a cluster is typed as `Redis`, too, because it
    has the same commands. A client that is not `patient` tries once, for a second.

    Raises `ValueError` for an invalid URL, without its text, which may contain a password.
    """
    scheme, _, rest = url.partition("://")
    if scheme not in SCHEMES:
        raise ValueError(f"the URL of Redis must begin with one of {', '.join(s + '://' for s in SCHEMES)}")
    transport, _, topology = scheme.partition("+")
    if topology == "cluster":
        return _in_cluster(transport, rest, max_connections, _options(patient))
    if topology == "sentinel":
        return _through_sentinels(url, max_connections, _options(patient), tls=transport == "rediss")
    pool = _Pool.from_url(url, max_connections=max_connections, timeout=ANSWER_TIMEOUT_S, **_options(patient))
    return Redis.from_pool(pool)


def outage(error: BaseException) -> str | None:
    """Return why Redis is unavailable, one of `OUTAGES`. Return None for any other error, which is a bug or damage."""
    for kind, reason in OUTAGE_OF.items():
        if isinstance(error, kind):
            return reason
    word = FIRST_WORD.search(str(error)) if isinstance(error, RedisError) else None
    return None if word is None else OUTAGE_OF_WORD.get(word[1])


@contextmanager
def translate_cluster_errors(redis: Redis) -> Iterator[None]:
    """Raise `ConnectionError` if a cluster is unavailable, as the other clients do.

    redis-py raises `RedisClusterException`, which is no `RedisError`, or an `AttributeError` on a missing node while it
    discovers the nodes. Clients from `connect` translate the errors of commands. Code that executes a pipeline must use
    this context.
    """
    client: Any = redis
    try:
        yield
    except RedisClusterException as error:
        raise ConnectionError(str(error)) from error
    except AttributeError as error:
        if not isinstance(client, RedisCluster) or client.nodes_manager.nodes_cache:
            raise
        raise ConnectionError("no node of the cluster can be reached: check that it is running") from error


class _Pool(BlockingConnectionPool):
    """A pool that does not check whether the server has closed a connection. The first command notices that, and is
    retried. The check costs a third of a round trip, since gevent's `poll` goes through its event loop.
    """

    def get_connection(self, *_: Any, **__: Any) -> Any:
        """Return a connection. Wait for one if all are in use."""
        pool: Any = self
        pool._checkpid()  # noqa: SLF001 - redis-py's own, as its pools use it
        try:
            connection = pool.pool.get(timeout=self.timeout)
        except Empty:
            raise ConnectionError(f"all {self.max_connections} connections are in use") from None
        connection = connection or pool.make_connection()
        try:
            connection.connect()
        except BaseException:
            pool.release(connection)
            raise
        return connection


class _WaitingSentinelPool(SentinelConnectionPool, _Pool):
    """The pool of a primary that sentinels name. It waits for a free connection, like that of a single server."""


class _Cluster(RedisCluster):
    """A cluster that is discovered at its first use. While no node can be reached, each use tries again.

    redis-py discovers a cluster when it creates the client, so processes could not start before the cluster.
    """

    def __init__(self, **options: Any) -> None:
        self._options = options
        self._discovery = threading.Lock()
        self._failed_at = float("-inf")

    def __getattr__(self, name: str) -> Any:
        """Discover the cluster to get an attribute that is missing. Raises ConnectionError."""
        if not name.startswith("__") and "nodes_manager" not in vars(self):
            asked_at = time.monotonic()
            with self._discovery:
                if "nodes_manager" not in vars(self):
                    self._discover(asked_at)
        if name not in vars(self):
            raise AttributeError(name)
        return vars(self)[name]

    def _discover(self, asked_at: float) -> None:
        """Take over the attributes of a client that has discovered the cluster. Callers who waited share a failure."""
        if self._failed_at > asked_at:
            raise ConnectionError("no node of the cluster can be reached")
        try:
            with translate_cluster_errors(cast("Redis", self)):
                vars(self).update(vars(RedisCluster(**self._options)))
        except BaseException:
            self._failed_at = time.monotonic()
            raise

    def close(self) -> None:
        """Close the connections, if there are any."""
        if "nodes_manager" in vars(self):
            super().close()

    def execute_command(self, *args: Any, **kwargs: Any) -> Any:
        execute: Any = super().execute_command
        with translate_cluster_errors(cast("Redis", self)):
            return execute(*args, **kwargs)


def _options(patient: bool) -> dict[str, Any]:  # noqa: FBT001 - the argument of `connect`
    return {
        "protocol": 2,
        "decode_responses": False,
        "driver_info": None,
        "socket_timeout": ANSWER_TIMEOUT_S if patient else QUICK_TIMEOUT_S,
        "socket_connect_timeout": CONNECT_TIMEOUT_S if patient else QUICK_TIMEOUT_S,
        "health_check_interval": 30,
        "retry": Retry(ExponentialWithJitterBackoff(base=0.05, cap=0.5), RETRIES if patient else 0),
    }


def _in_cluster(transport: str, rest: str, max_connections: int, options: dict[str, Any]) -> Redis:
    authority, tail = re.fullmatch(r"([^/?]*)(.*)", rest).groups()  # type: ignore[union-attr]  # always matches
    credentials, at, names = authority.rpartition("@")
    (host, port), *others = addresses(names, CLUSTER_PORT)
    url = f"{transport}://{credentials}{at}{f'[{host}]' if ':' in host else host}:{port}{tail}"
    seeds = [ClusterNode(*other) for other in others]  # type: ignore[no-untyped-call]
    pool = {"connection_pool_class": _Pool, "max_connections": max_connections}
    return cast("Redis", _Cluster(url=url, startup_nodes=seeds, **pool, **options))


def _through_sentinels(url: str, max_connections: int, options: dict[str, Any], *, tls: bool) -> Redis:
    parts = urlsplit(url)
    credentials, _, names = parts.netloc.rpartition("@")
    service, _, db = parts.path.strip("/").partition("/")
    if not service or not names or (db and not db.isdecimal()):
        raise ValueError("expected redis+sentinel://host:port,host:port/service or …/service/db")
    user, _, password = credentials.partition(":")
    options |= {"db": int(db or 0), "ssl": tls, "max_connections": max_connections}
    if credentials:
        options |= {"username": unquote(user) or None, "password": unquote(password) or None}
    untyped: Any = Sentinel
    single_try = {name: option for name, option in options.items() if name.startswith("socket_")} | {
        "driver_info": None,
        "retry": Retry(NoBackoff(), 0),  # the next sentinel is tried instead; redis-py would pause for seconds
    }
    sentinels = untyped(addresses(names, SENTINEL_PORT), sentinel_kwargs=single_try, **options)
    pool = {"connection_pool_class": _WaitingSentinelPool, "timeout": ANSWER_TIMEOUT_S}
    return cast("Redis", sentinels.master_for(service, **pool))
