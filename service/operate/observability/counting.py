"""Switches the metrics on, where METRICS_PORT asks for them."""

from __future__ import annotations

from service.operate.observability import metrics
from service.settings import Settings


def start(settings: Settings) -> None:
    """Count from now on, in this process and those that it forks, if METRICS_PORT is set."""
    if settings.metrics_port and not metrics.are_on():
        from service.operate.observability.instruments import Instruments

        # where the processes of this service on this machine keep what they have counted
        metrics.current = Instruments(settings.data_dir / f"metrics-{settings.metrics_port}")
