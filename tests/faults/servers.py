"""Redis with several servers: a cluster with replicas, or a primary with a replica and sentinels.

Each server is a process on this machine. They have no persistence, so only the replica keeps the data of a killed one.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

from redis import Redis
from redis.exceptions import RedisError

from service.operate.redis.launcher import redis_binary
from tests.patience import HANG_S, wait_until

SLOTS = 16_384
NODE_TIMEOUT_MS = 5_000
"""A node or primary that is silent for this time counts as dead."""
KEYS_AT_ONCE = 20


def free_ports(count: int) -> list[int]:
    """Return ports without listeners."""
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [int(probe.getsockname()[1]) for probe in probes]


class Server:
    """A Redis server or sentinel."""

    def __init__(self, folder: Path, port: int, *options: str) -> None:
        self.port = port
        self.folder = folder / str(port)
        self.folder.mkdir()
        command = [str(redis_binary()), *options, "--port", str(port), "--bind", "127.0.0.1", "--dir", str(self.folder)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        self.redis = Redis(port=port, socket_timeout=HANG_S, protocol=2)
        wait_until(self.is_ready, "a server answers")

    def is_ready(self) -> bool:
        """Return whether the server responds."""
        with contextlib.suppress(RedisError):
            return bool(self.redis.ping())
        return False

    def run(self, *words: Any) -> Any:
        """Execute a command."""
        return cast("Any", self.redis).execute_command(*words)

    def info(self, section: str, field: str) -> Any:
        """Return a field of INFO."""
        return self.redis.info(section).get(field)

    def kill(self) -> None:
        """Send SIGKILL."""
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def close(self) -> None:
        """End the server if it runs."""
        self.redis.close()
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait()


def start_server(stack: contextlib.ExitStack, folder: Path, port: int, *options: str) -> Server:
    """Start a server that ends with the stack."""
    server = Server(folder, port, *options)
    stack.callback(server.close)
    return server


class Cluster:
    """A Redis Cluster with as many primaries as replicas."""

    def __init__(self, folder: Path, stack: contextlib.ExitStack, half: int = 3) -> None:
        options = ("--save", "", "--cluster-enabled", "yes", "--cluster-node-timeout", str(NODE_TIMEOUT_MS))
        ports = free_ports(4 * half)
        bus_of = dict(zip(ports[::2], ports[1::2], strict=True))
        self.nodes = [
            start_server(stack, folder, port, *options, "--cluster-port", str(bus)) for port, bus in bus_of.items()
        ]
        self.primaries, replicas = self.nodes[:half], self.nodes[half:]
        self.ids = {node.port: node.run("CLUSTER", "MYID").decode() for node in self.nodes}
        self.slots = [range(SLOTS * number // half, SLOTS * (number + 1) // half) for number in range(half)]
        """The initial slots of each primary."""
        for node, slots in zip(self.primaries, self.slots, strict=True):
            node.run("CLUSTER", "ADDSLOTSRANGE", slots.start, slots.stop - 1)
        for node in self.nodes[1:]:
            self.nodes[0].run("CLUSTER", "MEET", "127.0.0.1", node.port, bus_of[node.port])
        wait_until(lambda: all(map(self._knows_all, self.nodes)), "all nodes know each other")
        for primary, replica in zip(self.primaries, replicas, strict=True):
            replica.run("CLUSTER", "REPLICATE", self.ids[primary.port])
        up = ("replication", "master_link_status")
        wait_until(lambda: all(replica.info(*up) == "up" for replica in replicas), "replicas follow")
        wait_until(lambda: all(map(self._is_fine, self.nodes)), "the cluster serves")

    @property
    def url(self) -> str:
        """The value of REDIS_URL."""
        return f"redis+cluster://127.0.0.1:{self.nodes[0].port}"

    def _knows_all(self, node: Server) -> bool:
        return len(self._nodes_by_id(node)) == len(self.nodes)

    @staticmethod
    def _nodes_by_id(node: Server) -> dict[str, tuple[list[str], list[str]]]:
        """Return the flags and slots of all nodes by id, as a node knows them."""
        lines = (line.split() for line in node.run("CLUSTER", "NODES").decode().splitlines())
        return {words[0]: (words[2].split(","), words[8:]) for words in lines}

    @staticmethod
    def _is_fine(node: Server) -> bool:
        return b"cluster_state:ok" in node.run("CLUSTER", "INFO")

    def move(self, source: Server, target: Server, slots: Iterable[int]) -> None:
        """Move slots with their keys one after the other, like `redis-cli --cluster reshard`."""
        for slot in slots:
            target.run("CLUSTER", "SETSLOT", slot, "IMPORTING", self.ids[source.port])
            source.run("CLUSTER", "SETSLOT", slot, "MIGRATING", self.ids[target.port])
            while keys := source.run("CLUSTER", "GETKEYSINSLOT", slot, KEYS_AT_ONCE):
                source.run("MIGRATE", "127.0.0.1", target.port, "", 0, round(1000 * HANG_S), "KEYS", *keys)
            for node in (target, source):
                node.run("CLUSTER", "SETSLOT", slot, "NODE", self.ids[target.port])

    def replica_of(self, primary: Server) -> Server:
        """Return the initial replica of a primary."""
        return self.nodes[self.nodes.index(primary) + len(self.primaries)]

    def is_replaced(self, primary: Server) -> bool:
        """Return whether a replica serves in place of a killed primary."""
        return all(self._is_over(primary, node) for node in self.nodes if node is not primary)

    def _is_over(self, primary: Server, node: Server) -> bool:
        """Return whether the node knows that the primary is dead and its slots are served by another."""
        flags, slots = self._nodes_by_id(node)[self.ids[primary.port]]
        return "fail" in flags and not slots and self._is_fine(node)


class Sentinels:
    """A primary with a replica, and three sentinels that call it `games`."""

    def __init__(self, folder: Path, stack: contextlib.ExitStack) -> None:
        ports = free_ports(5)
        self.primary = start_server(stack, folder, ports[0], "--save", "")
        self.replica = start_server(stack, folder, ports[1], "--save", "", "--replicaof", f"127.0.0.1 {ports[0]}")
        self.sentinels = []
        for port in ports[2:]:
            conf = folder / f"sentinel-{port}.conf"
            conf.write_text(
                f"sentinel monitor games 127.0.0.1 {ports[0]} 2\n"
                f"sentinel down-after-milliseconds games {NODE_TIMEOUT_MS}\n"
                f"sentinel failover-timeout games {5 * NODE_TIMEOUT_MS}\n"
            )
            self.sentinels.append(start_server(stack, folder, port, str(conf), "--sentinel"))
        wait_until(lambda: self.replica.info("replication", "master_link_status") == "up", "the replica follows")
        wait_until(lambda: all(map(self._knows_all, self.sentinels)), "the sentinels know each other")

    @property
    def url(self) -> str:
        """The value of REDIS_URL."""
        places = ",".join(f"127.0.0.1:{sentinel.port}" for sentinel in self.sentinels)
        return f"redis+sentinel://{places}/games"

    @staticmethod
    def _knows_all(sentinel: Server) -> bool:
        words = sentinel.run("SENTINEL", "MASTER", "games")
        master = dict(zip(words[::2], words[1::2], strict=True))
        return (master[b"num-slaves"], master[b"num-other-sentinels"]) == (b"1", b"2")

    def is_replaced(self) -> bool:
        """Return whether the replica serves in place of the killed primary."""
        return bool(self.replica.info("replication", "role") == "master")
