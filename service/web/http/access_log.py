"""What an operator learns of a request: its count and time, a line in the access log, a span of its trace.

A request is named by its operation, never by its path or query: there stand ids and tickets. The line of a stream
comes when it has ended.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import ExitStack
from http import HTTPStatus
from time import perf_counter
from typing import Any

from flask import Flask, Response, current_app, g, request

from service.operate.observability import logs, metrics, tracing
from service.settings import Settings
from service.web.http.middleware import ENTITY_ID

UNKNOWN, PREFLIGHT = "unknown", "preflight"


def route() -> str:
    """The operation's id; of what the document does not describe the endpoint, of an unknown path `unknown`."""
    if request.method == "OPTIONS":
        return PREFLIGHT
    return (
        UNKNOWN if request.endpoint is None else _named(current_app.view_functions[request.endpoint], request.endpoint)
    )


@functools.cache
def _named(view: Callable[..., Any], endpoint: str) -> str:
    described = getattr(view, "_apidoc", {}).get("manual_doc", {})  # flask-smorest keeps it there
    return str(described.get("operationId", endpoint))


def register(app: Flask, settings: Settings) -> None:
    """Hook into every request of the app, before all others: what is done first sees the answer last."""
    if settings.logs_access or metrics.are_on():
        _observe(app, logged=settings.logs_access)
    if tracing.is_on():
        _trace(app)


def _observe(app: Flask, *, logged: bool) -> None:
    """Count and log each request."""

    def before() -> None:
        g.began = perf_counter()

    def after(answer: Response) -> Response:
        seconds, name, status = perf_counter() - g.began, route(), answer.status_code
        timed = not (request.query_string and "wait" in request.args)
        metrics.current.answered(name, status, seconds if timed else None)
        if logged:
            _log(answer, name)
        return answer

    app.before_request(before)
    app.after_request(after)


def _log(answer: Response, name: str) -> None:
    """Write the line, of a stream once it has ended."""
    game_id = (request.view_args or {}).get("game_id")
    facts = {"request_id": g.request_id, "route": name, "method": request.method, "status": answer.status_code}
    if game_id is not None and ENTITY_ID.fullmatch(game_id):  # another is none, and might be anything
        facts["game"] = game_id
    began = g.began

    def write() -> None:
        logs.direct("access").info("request", **facts, duration_ms=round(1000 * (perf_counter() - began), 1))

    if answer.is_streamed and not answer.direct_passthrough:  # which is a file, whose end nobody is told of
        answer.call_on_close(write)
    else:
        write()


def _trace(app: Flask) -> None:
    """A span for each request, from its beginning to its answer; of a stream, to the beginning of that."""

    def before() -> None:
        rule = request.url_rule
        name = UNKNOWN if rule is None else f"{request.method} {rule.rule}"
        parent = request.headers.get(tracing.TRACEPARENT, "")
        g.span = ExitStack()
        g.span.enter_context(tracing.span(name, kind="server", parent=parent, operation=route()))

    def after(answer: Response) -> Response:
        tracing.annotate(http__response__status_code=answer.status_code, request_id=g.request_id)
        if answer.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            tracing.fail()
        return answer

    def over(_: BaseException | None) -> None:
        if "span" in g:
            g.pop("span").close()

    app.before_request(before)
    app.after_request(after)
    app.teardown_request(over)
