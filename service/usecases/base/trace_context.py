"""Why a decision is due: the request and the trace that go with a game, from who has acted to whoever decides next.

They stand in the commit that makes the decision due, so they are there however a worker is woken: by the one who has
acted, or by a keeper after that wake-up was lost. Of a chain of decisions all have the cause of the first.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

import structlog

from service.operate.observability import tracing

REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
TRACE = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")


def present() -> bytes:
    """What is stored of the present request and span: an id and a traceparent, if there are any."""
    request_id = structlog.contextvars.get_contextvars().get("request_id", "")
    return f"{request_id} {tracing.traceparent()}".encode()


@contextlib.contextmanager
def resumed(cause: bytes, name: str, **attributes: str | int) -> Iterator[None]:
    """Go on with what is stored: a span of that name meanwhile, and its request id in all that is logged, also after
    it, of what has failed.
    """
    request_id, _, trace = cause.decode("ascii", "replace").partition(" ")
    if REQUEST_ID.fullmatch(request_id):
        structlog.contextvars.bind_contextvars(request_id=request_id)
    parent = trace if TRACE.fullmatch(trace) else ""
    with tracing.span(name, kind="consumer", parent=parent, **attributes):
        yield
