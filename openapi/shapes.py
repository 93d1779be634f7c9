"""What a schema says of a value, in one form, so that two schemas can be held against each other.

The same thing can be written in several ways: by reference or in place, `type: [string, null]` or `anyOf: [.., null]`,
a union of one or the one itself, `allOf` or all of it together. A `Shape` is what is left when that is put aside.

- A `$ref` is followed; what stands beside it holds, too.
- `allOf` is folded into one. Where two members say different things under one keyword, both are kept as they are and
  can only be compared for being the same.
- Null is kept apart from the other types. A union that has one variant, null apart, is that variant.
- `const` is an `enum` of one. Descriptions, examples and extensions (`x-…`) say nothing of the value.

A `Place` is a piece of a document and the JSON pointer (RFC 6901) to it. Shapes hold places, not shapes: schemas may
refer to themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

ANNOTATIONS = {
    *("$anchor", "$comment", "$defs", "$id", "$schema", "deprecated", "description"),
    *("example", "examples", "externalDocs", "title", "xml"),
}
FOLDED = {"$ref", "type", "enum", "const", "properties", "required", "additionalProperties", "items"}
UNIONS = {"allOf", "anyOf", "oneOf", "discriminator"}
COMPONENTS = "/components/schemas/"
OF_VALUE = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array", dict: "object"}


class UnreadableError(Exception):
    """A document, a base or a list that cannot be read; its text is one line for a person."""


@dataclass(frozen=True)
class Place:
    """A piece of a document. What is not there is an empty object, which as a schema allows everything."""

    document: Json
    pointer: str
    content: Any

    def at(self, *names: str) -> Place:
        """What stands under this name, then under the next."""
        content, pointer = self.content, self.pointer
        for name in names:
            content = content.get(name, {}) if isinstance(content, dict) else content[int(name)]
            pointer += "/" + name.replace("~", "~0").replace("/", "~1")
        return Place(self.document, pointer, content)

    def each(self, *names: str) -> dict[str, Place]:
        """The members of the object that stands under the names."""
        parent = self.at(*names)
        return {name: parent.at(name) for name in parent.content}

    def listed(self, name: str) -> list[Place]:
        """The items of the list that stands under a name."""
        items = self.content.get(name, [])
        return [Place(self.document, f"{self.pointer}/{name}/{index}", item) for index, item in enumerate(items)]

    def target(self) -> Place:
        """What it refers to at last; itself where it is no reference."""
        place, passed = self, set()
        while isinstance(place.content, dict) and "$ref" in place.content:
            if place.pointer in passed:
                raise UnreadableError(f"{self.pointer} refers to itself and nothing else")
            passed.add(place.pointer)
            place = referred(place.document, place.content["$ref"])
        return place

    @property
    def name(self) -> str:
        """The component's name; empty where it is none."""
        name = self.pointer.removeprefix(COMPONENTS)
        return "" if name == self.pointer or "/" in name else name


def referred(document: Json, reference: str) -> Place:
    """What a reference within the document leads to."""
    if not reference.startswith("#/"):
        raise UnreadableError(f"the reference {reference} leads out of the document")
    place = Place(document, "", document)
    for name in reference[2:].split("/"):
        inner = name.replace("~1", "/").replace("~0", "~")
        if isinstance(place.content, dict) and inner not in place.content:
            raise UnreadableError(f"the reference {reference} leads nowhere")
        place = place.at(inner)
    return place


@dataclass
class Shape:
    """What a schema says. `types` without null, None: any. `additional` None: whatever."""

    place: Place
    types: frozenset[str] | None = None
    null: bool = True
    values: list[Any] | None = None
    properties: dict[str, Place] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    additional: Place | None = None
    items: Place | None = None
    variants: list[Place] = field(default_factory=list)
    tag: str | None = None  # the discriminator's property
    tagged: dict[str, Place] = field(default_factory=dict)  # the variants by its value
    rest: Json = field(default_factory=dict)  # the other keywords; most can only forbid

    @property
    def closed(self) -> bool:
        """Whether no property is allowed that is not named."""
        return self.additional is not None and self.additional.content is False

    def fold(self, other: Shape) -> None:
        """Have the other hold, too."""
        if other.types is not None:
            self.types = other.types if self.types is None else self.types & other.types
        self.null = self.null and other.null
        if other.values is not None:
            self.values = other.values if self.values is None else [one for one in self.values if one in other.values]
        for name, place in other.properties.items():
            if self.properties.setdefault(name, place).content != place.content:
                self.rest[f"properties/{name} of another member of allOf"] = place.content
        self.required |= other.required
        self.additional = self.additional or other.additional
        self.items = self.items or other.items
        if not self.variants:
            self.variants, self.tag, self.tagged = other.variants, other.tag, other.tagged
        elif other.variants:
            self.rest["a second union"] = [place.content for place in other.variants]
        for key, value in other.rest.items():
            if self.rest.setdefault(key, value) != value:
                self.rest[f"{key} of another member of allOf"] = value


def shape_of(place: Place) -> Shape:
    """The shape of the schema at a place."""
    content = place.content
    if content is False:
        return Shape(place, types=frozenset(), null=False)
    if not isinstance(content, dict):  # True
        return Shape(place)
    if "$ref" in content and not _says(content, besides={"$ref"}):
        return shape_of(place.target())
    for keyword in ("oneOf", "anyOf"):
        if keyword in content and not _says(content, besides={keyword, "discriminator"}):
            return _union(place, place.listed(keyword))
    shape = _own(place)
    for member in (*([place.target()] if "$ref" in content else []), *place.listed("allOf")):
        shape.fold(shape_of(member))
    for keyword in ("oneOf", "anyOf"):
        if keyword in content:
            shape.fold(_union(place, place.listed(keyword)))
    return shape


def _says(content: Json, besides: set[str]) -> bool:
    """Whether anything stands there that says something of the value."""
    return any(key not in besides | ANNOTATIONS and not key.startswith("x-") for key in content)


def _own(place: Place) -> Shape:
    """What the schema itself says, without references and unions."""
    content = place.content
    shape = Shape(place, null="type" not in content)
    if "const" in content or "enum" in content:
        shape.values = [content["const"]] if "const" in content else content["enum"]
        shape.null = None in shape.values
        shape.types = frozenset(OF_VALUE[type(value)] for value in shape.values if value is not None)
    if "type" in content:
        declared = content["type"]
        types = frozenset([declared] if isinstance(declared, str) else declared)
        shape.null = "null" in types  # some write [string, null] and forget null among the values
        shape.types = types - {"null"}
    shape.properties = place.each("properties")
    shape.required = frozenset(content.get("required", ()))
    if content.get("additionalProperties", True) not in (True, {}):
        shape.additional = place.at("additionalProperties")
    if "items" in content:
        shape.items = place.at("items")
    known = FOLDED | UNIONS | ANNOTATIONS
    shape.rest = {key: value for key, value in content.items() if key not in known and not key.startswith("x-")}
    return shape


def _union(place: Place, members: list[Place]) -> Shape:
    """One of several: the one that is left where the others are null, or the variants."""
    shapes = [shape_of(member) for member in members]
    variants = [
        member for member, shape in zip(members, shapes, strict=True) if shape.types != frozenset() or not shape.null
    ]
    if len(variants) == 1 and "discriminator" not in place.content:
        shape = shape_of(variants[0])
        shape.null = any(one.null for one in shapes)
        return shape
    types = [shape.types for shape in shapes]
    whole = Shape(place, null=any(one.null for one in shapes), variants=variants)
    whole.types = None if None in types else frozenset().union(*filter(None, types))
    if "discriminator" in place.content:
        declared = place.content["discriminator"]
        whole.tag = declared["propertyName"]
        whole.tagged = dict(_tagged(place.document, declared.get("mapping"), variants))
    return whole


def _tagged(document: Json, mapping: dict[str, str] | None, variants: list[Place]) -> Iterator[tuple[str, Place]]:
    """The variants by their values of the discriminator; without a mapping the components' names are the values."""
    if mapping is None:
        yield from ((variant.target().name, variant.target()) for variant in variants)
        return
    for value, reference in mapping.items():
        yield value, referred(document, reference if "/" in reference else f"#{COMPONENTS}{reference}")
