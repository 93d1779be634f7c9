"""Calls of bots' endpoints, and their metrics."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from service.operate.observability import metrics
from service.outgoing import outbound_http
from service.outgoing.outbound_http import DialError
from service.usecases.base import outgoing
from service.usecases.base.context import Context
from service.usecases.games import endpoints
from service.usecases.games.endpoints import Call


def answer_to(context: Context, call: Call) -> bytes:
    """Return the endpoint's response. Raises DialError."""
    request = endpoints.build_request(context, call)
    allowed, patience_s = outgoing.policy(context), call.endpoint.timeout_s
    with record_call("endpoint"):
        return outbound_http.call(call.endpoint.url, request.headers, allowed, request.body, deadline_s=patience_s)


@contextmanager
def record_call(purpose: str) -> Iterator[None]:
    """Count the call in the block, with its result and duration."""
    began, result = time.monotonic(), metrics.OK
    try:
        yield
    except DialError as error:
        result = error.code
        raise
    finally:
        metrics.current.record_call(purpose, result, time.monotonic() - began)
