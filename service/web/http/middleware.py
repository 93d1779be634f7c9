"""Start time and id of every request. Headers of every response: request id, caching, content sniffing, CORS, and the
content policy of pages.

The service uses no cookies, so `*` is a safe default for CORS: a page of another origin needs a token like any other
client.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from http import HTTPStatus
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any

import structlog
from flask import Flask, Response, current_app, g, request

from service.games.errors import GameError
from service.operate.observability.redaction import SECRETS
from service.usecases.base.trace_context import REQUEST_ID

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

EXPOSED = (
    "ETag, Location, Link, Retry-After, RateLimit, RateLimit-Policy, Allow, Content-Language, X-Request-Id, "
    "Idempotency-Replayed, Deprecation, Sunset"
)
ALLOWED_HEADERS = (
    "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, Accept, "
    "Accept-Language, X-Request-Id, X-Api-Key, traceparent, tracestate, baggage"
)
ALLOWED_METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
PREFLIGHT_S = 86_400
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
"""Content policy of pages and static files: they load from this service only."""
ENTITY_ID = re.compile(r"[A-Za-z0-9_-]{16,17}")  # see storage.base.keys.Buckets
CODES_OF_UNKNOWN = {
    **{name: f"{name.removesuffix('_id')}/not_found" for name in ("game_id", "task_id", "webhook_id", "delivery_id")}
}
"""Error code by the name of the path parameter."""
WITHOUT_STORE = (None, "service", "pages", "discovery")
"""Blueprints that answer without Redis, or describe its state."""
CONSTANT_HEADERS = (("X-Content-Type-Options", "nosniff"),)
ANY_ORIGIN_HEADERS = (("Access-Control-Allow-Origin", "*"), ("Access-Control-Expose-Headers", EXPOSED))
"""Added if pages of any origin may call the service."""


def page_policy(directive: str, sources: str) -> str:
    """Return the content policy with other sources for one directive."""
    return re.sub(f"{directive} [^;]+", lambda _: f"{directive} {sources}", PAGE_POLICY)


def register(app: Flask, origins: tuple[str, ...], observe: Callable[[Response], None] | None = None) -> None:
    """Add hooks to the app. Call this first: Flask runs the first `after_request` hook last.

    `origins`: origins of pages that may call the service; `*` for all. `observe`: called with each complete response,
    because a hook of its own takes longer.
    """
    everywhere = "*" in origins
    allowed = frozenset(origins)

    def add_headers(answer: Response) -> Response:
        headers = answer.headers
        headers.add("X-Request-Id", g.request_id)
        if answer.status_code == HTTPStatus.NO_CONTENT:
            headers.pop("Content-Type", None)
        if answer.mimetype == "text/html" or request.endpoint == "static":
            headers.setdefault("Content-Security-Policy", PAGE_POLICY)
        if "Cache-Control" not in headers:
            headers.add("Cache-Control", "private, no-cache")
        is_allowed = everywhere
        if not everywhere:
            headers.add("Vary", "Origin")
            origin = request.headers.get("Origin", "")
            is_allowed = origin in allowed
            if is_allowed:
                headers["Access-Control-Allow-Origin"] = origin
                headers.add("Access-Control-Expose-Headers", EXPOSED)
        if is_allowed and _is_preflight():
            headers["Access-Control-Allow-Methods"] = ALLOWED_METHODS
            headers["Access-Control-Allow-Headers"] = ALLOWED_HEADERS
            headers["Access-Control-Max-Age"] = str(PREFLIGHT_S)
        if observe is not None:
            observe(answer)
        return answer

    app.before_request(start_request)
    app.after_request(add_headers)
    constant = CONSTANT_HEADERS + ANY_ORIGIN_HEADERS * everywhere
    app.wsgi_app = _with_headers(app.wsgi_app, constant)  # type: ignore[method-assign,assignment]


def start_request() -> Response | None:
    """Set start time and id of the request. Answer a CORS preflight, so that its request gets to its error."""
    sent = request.headers.get("X-Request-Id")
    is_usable = sent is not None and REQUEST_ID.fullmatch(sent) and not SECRETS.search(sent)
    g.began = perf_counter()
    g.request_id = request_id = sent if is_usable else f"{random.getrandbits(64):016x}"
    structlog.contextvars.bind_contextvars(request_id=request_id)  # replaces the id of the previous request
    return current_app.make_default_options_response() if _is_preflight() else None


def _is_preflight() -> bool:
    return request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers


def check_request() -> None:
    """Raise GameError for malformed ids, which would become part of Redis keys. Raise NewerStoreError."""
    for name, value in (request.view_args or {}).items():
        if name in CODES_OF_UNKNOWN and not ENTITY_ID.fullmatch(value):
            raise GameError(CODES_OF_UNKNOWN[name])
    context = current_app.extensions["context"]
    if context is not None and monotonic() >= context.clock.refresh_at and request.blueprint not in WITHOUT_STORE:
        context.now_ms()  # raises


def _with_headers(serve: WSGIApplication, constant: tuple[tuple[str, str], ...]) -> WSGIApplication:
    """Return the application with constant headers in every response. werkzeug would take 2 µs for each."""

    def serve_with(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            return start_response(status, [*headers, *constant], exc_info)

        return serve(environ, start)

    return serve_with
