"""Schemas in a normalized form, so that two of them can be compared.

A schema can be written in several ways: as a reference or inline, with `type: [string, null]` or `anyOf: [.., null]`,
as a union with one variant, or with `allOf`. A `Shape` is the same for all of them:

- References are resolved. Keywords beside a `$ref` apply, too.
- `allOf` is merged. If two members have different values of one keyword, both values are kept and can only be compared
  for equality.
- Null is separate from the other types. A union with one variant besides null is this variant.
- `const` is an `enum` with one value. Descriptions, examples and extensions (`x-…`) are ignored.

A `Place` is a part of a document with its JSON pointer (RFC 6901). Shapes contain places instead of shapes, because
schemas may be recursive.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

ANNOTATIONS = {
    *("$anchor", "$comment", "$defs", "$id", "$schema", "deprecated", "description"),
    *("example", "examples", "externalDocs", "title", "xml"),
}
NORMALIZED = {"$ref", "type", "enum", "const", "properties", "required", "additionalProperties", "items"}
UNIONS = {"allOf", "anyOf", "oneOf", "discriminator"}
COMPONENTS = "/components/schemas/"
OF_VALUE = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array", dict: "object"}


class UnreadableError(Exception):
    """A document, base or list of accepted changes cannot be read. The message is one line."""


@dataclass(frozen=True)
class Place:
    """A part of a document. Missing parts are empty objects; as schemas they allow all values."""

    document: Json
    pointer: str
    content: Any

    def child(self, *names: str) -> Place:
        """Return the part at a path of names."""
        content, pointer = self.content, self.pointer
        for name in names:
            content = content.get(name, {}) if isinstance(content, dict) else content[int(name)]
            pointer += "/" + name.replace("~", "~0").replace("/", "~1")
        return Place(self.document, pointer, content)

    def members(self, *names: str) -> dict[str, Place]:
        """Return the members of the object at a path of names."""
        parent = self.child(*names)
        return {name: parent.child(name) for name in parent.content}

    def items(self, name: str) -> list[Place]:
        """Return the items of the list with a name."""
        items = self.content.get(name, [])
        return [Place(self.document, f"{self.pointer}/{name}/{index}", item) for index, item in enumerate(items)]

    def target(self) -> Place:
        """Return the part after following all references."""
        place, visited = self, set()
        while isinstance(place.content, dict) and "$ref" in place.content:
            if place.pointer in visited:
                raise UnreadableError(f"{self.pointer} refers only to itself")
            visited.add(place.pointer)
            place = resolve(place.document, place.content["$ref"])
        return place

    @property
    def name(self) -> str:
        """The name of the component, or an empty text for other parts."""
        name = self.pointer.removeprefix(COMPONENTS)
        return "" if name == self.pointer or "/" in name else name


def resolve(document: Json, reference: str) -> Place:
    """Return the target of a reference within the document."""
    if not reference.startswith("#/"):
        raise UnreadableError(f"the reference {reference} points outside the document")
    place = Place(document, "", document)
    for name in reference[2:].split("/"):
        inner = name.replace("~1", "/").replace("~0", "~")
        if isinstance(place.content, dict) and inner not in place.content:
            raise UnreadableError(f"the reference {reference} has no target")
        place = place.child(inner)
    return place


@dataclass
class Shape:
    """A normalized schema. `types` excludes null; None allows all types. `additional` None allows all properties."""

    place: Place
    types: frozenset[str] | None = None
    null: bool = True
    values: list[Any] | None = None
    properties: dict[str, Place] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    additional: Place | None = None
    items: Place | None = None
    variants: list[Place] = field(default_factory=list)
    tag: str | None = None  # property of the discriminator
    variants_by_tag: dict[str, Place] = field(default_factory=dict)
    rest: Json = field(default_factory=dict)  # other keywords; most of them only restrict values

    @property
    def is_closed(self) -> bool:
        """Whether only the named properties are allowed."""
        return self.additional is not None and self.additional.content is False

    def merge(self, other: Shape) -> None:
        """Add the restrictions of another shape."""
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
            self.variants, self.tag, self.variants_by_tag = other.variants, other.tag, other.variants_by_tag
        elif other.variants:
            self.rest["a second union"] = [place.content for place in other.variants]
        for key, value in other.rest.items():
            if self.rest.setdefault(key, value) != value:
                self.rest[f"{key} of another member of allOf"] = value


def shape_of(place: Place) -> Shape:
    """Return the shape of the schema at a place."""
    content = place.content
    if content is False:
        return Shape(place, types=frozenset(), null=False)
    if not isinstance(content, dict):  # True
        return Shape(place)
    if "$ref" in content and not _has_other_keywords(content, {"$ref"}):
        return shape_of(place.target())
    for keyword in ("oneOf", "anyOf"):
        if keyword in content and not _has_other_keywords(content, {keyword, "discriminator"}):
            return _union(place, place.items(keyword))
    shape = _without_references(place)
    for member in (*([place.target()] if "$ref" in content else []), *place.items("allOf")):
        shape.merge(shape_of(member))
    for keyword in ("oneOf", "anyOf"):
        if keyword in content:
            shape.merge(_union(place, place.items(keyword)))
    return shape


def _has_other_keywords(content: Json, keywords: set[str]) -> bool:
    """Return whether the schema has other keywords that restrict values."""
    return any(key not in keywords | ANNOTATIONS and not key.startswith("x-") for key in content)


def _without_references(place: Place) -> Shape:
    """Return the shape of the schema's own keywords, without references and unions."""
    content = place.content
    shape = Shape(place, null="type" not in content)
    if "const" in content or "enum" in content:
        shape.values = [content["const"]] if "const" in content else content["enum"]
        shape.null = None in shape.values
        shape.types = frozenset(OF_VALUE[type(value)] for value in shape.values if value is not None)
    if "type" in content:
        declared = content["type"]
        types = frozenset([declared] if isinstance(declared, str) else declared)
        shape.null = "null" in types  # even if null is missing in `enum`
        shape.types = types - {"null"}
    shape.properties = place.members("properties")
    shape.required = frozenset(content.get("required", ()))
    if content.get("additionalProperties", True) not in (True, {}):
        shape.additional = place.child("additionalProperties")
    if "items" in content:
        shape.items = place.child("items")
    normalized = NORMALIZED | UNIONS | ANNOTATIONS
    shape.rest = {key: value for key, value in content.items() if key not in normalized and not key.startswith("x-")}
    return shape


def _union(place: Place, members: list[Place]) -> Shape:
    """Return the shape of a union, or of its only variant besides null."""
    shapes = [shape_of(member) for member in members]
    variants = [
        member for member, shape in zip(members, shapes, strict=True) if shape.types != frozenset() or not shape.null
    ]
    if len(variants) == 1 and "discriminator" not in place.content:
        shape = shape_of(variants[0])
        shape.null = any(one.null for one in shapes)
        return shape
    types = [shape.types for shape in shapes]
    union = Shape(place, null=any(one.null for one in shapes), variants=variants)
    union.types = None if None in types else frozenset().union(*filter(None, types))
    if "discriminator" in place.content:
        declared = place.content["discriminator"]
        union.tag = declared["propertyName"]
        union.variants_by_tag = _variants_by_tag(place.document, declared.get("mapping"), variants)
    return union


def _variants_by_tag(document: Json, mapping: dict[str, str] | None, variants: list[Place]) -> dict[str, Place]:
    """Return the variants by value of the discriminator: the keys of the mapping, or the names of the components."""
    if mapping is None:
        return {variant.target().name: variant.target() for variant in variants}
    references = {tag: name if "/" in name else f"#{COMPONENTS}{name}" for tag, name in mapping.items()}
    return {tag: resolve(document, reference) for tag, reference in references.items()}
