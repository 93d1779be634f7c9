"""The OpenAPI documents and the collection for Postman as responses contain them.

They are compressed, and the public document is optionally reduced to one ruleset. All contain the address of the
service.
Clients can ask for any address (`Host`), so documents are not cached for each: the part before the address is hashed
and compressed once, the short rest in each request.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Callable
from functools import cache, lru_cache
from importlib import resources

import orjson
from flask import Response, request

from service.rulesets.registry import RULESETS
from service.rulesets.wire import Json
from service.web.docs.components import objects, operations, remove_unreachable
from service.web.docs.growth import exact, open_document
from service.web.http.responses import accepts_gzip

ADDRESS = "https://address.invalid"
"""The address of the service in prepared documents."""
PUBLIC, ADMIN = "openapi.json", "admin.json"
"""Files of the document for everyone, and of the one for the staff."""
GZIP_BITS = 31
"""Window of 32 KB, with the header of gzip."""


class PreparedDocument:
    """A document, hashed and compressed up to its `ADDRESS`."""

    def __init__(self, content: bytes) -> None:
        self._before, _, self._after = content.partition(ADDRESS.encode())
        self._digest = hashlib.sha256(self._before)
        self._compressor = zlib.compressobj(zlib.Z_BEST_COMPRESSION, wbits=GZIP_BITS)
        self._compressed = self._compressor.compress(self._before)

    def response(self, address: str, content_type: str) -> Response:
        """Return the response with the address, like `compressible`."""
        rest = orjson.dumps(address)[1:-1] + self._after
        digest = self._digest.copy()
        digest.update(rest)
        if is_compressed := accepts_gzip():
            compressor = self._compressor.copy()
            content = self._compressed + compressor.compress(rest) + compressor.flush()
        else:
            content = self._before + rest
        return _response(content, content_type, digest.hexdigest(), is_compressed=is_compressed)


@cache
def prepare_document(ruleset_id: str | None, write: Callable[[Json], bytes]) -> PreparedDocument:
    """Return the public document for one ruleset or for all. `write` converts JSON to bytes."""
    whole = document()
    return PreparedDocument(write(whole if ruleset_id is None else open_document(_reduce(exact(whole), ruleset_id))))


@cache
def prepare_admin_document(write: Callable[[Json], bytes]) -> PreparedDocument:
    """Return the document for the staff. `write` converts JSON to bytes."""
    return PreparedDocument(write(document(ADMIN)))


@cache
def prepare_collection() -> PreparedDocument:
    """Return the committed collection for Postman, with `ADDRESS` as the address of its requests."""
    committed = _read_committed("postman.json")
    (address,) = (variable for variable in committed["variable"] if variable["key"] == "base_url")
    address["value"] = ADDRESS
    return PreparedDocument(orjson.dumps(committed))


def document(name: str = PUBLIC) -> Json:
    """Return a committed document, `PUBLIC` or `ADMIN`, with `ADDRESS` as its only server."""
    return {**_read_committed(name), "servers": [{"url": ADDRESS}]}


def whole_document() -> Json:
    """Return the operations and schemas of both documents in one, with unions and enums, for the reference pages."""
    public, admin = (exact(document(name)) for name in (PUBLIC, ADMIN))
    tags = {tag["name"]: tag for tag in (*public["tags"], *admin["tags"])}
    components = {kind: admin["components"].get(kind, {}) | each for kind, each in public["components"].items()}
    return {**public, "tags": [*tags.values()], "paths": public["paths"] | admin["paths"], "components": components}


@cache
def streams_document() -> Json:
    """Return the committed AsyncAPI document. Do not change it."""
    return _read_committed("asyncapi.json")


def _read_committed(name: str) -> Json:
    return dict(orjson.loads(resources.files("openapi").joinpath(name).read_bytes()))


def _reduce(whole: Json, ruleset_id: str) -> Json:
    """Remove the schemas, examples and filters of other rulesets from the document, and return it."""
    others = tuple(other for other in RULESETS if other != ruleset_id)
    for schema in whole["components"]["schemas"].values():
        if (tags := schema.get("discriminator", {}).get("mapping")) is not None:
            kept = {tag: leaf for tag, leaf in tags.items() if tag.partition(".")[0] not in others}
            schema["discriminator"]["mapping"] = kept
            schema["oneOf"] = [leaf for leaf in schema["oneOf"] if leaf["$ref"] in kept.values()]
    for operation in operations(whole):
        if parameters := operation.get("parameters"):
            operation["parameters"] = [each for each in parameters if _is_for(each, ruleset_id)]
    for holder in [inner for inner in objects(whole["paths"]) if "examples" in inner]:
        examples = {name: value for name, value in holder.pop("examples").items() if not name.startswith(others)}
        if examples:
            holder["examples"] = examples
    return remove_unreachable(whole)


def _is_for(parameter: Json, ruleset_id: str) -> bool:
    return ruleset_id in parameter.get("schema", {}).get("x-rulesets", (ruleset_id,))


def compressible(content: bytes, content_type: str) -> Response:
    """Return a response for content that rarely changes: compressed if accepted, or 304 if the caller has it."""
    is_compressed = accepts_gzip()
    sent = _gzip(content) if is_compressed else content
    return _response(sent, content_type, _digest(content), is_compressed=is_compressed)


def _response(content: bytes, content_type: str, digest: str, *, is_compressed: bool) -> Response:
    answer = Response(content, content_type=content_type)
    answer.headers["Vary"] = "Accept-Encoding"
    if is_compressed:
        answer.headers["Content-Encoding"] = "gzip"
    answer.set_etag(digest[:16], weak=True)  # the same for both encodings
    answer.make_conditional({name: value for name, value in request.environ.items() if name != "HTTP_IF_MATCH"})
    return answer


@lru_cache(maxsize=64)
def _gzip(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


@lru_cache(maxsize=64)
def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
