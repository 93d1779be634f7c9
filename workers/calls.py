"""Asking an endpoint for a decision."""

from __future__ import annotations

from service.outgoing.outbound_http import post
from service.usecases.automatic import endpoints
from service.usecases.automatic.endpoints import Call
from service.usecases.core import outgoing
from service.usecases.core.context import Context


def answer_to(context: Context, call: Call) -> bytes:
    """What the endpoint says. DialError."""
    asking = endpoints.asking(context, call)
    allowed, patience_s = outgoing.policy(context), call.endpoint.timeout_s
    return post(call.endpoint.url, asking.body, asking.headers, allowed, deadline_s=patience_s)
