"""Traces with OpenTelemetry, if the extra `tracing` is installed and standard variables request them.

OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT or OTEL_TRACES_EXPORTER=otlp turn traces on, unless
OTEL_SDK_DISABLED is true. The SDK reads these and all other variables itself and sends spans with OTLP over HTTP.
Without traces, nothing is imported and `span` does nothing.

Spans contain no URLs, headers, bodies or texts of exceptions, because these can contain tokens.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import threading
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import structlog

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

LOG = structlog.get_logger()
ENDPOINT_VARIABLES = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
SERVICE_NAME = "azul-games"  # default of OTEL_SERVICE_NAME
FLUSH_S = 2.0
TRACEPARENT = "traceparent"
"""Header of W3C Trace Context, also the name of its stored copy."""

_is_on = False
_provider: TracerProvider | None = None
_provider_pid = 0


def is_requested(env: Mapping[str, str]) -> bool:
    """Return whether the environment variables turn traces on."""
    exporter = env.get("OTEL_TRACES_EXPORTER", "").strip()
    if env.get("OTEL_SDK_DISABLED", "").strip().lower() == "true" or exporter not in ("", "otlp"):
        return False
    return bool(exporter) or any(env.get(name, "").strip() for name in ENDPOINT_VARIABLES)


def start() -> None:
    """Start tracing in this process and its forks, if the environment turns it on."""
    global _is_on  # noqa: PLW0603 - state of the process
    if _is_on or not is_requested(os.environ):
        return
    if importlib.util.find_spec("opentelemetry.exporter.otlp.proto.http") is None:
        LOG.warning("tracing is off: the extra is not installed", install="pip install 'azul-games-server[tracing]'")
        return
    import opentelemetry.exporter.otlp.proto.http.trace_exporter
    import opentelemetry.sdk.trace.export  # noqa: F401 - loaded before a fork

    _is_on = True


def is_on() -> bool:
    """Return whether spans are recorded."""
    return _is_on


@contextlib.contextmanager
def span(name: str, *, kind: str = "internal", parent: str = "", **attributes: str | int) -> Iterator[None]:
    """Record a span around a block.

    `kind`: internal, server, producer or consumer; `parent`: a traceparent that replaces the current span as parent;
    `attributes`: `__` in names becomes a dot.
    """
    if not _is_on:
        yield
        return
    from opentelemetry.trace import SpanKind
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    context = TraceContextTextMapPropagator().extract({TRACEPARENT: parent}) if parent else None
    tracer = _provider_of_this_process().get_tracer("service")
    with tracer.start_as_current_span(
        name,
        context,
        SpanKind[kind.upper()],
        _with_dots(attributes),
        record_exception=False,  # its text can quote a secret
        set_status_on_exception=False,
    ):
        try:
            yield
        except BaseException:
            fail()
            raise


def fail() -> None:
    """Mark the current span as failed."""
    if _is_on:
        from opentelemetry.trace import StatusCode, get_current_span

        get_current_span().set_status(StatusCode.ERROR)


def annotate(**attributes: str | int) -> None:
    """Add attributes to the current span."""
    if _is_on:
        from opentelemetry.trace import get_current_span

        get_current_span().set_attributes(_with_dots(attributes))


def traceparent() -> str:
    """Return the traceparent of the current span, or an empty text."""
    if not _is_on:
        return ""
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier = dict[str, str]()
    TraceContextTextMapPropagator().inject(carrier)
    return carrier.get(TRACEPARENT, "")


def flush() -> None:
    """Send the recorded spans before this process ends, within `FLUSH_S` seconds."""
    if _provider is not None and _provider_pid == os.getpid():
        sending = threading.Thread(target=_provider.force_flush, daemon=True)
        sending.start()
        sending.join(FLUSH_S)


def _with_dots(attributes: Mapping[str, str | int]) -> dict[str, str | int]:
    return {name.replace("__", "."): value for name, value in attributes.items()}


def _provider_of_this_process() -> TracerProvider:
    """Return the provider. It has a thread, so it is created after a fork, with the first span."""
    global _provider, _provider_pid  # noqa: PLW0603 - state of the process
    if _provider is None or _provider_pid != os.getpid():
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import PROCESS_PID, Resource
        from opentelemetry.sdk.resources import SERVICE_NAME as NAME
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        name = os.environ.get("OTEL_SERVICE_NAME") or SERVICE_NAME
        _provider = TracerProvider(resource=Resource.create({NAME: name, PROCESS_PID: os.getpid()}))
        _provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        _provider_pid = os.getpid()
    return _provider
