"""What stands at several places of the document is told once and referred to: sets of words, and refusals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

Json = dict[str, Any]
METHODS = ("get", "post", "put", "patch", "delete")


def operations(document: Json) -> Iterator[Json]:
    """The operations of a document."""
    for path in document["paths"].values():
        for name, operation in path.items():
            if name in METHODS:
                yield operation


def share_schemas(document: Json, described: Mapping[str, str]) -> None:
    """Make a component of each schema that says `x-component`, and have the places that told it refer to it.

    A place keeps its own description. Null, where it is allowed, is no part of the component.
    """
    found: Json = {}
    for part in (document["paths"], document["webhooks"], document["components"]):
        _lift(part, found, described)
    document["components"]["schemas"] |= found


def _lift(place: Any, found: Json, described: Mapping[str, str]) -> None:
    if isinstance(place, list):
        for inner in place:
            _lift(inner, found, described)
    elif isinstance(place, dict):
        name = place.pop("x-component", None)
        for inner in place.values():
            _lift(inner, found, described)
        if name is not None:
            _refer(place, name, found, described)


def _refer(place: Json, name: str, found: Json, described: Mapping[str, str]) -> None:
    """Put a reference where a schema stands, and the schema to what was found."""
    schema = {word: told for word, told in place.items() if word not in {"description", "default"}}
    nullable = "null" in schema.get("type", "")
    if nullable:
        schema["type"] = next(kind for kind in schema["type"] if kind != "null")
        schema["enum"] = [word for word in schema["enum"] if word is not None]
    schema["description"] = described.get(name) or place["description"]
    if found.setdefault(name, schema) != schema:
        raise ValueError(f"{name} is told in two ways")
    for word, said in schema.items():
        if word != "description" or place.get(word) == said:  # a place keeps what it says beyond that
            place.pop(word, None)
    reference = {"$ref": f"#/components/schemas/{name}"}
    place.update({"oneOf": [reference, {"type": "null"}]} if nullable else reference)


def share_refusals(document: Json) -> Json:
    """The refusals that several operations have alike, by name; a reference takes their place in the operations."""
    places: dict[str, list[tuple[Json, str]]] = {}
    refusals: Json = {}
    for operation in operations(document):
        for status, answer in operation["responses"].items():
            if "x-codes" in answer:
                written = orjson.dumps(answer, option=orjson.OPT_SORT_KEYS).decode()
                places.setdefault(written, []).append((operation["responses"], status))
    for written, found in places.items():
        if len(found) > 1:
            refusal = orjson.loads(written)
            name = "Or".join(re.sub(r"(?:^|[/_])(.)", _upper, code) for code in refusal["x-codes"])
            refusals[name] = refusal
            for responses, status in found:
                responses[status] = {"$ref": f"#/components/responses/{name}"}
    return refusals


def _upper(found: re.Match[str]) -> str:
    return found[1].upper()
