"""The OpenAPI document as responses contain it: compressed, and optionally reduced to one ruleset."""

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
from service.web.http.responses import accepts_gzip

REFERENCE = "#/components/schemas/"


@cache
def document(public_url: str, ruleset_id: str | None) -> bytes:
    """Return the committed document with the public URL of the service, for one ruleset or for all."""
    committed: Json = orjson.loads(resources.files("openapi").joinpath("openapi.json").read_bytes())
    if public_url:
        committed["servers"] = [{"url": public_url}]
    return orjson.dumps(committed if ruleset_id is None else _reduce(committed, ruleset_id))


def _reduce(whole: Json, ruleset_id: str) -> Json:
    """Remove the schemas and examples of other rulesets from the document, and return it."""
    others = tuple(other for other in RULESETS if other != ruleset_id)
    schemas: Json = whole["components"]["schemas"]
    for schema in schemas.values():
        if (tags := schema.get("discriminator", {}).get("mapping")) is not None:
            kept = {tag: leaf for tag, leaf in tags.items() if tag.partition(".")[0] not in others}
            schema["discriminator"]["mapping"] = kept
            schema["oneOf"] = [leaf for leaf in schema["oneOf"] if leaf["$ref"] in kept.values()]
    for holder in [inner for inner in objects(whole["paths"]) if "examples" in inner]:
        examples = {name: value for name, value in holder.pop("examples").items() if not name.startswith(others)}
        if examples:
            holder["examples"] = examples
    rest = {**whole, "components": {name: part for name, part in whole["components"].items() if name != "schemas"}}
    reachable, queue = set[str](), [*_references(rest)]
    while queue:
        if (name := queue.pop()) not in reachable:
            reachable.add(name)
            queue += _references(schemas[name])
    whole["components"]["schemas"] = {name: schema for name, schema in schemas.items() if name in reachable}
    return whole


def objects(node: Any) -> Iterator[Json]:
    """Yield all objects in a JSON value, outer objects first."""
    if isinstance(node, dict):
        yield node
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from objects(inner)


def _references(node: Any) -> Iterator[str]:
    """Return the names of the schemas that a part of the document refers to."""
    references = (inner["$ref"] for inner in objects(node) if "$ref" in inner)
    return (reference.removeprefix(REFERENCE) for reference in references if reference.startswith(REFERENCE))


def compressible(content: bytes, content_type: str) -> Response:
    """Return a response for content that rarely changes: compressed if accepted, or 304 if the caller has it."""
    is_compressed = accepts_gzip()
    answer = Response(_gzip(content) if is_compressed else content, content_type=content_type)
    answer.headers["Vary"] = "Accept-Encoding"
    if is_compressed:
        answer.headers["Content-Encoding"] = "gzip"
    answer.set_etag(_digest(content), weak=True)  # the same for both encodings
    answer.make_conditional(request)
    return answer


@lru_cache(maxsize=64)
def _gzip(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


@lru_cache(maxsize=64)
def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
