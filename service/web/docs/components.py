"""Walk through the document, and replace repeated enums and error responses by shared components."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from service.rulesets.wire import Json

METHODS = ("get", "post", "put", "patch", "delete")
REFERENCE = "#/components/schemas/"


def objects(node: Any) -> Iterator[Json]:
    """Yield all objects in a JSON value, outer objects first."""
    if isinstance(node, dict):
        yield node
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from objects(inner)


def references(node: Any) -> Iterator[str]:
    """Yield the names of the schemas that a part of the document refers to."""
    for inner in objects(node):
        if str(inner.get("$ref", "")).startswith(REFERENCE):
            yield inner["$ref"].removeprefix(REFERENCE)


def reachable(schemas: Json, part: Any) -> set[str]:
    """Return the names of all schemas that a part of the document needs."""
    found: set[str] = set()
    queue = [*references(part)]
    while queue:
        if (name := queue.pop()) not in found:
            found.add(name)
            queue += references(schemas[name])
    return found


def operations(document: Json) -> Iterator[Json]:
    """Yield the operations of a document."""
    for path in document["paths"].values():
        for name, operation in path.items():
            if name in METHODS:
                yield operation


def remove_unreachable(document: Json) -> Json:
    """Remove the schemas that nothing refers to from the document, and return it."""
    schemas: Json = document.get("components", {}).get("schemas", {})
    if not schemas:
        return document
    rest = {**document, "components": {**document["components"], "schemas": {}}}
    document["components"]["schemas"] = {name: schemas[name] for name in sorted(reachable(schemas, rest))}
    return document


def keep_used(document: Json, *kinds: str) -> None:
    """Remove the components of these kinds that nothing refers to."""
    used = {inner["$ref"] for inner in objects(document) if isinstance(inner.get("$ref"), str)}
    for kind in kinds:
        components = document["components"].get(kind, {})
        document["components"][kind] = {
            name: component for name, component in components.items() if f"#/components/{kind}/{name}" in used
        }


def share_schemas(document: Json, descriptions: Mapping[str, str]) -> None:
    """Replace each schema with `x-component` by a reference to a component of that name.

    References keep their own descriptions. Nullable schemas become a union of the component and null.
    """
    components: Json = {}
    for part in ("paths", "webhooks", "components"):
        for node in reversed([*objects(document.get(part, {}))]):  # inner schemas first
            if (name := node.pop("x-component", None)) is not None:
                _replace_by_reference(node, name, components, descriptions)
    document["components"]["schemas"] |= components


def _replace_by_reference(node: Json, name: str, components: Json, descriptions: Mapping[str, str]) -> None:
    """Move the schema to the components."""
    schema = {keyword: value for keyword, value in node.items() if keyword not in {"description", "default"}}
    nullable = "null" in schema.get("type", "")
    if nullable:
        schema["type"] = next(kind for kind in schema["type"] if kind != "null")
        schema["enum"] = [word for word in schema["enum"] if word is not None]
    schema["description"] = descriptions.get(name) or node["description"]
    if components.setdefault(name, schema) != schema:
        raise ValueError(f"component {name} has two definitions: {components[name]} and {schema}")
    for keyword, value in schema.items():
        if keyword != "description" or node.get(keyword) == value:  # keep a description of its own
            node.pop(keyword, None)
    reference = {"$ref": f"#/components/schemas/{name}"}
    node.update({"oneOf": [reference, {"type": "null"}]} if nullable else reference)


def share_refusals(document: Json) -> Json:
    """Replace error responses that occur more than once by references. Return the shared responses by name."""
    places: dict[str, list[tuple[Json, str]]] = {}
    shared: Json = {}
    for operation in operations(document):
        for status, answer in operation["responses"].items():
            if "x-codes" in answer:
                content = orjson.dumps(answer, option=orjson.OPT_SORT_KEYS).decode()
                places.setdefault(content, []).append((operation["responses"], status))
    for content, uses in places.items():
        if len(uses) > 1:
            response = orjson.loads(content)
            name = "Or".join("".join(map(str.capitalize, re.split("[/_]", code))) for code in response["x-codes"])
            shared[name] = response
            for responses, status in uses:
                responses[status] = {"$ref": f"#/components/responses/{name}"}
    return shared
