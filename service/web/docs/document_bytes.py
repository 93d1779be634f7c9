"""The OpenAPI document as responses contain it: compressed, and optionally reduced to one ruleset."""

from __future__ import annotations

import gzip
import hashlib
from functools import cache, lru_cache
from importlib import resources

import orjson
from flask import Response, request

from service.rulesets.registry import RULESETS
from service.rulesets.wire import Json
from service.web.docs.components import objects, remove_unreachable
from service.web.docs.growth import exact, open_document
from service.web.http.responses import accepts_gzip


@cache
def document(public_url: str, ruleset_id: str | None) -> bytes:
    """Return the committed document with the public URL of the service, for one ruleset or for all."""
    committed: Json = orjson.loads(resources.files("openapi").joinpath("openapi.json").read_bytes())
    if public_url:
        committed["servers"] = [{"url": public_url}]
    return orjson.dumps(committed if ruleset_id is None else open_document(_reduce(exact(committed), ruleset_id)))


def _reduce(whole: Json, ruleset_id: str) -> Json:
    """Remove the schemas and examples of other rulesets from the document, and return it."""
    others = tuple(other for other in RULESETS if other != ruleset_id)
    for schema in whole["components"]["schemas"].values():
        if (tags := schema.get("discriminator", {}).get("mapping")) is not None:
            kept = {tag: leaf for tag, leaf in tags.items() if tag.partition(".")[0] not in others}
            schema["discriminator"]["mapping"] = kept
            schema["oneOf"] = [leaf for leaf in schema["oneOf"] if leaf["$ref"] in kept.values()]
    for holder in [inner for inner in objects(whole["paths"]) if "examples" in inner]:
        examples = {name: value for name, value in holder.pop("examples").items() if not name.startswith(others)}
        if examples:
            holder["examples"] = examples
    return remove_unreachable(whole)


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
