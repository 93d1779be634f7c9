"""Shape the document so that generated clients tolerate what later versions of the service add.

Generated clients refuse unknown values of an enum and unknown variants of a union, and many cannot read unions at all.
So in everything that the service sends

- an enum becomes a string with its known values in `x-extensible-enum`,
- a union becomes one object with the members of all its variants. `x-oneOf` and `x-discriminator` contain the variants.

Members that differ between the variants have no type. `exact` restores the unions and the enums.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from itertools import takewhile
from typing import Any

from service.rulesets.wire import Json
from service.web.docs.components import REFERENCE, objects, operations, reachable, references, remove_unreachable

ENUM, KNOWN = "enum", "x-extensible-enum"
UNION = {"oneOf": "x-oneOf", "discriminator": "x-discriminator"}
NULL: Json = {"type": "null"}
KNOWN_TEXT = " Values so far: "


def open_document(document: Json) -> Json:
    """Return the document for generators of clients."""
    opened = deepcopy(document)
    schemas: Json = opened.setdefault("components", {}).setdefault("schemas", {})
    sent = reachable(schemas, [*_outgoing(opened)])
    for part in [*_incoming(opened), *(schema for name, schema in schemas.items() if name not in sent)]:
        _inline_enums(part, schemas)
    for name in [name for name in schemas if ENUM in schemas[name] and name not in sent]:
        del schemas[name]  # now inline
    for part in [*_outgoing(opened), *(schemas[name] for name in sent)]:
        for node in objects(part):
            if len(node.get(ENUM, ())) > 1:
                _open_enum(node)
            elif "oneOf" in node and "discriminator" not in node and NULL not in node["oneOf"]:
                node["x-oneOf"] = node.pop("oneOf")
    flat = _Flat(schemas)
    unions = {name: flat.union(schema) for name, schema in schemas.items() if "discriminator" in schema}
    opened["components"]["schemas"] = {**schemas, **flat.added, **unions}
    return opened


def exact(document: Json) -> Json:
    """Return the document with unions and enums, for checks and for languages with union types."""
    restored = deepcopy(document)
    for node in [*objects(restored)]:
        if KNOWN in node:
            node[ENUM] = [*node.pop(KNOWN), *([None] if "null" in node["type"] else [])]
            if "description" in node:
                node["description"] = node["description"].partition(KNOWN_TEXT)[0]
        if "x-discriminator" in node:
            for member in ("properties", "required"):
                del node[member]
        for keyword, extension in UNION.items():
            if extension in node:
                node[keyword] = node.pop(extension)
    return remove_unreachable(restored)


def _open_enum(node: Json) -> None:
    """Turn an enum into a string with known values. Its description names them."""
    known = [word for word in node.pop(ENUM) if word is not None]
    node[KNOWN] = known
    if "description" in node:
        node["description"] += f"{KNOWN_TEXT}{', '.join(f'`{word}`' for word in known)}."


def _outgoing(document: Json) -> Iterator[Any]:
    """Yield the parts of the document that describe what the service sends: responses, and requests to others."""
    yield from (operation.get("responses", {}) for operation in operations(document))
    yield from (hook["post"]["requestBody"] for hook in document.get("webhooks", {}).values())
    yield document["components"].get("responses", {})


def _incoming(document: Json) -> Iterator[Any]:
    """Yield the parts of the document that describe what the service receives."""
    yield from (path.get("parameters", []) for path in document["paths"].values())
    for operation in operations(document):
        yield [operation.get("parameters", []), operation.get("requestBody", {})]
    yield from (hook["post"]["responses"] for hook in document.get("webhooks", {}).values())


def _inline_enums(part: Any, schemas: Json) -> None:
    """Replace references to enums by the enums. Several languages have one namespace for the values of all enums."""
    for node in [*objects(part)]:
        name = node.get("$ref", "").removeprefix(REFERENCE)
        if ENUM in schemas.get(name, ()):
            del node["$ref"]
            node.update({**deepcopy(schemas[name]), **node})


class _Flat:
    """The object with the members of all variants of a union."""

    def __init__(self, schemas: Json) -> None:
        self._schemas = schemas
        self.added: Json = {}
        """Objects that stand for variants of a member, by name."""

    def union(self, union: Json) -> Json:
        """Return the object."""
        variants = [self._schemas[name] for name in references(union["oneOf"])]
        merged = variants[0]
        for variant in variants[1:]:
            merged = self._objects(merged, variant)
        described = {"type": "object", "description": union["description"]}
        members = {"properties": merged["properties"], "required": merged["required"]}
        return {**described, **deepcopy(members), **{new: union[old] for old, new in UNION.items()}}

    def _objects(self, one: Json, other: Json) -> Json:
        properties = {**one["properties"], **other["properties"]}
        for name, member in one["properties"].items():
            if name in other["properties"]:
                properties[name] = self._merge(member, other["properties"][name])
        required = sorted({*one.get("required", ())} & {*other.get("required", ())})
        return {"type": "object", "properties": properties, "required": required}

    def _merge(self, one: Json, other: Json) -> Json:
        """Return a schema for the values of both, without a type if their types differ."""
        if one == other:
            return one
        (first, is_nullable), (second, can_be_null) = _without_null(one), _without_null(other)
        merged = first if first == second else self._merge_types(first, second)
        if (is_nullable or can_be_null) and merged:
            merged = _with_null(merged)
        is_described_alike = one.get("description") == other.get("description") is not None
        return {**merged, "description": one["description"]} if is_described_alike else merged

    def _merge_types(self, one: Json, other: Json) -> Json:
        name = _shared_name(one.get("$ref", ""), other.get("$ref", ""))
        first, second = self._resolve(one), self._resolve(other)
        if first.get("type") != second.get("type"):
            return {}
        if first["type"] == "array":
            items = self._merge(first["items"], second["items"])
            return {"type": "array", "items": items} if items else {}
        if first["type"] == "object":
            return self._component(f"Any{name}", first, second) if name else {}
        known = [word for each in (first, second) for word in each.get(KNOWN) or each.get(ENUM, ())]
        return {"type": first["type"], **({KNOWN: [*dict.fromkeys(known)]} if known else {})}

    def _component(self, name: str, *forms: Json) -> Json:
        if not all("properties" in form for form in forms):
            return {}
        merged, *others = forms
        for other in [*others, self.added.get(name, merged)]:
            merged = self._objects(merged, other)
        if not all(merged["properties"].values()):
            return {}
        about = f"Members of all schemas whose names end with `{name.removeprefix('Any')}`."
        self.added[name] = {**merged, "description": about}
        return {"$ref": f"{REFERENCE}{name}"}

    def _resolve(self, schema: Json) -> Json:
        while "$ref" in schema:
            name = schema["$ref"].removeprefix(REFERENCE)
            schema = self.added.get(name) or self._schemas[name]
        return schema


def _shared_name(*references: str) -> str:
    """Return the words with which the names of both schemas end."""
    words = [reversed(re.findall("[A-Z][a-z]+", reference.removeprefix(REFERENCE))) for reference in references]
    shared = [word for word, _ in takewhile(lambda pair: pair[0] == pair[1], zip(*words, strict=False))]
    return "".join(reversed(shared))


def _without_null(schema: Json) -> tuple[Json, bool]:
    """Return the schema of the other values, without its description, and whether it allows null."""
    schema = {keyword: value for keyword, value in schema.items() if keyword != "description"}
    if NULL in schema.get("oneOf", ()):
        [other] = (each for each in schema["oneOf"] if each != NULL)
        return other, True
    if isinstance(kinds := schema.get("type"), list):
        [kind] = (each for each in kinds if each != "null")
        return {**schema, "type": kind}, True
    return schema, False


def _with_null(schema: Json) -> Json:
    if "$ref" in schema:
        return {"oneOf": [schema, NULL]}
    return {**schema, "type": [schema["type"], "null"]}
