"""The document as it is sent: small, and for an app of one ruleset without what the others bring."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib import resources
from typing import Any

import orjson
from flask import Response, request

from service.rulesets.registry import RULESETS
from service.rulesets.wire import Json
from service.web.http.responses import takes_gzip

REFERENCE = "#/components/schemas/"


@cache
def document(public_url: str, ruleset_id: str | None) -> bytes:
    """The committed document, with the server that clients see where a setting names it; of one ruleset, or of all."""
    committed: Json = orjson.loads(resources.files("openapi").joinpath("openapi.json").read_bytes())
    if public_url:
        committed["servers"] = [{"url": public_url}]
    return orjson.dumps(committed if ruleset_id is None else slice_of(committed, ruleset_id))


def slice_of(whole: Json, ruleset_id: str) -> Json:
    """The document without the leaves, schemas and examples of other rulesets. It changes what it is given."""
    others = tuple(other for other in RULESETS if other != ruleset_id)
    schemas: Json = whole["components"]["schemas"]
    for schema in schemas.values():
        if (tags := schema.get("discriminator", {}).get("mapping")) is not None:
            kept = {tag: leaf for tag, leaf in tags.items() if tag.partition(".")[0] not in others}
            schema["discriminator"]["mapping"] = kept
            schema["oneOf"] = [leaf for leaf in schema["oneOf"] if leaf["$ref"] in kept.values()]
    for holder in [inner for inner in objects(whole["paths"]) if "examples" in inner]:
        examples = {name: told for name, told in holder.pop("examples").items() if not name.startswith(others)}
        if examples:
            holder["examples"] = examples
    rest = {**whole, "components": {name: part for name, part in whole["components"].items() if name != "schemas"}}
    reached, waiting = set[str](), [*_referred(rest)]
    while waiting:
        if (name := waiting.pop()) not in reached:
            reached.add(name)
            waiting += _referred(schemas[name])
    whole["components"]["schemas"] = {name: schema for name, schema in schemas.items() if name in reached}
    return whole


def objects(node: Any) -> Iterator[Json]:
    """Every object in a piece of JSON, the outer before the inner."""
    if isinstance(node, dict):
        yield node
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from objects(inner)


def _referred(node: Any) -> Iterator[str]:
    """The names of the schemas that a piece of the document refers to."""
    references = (inner["$ref"] for inner in objects(node) if "$ref" in inner)
    return (reference.removeprefix(REFERENCE) for reference in references if reference.startswith(REFERENCE))


def compressible(content: bytes, content_type: str) -> Response:
    """An answer that seldom changes: compressed for who can read that, 304 to who has it already."""
    small = takes_gzip()
    answer = Response(_gzip(content) if small else content, content_type=content_type)
    answer.headers["Vary"] = "Accept-Encoding"
    if small:
        answer.headers["Content-Encoding"] = "gzip"
    answer.set_etag(_digest(content), weak=True)  # of both forms
    answer.make_conditional(request)
    return answer


@lru_cache(maxsize=64)
def _gzip(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


@lru_cache(maxsize=64)
def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
