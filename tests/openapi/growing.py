"""Answers as a later version of the service may send them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from service.rulesets.wire import Json
from service.web.docs.components import REFERENCE, operations
from service.web.docs.growth import NULL, exact

UNKNOWN = "unknown"


def answers(document: Json) -> Iterator[tuple[str, Json, Any]]:
    """Yield operation id, schema and value of every example of a JSON response with a named schema."""
    for operation in operations(document):
        for answer in operation["responses"].values():
            content = answer.get("content", {}).get("application/json", {})
            for example in content.get("examples", {}).values() if "$ref" in content.get("schema", ()) else ():
                yield operation["operationId"], content["schema"], example["value"]


def grown_answers(document: Json) -> Iterator[tuple[str, Json, Any]]:
    """Yield the same with an unknown member in every object, and an unknown value of every set and union."""
    schemas = exact(document)["components"]["schemas"]
    for operation, schema, value in answers(document):
        yield operation, schema, grow(schemas, schema, value)


def grow(schemas: Json, schema: Json, value: Any) -> Any:
    """Return a grown value. `schemas`: with enums and unions."""
    while "$ref" in schema:
        schema = schemas[schema["$ref"].removeprefix(REFERENCE)]
    if value is None:
        return None
    if "discriminator" in schema:
        tag, variants = schema["discriminator"]["propertyName"], schema["discriminator"]["mapping"]
        return {**grow(schemas, {"$ref": variants[value[tag]]}, value), tag: UNKNOWN}
    if NULL in schema.get("oneOf", ()):
        value = grow(schemas, schema["oneOf"][0], value)
    elif len(schema.get("enum", ())) > 1:
        value = UNKNOWN
    elif isinstance(value, list):
        value = [grow(schemas, schema["items"], item) for item in value]
    elif isinstance(value, dict) and "properties" in schema:
        members = {name: grow(schemas, schema["properties"].get(name, {}), member) for name, member in value.items()}
        value = {**members, "later": {"member": 1}}
    return value
