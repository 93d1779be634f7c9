"""What the document uses at several places becomes a component: sets of words, and refusals."""

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
    """Make a component of each schema that says `x-component`, and have its places refer to it.

    A place keeps its own description. Null, where it is allowed, is no part of the component.
    """
    components: Json = {}
    for part in (document["paths"], document["webhooks"], document["components"]):
        _lift(part, components, described)
    document["components"]["schemas"] |= components


def _lift(node: Any, components: Json, described: Mapping[str, str]) -> None:
    if isinstance(node, list):
        for inner in node:
            _lift(inner, components, described)
    elif isinstance(node, dict):
        name = node.pop("x-component", None)
        for inner in node.values():
            _lift(inner, components, described)
        if name is not None:
            _refer(node, name, components, described)


def _refer(node: Json, name: str, components: Json, described: Mapping[str, str]) -> None:
    """Put a reference where a schema stands, and the schema to what was found."""
    schema = {word: told for word, told in node.items() if word not in {"description", "default"}}
    nullable = "null" in schema.get("type", "")
    if nullable:
        schema["type"] = next(kind for kind in schema["type"] if kind != "null")
        schema["enum"] = [word for word in schema["enum"] if word is not None]
    schema["description"] = described.get(name) or node["description"]
    if components.setdefault(name, schema) != schema:
        raise ValueError(f"{name} is told in two ways")
    for word, description in schema.items():
        if word != "description" or node.get(word) == description:  # a place keeps what it says beyond that
            node.pop(word, None)
    reference = {"$ref": f"#/components/schemas/{name}"}
    node.update({"oneOf": [reference, {"type": "null"}]} if nullable else reference)


def share_refusals(document: Json) -> Json:
    """The refusals that several operations have alike, by name; a reference takes their place in the operations."""
    places: dict[str, list[tuple[Json, str]]] = {}
    refusals: Json = {}
    for operation in operations(document):
        for status, answer in operation["responses"].items():
            if "x-codes" in answer:
                written = orjson.dumps(answer, option=orjson.OPT_SORT_KEYS).decode()
                places.setdefault(written, []).append((operation["responses"], status))
    for written, components in places.items():
        if len(components) > 1:
            refusal = orjson.loads(written)
            name = "Or".join(re.sub(r"(?:^|[/_])(.)", _upper, code) for code in refusal["x-codes"])
            refusals[name] = refusal
            for responses, status in components:
                responses[status] = {"$ref": f"#/components/responses/{name}"}
    return refusals


def _upper(components: re.Match[str]) -> str:
    return components[1].upper()
