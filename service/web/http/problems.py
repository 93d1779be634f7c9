"""Problem documents (RFC 9457): every refusal is one, whatever went wrong and wherever.

What reaches a client is chosen here and nowhere else. An exception we did not foresee becomes a 500 that carries
a request id and nothing else: its text could hold what nobody may read; the log has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

import orjson
import structlog
from flask import Flask, Response, current_app, g, request
from werkzeug.exceptions import HTTPException

from service.games.errors import GameError
from service.operate.observability import metrics
from service.storage.base.connect import RedisError, outage
from service.storage.base.packing import UnreadableFrameError
from service.storage.base.scripts import DamagedRecordError
from service.storage.games.archive import OUTAGE, ArchiveUnavailableError
from service.web import codes
from service.web.http.auth import language

LOG = structlog.get_logger()
MEDIA_TYPE = "application/problem+json"
RETRY_AFTER_S = 2
WRONG_TYPE = "WRONGTYPE"  # what Redis says of a key that holds something else

CODE_OF_STATUS = {
    400: "request/malformed",
    404: "request/not_found",
    405: "request/method_not_allowed",
    406: "request/not_acceptable",
    413: "request/too_large",
    415: "request/unsupported_media_type",
}


def abort(code: str, detail: str | None = None, *, where: str = "body", **members: Any) -> NoReturn:
    """Refuse the request. `where` is the part of it that `errors` are about: body, query or header."""
    error = GameError(code, detail, **members)
    error.where = where  # type: ignore[attr-defined]  # read by errors_of
    raise error


def problem(code: str, detail: str | None = None, members: Mapping[str, Any] | None = None) -> Response:
    """The document of a code in the caller's language; `members` are added to the standard ones."""
    status, spoken = codes.CODES[code], language()
    document: dict[str, Any] = {
        "type": f"{current_app.config['PUBLIC_URL']}/docs#{code}",  # the page explains it
        "title": codes.title(code, spoken),
        "status": status,
        "code": code,
        "request_id": g.request_id,
        **(members or {}),
    }
    if detail is not None:
        document["detail"] = detail
    metrics.current.refused(code)
    answer = Response(orjson.dumps(document), status, content_type=MEDIA_TYPE)
    answer.headers["Content-Language"] = spoken
    answer.headers.add("Vary", "Accept-Language")
    if status == 503:
        answer.headers["Retry-After"] = str(RETRY_AFTER_S)
    if status == 401:
        answer.headers["WWW-Authenticate"] = 'Bearer realm="games"'
    return answer


def title(code: str) -> str:
    """The title of a code in the caller's language."""
    return codes.title(code, language())


def register(app: Flask) -> None:
    """Have every exception answered by a problem document."""
    app.register_error_handler(GameError, refused)
    app.register_error_handler(HTTPException, wrong_request)
    app.register_error_handler(RedisError, store_failed)
    app.register_error_handler(ArchiveUnavailableError, archive_away)
    app.register_error_handler(DamagedRecordError, store_damaged)
    app.register_error_handler(UnreadableFrameError, store_damaged)
    app.register_error_handler(Exception, our_fault)


def refused(error: GameError) -> Response:
    """A refusal with a code of its own."""
    members = dict(error.extra)
    wait_s = members.pop("retry_after_s", None)
    if error.errors:
        members["errors"] = errors_of(error)
    if error.code == "game/stale_revision":
        members["href"] = f"{current_app.config['PUBLIC_URL']}/v1/games/{(request.view_args or {})['game_id']}"
    answer = problem(error.code, error.detail, members)
    if wait_s is not None:
        answer.headers["Retry-After"] = str(wait_s)
    return answer


def errors_of(error: GameError) -> list[dict[str, str]]:
    """Each fault with where it is: the part of the request, and a JSON pointer into it."""
    where = getattr(error, "where", "body")
    return [{"in": where, "pointer": pointer, "detail": text} for pointer, text in error.errors.items()]


def wrong_request(error: HTTPException) -> Response:
    """What Flask refuses by itself: unknown paths, methods, bodies that are too large."""
    code = CODE_OF_STATUS.get(error.code or 500)
    if code is None:
        return our_fault(error)
    answer = problem(code)
    valid_methods = getattr(error, "valid_methods", None)
    if valid_methods:
        answer.headers["Allow"] = ", ".join(sorted(valid_methods))
    return answer


def store_failed(error: RedisError) -> Response:
    """Redis cannot be reached, or cannot write now: try again. Anything else that it says is our fault."""
    reason = outage(error)
    if reason is None:
        return store_damaged(error) if str(error).startswith(WRONG_TYPE) else our_fault(error)
    LOG.warning("the store is away", outage=reason, error=str(error))
    return problem("service/unavailable", members={"outage": reason})


def archive_away(error: ArchiveUnavailableError) -> Response:
    """What only the archive has cannot be read now: try again."""
    LOG.warning("the archive is away", error=str(error))
    return problem("service/unavailable", members={"outage": OUTAGE})


def store_damaged(error: Exception) -> Response:
    """Something in the store is not what it should be; its operator is needed. Nothing was written."""
    LOG.error("the store is damaged", path=request.path, error=str(error))
    return problem("service/damaged")


def our_fault(error: Exception) -> Response:
    """Anything else."""
    LOG.error("request failed", path=request.path, exc_info=error)
    return problem("service/internal")
