"""Who asks, and in which language: the token out of `Authorization`, the language out of `Accept-Language`.

Tokens are taken from nowhere else: what stands in a URL ends in logs and histories. A ticket may stand there, since it
is good only once.
"""

from __future__ import annotations

from flask import g, has_request_context, request

from service.rulesets.texts import LANGUAGES
from service.usecases.base.context import Caller
from service.web.http.client_address import counted_as

SAFE_METHODS = ("GET", "HEAD")
SECRET_HEADERS = ("HTTP_IDEMPOTENCY_KEY", "HTTP_X_API_KEY", "HTTP_AUTHORIZATION")  # as WSGI names them


def caller(ticket: str | None = None, *, changes: bool | None = None) -> Caller:
    """The caller of the present request; a token of another scheme than Bearer counts as none.

    `changes`: whether the request changes something; None: its method says so.
    """
    if changes is None:
        changes = request.method not in SAFE_METHODS
    origin = g.get("origin") or counted_as(request.remote_addr or "")
    along = (g.counting.question,) if "counting" in g else ()
    return Caller(token(), language(), ticket, g.get("counted_caller"), origin, along, changes)


def token() -> str | None:
    """The bearer token, or None."""
    scheme, _, credentials = request.headers.get("Authorization", "").partition(" ")
    return credentials.strip() or None if scheme.lower() == "bearer" else None


def shown_secrets() -> list[str]:
    """The secrets in the present request, if there is one: they must not be logged."""
    if not has_request_context():
        return []
    environ = request.environ
    headers = [value for name in SECRET_HEADERS if (value := environ.get(name))]
    bearer = [shown] if headers and (shown := token()) else []
    return [*headers, *bearer, *(filter(None, request.args.getlist("ticket")) if environ.get("QUERY_STRING") else ())]


def language() -> str:
    """The best of the languages we have; the first where none of them is asked for."""
    if "Accept-Language" in request.headers:
        for tag, quality in request.accept_languages:  # best first
            primary = tag.partition("-")[0].lower()
            if quality > 0 and primary in LANGUAGES:
                return primary
            if tag == "*":
                break
    return LANGUAGES[0]
