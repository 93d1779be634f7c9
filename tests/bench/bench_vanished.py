"""Measure how long a stream counts after its client has gone: `python -m tests.bench.bench_vanished`.

Starts the whole service in a network of its own (`unshare -rn`), which ends when the network is cut. Prints the seconds
until the stream's place is free: after the client closes the connection, and after the client vanishes, at several
times since the last keep-alive.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from redis import Redis

from service.storage.base.limits import budget_key
from service.web.http.limits import OPEN_STREAMS
from tests.e2e.stack import Stack
from tests.patience import wait_until

INSIDE = "AZUL_BENCH_NETWORK"
PLACES = budget_key("127.0.0.1", OPEN_STREAMS)


def set_network(state: str) -> None:
    """Set the only network device up or down."""
    subprocess.run(["ip", "link", "set", "lo", state], check=True)


def open_stream(stack: Stack, game: str) -> socket.socket:
    """Open a stream of the game and read its beginning."""
    client = socket.create_connection(("127.0.0.1", stack.port))
    client.sendall(f"GET /v1/games/{game}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    content = b""
    while b"data: " not in content:
        content += client.recv(65_536)
    return client


def seconds_until_free(redis: Redis) -> float:
    """Return the seconds until no stream has a place."""
    began = time.monotonic()
    wait_until(lambda: not redis.zcard(PLACES), "the place is free")
    return time.monotonic() - began


def measure(stack: Stack) -> None:
    """Print the seconds for each way to go."""
    seats = [{"kind": "player"}, {"kind": "player"}]
    game = stack.create(ruleset="azul", variant="coloured", seats=seats)["game"]["id"]
    redis = Redis.from_url(stack.redis_url)
    open_stream(stack, game).close()
    print(f"closed: {seconds_until_free(redis):.2f} s")
    for silence_s in (0.0, 1.0, 2.0, 3.0):
        client = open_stream(stack, game)
        time.sleep(silence_s)
        set_network("down")
        print(f"vanished {silence_s:.0f} s after the last item: {seconds_until_free(redis):.2f} s", flush=True)
        set_network("up")
        client.close()


def main() -> None:
    """Run in a network of this program's own."""
    if INSIDE not in os.environ:
        command = ["unshare", "-rn", sys.executable, "-m", "tests.bench.bench_vanished"]
        sys.exit(subprocess.call(command, env={**os.environ, INSIDE: "1"}))
    set_network("up")
    with tempfile.TemporaryDirectory() as folder, Stack(Path(folder), RATE_LIMITS="on") as stack:
        measure(stack)


if __name__ == "__main__":
    main()
