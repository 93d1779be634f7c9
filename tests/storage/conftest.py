"""What the store's tests share: a client as the service makes it, a store, a one-node cluster, sentinels."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import RedisError

from service.operate.launcher import EmbeddedRedis, redis_binary
from service.storage.connect import connect
from service.storage.store import Store


@pytest.fixture
def client(valkey: EmbeddedRedis, redis_client: Redis) -> Iterator[Redis]:
    """The test's valkey by TCP, emptied, through `connect`."""
    with connect(valkey.url) as connection:
        yield connection


@pytest.fixture
def store(client: Redis) -> Store:
    return Store(client, buckets=1)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def spawn(tmp_path: Path) -> Iterator[Callable[..., int]]:
    """Starts a server of its own with the given options; answers its port once it responds."""
    processes: list[subprocess.Popen[bytes]] = []

    def start(port: int, *options: str) -> int:
        command = [str(redis_binary()), *options, "--port", str(port), "--dir", str(tmp_path), "--save", ""]
        processes.append(subprocess.Popen(command, stdout=subprocess.DEVNULL))
        deadline = time.monotonic() + 20
        with Redis(port=port) as probe:
            while True:
                try:
                    probe.ping()
                except RedisError:
                    assert time.monotonic() < deadline, "the server does not answer"
                    time.sleep(0.02)
                else:
                    return port

    yield start
    for process in processes:
        process.terminate()
        process.wait(10)


@pytest.fixture
def cluster_url(spawn: Callable[..., int]) -> str:
    """A Redis Cluster of one node that owns all slots: it refuses what any cluster refuses."""
    port = spawn(free_port(), "--cluster-enabled", "yes", "--cluster-port", str(free_port()))
    with Redis(port=port) as node:
        node.execute_command("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
        deadline = time.monotonic() + 20
        while b"cluster_state:ok" not in node.execute_command("CLUSTER", "INFO"):
            assert time.monotonic() < deadline, "the cluster does not form"
            time.sleep(0.02)
    return f"redis+cluster://127.0.0.1:{port}"
