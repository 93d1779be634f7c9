"""A service with all telemetry, observed from outside."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from typing import Any

import requests
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from prometheus_client.parser import text_string_to_metric_families

from tests.e2e.stack import Stack
from tests.patience import HANG_S
from tests.serving import Handler, served_by

Span = tuple[str, str, str, str, int]
"""Trace, id, parent, name, process."""


class Collector:
    """An OpenTelemetry collector that receives spans by OTLP over HTTP."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.taken = b""
        """Everything received."""

    def take(self, content: bytes) -> None:
        """Store exported spans."""
        self.taken += content
        for resource in ExportTraceServiceRequest.FromString(content).resource_spans:
            about = {one.key: one.value for one in resource.resource.attributes}
            assert "azul-games" == about["service.name"].string_value
            self.spans += [
                (span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex(), span.name, pid)
                for scope in resource.scope_spans
                for span in scope.spans
                for pid in [about["process.pid"].int_value]
            ]

    @contextlib.contextmanager
    def serving(self) -> Iterator[str]:
        """Run the collector and yield its URL."""
        take = self.take

        class Traces(Handler):
            def respond(self) -> None:
                assert "/v1/traces" == self.path
                take(self.content)
                self.answer()

        with served_by(Traces) as url:
            yield url


class ObservedStack:
    """A service that sends telemetry to a collector and a metrics port."""

    def __init__(self, stack: Stack, port: int, collector: Collector) -> None:
        self.stack = stack
        self.collector = collector
        self.tokens: list[str] = []
        """Tokens of all actors."""
        self.metrics_url = f"http://127.0.0.1:{port}/metrics"

    def samples(self) -> dict[str, list[tuple[dict[str, str], float]]]:
        """Scrape the metrics. Return (labels, value) of each sample by name."""
        found: dict[str, list[tuple[dict[str, str], float]]] = {}
        for family in text_string_to_metric_families(requests.get(self.metrics_url, timeout=HANG_S).text):
            for sample in family.samples:
                found.setdefault(sample.name, []).append((sample.labels, sample.value))
        return found

    def value(self, name: str, **labels: str) -> float:
        """Return the sum of the samples with these labels."""
        return sum(value for found, value in self.samples().get(name, []) if labels.items() <= found.items())

    def records(self, **fields: Any) -> list[dict[str, Any]]:
        """Return the log records with these fields."""
        lines = [
            line
            for line in self.stack.output.read_text().splitlines()
            if all(f'"{one}"' in line for one in fields.values())
        ]
        lines = [line.partition(" | ")[2] for line in lines]
        logged = [json.loads(line) for line in lines if line.startswith("{")]
        return [record for record in logged if fields.items() <= record.items()]

    def act(self, *others: dict[str, Any], request_id: str | None = None, traceparent: str | None = None) -> str:
        """Create a game with these others and act as its person. Return the game's id."""
        seats = [{"kind": "player"}, *others]
        created = self.stack.create(ruleset="azul", variant="coloured", seats=seats, first_seat=0)
        path = f"{self.stack.api}/games/{created['game']['id']}/actions"
        listed = self.stack.http.get(path, timeout=HANG_S).json()
        token = created["tokens"]["seats"]["0"]
        self.tokens.append(token)
        acted = self.stack.http.post(
            path,
            json={"id": listed["actions"][0]["id"], "revision": listed["revision"]},
            headers={"Authorization": f"Bearer {token}", "X-Request-Id": request_id, "traceparent": traceparent},
            timeout=HANG_S,
        )
        assert 201 == acted.status_code, acted.text
        return str(created["game"]["id"])
