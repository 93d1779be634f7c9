"""The instruments of prometheus-client: counters and histograms for what `metrics` receives.

All processes of a machine write into files of one folder (its multiprocess mode), each into those of its number (see
`metric_files`). The exporter reads them all. This module takes 40 ms to import, so it is imported only if metrics are
on.
"""

from __future__ import annotations

import functools
import os
from pathlib import Path
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, values
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.values import MultiProcessValue

from service.operate.observability.metric_files import Slots
from service.operate.observability.metrics import OK, Metrics

QUICK_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
DECISION_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
CALL_BUCKETS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds, in seconds: of requests and looks, of decisions, of calls."""
PURPOSES = ("endpoint", "webhook")


class Instruments(Metrics):
    """Counts in the files of a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._slots = folder, Slots(folder)
        # Both are what the library documents for a process identifier of one's own.
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)
        values.ValueClass = MultiProcessValue(self._slots)  # type: ignore[no-untyped-call]
        registry: dict[str, Any] = {"registry": CollectorRegistry()}  # its own metrics are read from the files
        requests = Counter("azul_http_requests", "HTTP requests.", ("route", "status"), **registry)
        durations = Histogram(
            "azul_http_request_duration_seconds",
            "Duration of requests. Streams: time to the first byte. Requests with `wait` are not timed.",
            ("route",),
            buckets=QUICK_BUCKETS,
            **registry,
        )
        problems = Counter("azul_http_problems", "Error responses.", ("code",), **registry)
        actions = Counter("azul_actions", "Committed actions.", ("ruleset", "by"), **registry)
        self._conflicts = Counter("azul_commit_conflicts", "Commits rejected because the game had changed.", **registry)
        decisions = Counter("azul_ai_decisions", "AI decisions.", ("ruleset", "level", "outcome"), **registry)
        lateness = Histogram(
            "azul_ai_lateness_seconds",
            "Time from a decision becoming due to a worker starting it.",
            ("level",),
            buckets=DECISION_BUCKETS,
            **registry,
        )
        thinking = Histogram(
            "azul_ai_thinking_seconds",
            "Time from a worker starting a decision to its end.",
            ("level",),
            buckets=DECISION_BUCKETS,
            **registry,
        )
        calls = Counter(
            "azul_outgoing_calls", "Calls to endpoints, webhooks and push services.", ("purpose", "result"), **registry
        )
        call_durations = Histogram(
            "azul_outgoing_call_duration_seconds",
            "Duration of calls to endpoints, webhooks and push services.",
            ("purpose",),
            buckets=CALL_BUCKETS,
            **registry,
        )
        looks = Counter("azul_keeper_looks", "Runs of the keepers.", ("result",), **registry)
        self._look_durations = Histogram(
            "azul_keeper_look_duration_seconds", "Duration of keeper runs.", buckets=QUICK_BUCKETS, **registry
        )
        self._streams = Gauge("azul_streams_open", "Open event streams.", multiprocess_mode="livesum", **registry)
        # `labels` looks at its arguments each time, which takes longer than to count.
        self._requests, self._durations = functools.cache(requests.labels), functools.cache(durations.labels)
        self._problems, self._actions = functools.cache(problems.labels), functools.cache(actions.labels)
        self._decisions = functools.cache(decisions.labels)
        self._lateness, self._thinking = functools.cache(lateness.labels), functools.cache(thinking.labels)
        self._calls, self._call_durations = functools.cache(calls.labels), functools.cache(call_durations.labels)
        self._looks = functools.cache(looks.labels)
        for purpose in PURPOSES:  # a rate is known from the first of them on
            self._calls(purpose, OK)
            self._call_durations(purpose)
        self._looks(OK)

    def collector(self) -> Collector:
        """What all processes have counted."""
        return Collector(self._folder, self._slots)

    def answered(self, route: str, status: int, seconds: float | None) -> None:
        """See `Metrics`."""
        self._requests(route, status).inc()
        if seconds is not None:
            self._durations(route).observe(seconds)

    def refused(self, code: str) -> None:
        """See `Metrics`."""
        self._problems(code).inc()

    def acted(self, ruleset: str, by: str) -> None:
        """See `Metrics`."""
        self._actions(ruleset, by).inc()

    def overtaken(self) -> None:
        """See `Metrics`."""
        self._conflicts.inc()

    def decided(self, ruleset: str, level: str, outcome: str, late_s: float, thought_s: float) -> None:
        """See `Metrics`."""
        self._decisions(ruleset, level, outcome).inc()
        self._lateness(level).observe(late_s)
        self._thinking(level).observe(thought_s)

    def called(self, purpose: str, result: str, seconds: float) -> None:
        """See `Metrics`."""
        self._calls(purpose, result).inc()
        self._call_durations(purpose).observe(seconds)

    def looked(self, result: str, seconds: float) -> None:
        """See `Metrics`."""
        self._looks(result).inc()
        self._look_durations.observe(seconds)

    def stream_opened(self) -> None:
        """See `Metrics`."""
        self._streams.inc()

    def stream_closed(self) -> None:
        """See `Metrics`."""
        self._streams.dec()


class Collector(MultiProcessCollector):
    """All that the processes of a folder have counted, and the gauges of those that live."""

    def __init__(self, folder: Path, slots: Slots) -> None:
        super().__init__(None, path=str(folder))  # type: ignore[no-untyped-call]
        self._folder = folder
        self._slots = slots

    def collect(self) -> Any:
        """Return the metrics."""
        self._slots.forget_gauges()
        # A process creates its file empty and sizes it afterwards. prometheus-client cannot read an empty file.
        files = [path for path in self._folder.glob("*.db") if _has_content(path)]
        return self.merge(files, accumulate=True)  # type: ignore[no-untyped-call]


def _has_content(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except FileNotFoundError:  # the gauge of a process that has ended
        return False
