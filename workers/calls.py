"""Asking an endpoint for a decision."""

from __future__ import annotations

from service.cases import Cases, endpoints, outgoing
from service.cases.endpoints import Call
from service.outgoing.dialer import post


def answer_to(cases: Cases, call: Call) -> bytes:
    """What the endpoint says. DialError."""
    asking = endpoints.asking(cases, call)
    allowed, patience_s = outgoing.policy(cases), call.endpoint.timeout_s
    return post(call.endpoint.url, asking.body, asking.headers, allowed, deadline_s=patience_s)
