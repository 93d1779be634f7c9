"""Making answers: bytes that are JSON already are passed on as they are."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import orjson
from flask import Response, current_app, request

from service.rulesets.wire import Json
from service.usecases.base.context import Written
from service.web.http.auth import language
from service.web.http.preconditions import knows

JSON = "application/json"
SVG = "image/svg+xml"
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
QUICKLY = 1
"""zlib's level: a picture of 40 KB becomes 7 KB in under a millisecond."""


def json_answer(content: Any, status: int = 200) -> Response:
    """An answer of bytes of JSON, or of anything orjson can write."""
    raw = content if isinstance(content, bytes) else orjson.dumps(content)
    return Response(raw, status, content_type=JSON)


def takes_gzip() -> bool:
    """Whether the caller can read gzip, and would rather."""
    return request.accept_encodings.best_match(["gzip", "identity"]) == "gzip"


def compressed(answer: Response) -> Response:
    """The same for who can read that, of what is large. Its tag stays: parts of it cannot be asked for."""
    answer.headers.add("Vary", "Accept-Encoding")
    if answer.status_code == 200 and takes_gzip():
        answer.set_data(gzip.compress(answer.get_data(), QUICKLY, mtime=0))
        answer.headers["Content-Encoding"] = "gzip"
    return answer


def conditional(revision: int, content: Any, made: Callable[[Any], Response] = json_answer) -> Response:
    """200 with what is `made` of the content, and the revision as the entity tag; 304 to who has that revision."""
    answer = not_modified() if knows(revision) else made(content)
    answer.headers["ETag"] = f'"{revision}"'
    return answer


def not_modified() -> Response:
    """304: what the caller has is still so."""
    answer = Response(status=304)
    del answer.headers["Content-Type"]
    return answer


def spoken(answer: Response) -> Response:
    """Mark an answer that holds sentences."""
    answer.headers["Content-Language"] = language()
    answer.headers.add("Vary", "Accept-Language")
    return answer


def written(done: Written, *, tried: bool = False) -> Response:
    """201 with the events and the view after them; 200 where it was only tried."""
    content = orjson.dumps({"events": done.events, "game": orjson.Fragment(done.view)})
    answer = spoken(json_answer(content, 200 if tried else 201))
    if not tried:
        answer.headers["ETag"] = f'"{done.revision}"'
        game_id = (request.view_args or {})["game_id"]
        answer.headers["Location"] = url(f"/v1/games/{game_id}/history/{done.revision}")
    if done.replayed:
        answer.headers["Idempotency-Replayed"] = "true"
    return answer


def located(content: Any, status: int, path: str) -> Response:
    """What was made, or will be, and where it can be read."""
    answer = json_answer(content, status)
    answer.headers["Location"] = url(path)
    return answer


def with_game(given: Json) -> Response:
    """201 with a game and what goes with it: its tokens, or a seat."""
    answer = located(given, 201, f"/v1/games/{given['game']['id']}")
    answer.headers["ETag"] = f'"{given["game"]["revision"]}"'
    return answer


def link_next(answer: Response, **changes: Any) -> None:
    """`Link` to the next page: the same query with changes."""
    query = urlencode({**request.args.to_dict(), **changes})
    answer.headers["Link"] = f'<{url(request.path)}?{query}>; rel="next"'


def url(path: str) -> str:
    """The path as clients see it: absolute where PUBLIC_URL is set."""
    return f"{current_app.config['PUBLIC_URL']}{path}"
