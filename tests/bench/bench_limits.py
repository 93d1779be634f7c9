"""Measure the cost of rate limits, and the most expensive requests: `python -m tests.bench.bench_limits`.

Calls the application without a socket and with a real Redis, and prints the µs of processor time per request, its
ratio to Flask's hello, and the elapsed time. Rounds take turns, so that noise affects all requests equally. One row
is the exchange with Redis alone.

Then prints for each kind of request the most expensive accepted one (`heavy`) as a ratio to a bare Flask request served
by gunicorn. Target: at most 200 times.
"""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from collections.abc import Callable
from http.client import HTTPConnection
from statistics import median

import orjson
from flask import Flask

from service.app import create_app
from service.settings import Settings
from service.storage.base.connect import connect
from service.storage.base.limits import Limits
from tests.bench import heavy
from tests.bench.direct import call, hello_app, micros
from tests.bench.stores import own_redis
from tests.e2e.stack import free_port, is_listening
from tests.patience import wait_until

ROUNDS = 15
READS = 300
HEAVY_ROUNDS = 3


def cpu_and_elapsed_micros(act: Callable[[], object]) -> tuple[float, float]:
    """Return the µs of processor time and the elapsed µs of a call."""
    began, cpu_began = time.perf_counter(), time.process_time()
    for _ in range(READS):
        act()
    return (time.process_time() - cpu_began) / READS * 1e6, (time.perf_counter() - began) / READS * 1e6


def main() -> None:
    """Print the table."""
    with own_redis() as server:
        limits = Limits(connect(server.socket_url))

        def app_with(switch: str) -> Flask:
            wide = {"RATE_LIMITS": switch, "LIMIT_READS": "100000000/60"}
            return create_app(Settings.from_environment({"REDIS_URL": server.socket_url, **wide}))

        off, on, hello = app_with("off"), app_with("on"), hello_app()
        new = {"ruleset": "azul", "variant": "coloured", "seats": [{"kind": "player"}] * 2, "first_seat": 0}
        path = f"/v1/games/{orjson.loads(call(off, 'POST', '/v1/games', new))['game']['id']}"
        acts: dict[str, Callable[[], object]] = {
            "Flask hello": lambda: call(hello, "GET", "/hello"),
            "read, limits off": lambda: call(off, "GET", path),
            "read, limits on": lambda: call(on, "GET", path),
            "the exchange": lambda: limits.hit("192.0.2.1", "reads", 100_000_000, 60),
        }
        rows: dict[str, list[tuple[float, float]]] = {name: [] for name in acts}
        for _ in range(ROUNDS):
            for name, act in acts.items():
                rows[name].append(cpu_and_elapsed_micros(act))
        base = median(cpu for cpu, _ in rows["Flask hello"])
        for name, results in rows.items():
            cpu, elapsed = (median(column) for column in zip(*results, strict=True))
            print(f"{name:18} {cpu:6.0f} µs CPU  {cpu / base:5.2f} x   {elapsed:6.0f} µs elapsed")
        heaviest(off)


def heaviest(app: Flask) -> None:
    """Print the table of the most expensive requests."""
    gc.collect()
    gc.freeze()  # as the web servers do
    base = served_micros()
    print(f"\nFlask hello, served {base:6.0f} µs CPU")
    for name, act in heavy.requests(app):
        act()
        cost = min(micros(act, 1) for _ in range(HEAVY_ROUNDS))
        print(f"{name:62} {cost / 1000:6.1f} ms  {cost / base:5.0f} x", flush=True)


def served_micros() -> float:
    """Return the µs of processor time of a bare Flask request, including gunicorn and the socket."""
    port = free_port()
    served = [sys.executable, "-m", "gunicorn", "-k", "gevent", "-b", f"127.0.0.1:{port}", "--log-level", "error"]
    server = subprocess.Popen([*served, "tests.bench.direct:hello_app()"])
    try:
        wait_until(lambda: is_listening(port), "Flask's hello")
        results = []
        for _ in range(ROUNDS):
            connection = HTTPConnection("127.0.0.1", port)
            before = cpu_s(connection)
            for _ in range(READS):
                get(connection, "/hello")
            results.append((cpu_s(connection) - before) / READS * 1e6)
            connection.close()
        return median(results)
    finally:
        server.terminate()
        server.wait()


def get(connection: HTTPConnection, path: str) -> bytes:
    """Return the body of a response."""
    connection.request("GET", path)
    return connection.getresponse().read()


def cpu_s(connection: HTTPConnection) -> float:
    """Return the processor seconds of the server's process."""
    return float(get(connection, "/cpu"))


if __name__ == "__main__":
    main()
