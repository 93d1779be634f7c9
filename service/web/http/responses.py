"""Build responses. Bytes are assumed to be JSON and are sent unchanged."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

import orjson
from flask import Response, current_app, request

from service.rulesets.wire import Json
from service.usecases.base.context import CommandResult, Replay
from service.web.http.auth import language
from service.web.http.preconditions import has_current, mark_replayed

JSON = "application/json"
SVG = "image/svg+xml"
WRITTEN = ("ETag", "Location", "Idempotency-Replayed")
"""Headers of a response with a changed game."""
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
GZIP_LEVEL = 1
"""Fastest level: compresses a picture from 40 to 7 KB in under a millisecond."""


def json_answer(content: Any, status: int = 200) -> Response:
    """Return a JSON response. `content`: bytes of JSON, or anything that orjson serializes."""
    raw = content if isinstance(content, bytes) else orjson.dumps(content)
    return Response(raw, status, content_type=JSON)


def accepts_gzip() -> bool:
    """Return whether the caller prefers gzip."""
    return request.accept_encodings.best_match(["gzip", "identity"]) == "gzip"


def compress(answer: Response) -> Response:
    """Compress the response if the caller accepts gzip. The ETag stays, because there are no range requests."""
    answer.headers.add("Vary", "Accept-Encoding")
    if answer.status_code == 200 and accepts_gzip():
        answer.set_data(gzip.compress(answer.get_data(), GZIP_LEVEL, mtime=0))
        answer.headers["Content-Encoding"] = "gzip"
    return answer


def conditional(revision: int, content: Any, build: Callable[[Any], Response] = json_answer) -> Response:
    """Return the response that `build` makes of the content, or 304 if the caller has the revision. Set its ETag."""
    answer = not_modified() if has_current(revision) else build(content)
    answer.headers["ETag"] = f'"{revision}"'
    return answer


def not_modified() -> Response:
    """Return a 304."""
    answer = Response(status=304)
    del answer.headers["Content-Type"]
    return answer


def localize(answer: Response) -> Response:
    """Add the language headers to a response that contains sentences."""
    answer.headers["Content-Language"] = language()
    answer.headers.add("Vary", "Accept-Language")
    return answer


def command_response(result: CommandResult, status: int = 201) -> Response:
    """Return the new events and the view after them. `status`: 200 for a preview, whose events do not exist."""
    content = orjson.dumps({"events": result.events, "game": orjson.Fragment(result.view)})
    answer = localize(json_answer(content, status))
    if status == HTTPStatus.CREATED:
        answer.headers["ETag"] = f'"{result.revision}"'
        game_id = (request.view_args or {})["game_id"]
        answer.headers["Location"] = url(f"/v1/games/{game_id}/history/{result.revision}")
    return mark_replayed(answer) if result.replayed else answer


def with_location(content: Json, status: int, path: str) -> Response:
    """Return a JSON response with the path of the new resource in `Location`."""
    answer = json_answer(content, status)
    answer.headers["Location"] = url(path)
    return mark_replayed(answer) if isinstance(content, Replay) else answer


def with_game(content: Json) -> Response:
    """Return a 201 with a game. `content`: the game and its tokens or seat."""
    answer = with_location(content, 201, f"/v1/games/{content['game']['id']}")
    answer.headers["ETag"] = f'"{content["game"]["revision"]}"'
    return answer


def link_next(answer: Response, **cursor: Any) -> Response:
    """Add the `Link` to the next page: the current query with another cursor. Its value is None on the last page."""
    if None not in cursor.values():
        query = urlencode({**request.args.to_dict(), **cursor})
        answer.headers["Link"] = f'<{url(request.path)}?{query}>; rel="next"'
    return answer


def url(path: str) -> str:
    """Return the URL of a path: absolute if PUBLIC_URL is set."""
    return f"{current_app.config['PUBLIC_URL']}{path}"


def service_url() -> str:
    """Return PUBLIC_URL, or the address to which the request was sent. It has no trailing slash."""
    return str(current_app.config["PUBLIC_URL"]) or (request.root_url.rstrip("/") if request.host else "")
