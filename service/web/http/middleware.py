"""What every answer carries, whatever it says: a request id, caching, sniffing, CORS; a page what it may load.

There are no cookies anywhere, so `*` is a safe default for CORS: a page can do with our answers only what it could
do with any HTTP client, and needs a token that somebody gave it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import structlog
from flask import Flask, Response, g, request

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
    "Accept-Language, X-Request-Id, X-Api-Key"
)
ALLOWED_METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
PREFLIGHT_S = 86_400
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
"""What a page of ours, and whatever of it is opened by itself, may load and call: nothing but this service."""
ENTITY_ID = re.compile(r"[A-Za-z0-9_-]{16,17}")  # see storage.base.keys.Buckets
CODES_OF_UNKNOWN = {"game_id": "game/not_found", "task_id": "task/not_found", "webhook_id": "webhook/not_found"}
"""By the name in the path."""
OF_ALL = (("X-Content-Type-Options", "nosniff"),)
OF_EVERYWHERE = (("Access-Control-Allow-Origin", "*"), ("Access-Control-Expose-Headers", EXPOSED))
"""Where pages of any origin may call."""


def page_policy(directive: str, sources: str) -> str:
    """The policy of a page that needs other sources for one directive."""
    return re.sub(f"{directive} [^;]+", lambda _: f"{directive} {sources}", PAGE_POLICY)


def register(app: Flask, origins: tuple[str, ...]) -> None:
    """Hook into every request of the app. `origins`: which pages may call; `*` for all."""
    everywhere = "*" in origins
    allowed = frozenset(origins)

    def before() -> None:
        given = request.headers.get("X-Request-Id")
        fit = given is not None and REQUEST_ID.fullmatch(given) and not SECRETS.search(given)
        g.request_id = request_id = given if fit else f"{random.getrandbits(64):016x}"
        structlog.contextvars.bind_contextvars(request_id=request_id)  # instead of the connection's last request's

    def after(answer: Response) -> Response:
        headers = answer.headers
        headers.add("X-Request-Id", g.request_id)
        if answer.mimetype == "text/html" or request.endpoint == "static":
            headers.setdefault("Content-Security-Policy", PAGE_POLICY)
        if "Cache-Control" not in headers:
            headers.add("Cache-Control", "private, no-cache")
        if not everywhere:
            headers.add("Vary", "Origin")
            origin = request.headers.get("Origin", "")
            if origin not in allowed:
                return answer
            headers["Access-Control-Allow-Origin"] = origin
            headers.add("Access-Control-Expose-Headers", EXPOSED)
        if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
            headers["Access-Control-Allow-Methods"] = ALLOWED_METHODS
            headers["Access-Control-Allow-Headers"] = ALLOWED_HEADERS
            headers["Access-Control-Max-Age"] = str(PREFLIGHT_S)
        return answer

    app.before_request(before)
    app.after_request(after)
    app.wsgi_app = _adding(app.wsgi_app, OF_ALL + OF_EVERYWHERE * everywhere)  # type: ignore[method-assign,assignment]


def check_ids() -> None:
    """Refuse ids of a form that was never given out: an id becomes part of a key of the store."""
    for name, value in (request.view_args or {}).items():
        if name in CODES_OF_UNKNOWN and not ENTITY_ID.fullmatch(value):
            raise GameError(CODES_OF_UNKNOWN[name])


def _adding(serve: WSGIApplication, always: tuple[tuple[str, str], ...]) -> WSGIApplication:
    """The same application with these headers in every answer: werkzeug takes 2 µs for each that it is told of."""

    def serve_with(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            return start_response(status, [*headers, *always], exc_info)

        return serve(environ, start)

    return serve_with
