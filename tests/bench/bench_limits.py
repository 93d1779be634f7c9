"""What counting a request costs: `python -m tests.bench.bench_limits`.

As bench_web: CPU µs of this process a request, without a socket, Redis real, and the ratio to Flask's own hello in the
same run. Rounds alternate, so that a noisy machine is noisy to all. Told besides: the exchange with Redis alone, and
the time that passes, which holds the wait for Redis, too.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import orjson
from flask import Flask

from service.app import create_app
from service.operate.launcher import EmbeddedRedis
from service.settings import Settings
from service.state.connect import connect
from service.state.limits import Limits
from tests.bench.bench_web import call, hello_app

ROUNDS = 15
READS = 300


def spent(act: Callable[[], object]) -> tuple[float, float]:
    """(CPU, passed) µs an act."""
    began, cpu_began = time.perf_counter(), time.process_time()
    for _ in range(READS):
        act()
    return (time.process_time() - cpu_began) / READS * 1e6, (time.perf_counter() - began) / READS * 1e6


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(Path(folder)) as server:
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
        for name, found in rows.items():
            cpu, passed = (median(column) for column in zip(*found, strict=True))
            print(f"{name:18} {cpu:6.0f} µs CPU  {cpu / base:5.2f} x   {passed:6.0f} µs passed")


if __name__ == "__main__":
    main()
