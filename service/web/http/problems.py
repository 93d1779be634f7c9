"""Problem documents (RFC 9457), the bodies of all error responses.

Unexpected exceptions become a 500 with a request id only, because their texts could contain secrets. They are logged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

import orjson
import structlog
from flask import Flask, Response, current_app, g, render_template, request
from werkzeug.exceptions import HTTPException

from service.games.errors import GameError
from service.operate.observability import metrics
from service.storage.base.connect import NewerStoreError, RedisError, outage
from service.storage.base.scripts import DamagedRecordError
from service.storage.games.archive import OUTAGE, ArchiveUnavailableError
from service.stored_json import NewerRecordError, UnreadableRecordError
from service.web import codes
from service.web.http.auth import language, prefers_html

LOG = structlog.get_logger()
MEDIA_TYPE = "application/problem+json"
HTML = "text/html; charset=utf-8"
PAGES = (None, "pages", "operator")
"""Blueprints whose errors are pages in a browser. None: an unknown path."""
UNAVAILABLE_RETRY_AFTER_S = 2
DEFAULT_RETRY_AFTER_S = 30
"""Retry-After of a limit, if it is not known when it will no longer be reached."""
WRONG_TYPE = "WRONGTYPE"  # Redis error for a key of another type

CODE_OF_STATUS = {
    400: "request/malformed",
    404: "request/not_found",
    405: "request/method_not_allowed",
    406: "request/not_acceptable",
    413: "request/too_large",
    415: "request/unsupported_media_type",
}


def abort(code: str, detail: str | None = None, *, where: str = "body", **members: Any) -> NoReturn:
    """Raise GameError. `where`: the part of the request with the `errors`: body, query or header."""
    error = GameError(code, detail, **members)
    error.where = where  # type: ignore[attr-defined]  # read by errors_json
    raise error


def problem(code: str, detail: str | None = None, members: Mapping[str, Any] | None = None) -> Response:
    """Return the problem document of a code in the caller's language. `members`: additional members.

    Browsers that ask for a page receive a page.
    """
    status, caller_language = codes.CODES[code], language()
    document: dict[str, Any] = {
        "type": f"{current_app.config['PUBLIC_URL']}/docs#{code}",
        "title": codes.title(code, caller_language),
        "status": status,
        "code": code,
        "request_id": g.request_id,
        **(members or {}),
    }
    if detail is not None:
        document["detail"] = detail
    metrics.current.record_problem(code)
    g.problem_code = code
    if _is_for_page():
        root = "../" * (request.path.count("/") - 1)
        content = render_template("problem.html", root=root, language=caller_language, **document)
        answer = Response(content, status, content_type=HTML)
    else:
        answer = Response(orjson.dumps(document), status, content_type=MEDIA_TYPE)
    answer.headers["Content-Language"] = caller_language
    answer.headers.add("Vary", "Accept, Accept-Language")
    if status == 503:
        answer.headers["Retry-After"] = str(UNAVAILABLE_RETRY_AFTER_S)
    if code == "request/unsupported_encoding":
        answer.headers["Accept-Encoding"] = "identity"  # RFC 9110, 12.5.3
    if status == 401:
        answer.headers["WWW-Authenticate"] = 'Bearer realm="games"'
    return answer


def _is_for_page() -> bool:
    return request.blueprint in PAGES and not request.path.startswith("/v1/") and prefers_html()


def title(code: str) -> str:
    """Return the title of a code in the caller's language."""
    return codes.title(code, language())


def register(app: Flask) -> None:
    """Make the app respond to every exception with a problem document."""
    app.register_error_handler(GameError, refusal)
    app.register_error_handler(HTTPException, http_problem)
    app.register_error_handler(RedisError, store_problem)
    app.register_error_handler(ArchiveUnavailableError, archive_problem)
    app.register_error_handler(DamagedRecordError, damage_problem)
    app.register_error_handler(UnreadableRecordError, damage_problem)
    app.register_error_handler(orjson.JSONDecodeError, damage_problem)  # stored: bodies were read before
    app.register_error_handler(NewerRecordError, newer_problem)
    app.register_error_handler(NewerStoreError, newer_problem)
    app.register_error_handler(Exception, internal_problem)


def refusal(error: GameError) -> Response:
    """Return the response for a refused request."""
    members = dict(error.extra)
    wait_s = members.pop("retry_after_s", DEFAULT_RETRY_AFTER_S if codes.is_limit(error.code) else None)
    if error.errors:
        members["errors"] = errors_json(error)
    if error.code == "game/stale_revision":
        members["href"] = f"{current_app.config['PUBLIC_URL']}/v1/games/{(request.view_args or {})['game_id']}"
    answer = problem(error.code, error.detail, members)
    if wait_s is not None:
        answer.headers["Retry-After"] = str(wait_s)
    return answer


def errors_json(error: GameError) -> list[dict[str, str]]:
    """Return the invalid fields: the part of the request, a JSON pointer into it, and the error."""
    where = getattr(error, "where", "query" if request.method in ("GET", "HEAD") else "body")
    return [{"in": where, "pointer": pointer, "detail": text} for pointer, text in error.errors.items()]


def http_problem(error: HTTPException) -> Response:
    """Return the response for requests refused by Flask: unknown paths, wrong methods, too large bodies."""
    code = CODE_OF_STATUS.get(error.code or 500)
    if code is None:
        return internal_problem(error)
    answer = problem(code)
    valid_methods = getattr(error, "valid_methods", None)
    if valid_methods:
        answer.headers["Allow"] = ", ".join(sorted(valid_methods))
    return answer


def store_problem(error: RedisError) -> Response:
    """Return the response for a Redis error: temporary if Redis is unreachable or rejects writes, else internal."""
    reason = outage(error)
    if reason is None:
        return damage_problem(error) if str(error).startswith(WRONG_TYPE) else internal_problem(error)
    LOG.warning("store unavailable", outage=reason, error=str(error))
    return problem("service/unavailable", members={"outage": reason})


def archive_problem(error: ArchiveUnavailableError) -> Response:
    """Return the temporary response for an archive that cannot be read."""
    LOG.warning("archive unavailable", error=str(error))
    return problem("service/unavailable", members={"outage": OUTAGE})


def damage_problem(error: Exception) -> Response:
    """Return the response for damaged data in the store, which the operator has to repair. Nothing was written."""
    LOG.error("store damaged", path=request.path, error=str(error))
    return problem("service/damaged")


def newer_problem(_error: NewerRecordError | NewerStoreError) -> Response:
    """Return the response for a record or store of a newer version, whose processes can serve the request."""
    return problem("service/newer_version")


def internal_problem(error: Exception) -> Response:
    """Return the response for an unexpected error."""
    LOG.error("request failed", path=request.path, exc_info=error)
    return problem("service/internal")
