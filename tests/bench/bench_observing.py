"""Measure the cost of logs, metrics and traces: `python -m tests.bench.bench_observing`.

Serves the service like `bench_web`: without the access log and metrics, with one of them, with both, and with traces
that are sent nowhere. All processes get the same requests in turn. Prints the least processor time of ROUNDS for an
action and for an event in a stream, the least of READS in each round for a read, and the ratios to the process with
everything off. A second process with everything off shows the noise.
"""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import tempfile
from pathlib import Path

from service.operate.redis.launcher import EmbeddedRedis
from tests.bench.bench_scale import streams
from tests.bench.bench_web import REQUESTS, Replays, Served, new_game
from tests.e2e.stack import free_port
from workers.warm import warm

ROUNDS, READS, STREAMS = 10, 5, 200
OFF = {"ACCESS_LOG": "off"}
LOGGING = {"ACCESS_LOG": "on", "LOG_LEVEL": "INFO"}
COUNTING = {"METRICS_PORT": str(free_port())}
TRACING = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", "OTEL_TRACES_SAMPLER": "parentbased_always_on"}
OBSERVED = {
    "nothing": OFF,
    "nothing, again": OFF,
    "metrics": {**OFF, **COUNTING},
    "access log": LOGGING,
    "access log, metrics": {**LOGGING, **COUNTING},
    "traces": {**OFF, **TRACING},
}


def main() -> None:
    """Print the table."""
    warm()
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        redis = stack.enter_context(EmbeddedRedis(folder / "redis"))
        found: dict[str, tuple[list[float], list[float], list[float]]] = {}
        asked = []
        for name, settings in OBSERVED.items():
            data_dir = str(folder / name.replace(" ", "-"))
            served = stack.enter_context(Served(redis.socket_url, subprocess.DEVNULL, DATA_DIR=data_dir, **settings))
            asked.append((name, served, f"/v1/games/{new_game(served)['game']['id']}", Replays(served, "")))
            found[name] = ([], [], [])
        for _ in range(ROUNDS):
            for name, served, path, replays in asked:
                reads, actions, events = found[name]
                for _ in range(READS):
                    reads.append(served.cost(*[lambda of=served, path=path: of.ask("GET", path)] * REQUESTS)[0])
                actions.append(served.cost(*replays.acts())[0])
                events.append(asyncio.run(streams(served, STREAMS))["µs an event and stream"])
    least = {name: [min(costs) for costs in found[name]] for name in found}
    for name, costs in least.items():
        ratios = (
            f"{what} {cost:5.0f} µs, {cost / off:.2f} x"
            for what, cost, off in zip(("a read", "an action", "an event"), costs, least["nothing"], strict=True)
        )
        print(f"{name:22} {'   '.join(ratios)}")


if __name__ == "__main__":
    main()
