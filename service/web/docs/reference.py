"""The content of the API reference pages: operations, and schemas with their nested schemas.

The pages are plain HTML, because other viewers need 5 to 40 seconds on a phone to show an operation with its schemas.
docs/decisions/0007-own-reference-pages.md compares them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import orjson

from service.rulesets.wire import Json
from service.web.docs.components import METHODS, REFERENCE

RANGES = (("minimum", "maximum", ""), ("minLength", "maxLength", " characters"), ("minItems", "maxItems", " items"))


@dataclass(frozen=True)
class Shape:
    """The type of a value."""

    type: str
    """Type of JSON Schema, or name of a schema."""
    name: str | None = None
    """Name of the schema, if it is a component."""
    before: str = ""
    """Containers of the value: `array of` or `object of`."""
    nullable: bool = False
    limits: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    """Values of an enum, as JSON."""
    description: str = ""
    members: tuple[Member, ...] = ()
    leaves: tuple[tuple[str, Shape], ...] = ()
    """Members of a union: tag and schema."""
    tag: str = ""
    """Name of the tag of a union."""


@dataclass(frozen=True)
class Member:
    """A member of an object, or a parameter."""

    name: str
    required: bool
    shape: Shape
    location: str = ""
    """`path`, `query` or `header` for parameters."""


@dataclass(frozen=True)
class Content:
    """The body of a request or response."""

    media_type: str
    shape: Shape
    examples: dict[str, str]
    """JSON by name."""


@dataclass(frozen=True)
class Answer:
    """The response with one status."""

    status: str
    description: str
    codes: tuple[str, ...]
    """Problem codes of an error response."""
    headers: tuple[str, ...]
    """Names of headers, without those of every response."""
    contents: tuple[Content, ...]


class Reference:
    """The parts of a document that the pages need."""

    def __init__(self, document: Json) -> None:
        self._components: Json = document["components"]
        self.schemas: Json = self._components["schemas"]
        self.description: str = document["info"]["description"]
        self.tags: dict[str, str] = {tag["name"]: tag["description"] for tag in document["tags"]}
        listed = [*self._operations(document["paths"]), *self._operations(document["webhooks"], called=True)]
        self.operations: dict[str, Json] = {each["id"]: each for each in listed}
        """Operations of the document by id, and requests that the service sends (`called`)."""

    def operation(self, name: str) -> Json:
        """Return an operation with a Content or None as `body`, a Member for each parameter, and an Answer per status.

        `security` lists the accepted credentials. Raise KeyError if the name is unknown.
        """
        raw = self.operations[name]
        content = self._resolve(raw.get("requestBody", {})).get("content", {})
        responses = [(status, self._resolve(answer)) for status, answer in sorted(raw["responses"].items())]
        return {
            **raw,
            "security": [scheme for alternative in raw.get("security", ()) for scheme in alternative],
            "parameters": [self._parameter(self._resolve(each)) for each in raw["parameters"]],
            "body": next(iter(self._contents(content)), None),
            "answers": [self._answer(status, answer) for status, answer in responses],
        }

    def schema(self, name: str) -> Shape:
        """Return the shape of a schema with its members. Raise KeyError if the name is unknown."""
        return self.shape({"$ref": REFERENCE + name})

    def shape(self, schema: Json, opened: set[str] | None = None) -> Shape:
        """Return the shape of a schema.

        `opened`: the schemas already shown on the page, whose members are not repeated. New ones are added to it.
        """
        opened = set() if opened is None else opened
        options = schema.get("oneOf", [])
        rest = [each for each in options if each != {"type": "null"}]
        if "discriminator" not in schema and len(rest) == 1:
            inner = {**rest[0], "description": schema.get("description") or rest[0].get("description", "")}
            return replace(self.shape(inner, opened), nullable=True)
        if "$ref" in schema:
            return self._component(schema, opened)
        types = schema.get("type", "any")
        names = [each for each in (types if isinstance(types, list) else [types]) if each != "null"]
        common = {"description": schema.get("description", ""), "nullable": "null" in types}
        if names == ["array"]:
            return _in_container("array of ", self.shape(schema["items"], opened), **common)
        if isinstance(values := schema.get("additionalProperties"), dict) and values:
            return _in_container("object of ", self.shape(values, opened), **common)
        if rest and "discriminator" not in schema:
            return Shape(" or ".join(_phrase(self.shape(each, opened)) for each in rest), **common)
        return Shape(
            schema.get("format") or " or ".join(names),
            limits=_limits(schema),
            values=_values(schema, names),
            members=self._members(schema, opened),
            leaves=self._tagged_shapes(schema, opened),
            tag=schema.get("discriminator", {}).get("propertyName", ""),
            **common,
        )

    def _component(self, reference: Json, opened: set[str]) -> Shape:
        name = reference["$ref"].removeprefix(REFERENCE)
        schema = self.schemas[name]
        description = reference.get("description") or schema.get("description", "")
        if name in opened:
            return Shape(name, name=name, description=description)
        inside = schema.keys() & {"properties", "discriminator"}
        if inside:
            opened.add(name)
        shape = self.shape(schema, opened)
        limits = shape.limits if inside else (shape.before + shape.type, *shape.limits)
        return replace(shape, type=name, name=name, before="", description=description, limits=limits)

    def _members(self, schema: Json, opened: set[str]) -> tuple[Member, ...]:
        required = schema.get("required", ())
        members = schema.get("properties", {})
        order = sorted(members, key=lambda name: (name != "type", name not in required, name))
        return tuple(Member(name, name in required, self.shape(members[name], opened)) for name in order)

    def _tagged_shapes(self, schema: Json, opened: set[str]) -> tuple[tuple[str, Shape], ...]:
        tags = schema.get("discriminator", {}).get("mapping", {})
        return tuple((tag, self.shape({"$ref": reference}, opened)) for tag, reference in tags.items())

    def _parameter(self, parameter: Json) -> Member:
        shape = self.shape({**parameter["schema"], "description": parameter.get("description", "")})
        if (default := parameter["schema"].get("default")) is not None:
            shape = replace(shape, limits=(*shape.limits, f"default {orjson.dumps(default).decode()}"))
        return Member(parameter["name"], parameter.get("required", False), shape, parameter["in"])

    def _answer(self, status: str, answer: Json) -> Answer:
        codes = tuple(answer.get("x-codes", ()))
        contents = () if codes else tuple(self._contents(answer.get("content", {})))
        return Answer(status, answer["description"], codes, tuple(sorted(answer.get("headers", ()))), contents)

    def _contents(self, content: Json) -> Iterator[Content]:
        for media_type, each in content.items():
            examples = {name: _example_text(example["value"]) for name, example in each.get("examples", {}).items()}
            yield Content(media_type, self.shape(each.get("schema", {})), examples)

    def _resolve(self, part: Json) -> Json:
        """Return the part, or the component that it refers to."""
        if "$ref" not in part:
            return part
        _, _, kind, name = part["$ref"].split("/")
        return dict(self._components[kind][name])

    def _operations(self, paths: Json, *, called: bool = False) -> Iterator[Json]:
        for path, methods in paths.items():
            for method in METHODS:
                if method in methods:
                    raw = {"description": "", "deprecated": False, "path": path, "called": called, **methods[method]}
                    parameters = [*methods.get("parameters", ()), *raw.get("parameters", ())]
                    identity = {"id": raw["operationId"], "method": method.upper(), "tag": raw["tags"][0]}
                    yield {**raw, **identity, "parameters": parameters}


def _in_container(before: str, inner: Shape, *, description: str, nullable: bool) -> Shape:
    return replace(inner, before=before + inner.before, description=description, nullable=nullable)


def _phrase(shape: Shape) -> str:
    """Return a phrase for a simple value."""
    return " or ".join(shape.values) or " ".join([shape.before + shape.type, *shape.limits])


def _values(schema: Json, types: list[str]) -> tuple[str, ...]:
    values = [True, False] if types == ["boolean"] else schema.get("enum", ())
    return tuple(orjson.dumps(value).decode() for value in values if value is not None)


def _limits(schema: Json) -> tuple[str, ...]:
    ranges = (_range(schema.get(low), schema.get(high), unit) for low, high, unit in RANGES)
    pattern = (f"matches {schema['pattern']}",) if "pattern" in schema else ()
    return (*filter(None, ranges), *pattern)


def _range(low: float | None, high: float | None, unit: str) -> str:
    if low is None:
        return "" if high is None else f"at most {high}{unit}"
    if unit and low == 1 and high is None:
        return "not empty"
    return f"at least {low}{unit}" if high is None else f"{low}{unit}" if low == high else f"{low} to {high}{unit}"


def _example_text(example: Any) -> str:
    return example if isinstance(example, str) else orjson.dumps(example, option=orjson.OPT_INDENT_2).decode()
