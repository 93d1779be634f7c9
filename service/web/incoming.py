"""Reading requests: a body is bounded before it is parsed, and a schema has seen it before anybody uses it.

orjson is used because it is strict (no NaN, no lone surrogates) and fast; what it does not bound, nesting and
length of arrays, is bounded here, so that no later code meets a JSON it has to be afraid of.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import orjson
from flask import g, request
from marshmallow import Schema, ValidationError

from service.rulesets.wire import pointers
from service.web.problems import abort

DEEPEST = 16
JSON_TYPES = ("application/json",)


class Caps(NamedTuple):
    """How much a body may hold: bytes, and members of an object or items of an array."""

    bytes: int = 65_536
    longest: int = 1_000


USUAL = Caps()
OF_A_RECORD = Caps(bytes=4 * 1024 * 1024, longest=10_000)


def read_body(schema: Schema, *, required: bool, caps: Caps = USUAL) -> dict[str, Any]:
    """What the schema makes of the body; an absent body counts as `{}` where none is required."""
    request.max_content_length = caps.bytes + 1
    content = request.get_data(cache=False)
    if len(content) > caps.bytes:  # a chunked body has no length before it is read, and is cut off at the limit
        abort("request/too_large")
    if not content and not required:
        json: Any = {}
    else:
        if request.mimetype not in JSON_TYPES:
            abort("request/unsupported_media_type")
        try:
            json = orjson.loads(content)
        except ValueError:
            abort("request/malformed")
    check_caps(json, caps.longest)
    g.body_hash = hashlib.sha256(
        f"{request.method} {request.path} ".encode() + orjson.dumps(json, option=orjson.OPT_SORT_KEYS)
    ).hexdigest()
    return checked(schema, json, "body")


def read_query(schema: Schema, defaults: Mapping[str, Any]) -> dict[str, Any]:
    """What the schema makes of the query (`defaults` of none); a parameter that is given twice is a fault."""
    if not request.query_string:  # the hot reads: marshmallow would cost as much as Flask's routing
        return dict(defaults)
    given = request.args
    twice = [name for name, values in given.lists() if len(values) > 1]
    if twice:
        abort("request/invalid", errors={f"/{name}": "is given twice" for name in twice}, where="query")
    return checked(schema, given.to_dict(), "query")


def checked(schema: Schema, json: Any, where: str) -> dict[str, Any]:
    """What the schema makes of it. request/invalid with a pointer to each fault."""
    try:
        return dict(schema.load(json))
    except ValidationError as error:
        abort("request/invalid", errors=dict(pointers(error.messages)), where=where)


def check_caps(json: Any, longest: int) -> None:
    """request/invalid where the body is nested too deeply or something in it is too long."""
    level = [("", json)]
    for _ in range(DEEPEST):
        level = [inner for pointer, value in level for inner in _inside(pointer, value, longest)]
        if not level:
            return
    abort("request/invalid", errors={"": f"nested more than {DEEPEST} deep"})


def _inside(pointer: str, value: Any, longest: int) -> list[tuple[str, Any]]:
    if not isinstance(value, (dict, list)):
        return []
    if len(value) > longest:
        abort("request/invalid", errors={pointer: f"has more than {longest} members"})
    named = value.items() if isinstance(value, dict) else enumerate(value)
    return [(f"{pointer}/{name}", inner) for name, inner in named]
