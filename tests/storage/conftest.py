"""Shared fixtures: the service's client, a store, a one-node cluster, sentinels."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import RedisError

from service.operate.redis.launcher import EmbeddedRedis, redis_binary
from service.storage.base.connect import connect
from service.storage.games.store import Store
from tests.e2e.stack import free_port
from tests.patience import HANG_S, wait_until

Spawn = Callable[..., int]


@pytest.fixture
def client(valkey: EmbeddedRedis, redis_client: Redis) -> Iterator[Redis]:
    """Connect to the test's empty valkey over TCP."""
    with connect(valkey.url) as connection:
        yield connection


@pytest.fixture
def store(client: Redis) -> Store:
    return Store(client, buckets=1)


@contextmanager
def spawning(directory: Path) -> Iterator[Spawn]:
    """Yield a function that starts a server with options and returns its port once it responds."""
    processes: list[subprocess.Popen[bytes]] = []

    def responds(port: int) -> bool:
        try:
            with Redis(port=port) as probe:
                return bool(probe.ping())
        except RedisError:
            return False

    def start(port: int, *options: str) -> int:
        command = [str(redis_binary()), *options, "--port", str(port), "--dir", str(directory), "--save", ""]
        processes.append(subprocess.Popen(command, stdout=subprocess.DEVNULL))
        wait_until(lambda: responds(port), "the server responds")
        return port

    yield start
    for process in processes:
        process.terminate()
        process.wait(HANG_S)


@pytest.fixture
def spawn(tmp_path: Path) -> Iterator[Spawn]:
    with spawning(tmp_path) as start:
        yield start


def start_cluster(spawn: Spawn, port: int | None = None) -> str:
    """Start a Redis Cluster of one node, which refuses everything that a cluster refuses. Return its URL."""
    port = spawn(port or free_port(), "--cluster-enabled", "yes", "--cluster-port", str(free_port()))
    with Redis(port=port) as node:
        node.execute_command("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
        wait_until(lambda: b"cluster_state:ok" in node.execute_command("CLUSTER", "INFO"), "the cluster forms")
    return f"redis+cluster://127.0.0.1:{port}"


@pytest.fixture(scope="session")
def _cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with spawning(tmp_path_factory.mktemp("cluster")) as spawn:
        yield start_cluster(spawn)


@pytest.fixture
def cluster_url(_cluster: str) -> str:
    """Empty the cluster. It takes two seconds to form, so all tests share it."""
    with connect(_cluster) as client:
        client.flushall()
    return _cluster


@pytest.fixture(params=["server", "cluster"])
def redis(request: pytest.FixtureRequest) -> Iterator[Redis]:
    """Connect to a single server and to a cluster."""
    if request.param == "server":
        yield request.getfixturevalue("client")
        return
    with connect(request.getfixturevalue("cluster_url")) as client:
        yield client
