"""`python -m workers.exporter`: serve metrics for Prometheus at METRICS_HOST and METRICS_PORT.

Counts of this machine's processes come from their files. Figures of the whole service (queues, due work, stores) are
read from the stores at each scrape, so all machines report the same.

On Linux the crew forks the exporter. Otherwise it is a separate program, one for each machine.
"""

from __future__ import annotations

import contextlib
import platform
import sys
import threading
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from typing import Any

import structlog
from redis import Redis

from service.operate.setting_warnings import setting_warnings
from service.rulesets.registry import RULESETS
from service.settings import Settings
from service.storage.base.connect import RedisError, connect
from service.storage.work import store_metrics
from service.storage.work.queue import BACKGROUND, WORKER
from service.storage.work.store_metrics import Server, Waiting
from service.usecases.base.context import Context, open_context
from service.usecases.keeping.service_warnings import WARNINGS, service_warnings
from workers import counts
from workers.keeper import KEEPER
from workers.processes.starting import exit_on_signals, set_up_process
from workers.worker import DIALER

EXPORTER = "exporter"
KINDS_WITH_HEARTBEAT = (WORKER, BACKGROUND, KEEPER, DIALER)
GAMES_STORE, QUEUE = "games", "queue"

log = structlog.get_logger("exporter")


class WholeService:
    """Collector of prometheus-client for the current figures of the whole service."""

    def __init__(self, context: Context) -> None:
        self._context = context
        settings = context.settings
        self._redis = connect(settings.redis_url, patient=False)
        self._queues = {
            f"{QUEUE}_{number}" if number > 1 else QUEUE: connect(url, patient=False)
            for number, url in enumerate(settings.queue_url.split(), 1)
        }

    def collect(self) -> Iterator[Any]:
        """Yield the metrics. An unavailable store has `azul_redis_up` 0, and its figures are missing.

        It is given up after a second, because Prometheus waits for ten.
        """
        yield _build_info()
        compiled = {name: int(ruleset.rules.are_compiled()) for name, ruleset in RULESETS.items()}
        yield _gauge(
            "azul_ruleset_compiled", "1 if the rules run as machine code on this machine.", "ruleset", compiled
        )
        servers = dict[str, Server]()
        for store, redis in {GAMES_STORE: self._redis, **self._queues}.items():
            with _log_outage(store):
                servers[store] = store_metrics.server(redis)
        if GAMES_STORE in servers:
            with _log_outage(GAMES_STORE):
                yield from [*self._game_gauges()]
        answering = [redis for store, redis in self._queues.items() if store in servers]
        if answering:
            with _log_outage(QUEUE):
                yield from [*_queue_gauges(answering)]
        up = {store: int(store in servers) for store in (GAMES_STORE, *self._queues)}
        yield self._warnings(has_stores=all(up.values()))
        yield _gauge("azul_redis_up", "1 if the Redis server answers.", "store", up)
        yield from _server_gauges(servers)

    def _warnings(self, *, has_stores: bool) -> Any:
        """Return which faults the service runs with. Without its stores, only those of this process are known."""
        found = service_warnings(self._context) if has_stores else setting_warnings(self._context.settings)
        states = {code: int(code in found) for code in WARNINGS}
        return _gauge("azul_warnings", "1 if the service runs with this fault.", "warning", states)

    def _game_gauges(self) -> Iterator[Any]:
        keys, now_ms = self._context.store.keys, self._context.now_ms()
        yield from _waiting_gauges("due", "kind", "due", store_metrics.due(self._redis, keys, now_ms))
        waiting = {name: backlog.waiting() for name, backlog in self._context.backlogs.items()}
        waiting |= {name: queue.waiting() for name, queue in self._context.dial_queues.items()}
        description = "Waiting pieces of analyses, tournaments and imports, and waiting outgoing calls."
        yield _gauge("azul_backlog_pieces", description, "backlog", waiting)


@contextlib.contextmanager
def _log_outage(store: str) -> Iterator[None]:
    try:
        yield
    except RedisError as error:
        log.warning("not_measured", store=store, error=str(error))


def _queue_gauges(servers: list[Redis]) -> Iterator[Any]:
    yield from _waiting_gauges("queue", "queue", "in the queue", store_metrics.queues(servers))
    alive = store_metrics.count_heartbeats(servers, KINDS_WITH_HEARTBEAT)
    yield _gauge("azul_processes", "Processes of the whole service with a heartbeat.", "kind", alive)


def _build_info() -> Any:
    from prometheus_client.core import InfoMetricFamily

    versions = {"version": version("azul-games-server"), "python": platform.python_version()}
    return InfoMetricFamily("azul_build", "Version of the service and of Python.", value=versions)


def _waiting_gauges(prefix: str, label: str, where: str, waiting: Mapping[str, Waiting]) -> Iterator[Any]:
    counts = {name: one.count for name, one in waiting.items()}
    ages = {name: one.oldest_s for name, one in waiting.items()}
    yield _gauge(f"azul_{prefix}_length", f"Number of entries {where}.", label, counts)
    yield _gauge(f"azul_{prefix}_oldest_seconds", f"Age of the oldest entry {where}.", label, ages)


def _server_gauges(servers: Mapping[str, Server]) -> Iterator[Any]:
    pings = {store: one.ping_s for store, one in servers.items()}
    used = {store: one.used_bytes for store, one in servers.items() if one.used_bytes is not None}
    most = {store: one.most_bytes for store, one in servers.items() if one.most_bytes is not None}
    yield _gauge("azul_redis_ping_seconds", "Round-trip time to the Redis server.", "store", pings)
    yield _gauge("azul_redis_memory_bytes", "Memory used by the Redis server.", "store", used)
    yield _gauge("azul_redis_memory_limit_bytes", "Memory limit of the Redis server. 0: no limit.", "store", most)


def _gauge(name: str, description: str, label: str, values: Mapping[str, float]) -> Any:
    from prometheus_client.core import GaugeMetricFamily

    family = GaugeMetricFamily(name, description, labels=(label,))
    for label_value, value in values.items():
        family.add_metric((label_value,), value)
    return family


def serve(settings: Settings) -> None:
    """Serve until a signal. Without METRICS_PORT, only wait, because a Procfile starts all its programs."""
    exit_on_signals()
    if not settings.metrics_port:
        log.info("no_metrics", reason="METRICS_PORT is not set")
        threading.Event().wait()
    counts.serve(settings, WholeService(open_context(settings)))


def main() -> int:
    """Run until a signal. Return 0; a used port exits with status 1, invalid settings with 2."""
    serve(set_up_process())
    return 0


if __name__ == "__main__":
    sys.exit(main())
