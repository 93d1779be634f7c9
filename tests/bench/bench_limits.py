"""What counting a request costs, and the most that any request costs: `python -m tests.bench.bench_limits`.

As bench_web: CPU µs of this process a request, without a socket, Redis real, and the ratio to Flask's own hello in the
same run. Rounds alternate, so that a noisy machine is noisy to all. Told besides: the exchange with Redis alone, and
the time that passes, which holds the wait for Redis, too.

Then of each kind of request the heaviest that is accepted (`heavy`), as the ratio to a bare Flask request as gunicorn
serves it, CPU of the server's process: what else that process could have done. Target: at most 200 times, in one go.
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
from tests.e2e.stack import free_port, listens
from tests.patience import until

ROUNDS = 15
READS = 300
HEAVY_ROUNDS = 3


def spent(act: Callable[[], object]) -> tuple[float, float]:
    """(CPU, passed) µs an act."""
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
                rows[name].append(spent(act))
        base = median(cpu for cpu, _ in rows["Flask hello"])
        for name, results in rows.items():
            cpu, passed = (median(column) for column in zip(*results, strict=True))
            print(f"{name:18} {cpu:6.0f} µs CPU  {cpu / base:5.2f} x   {passed:6.0f} µs passed")
        heaviest(off)


def heaviest(app: Flask) -> None:
    """Print the table of the heaviest requests."""
    gc.collect()
    gc.freeze()  # as the web servers do
    base = served_micros()
    print(f"\nFlask hello, served {base:6.0f} µs CPU")
    for name, act in heavy.requests(app):
        act()
        cost = min(micros(act, 1) for _ in range(HEAVY_ROUNDS))
        print(f"{name:62} {cost / 1000:6.1f} ms  {cost / base:5.0f} x", flush=True)


def served_micros() -> float:
    """CPU µs of the web server's process, of a bare Flask request, gunicorn and socket included."""
    port = free_port()
    served = [sys.executable, "-m", "gunicorn", "-k", "gevent", "-b", f"127.0.0.1:{port}", "--log-level", "error"]
    server = subprocess.Popen([*served, "tests.bench.direct:hello_app()"])
    try:
        until(lambda: listens(port), "Flask's hello")
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
    """What is answered."""
    connection.request("GET", path)
    return connection.getresponse().read()


def cpu_s(connection: HTTPConnection) -> float:
    """What the server's process has used."""
    return float(get(connection, "/cpu"))


if __name__ == "__main__":
    main()
