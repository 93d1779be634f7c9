"""Start of the metrics, if METRICS_PORT is set."""

from __future__ import annotations

from service.operate.observability import metrics
from service.settings import Settings


def start(settings: Settings) -> None:
    """Start counting in this process and its forks, if METRICS_PORT is set."""
    if settings.metrics_port and not metrics.are_on():
        from service.operate.observability.instruments import Instruments

        metrics.current = Instruments(settings.data_dir / f"metrics-{settings.metrics_port}")
