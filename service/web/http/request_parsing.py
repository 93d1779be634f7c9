"""Reading requests: a body is bounded before it is parsed, and a schema has seen it before anybody uses it.

orjson is used because it is strict (no NaN, no lone surrogates) and fast; what it does not bound, nesting and
length of arrays, is bounded here, so that no later code meets a JSON it has to be afraid of.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

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
    """How much a body may hold: bytes, members of an object or items of an array, and all of these together."""

    bytes: int = 65_536
    longest: int = 1_000
    members: int = 10_000


USUAL = Caps()
OF_A_RECORD = Caps(bytes=1024 * 1024, longest=MAX_EVENTS, members=100_000)


def read_body(
    schema: Schema, *, required: bool, caps: Caps = USUAL, from_text: Callable[[str], Json] | None = None
) -> dict[str, Any]:
    """What the schema makes of the body; an absent body counts as `{}` where none is required.

    `from_text` makes the JSON of a body that is plain text, where such a one is accepted.
    """
    content = bodies.read(caps.bytes)
    json = _json(content, from_text) if content or required else {}
    check_caps(json, caps)
    g.body_hash = hashlib.sha256(
        f"{request.method} {request.path} ".encode() + orjson.dumps(json, option=orjson.OPT_SORT_KEYS)
    ).hexdigest()
    return checked(schema, json, "body")


def _json(content: bytes, from_text: Callable[[str], Json] | None) -> Any:
    """What a body says. request/unsupported_media_type, request/malformed, what `from_text` refuses."""
    is_text = from_text is not None and request.mimetype == TEXT
    if not is_text and request.mimetype not in JSON_TYPES:
        abort("request/unsupported_media_type")
    try:
        read: Any = content.decode() if is_text else orjson.loads(content)
    except ValueError:
        abort("request/malformed")
    return from_text(read) if from_text is not None and is_text else read


def read_query(schema: Schema, defaults: Mapping[str, Any]) -> dict[str, Any]:
    """What the schema makes of the query (`defaults` of none); a parameter that is given twice is a fault."""
    if not request.query_string:  # the hot reads: marshmallow would cost as much as Flask's routing
        return dict(defaults)
    given = request.args
    twice = [name for name, values in given.lists() if len(values) > 1]
    if twice:
        abort("request/invalid", errors={f"/{name}": "must be sent only once" for name in twice}, where="query")
    return checked(schema, given.to_dict(), "query")


def checked(schema: Schema, json: Any, where: str) -> dict[str, Any]:
    """What the schema makes of it. request/invalid with a pointer to each fault."""
    try:
        return dict(schema.load(json))
    except ValidationError as error:
        abort("request/invalid", errors=dict(pointers(error.messages)), where=where)


def check_caps(json: Any, caps: Caps) -> None:
    """request/invalid where the body is nested too deeply, or something in it, or all of it, is too long."""
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
    """The JSON pointer to a value in a body; where it stands is looked for only once it is at fault."""
    level = [("", json)]
    while level:
        for pointer, value in level:
            if value is sought:
                return pointer
        level = [(f"{pointer}/{name}", inner) for pointer, value in level for name, inner in _named(value)]
    raise LookupError("it is not in the body")


def _named(value: Any) -> Iterable[tuple[Any, Any]]:
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()
