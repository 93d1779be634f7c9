"""Start of the metrics, if METRICS_PORT is set."""

from __future__ import annotations

import sys
from pathlib import Path

from service.operate.data_dir import OperateError, describe_failures
from service.operate.observability import metrics
from service.settings import Settings


def metrics_folder(settings: Settings) -> Path:
    """Return the folder of the metric files."""
    return settings.data_dir / f"metrics-{settings.metrics_port}"


def start(settings: Settings) -> None:
    """Start counting in this process and its forks, if METRICS_PORT is set.

    If the metric files cannot be written, print why and exit with status 2.
    """
    if settings.metrics_port and not metrics.are_on():
        from service.operate.observability.instruments import Instruments

        try:
            with describe_failures(settings.data_dir):
                metrics.current = Instruments(metrics_folder(settings))
        except OperateError as failed:
            sys.stderr.write(f"cannot start: {failed}\n")
            raise SystemExit(2) from failed
