"""The OpenAPI document as pages show it: operations, and schemas opened within one another.

The pages are plain HTML, made here, because the viewers that were tried take 5 to 40 seconds of a phone to show an
operation with its schemas; docs/decisions/0007-own-reference-pages.md compares them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from service.rulesets.wire import Json
from service.web.docs.published import REFERENCE
from service.web.docs.shared import METHODS

RANGES = (("minimum", "maximum", ""), ("minLength", "maxLength", " characters"), ("minItems", "maxItems", " items"))


@dataclass(frozen=True)
class Shape:
    """What a value may be."""

    type: str
    """In JSON Schema's words, or the name of a schema."""
    name: str | None = None
    """The schema's, if it has one."""
    before: str = ""
    """`array of`, `object of`: what holds such values."""
    nullable: bool = False
    limits: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    """All that it may be, as JSON."""
    description: str = ""
    members: tuple[Member, ...] = ()
    leaves: tuple[tuple[str, Shape], ...] = ()
    """Of a union: each tag with its schema."""
    tag: str = ""
    """Of a union: the member that holds the tag."""


@dataclass(frozen=True)
class Member:
    """Of an object, or a parameter."""

    name: str
    required: bool
    shape: Shape
    location: str = ""
    """Of a parameter: `path`, `query` or `header`."""


@dataclass(frozen=True)
class Content:
    """A body: of a request, or of an answer."""

    media_type: str
    shape: Shape
    examples: dict[str, str]
    """JSON, by name."""


@dataclass(frozen=True)
class Answer:
    """What one status means."""

    status: str
    description: str
    codes: tuple[str, ...]
    """Of a refusal: its problem codes."""
    headers: tuple[str, ...]
    """Names of headers, without those of every response."""
    contents: tuple[Content, ...]


@dataclass(frozen=True)
class Operation:
    """One operation of the document, or a call that the service makes itself."""

    id: str
    method: str
    path: str
    tag: str
    summary: str
    description: str
    deprecated: bool
    called: bool
    """The service sends this request, to a bot or a webhook."""
    security: tuple[str, ...]
    """Which credentials it takes; empty where none are needed."""
    parameters: tuple[Member, ...]
    body: Content | None
    answers: tuple[Answer, ...]


class Reference:
    """What the pages need of a document."""

    def __init__(self, document: Json) -> None:
        self._components: Json = document["components"]
        self.schemas: Json = self._components["schemas"]
        self.description: str = document["info"]["description"]
        self.tags: dict[str, str] = {tag["name"]: tag["description"] for tag in document["tags"]}
        listed = [*self._operations(document["paths"]), *self._operations(document["webhooks"], called=True)]
        self._raw = {each["operationId"]: each for each in listed}

    @property
    def operations(self) -> list[Json]:
        """All of them, short: `id`, `method`, `path`, `tag`, `summary`."""
        return [
            {
                "id": raw["operationId"],
                "method": raw["method"],
                "path": raw["path"],
                "tag": raw["tags"][0],
                "summary": raw["summary"],
                "deprecated": raw.get("deprecated", False),
            }
            for raw in self._raw.values()
        ]

    def operation(self, name: str) -> Operation:
        """An operation with all that belongs to it. KeyError: there is none of this name."""
        raw = self._raw[name]
        content = self._resolved(raw.get("requestBody", {})).get("content", {})
        answers = [(status, self._resolved(answer)) for status, answer in sorted(raw["responses"].items())]
        return Operation(
            id=name,
            method=raw["method"],
            path=raw["path"],
            tag=raw["tags"][0],
            summary=raw["summary"],
            description=raw.get("description", ""),
            deprecated=raw.get("deprecated", False),
            called=raw["called"],
            security=tuple(scheme for way in raw.get("security", ()) for scheme in way),
            parameters=tuple(self._parameter(self._resolved(each)) for each in raw["parameters"]),
            body=next(iter(self._contents(content)), None),
            answers=tuple(self._answer(status, answer) for status, answer in answers),
        )

    def schema(self, name: str) -> Shape:
        """A schema, opened. KeyError: there is none of this name."""
        return self.shape({"$ref": REFERENCE + name})

    def shape(self, schema: Json, opened: set[str] | None = None) -> Shape:
        """What a value that fits the schema may be.

        `opened`: the schemas that stand in the page already; they come without members, and this adds to them.
        """
        opened = set() if opened is None else opened
        options = schema.get("oneOf", [])
        rest = [each for each in options if each != {"type": "null"}]
        if "discriminator" not in schema and len(rest) == 1:
            inner = {**rest[0], "description": schema.get("description") or rest[0].get("description", "")}
            return _changed(self.shape(inner, opened), nullable=True)
        if "$ref" in schema:
            return self._named(schema, opened)
        types = schema.get("type", "any")
        named = [each for each in (types if isinstance(types, list) else [types]) if each != "null"]
        described = {"description": schema.get("description", ""), "nullable": "null" in types}
        if named == ["array"]:
            return _within("array of ", self.shape(schema["items"], opened), **described)
        if isinstance(values := schema.get("additionalProperties"), dict) and values:
            return _within("object of ", self.shape(values, opened), **described)
        if rest and "discriminator" not in schema:
            return Shape(" or ".join(_words(self.shape(each, opened)) for each in rest), **described)
        return Shape(
            schema.get("format") or " or ".join(named),
            limits=_limits(schema),
            values=_values(schema, named),
            members=self._members(schema, opened),
            leaves=self._leaves(schema, opened),
            tag=schema.get("discriminator", {}).get("propertyName", ""),
            **described,
        )

    def _named(self, reference: Json, opened: set[str]) -> Shape:
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
        return _changed(shape, type=name, name=name, before="", description=description, limits=limits)

    def _members(self, schema: Json, opened: set[str]) -> tuple[Member, ...]:
        required = schema.get("required", ())
        members = schema.get("properties", {})
        order = sorted(members, key=lambda name: (name != "type", name not in required, name))
        return tuple(Member(name, name in required, self.shape(members[name], opened)) for name in order)

    def _leaves(self, schema: Json, opened: set[str]) -> tuple[tuple[str, Shape], ...]:
        tags = schema.get("discriminator", {}).get("mapping", {})
        return tuple((tag, self.shape({"$ref": reference}, opened)) for tag, reference in tags.items())

    def _parameter(self, parameter: Json) -> Member:
        shape = self.shape({**parameter["schema"], "description": parameter.get("description", "")})
        if (default := parameter["schema"].get("default")) is not None:
            shape = _changed(shape, limits=(*shape.limits, f"default {orjson.dumps(default).decode()}"))
        return Member(parameter["name"], parameter.get("required", False), shape, parameter["in"])

    def _answer(self, status: str, answer: Json) -> Answer:
        codes = tuple(answer.get("x-codes", ()))
        contents = () if codes else tuple(self._contents(answer.get("content", {})))
        return Answer(status, answer["description"], codes, tuple(sorted(answer.get("headers", ()))), contents)

    def _contents(self, content: Json) -> Iterator[Content]:
        for media_type, each in content.items():
            examples = {name: _written(example["value"]) for name, example in each.get("examples", {}).items()}
            yield Content(media_type, self.shape(each.get("schema", {})), examples)

    def _resolved(self, part: Json) -> Json:
        """The part itself, or what it refers to."""
        if "$ref" not in part:
            return part
        _, _, kind, name = part["$ref"].split("/")
        return dict(self._components[kind][name])

    def _operations(self, paths: Json, *, called: bool = False) -> Iterator[Json]:
        for path, methods in paths.items():
            for method in METHODS:
                if method in methods:
                    raw = methods[method]
                    parameters = [*methods.get("parameters", ()), *raw.get("parameters", ())]
                    yield {**raw, "method": method.upper(), "path": path, "called": called, "parameters": parameters}


def _changed(shape: Shape, **changes: Any) -> Shape:
    return Shape(**{**vars(shape), **changes})


def _within(before: str, inner: Shape, *, description: str, nullable: bool) -> Shape:
    return _changed(inner, before=before + inner.before, description=description, nullable=nullable)


def _words(shape: Shape) -> str:
    """A simple value in one phrase."""
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


def _written(example: Any) -> str:
    """An example's text: JSON, or what is no JSON as it is."""
    return example if isinstance(example, str) else orjson.dumps(example, option=orjson.OPT_INDENT_2).decode()
