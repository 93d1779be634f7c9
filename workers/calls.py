"""Asking an endpoint for a decision; and counting what is called."""

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
    """What the endpoint says. DialError."""
    asking = endpoints.asking(context, call)
    allowed, patience_s = outgoing.policy(context), call.endpoint.timeout_s
    with counted("endpoint"):
        return outbound_http.call(call.endpoint.url, asking.headers, allowed, asking.body, deadline_s=patience_s)


@contextmanager
def counted(purpose: str) -> Iterator[None]:
    """Count a call that is made meanwhile, by what comes of it."""
    began, result = time.monotonic(), metrics.OK
    try:
        yield
    except DialError as error:
        result = error.code
        raise
    finally:
        metrics.current.called(purpose, result, time.monotonic() - began)
