"""Request id and trace of the request that made a decision due.

The commit that makes the decision due stores them, so the worker continues the trace no matter how it is woken. In a
chain of decisions, all continue the trace of the first.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

import structlog

from service.operate.observability import tracing

REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
TRACE = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")


def serialize() -> bytes:
    """Return the current request id and traceparent for storage."""
    request_id = structlog.contextvars.get_contextvars().get("request_id", "")
    return f"{request_id} {tracing.traceparent()}".encode()


@contextlib.contextmanager
def resume(cause: bytes, name: str, **attributes: str | int) -> Iterator[None]:
    """Run the block in a span that continues a stored trace. Bind the stored request id for all later log lines."""
    request_id, _, trace = cause.decode("ascii", "replace").partition(" ")
    if REQUEST_ID.fullmatch(request_id):
        structlog.contextvars.bind_contextvars(request_id=request_id)
    parent = trace if TRACE.fullmatch(trace) else ""
    with tracing.span(name, kind="consumer", parent=parent, **attributes):
        yield
