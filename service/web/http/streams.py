"""Something followed live, as server-sent events or as lines of JSON: a game, a tournament, a seek, challenges.

The cursor is the revision (of a tournament, or of challenges, the version): it is the id of each event, so a client
that was cut off names the last it has seen and misses nothing. Events carry no SSE name; their `kind` tells them apart,
so `onmessage` hears them all.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

import orjson
import structlog
from flask import Response, current_app, request

from service.operate.observability import metrics
from service.rulesets.wire import Json
from service.storage.base.connect import RedisError
from service.web.http.problems import abort

SSE, NDJSON = "text/event-stream", "application/x-ndjson"
LOG = structlog.get_logger()
RECONNECT_MS = 2_000


def sse_schema(component: str, what: str) -> Json:
    """One event of a stream of server-sent events: its id is `what`, its data a component of the document."""
    return {
        "type": "object",
        "description": "One event of the stream.",
        "required": ["data"],
        "properties": {
            "id": {"type": "string", "description": what},
            "data": {
                "type": "string",
                "description": f"A {component}.",
                "contentMediaType": "application/json",
                "contentSchema": {"$ref": f"#/components/schemas/{component}"},
            },
        },
    }


def stream_form() -> str:
    """SSE unless `Accept` prefers lines of JSON. request/not_acceptable where it excludes both."""
    if "Accept" not in request.headers:
        return SSE
    form: str | None = request.accept_mimetypes.best_match([SSE, NDJSON])
    return form or abort("request/not_acceptable")


def last_seen(after: int | None) -> int | None:
    """Last-Event-ID, else `after`: a browser that reconnects sends the header, and the old query again."""
    header = request.headers.get("Last-Event-ID")
    if header is None:
        return after
    if not (header.isascii() and header.isdigit() and len(header) < 16):
        abort("request/invalid", errors={"/Last-Event-ID": "must be the revision of an event"}, where="header")
    return int(header)


def stream(items: Iterable[tuple[int, Json] | None], form: str) -> Response:
    """An answer that goes on for as long as the items do, each with its id; None: a keep-alive.

    It ends where it would send a keep-alive and the process is to end: the client comes back, to another.
    """
    hub = current_app.extensions["context"].hub
    going_on = itertools.takewhile(lambda item: item is not None or not hub.is_closed, items)
    lines = _sse(going_on) if form == SSE else _ndjson(going_on)
    answer = Response(_until_lost(lines), content_type=form)
    answer.headers["X-Accel-Buffering"] = "no"  # nginx would hold events back
    metrics.current.stream_opened()
    answer.call_on_close(metrics.current.stream_closed)
    return answer


def _sse(items: Iterable[tuple[int, Json] | None]) -> Iterator[bytes]:
    yield b"retry: %d\n\n" % RECONNECT_MS
    for item in items:
        if item is None:
            yield b": keep-alive\n\n"
        else:
            yield b"id: %d\ndata: %b\n\n" % (item[0], orjson.dumps(item[1]))


def _ndjson(items: Iterable[tuple[int, Json] | None]) -> Iterator[bytes]:
    yield b"\n"  # the headers go with what comes first: a client is not to wait for them
    for item in items:
        yield b"\n" if item is None else orjson.dumps(item[1]) + b"\n"


def _until_lost(lines: Iterator[bytes]) -> Iterator[bytes]:
    """The headers are out, so a lost store can only end the stream; the client resumes where it was."""
    try:
        yield from lines
    except RedisError as error:
        LOG.warning("a stream lost the store", error=str(error))
