"""Read and validate bodies and queries.

Bodies are limited in size before they are parsed, and in nesting and length before the schema validates them. orjson
parses strictly: it accepts neither NaN nor lone surrogates.
"""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, NoReturn

import orjson
from flask import g, request
from marshmallow import Schema, ValidationError

from service.games.state.bounds import MAX_EVENTS
from service.rulesets.wire import Json, pointers
from service.web.http import bodies
from service.web.http.problems import abort

DEEPEST = 16
JSON_TYPES = ("application/json",)
TEXT = "text/plain"


class Caps(NamedTuple):
    """Limits of a body. `longest`: members of one object or items of one array; `members`: all of them together."""

    bytes: int = 65_536
    longest: int = 1_000
    members: int = 10_000


USUAL = Caps()
RECORD_CAPS = Caps(bytes=1024 * 1024, longest=MAX_EVENTS, members=100_000)


def read_body(
    schema: Schema, *, required: bool, caps: Caps = USUAL, from_text: Callable[[str], Json] | None = None
) -> dict[str, Any]:
    """Return the validated body. If it is not required, an empty body counts as `{}`.

    `from_text` converts a plain text body to JSON; without it, only JSON is accepted.
    """
    content = bodies.read(caps.bytes)
    json = _json(content, from_text) if content or required else {}
    check_caps(json, caps)
    g.body_hash = hashlib.sha256(
        f"{request.method} {request.path} ".encode() + orjson.dumps(json, option=orjson.OPT_SORT_KEYS)
    ).hexdigest()
    return validate(schema, json, "body")


def _json(content: bytes, from_text: Callable[[str], Json] | None) -> Any:
    """Return the parsed body. Refuse it with request/unsupported_media_type or request/malformed."""
    is_text = from_text is not None and request.mimetype == TEXT
    if not is_text and request.mimetype not in JSON_TYPES:
        abort("request/unsupported_media_type")
    if from_text is not None and is_text:
        return from_text(_decode(content))
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError:
        return _read_json_slowly(content)


def _read_json_slowly(content: bytes) -> Any:
    """Return JSON that may begin with a byte order mark. Refuse other faults with their line and column."""
    text = _decode(content)
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        _refuse_text(text[: error.pos], error.msg)


def _decode(content: bytes) -> str:
    """Return UTF-8 as text without its byte order mark. UTF-16 with a mark is text of some editors."""
    is_utf16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return content.decode("utf-16" if is_utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        _refuse_text(content[: error.start].decode(error.encoding, "ignore"), f"must be valid {error.encoding.upper()}")


def _refuse_text(before: str, reason: str) -> NoReturn:
    """Refuse a body at the end of the text before its fault. Lines and columns count from 1."""
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    abort("request/malformed", f"Line {line}, column {column}: {reason}.", line=line, column=column)


def read_query(schema: Schema, defaults: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the validated query, or `defaults` if it is empty. Repeated parameters are refused.

    `defaults`: None if the schema has required parameters.
    """
    if defaults is not None and not request.query_string:  # most reads; marshmallow takes as long as Flask's routing
        return dict(defaults)
    repeated = [name for name, values in request.args.lists() if len(values) > 1]
    if repeated:
        abort("request/invalid", errors={f"/{name}": "must be sent only once" for name in repeated}, where="query")
    return validate(schema, request.args.to_dict(), "query")


def validate(schema: Schema, json: Any, where: str) -> dict[str, Any]:
    """Return the loaded JSON. Refuse it with request/invalid and a pointer to each error."""
    try:
        return dict(schema.load(json))
    except ValidationError as error:
        abort("request/invalid", errors=dict(pointers(error.messages)), where=where)


def check_caps(json: Any, caps: Caps) -> None:
    """Refuse a body that is nested too deeply or too long with request/invalid."""
    level, members = [json], 0
    for _ in range(DEEPEST):
        inside: list[Any] = []
        for value in level:
            if isinstance(value, (dict, list)):
                members += len(value)
                if len(value) > caps.longest:
                    abort(
                        "request/invalid", errors={_pointer_to(json, value): f"must have at most {caps.longest} items"}
                    )
                inside += value.values() if isinstance(value, dict) else value
        if members > caps.members:
            abort("request/invalid", errors={"": f"must have at most {caps.members} items in total"})
        if not inside:
            return
        level = inside
    abort("request/invalid", errors={"": f"must be nested at most {DEEPEST} levels deep"})


def _pointer_to(json: Any, sought: Any) -> str:
    """Return the JSON pointer to a value in a body."""
    level = [("", json)]
    while level:
        for pointer, value in level:
            if value is sought:
                return pointer
        level = [(f"{pointer}/{name}", inner) for pointer, value in level for name, inner in _items(value)]
    raise LookupError("the value is not in the body")


def _items(value: Any) -> Iterable[tuple[Any, Any]]:
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()
