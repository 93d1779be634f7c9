"""Live streams of games, tournaments, seeks and challenges, as server-sent events or lines of JSON.

The id of each event is its revision or version, so a reconnecting client sends the last id it received and misses
nothing. Events have no SSE name, so `onmessage` receives all of them; clients distinguish them by `kind`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from socket import socket

import orjson
import structlog
from flask import Response, request

from service.operate.observability import metrics
from service.rulesets.wire import Json
from service.storage.base.connect import RedisError
from service.storage.games.hub import Hub
from service.web.http.auth import context
from service.web.http.disconnects import Disconnects, client_socket
from service.web.http.problems import abort

SSE, NDJSON = "text/event-stream", "application/x-ndjson"
LOG = structlog.get_logger()
RECONNECT_MS = 2_000
DISCONNECTS = Disconnects()


def sse_schema(component: str, id_description: str) -> Json:
    """Return the schema of a server-sent event whose data is a component of the document."""
    return {
        "type": "object",
        "description": "One event of the stream.",
        "required": ["data"],
        "properties": {
            "id": {"type": "string", "description": id_description},
            "data": {
                "type": "string",
                "description": f"A {component}.",
                "contentMediaType": "application/json",
                "contentSchema": {"$ref": f"#/components/schemas/{component}"},
            },
        },
    }


def stream_form() -> str:
    """Return NDJSON if `Accept` prefers it, else SSE. Refuse with request/not_acceptable if it excludes both."""
    if "Accept" not in request.headers:
        return SSE
    form: str | None = request.accept_mimetypes.best_match([SSE, NDJSON])
    return form or abort("request/not_acceptable")


def last_seen(after: int | None) -> int | None:
    """Return Last-Event-ID, or `after` without it. A reconnecting browser sends the header and the old query."""
    header = request.headers.get("Last-Event-ID")
    if header is None:
        return after
    if not (header.isascii() and header.isdigit() and len(header) < 16):
        abort("request/invalid", errors={"/Last-Event-ID": "must be the revision of an event"}, where="header")
    return int(header)


def stream(items: Iterable[tuple[int, Json] | None], form: str) -> Response:
    """Return a streaming response. `items`: each with its id; None for a keep-alive.

    When the process shuts down, the stream ends at the next keep-alive, and the client reconnects to another process.
    When the client disconnects, the stream ends at once.
    """
    until_end = _until_end(context().hub, client_socket(), items)
    lines = _sse(until_end) if form == SSE else _ndjson(until_end)
    answer = Response(_until_outage(lines), content_type=form)
    answer.headers["X-Accel-Buffering"] = "no"  # nginx would buffer events
    metrics.current.stream_opened()
    answer.call_on_close(metrics.current.stream_closed)
    return answer


def _until_end(
    hub: Hub, connection: socket | None, items: Iterable[tuple[int, Json] | None]
) -> Iterator[tuple[int, Json] | None]:
    """Yield the items until the process shuts down or the client disconnects."""
    with hub.interruptible() as interrupt, DISCONNECTS.watching(connection, interrupt):
        for item in items:
            if item is None and (hub.is_closed or hub.is_interrupted):
                return
            yield item


def _sse(items: Iterable[tuple[int, Json] | None]) -> Iterator[bytes]:
    yield b"retry: %d\n\n" % RECONNECT_MS
    for item in items:
        if item is None:
            yield b": keep-alive\n\n"
        else:
            yield b"id: %d\ndata: %b\n\n" % (item[0], orjson.dumps(item[1]))


def _ndjson(items: Iterable[tuple[int, Json] | None]) -> Iterator[bytes]:
    yield b"\n"  # sends the headers at once
    for item in items:
        yield b"\n" if item is None else orjson.dumps(item[1]) + b"\n"


def _until_outage(lines: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the lines until Redis fails. The status is already sent, so the stream just ends and the client resumes."""
    try:
        yield from lines
    except RedisError as error:
        LOG.warning("stream ended: store unavailable", error=str(error))
