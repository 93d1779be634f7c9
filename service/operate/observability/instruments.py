"""The instruments of prometheus-client: counters and histograms for what `metrics` receives.

All processes of a machine write into files of one folder (its multiprocess mode), each into those of its number (see
`metric_files`). The exporter reads them all. This module takes 40 ms to import, so it is imported only if metrics are
on.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, values
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.values import MultiProcessValue

from service.operate.observability.metric_files import ProcessNumbers
from service.operate.observability.metrics import OK, Metrics

QUICK_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
DECISION_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
CALL_BUCKETS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds in seconds, for requests and keeper runs, for decisions, and for calls."""
PURPOSES = ("endpoint", "webhook", "push")


class Instruments(Metrics):
    """Counts in the files of a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._numbers = folder, ProcessNumbers(folder)
        # prometheus-client documents both for custom process identifiers.
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)
        values.ValueClass = MultiProcessValue(self._numbers)  # type: ignore[no-untyped-call]
        self._registry = CollectorRegistry()  # the exporter reads the files instead
        self._requests = self._counter("azul_http_requests", "HTTP requests.", "route", "status")
        self._durations = self._histogram(
            "azul_http_request_duration_seconds",
            "Duration of requests. Streams: time to the first byte. Requests with `wait` are not timed.",
            QUICK_BUCKETS,
            "route",
        )
        self._problems = self._counter("azul_http_problems", "Error responses.", "code")
        self._actions = self._counter("azul_actions", "Committed actions.", "ruleset", "by")
        self._conflicts = self._counter("azul_commit_conflicts", "Commits rejected because the game had changed.")
        self._decisions = self._counter("azul_ai_decisions", "AI decisions.", "ruleset", "level", "outcome")
        self._lateness = self._histogram(
            "azul_ai_lateness_seconds",
            "Time from a decision becoming due to a worker starting it.",
            DECISION_BUCKETS,
            "level",
        )
        self._thinking = self._histogram(
            "azul_ai_thinking_seconds", "Time from a worker starting a decision to its end.", DECISION_BUCKETS, "level"
        )
        self._add_calls_and_keepers()

    def _add_calls_and_keepers(self) -> None:
        self._calls = self._counter(
            "azul_outgoing_calls", "Calls to endpoints, webhooks and push services.", "purpose", "result"
        )
        self._call_durations = self._histogram(
            "azul_outgoing_call_duration_seconds",
            "Duration of calls to endpoints, webhooks and push services.",
            CALL_BUCKETS,
            "purpose",
        )
        self._keeper_runs = self._counter("azul_keeper_runs", "Runs of the keepers.", "result")
        self._keeper_run_durations = self._histogram(
            "azul_keeper_run_duration_seconds", "Duration of keeper runs.", QUICK_BUCKETS
        )
        self._unreadable = self._counter("azul_unreadable_records", "Reads of unreadable stored records.", "kind")
        self._streams = Gauge(
            "azul_streams_open", "Open event streams.", multiprocess_mode="livesum", registry=self._registry
        )
        for purpose in PURPOSES:  # start at 0, because Prometheus computes no rate for the first value
            self._calls(purpose, OK)
            self._call_durations(purpose)
        self._keeper_runs(OK)

    def _counter(self, name: str, description: str, *labels: str) -> Any:
        """Return the counter, or with labels, a function of their values that returns one."""
        return _by_labels(Counter(name, description, labels, registry=self._registry), labels)

    def _histogram(self, name: str, description: str, buckets: Sequence[float], *labels: str) -> Any:
        """Return the histogram, or with labels, a function of their values that returns one."""
        return _by_labels(Histogram(name, description, labels, buckets=buckets, registry=self._registry), labels)

    def collector(self) -> Collector:
        """Return the collector for the counts of all processes."""
        return Collector(self._folder, self._numbers)

    def record_request(self, route: str, status: int, seconds: float | None) -> None:
        """Implement `Metrics`."""
        self._requests(route, status).inc()
        if seconds is not None:
            self._durations(route).observe(seconds)

    def record_problem(self, code: str) -> None:
        """Implement `Metrics`."""
        self._problems(code).inc()

    def record_action(self, ruleset: str, by: str) -> None:
        """Implement `Metrics`."""
        self._actions(ruleset, by).inc()

    def record_conflict(self) -> None:
        """Implement `Metrics`."""
        self._conflicts.inc()

    def record_decision(self, ruleset: str, level: str, outcome: str, late_s: float, thought_s: float) -> None:
        """Implement `Metrics`."""
        self._decisions(ruleset, level, outcome).inc()
        self._lateness(level).observe(late_s)
        self._thinking(level).observe(thought_s)

    def record_call(self, purpose: str, result: str, seconds: float) -> None:
        """Implement `Metrics`."""
        self._calls(purpose, result).inc()
        self._call_durations(purpose).observe(seconds)

    def record_keeper_run(self, result: str, seconds: float) -> None:
        """Implement `Metrics`."""
        self._keeper_runs(result).inc()
        self._keeper_run_durations.observe(seconds)

    def record_unreadable(self, kind: str) -> None:
        """Implement `Metrics`."""
        self._unreadable(kind).inc()

    def stream_opened(self) -> None:
        """Implement `Metrics`."""
        self._streams.inc()

    def stream_closed(self) -> None:
        """Implement `Metrics`."""
        self._streams.dec()


def _by_labels(metric: Any, labels: Sequence[str]) -> Any:
    """Return the metric; with labels, its `labels`, cached because the library checks the arguments of each call."""
    return functools.cache(metric.labels) if labels else metric


class Collector(MultiProcessCollector):
    """Collects the counts of all processes, and the gauges of the running ones."""

    def __init__(self, folder: Path, numbers: ProcessNumbers) -> None:
        super().__init__(None, path=str(folder))  # type: ignore[no-untyped-call]
        self._folder = folder
        self._numbers = numbers

    def collect(self) -> Any:
        """Return the metrics."""
        self._numbers.remove_dead_gauges()
        # A process creates its file empty and sizes it afterwards. prometheus-client cannot read an empty file.
        files = [path for path in self._folder.glob("*.db") if _has_content(path)]
        return self.merge(files, accumulate=True)  # type: ignore[no-untyped-call]


def _has_content(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except FileNotFoundError:  # the gauge of a process that has ended
        return False
