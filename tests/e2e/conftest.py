"""One service for all end-to-end tests. A test that breaks it must restore it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.observed_stack import Collector, ObservedStack
from tests.e2e.stack import Stack, free_port


@pytest.fixture(scope="session")
def mcp_port() -> int:
    """Return the port of the service's MCP server."""
    return free_port()


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory, mcp_port: int) -> Iterator[ObservedStack]:
    """Run the service with metrics, logs and traces."""
    collector, port = Collector(), free_port()
    processes = {"WORKERS": "2", "WEB_WORKERS": "2", "BACKGROUND_WORKERS": "1", "DIALERS": "1", "OUTGOING": "loopback"}
    limits = {"REDIS_MAX_MB": "1024"}
    mcp = {"MCP_PORT": str(mcp_port), "MCP_NAMES": "games.example.org"}
    with collector.serving() as url:
        watched = {"METRICS_PORT": str(port), "LOG_FORMAT": "json", "OTEL_EXPORTER_OTLP_ENDPOINT": url}
        traces = {"OTEL_BSP_SCHEDULE_DELAY": "200", "OTEL_TRACES_SAMPLER": "parentbased_always_off"}
        with Stack(tmp_path_factory.mktemp("stack"), **processes, **limits, **mcp, **watched, **traces) as stack:
            yield ObservedStack(stack, port, collector)


@pytest.fixture(scope="session")
def stack(service: ObservedStack) -> Stack:
    """Return the running service."""
    return service.stack
