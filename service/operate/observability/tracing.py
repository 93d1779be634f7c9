"""Traces by OpenTelemetry, where the extra `tracing` is installed and the standard variables ask for them.

They do with OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT or OTEL_TRACES_EXPORTER=otlp, unless
OTEL_SDK_DISABLED is true; the SDK reads these and all others (OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER, …) itself. Spans
are sent by OTLP over HTTP. Otherwise nothing is imported, and `span` does nothing.

A span tells what happened, in words of ours: no URL, no header, no body and no text of an exception, since tokens may
stand there.
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
ASKING = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
SERVICE_NAME = "azul-games"  # unless OTEL_SERVICE_NAME says another
FLUSH_S = 2.0
TRACEPARENT = "traceparent"
"""The header of W3C Trace Context, and the name of what is stored of it."""

_is_on = False
_provider: TracerProvider | None = None
_provider_pid = 0


def wanted(env: Mapping[str, str]) -> bool:
    """Whether these variables ask for traces."""
    exporter = env.get("OTEL_TRACES_EXPORTER", "").strip()
    if env.get("OTEL_SDK_DISABLED", "").strip().lower() == "true" or exporter not in ("", "otlp"):
        return False
    return bool(exporter) or any(env.get(name, "").strip() for name in ASKING)


def start() -> None:
    """Trace from now on, in this process and those that it forks, if the environment asks for it."""
    global _is_on  # noqa: PLW0603 - once a process
    if _is_on or not wanted(os.environ):
        return
    if importlib.util.find_spec("opentelemetry.exporter.otlp.proto.http") is None:
        LOG.warning("tracing is off: the extra is not installed", install="pip install -e '.[tracing]'")
        return
    import opentelemetry.exporter.otlp.proto.http.trace_exporter
    import opentelemetry.sdk.trace.export  # noqa: F401 - loaded before a fork

    _is_on = True


def is_on() -> bool:
    """Whether spans are recorded."""
    return _is_on


@contextlib.contextmanager
def span(name: str, *, kind: str = "internal", parent: str = "", **attributes: str | int) -> Iterator[None]:
    """Record what happens meanwhile.

    `kind`: internal, server, producer or consumer. `parent`: a traceparent that goes before the present span.
    In the names of attributes `__` stands for a dot.
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
        _named(attributes),
        record_exception=False,  # its text may quote anything
        set_status_on_exception=False,
    ):
        try:
            yield
        except BaseException:
            fail()
            raise


def fail() -> None:
    """The present span is of something that has failed."""
    if _is_on:
        from opentelemetry.trace import StatusCode, get_current_span

        get_current_span().set_status(StatusCode.ERROR)


def annotate(**attributes: str | int) -> None:
    """Tell more of the present span."""
    if _is_on:
        from opentelemetry.trace import get_current_span

        get_current_span().set_attributes(_named(attributes))


def traceparent() -> str:
    """The present span, as W3C Trace Context writes it; nothing where there is none."""
    if not _is_on:
        return ""
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier = dict[str, str]()
    TraceContextTextMapPropagator().inject(carrier)
    return carrier.get(TRACEPARENT, "")


def flush() -> None:
    """Send what has been recorded, as this process is about to end; no longer than `FLUSH_S`, whoever is away."""
    if _provider is not None and _provider_pid == os.getpid():
        sending = threading.Thread(target=_provider.force_flush, daemon=True)
        sending.start()
        sending.join(FLUSH_S)


def _named(attributes: Mapping[str, str | int]) -> dict[str, str | int]:
    return {name.replace("__", "."): value for name, value in attributes.items()}


def _provider_of_this_process() -> TracerProvider:
    """Made with the first span after a fork: it has a thread, and one that forks should have none."""
    global _provider, _provider_pid  # noqa: PLW0603 - one a process
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
