"""`python -m workers.counts`: serve the counts of the processes that share DATA_DIR, at METRICS_HOST and METRICS_PORT.

It takes a tenth of the exporter's memory, so each pod can run one beside its process. It does not use Redis.
"""

from __future__ import annotations

import sys
import threading
from typing import Any

import structlog

from service.operate.observability import metrics
from service.settings import Settings
from workers.processes.starting import exit_on_signals, set_up_process

log = structlog.get_logger("exporter")


def serve(settings: Settings, *collectors: Any) -> None:
    """Serve the counts, and the metrics of other collectors, until a signal. A used port exits with status 1."""
    from prometheus_client import CollectorRegistry, start_http_server

    from service.operate.observability.instruments import Instruments

    registry = CollectorRegistry()
    assert isinstance(metrics.current, Instruments)  # noqa: S101  # `set_up_process` has created it
    for collector in (metrics.current.collector(), *collectors):
        registry.register(collector)
    try:
        start_http_server(settings.metrics_port, settings.metrics_host, registry)
    except OSError as error:
        log.error("metrics_not_served", url=settings.metrics_url, error=str(error))  # noqa: TRY400 - a traceback would not help
        raise SystemExit(1) from error
    log.info("exporter_ready", url=settings.metrics_url)
    threading.Event().wait()


def main() -> int:
    """Run until a signal. Return 0; a used port exits with status 1, invalid settings with 2."""
    settings = set_up_process(needs_redis=False)
    exit_on_signals()
    if not settings.metrics_port:
        log.error("no_metrics", reason="METRICS_PORT is not set")
        return 2
    serve(settings)
    return 0


if __name__ == "__main__":
    sys.exit(main())
