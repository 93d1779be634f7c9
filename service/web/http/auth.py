"""The context of the service, and the caller, language and preferred form of a request.

Tokens are never read from URLs, which end up in logs and histories. Tickets may be, because they can be used only once.
"""

from __future__ import annotations

from flask import current_app, g, has_request_context, request

from service.rulesets.texts import LANGUAGES
from service.usecases.base.context import Caller, Context
from service.web.http.client_address import counted_address

SAFE_METHODS = ("GET", "HEAD")
SECRET_HEADERS = ("HTTP_IDEMPOTENCY_KEY", "HTTP_X_API_KEY", "HTTP_AUTHORIZATION")  # names in the WSGI environment


def context() -> Context:
    """Return the context of this process; its connections are lazy."""
    opened: Context = current_app.extensions["context"]
    return opened


def caller(ticket: str | None = None, *, changes: bool | None = None) -> Caller:
    """Return the caller of the current request. Tokens of other schemes than Bearer are ignored.

    `changes`: whether the request changes something; if None, its method decides.
    """
    if changes is None:
        changes = request.method not in SAFE_METHODS
    origin = g.get("origin") or counted_address(request.remote_addr or "")
    along = (g.counting.question,) if "counting" in g else ()
    may_guess = g.get("may_guess", True)
    return Caller(token(), language(), ticket, origin, along, changes, may_guess)


def token() -> str | None:
    """Return the bearer token, or None."""
    scheme, _, credentials = request.headers.get("Authorization", "").partition(" ")
    return credentials.strip() or None if scheme.lower() == "bearer" else None


def shown_secrets() -> list[str]:
    """Return the secrets in the current request, which must not be logged."""
    if not has_request_context():
        return []
    environ = request.environ
    headers = [value for name in SECRET_HEADERS if (value := environ.get(name))]
    bearer = [credentials] if headers and (credentials := token()) else []
    return [*headers, *bearer, *(filter(None, request.args.getlist("ticket")) if environ.get("QUERY_STRING") else ())]


def language() -> str:
    """Return the caller's preferred language among `LANGUAGES`, or the first of them."""
    if "Accept-Language" in request.headers:
        for tag, quality in request.accept_languages:  # best first
            primary = tag.partition("-")[0].lower()
            if quality > 0 and primary in LANGUAGES:
                return primary
            if tag == "*":
                break
    return LANGUAGES[0]


def prefers_html() -> bool:
    """Return whether the caller prefers HTML to JSON, as browsers do when they open a page."""
    return request.accept_mimetypes.best_match(["application/json", "text/html"]) == "text/html"
