"""Metrics, access log and trace spans of requests.

Requests are named by their operation, because paths and queries contain ids and tickets. A stream is logged when it
ends.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import ExitStack
from http import HTTPStatus
from time import perf_counter
from typing import Any

from flask import Flask, Request, Response, current_app, g, request
from flask.globals import request_ctx

from service.operate.observability import logs, metrics, tracing
from service.settings import Settings
from service.web.http.middleware import ENTITY_ID

UNKNOWN, PREFLIGHT = "unknown", "preflight"


def route(asked: Request) -> str:
    """Return the operation id, the endpoint of a page outside the API, or `unknown` for an unknown path."""
    if asked.method == "OPTIONS":
        return PREFLIGHT
    endpoint = asked.endpoint
    return UNKNOWN if endpoint is None else _operation_id(current_app.view_functions[endpoint], endpoint)


@functools.cache
def _operation_id(view: Callable[..., Any], endpoint: str) -> str:
    manual_doc = getattr(view, "_apidoc", {}).get("manual_doc", {})  # set by flask-smorest
    return str(manual_doc.get("operationId", endpoint))


def register(app: Flask, settings: Settings) -> Callable[[Response], None] | None:
    """Add hooks to the app. Return what counts and logs a complete response, or None if nothing does."""
    if tracing.is_on():
        _trace(app)
    return _observer(logged=settings.has_access_log) if settings.has_access_log or metrics.are_on() else None


def _observer(*, logged: bool) -> Callable[[Response], None]:
    """Return a function that counts and logs the response to the current request."""

    def observe(answer: Response) -> None:
        asked, began = request_ctx.request, g.began  # each use of the proxy `request` takes 0.2 µs
        seconds, name = perf_counter() - began, route(asked)
        timed = not (asked.query_string and "wait" in asked.args)
        metrics.current.record_request(name, answer.status_code, seconds if timed else None)
        if logged:
            _log(answer, asked, name, began)

    return observe


def _log(answer: Response, asked: Request, name: str, began: float) -> None:
    """Log the request, at the end of its stream if it has one."""
    game_id = (asked.view_args or {}).get("game_id")
    fields = {"request_id": g.request_id, "route": name, "method": asked.method, "status": answer.status_code}
    if game_id is not None and ENTITY_ID.fullmatch(game_id):  # any other text is arbitrary input
        fields["game"] = game_id

    # Callers may choose a request id, and the game id of a refused request.
    is_chosen = "HTTP_X_REQUEST_ID" in asked.environ or answer.status_code >= HTTPStatus.BAD_REQUEST

    def write() -> None:
        fields["duration_ms"] = round(1000 * (perf_counter() - began), 1)
        logs.write("access", "request", fields, is_secret_free=not is_chosen)

    if answer.is_streamed and not answer.direct_passthrough:  # files are passed through without a close event
        answer.call_on_close(write)
    else:
        write()


def _trace(app: Flask) -> None:
    """Record a span for each request until its response, or until a stream starts."""

    def open_span() -> None:
        rule = request.url_rule
        name = UNKNOWN if rule is None else f"{request.method} {rule.rule}"
        parent = request.headers.get(tracing.TRACEPARENT, "")
        g.span = ExitStack()
        g.span.enter_context(tracing.span(name, kind="server", parent=parent, operation=route(request)))

    def annotate_span(answer: Response) -> Response:
        tracing.annotate(http__response__status_code=answer.status_code, request_id=g.request_id)
        if answer.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            tracing.fail()
        return answer

    def close_span(_: BaseException | None) -> None:
        if "span" in g:
            g.pop("span").close()

    app.before_request(open_span)
    app.after_request(annotate_span)
    app.teardown_request(close_span)
