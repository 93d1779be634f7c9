"""Find changes between two OpenAPI documents that could break a client written for the first.

The direction of a value decides. In a request, the client uses the old document and the service the new one; in a
response, it is the other way round. The receiver must accept every value that the sender may send. So requests may only
become less restricted, and responses more:

                          in a request           in a response
    sender, receiver      old, new               new, old
    type, null, format,   must not narrow        must not widen
      pattern, bounds
    required              no new ones            none removed
    values of an enum,    may be added           may be added, because clients read them as texts and objects
      variants of a union                          (`service.web.docs.growth`); may be removed
    additionalProperties  must not be forbidden  may be allowed or forbidden

Other rules: properties, parameters, headers, success statuses, media types, methods and paths must stay. So must names
that generated clients use: operation ids and names of component schemas. Access must not become stricter, and defaults
must not change. New statuses and codes of errors are allowed.

Nearly all keywords restrict values. So any other keyword of the receiver must be equal to the sender's, or absent.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from openapi.shapes import Json, Place, Shape, resolve, shape_of

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
TYPES = frozenset({"array", "boolean", "integer", "number", "object", "string"})
MINIMA = {"minimum": -math.inf, "exclusiveMinimum": -math.inf, "minLength": 0, "minItems": 0, "minProperties": 0}
MAXIMA = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")


class Direction(Enum):
    """Whether the client or the service sends a value."""

    REQUEST = "Requests"
    RESPONSE = "Responses"


@dataclass(frozen=True, order=True)
class BreakingChange:
    """A breaking change. `pointer`: its place in the old document, or in the new one if it exists only there."""

    pointer: str
    sentence: str


def find_breaking_changes(before: Json, after: Json) -> list[BreakingChange]:
    """Return all breaking changes, sorted by pointer."""
    old, new = (Place(document, "", document) for document in (before, after))
    comparison = Comparison()
    comparison.paths(old, new)
    comparison.sent_requests(old.members("webhooks"), new.members("webhooks"))
    comparison.components(old, new)
    return sorted(comparison.changes)


def _code_list(names: Iterable[Any]) -> str:
    return ", ".join(f"`{name}`" for name in names)


@dataclass
class Comparison:
    """The changes found so far. `compared`: the compared pairs of places, because schemas may be recursive."""

    changes: set[BreakingChange] = field(default_factory=set)
    compared: set[tuple[str, str, Direction]] = field(default_factory=set)

    def report(self, place: Place, sentence: str, direction: Direction | None = None) -> None:
        """Add a breaking change."""
        parameter = re.match(r"(/paths/.*?/parameters/\d+)/", place.pointer)
        if parameter:  # its number in the pointer is not helpful
            sentence += f" (parameter `{resolve(place.document, '#' + parameter[1]).content['name']}`)"
        prefix = f"{direction.value}: " if direction else ""
        self.changes.add(BreakingChange(place.pointer, f"{prefix}{sentence}."))

    # Operations and components

    def paths(self, before: Place, after: Place) -> None:
        """Compare all operations. Names of path parameters are compared with the parameters."""
        new = {re.sub(r"\{.*?\}", "{}", path): place.target() for path, place in after.members("paths").items()}
        for path, old in before.members("paths").items():
            item = new.get(re.sub(r"\{.*?\}", "{}", path))
            if item is None:
                self.report(old, "The path was removed")
                continue
            for method, operation in old.target().members().items():
                if method in METHODS and method not in item.content:
                    self.report(operation, "The method was removed")
                elif method in METHODS:
                    self.operation(operation, item.child(method), (old.target(), item))

    def components(self, before: Place, after: Place) -> None:
        """Compare the names of schemas, and the security schemes."""
        for name, old in before.members("components", "schemas").items():
            if name not in after.child("components", "schemas").content:
                self.report(old, "The component was removed, so generated clients lose its name")
        for name, old in before.members("components", "securitySchemes").items():
            new = after.child("components", "securitySchemes", name)
            for key in ("type", "scheme", "in", "name", "openIdConnectUrl"):
                if old.content.get(key) != new.content.get(key):
                    self.report(old, f"The `{key}` of the credential changed")

    def operation(self, before: Place, after: Place, items: tuple[Place, Place]) -> None:
        """Compare an operation. `items`: its path items in both documents."""
        if before.content.get("operationId") not in (None, after.content.get("operationId")):
            name = before.content["operationId"]
            self.report(before.child("operationId"), f"`{name}` was renamed, so generated clients lose the name")
        self.security(before, after)
        self.parameters(_parameters(before, items[0]), _parameters(after, items[1]), after)
        self.body(before, after)
        self.responses(before, after)
        for name, old in before.members("callbacks").items():
            self.sent_requests(old.target().members(), after.child("callbacks", name).target().members())

    def security(self, before: Place, after: Place) -> None:
        """Compare the required credentials."""
        for old in _security(before):
            if not any(_is_satisfied_by(new, old) for new in _security(after)):
                credentials = _code_list(old) or "no credential"
                self.report(before.child("security"), f"Access became stricter: {credentials} is no longer sufficient")

    def parameters(self, before: dict[tuple[str, str], Place], after: dict[tuple[str, str], Place], at: Place) -> None:
        """Compare parameters by location and name. `at`: the new operation."""
        for (where, name), old in before.items():
            new = after.get((where, name))
            if new is None:
                self.report(old, f"The parameter `{name}` ({where}) was removed")
                continue
            if new.content.get("required", False) and not old.content.get("required", False):
                self.report(old, f"The parameter `{name}` became required", Direction.REQUEST)
            if _serialization(old) != _serialization(new):
                self.report(old, f"The serialization (style, explode) of `{name}` changed", Direction.REQUEST)
            self.schema(old.child("schema"), new.child("schema"), Direction.REQUEST)
            self.contents(old, new, Direction.REQUEST)
        for (where, name), new in after.items():
            if new.content.get("required", False) and (where, name) not in before:
                self.report(at, f"The parameter `{name}` ({where}) is new and required", Direction.REQUEST)

    def body(self, before: Place, after: Place) -> None:
        """Compare request bodies."""
        old, new = before.child("requestBody").target(), after.child("requestBody").target()
        if "requestBody" in before.content and "requestBody" not in after.content:
            self.report(old, "A body is no longer accepted", Direction.REQUEST)
            return
        if new.content.get("required", False) and not old.content.get("required", False):
            self.report(old, "The body became required", Direction.REQUEST)
        self.contents(old, new, Direction.REQUEST)

    def responses(self, before: Place, after: Place) -> None:
        """Compare responses by status. Only error responses may be removed."""
        for status, old in before.members("responses").items():
            new = after.child("responses", status).target()
            if status in after.child("responses").content:
                self.headers(old.target(), new)
                self.contents(old.target(), new, Direction.RESPONSE)
            elif status[0] in "23":
                self.report(old, "The success status was removed", Direction.RESPONSE)

    def headers(self, before: Place, after: Place) -> None:
        """Compare response headers. Names are case-insensitive."""
        new_headers = {name.lower(): place.target() for name, place in after.members("headers").items()}
        for name, old in before.members("headers").items():
            new = new_headers.get(name.lower())
            if new is None:
                self.report(old, f"The header `{name}` was removed", Direction.RESPONSE)
                continue
            if old.target().content.get("required", False) and not new.content.get("required", False):
                self.report(old, f"The header `{name}` is no longer required", Direction.RESPONSE)
            self.schema(old.target().child("schema"), new.child("schema"), Direction.RESPONSE)

    def contents(self, before: Place, after: Place, direction: Direction) -> None:
        """Compare the schemas of all media types."""
        for media_type, old in before.members("content").items():
            if media_type in after.child("content").content:
                self.schema(old.child("schema"), after.child("content", media_type, "schema"), direction)
            else:
                self.report(old, f"The media type `{media_type}` was removed", direction)

    def sent_requests(self, before: dict[str, Place], after: dict[str, Place]) -> None:
        """Compare webhooks and callbacks. The service sends their requests, so the directions are reversed."""
        for name, old in before.items():
            item = after[name].target() if name in after else None
            for method, operation in old.target().members().items():
                if method not in METHODS:
                    continue
                if item is None or method not in item.content:
                    self.report(operation, "The request is no longer sent")
                    continue
                body = item.child(method, "requestBody").target()
                self.contents(operation.child("requestBody").target(), body, Direction.RESPONSE)
                for status, answer in operation.members("responses").items():
                    self.contents(answer.target(), item.child(method, "responses", status).target(), Direction.REQUEST)

    # Values

    def schema(self, before: Place, after: Place, direction: Direction) -> None:
        """Compare the schemas of a value."""
        pair = (before.pointer, after.pointer, direction)
        if pair in self.compared:
            return
        self.compared.add(pair)
        old, new = shape_of(before), shape_of(after)
        if old.null != new.null and (old.types or new.types):  # reported at the reference; its target did not change
            self.null(before, old, direction)
        if not self.types(old, new, direction):
            return  # without a common type, further comparison is useless
        if bool(old.variants) != bool(new.variants):
            self.union(old, new, direction)
            return
        sender, receiver = (old, new) if direction is Direction.REQUEST else (new, old)
        self.values(old, sender, receiver, direction)
        self.bounds(old, sender, receiver, direction)
        self.keywords(old, new, direction)
        self.properties(old, new, direction)
        self.additional(old, new, direction)
        if old.items and new.items:
            self.schema(old.items, new.items, direction)
        elif receiver.items and "array" in (sender.types or TYPES):
            is_response = direction is Direction.RESPONSE
            self.report(old.place, "items can be any value" if is_response else "items are restricted", direction)
        if old.variants:
            self.union(old, new, direction)

    def null(self, before: Place, old: Shape, direction: Direction) -> None:
        """Report a change of nullability that breaks clients."""
        if old.null and direction is Direction.REQUEST:
            self.report(before, "null is no longer accepted", direction)
        elif not old.null and direction is Direction.RESPONSE:
            self.report(before, "can now be null", direction)

    def types(self, old: Shape, new: Shape, direction: Direction) -> bool:
        """Compare types without null. Return whether both schemas have a type in common."""
        sender, receiver = (old, new) if direction is Direction.REQUEST else (new, old)
        if receiver.types is None:
            return True
        accepted = receiver.types | {"integer"} if "number" in receiver.types else receiver.types
        rejected = (TYPES if sender.types is None else sender.types) - accepted
        if rejected:
            names = "any type" if sender.types is None else ", ".join(sorted(rejected))
            how = f"can now be {names}" if direction is Direction.RESPONSE else f"{names} is no longer accepted"
            self.report(old.place, how, direction)
        return not rejected or (sender.types is not None and rejected != sender.types)

    def values(self, old: Shape, sender: Shape, receiver: Shape, direction: Direction) -> None:
        """Compare enums. In responses they may grow, but must keep a value and must not be removed."""
        is_response = direction is Direction.RESPONSE
        if receiver.values is None:
            return
        if sender.values is None:
            how = "is no longer limited to an enum" if is_response else "is now limited to an enum"
            self.report(old.place, how, direction)
            return
        sent = [value for value in sender.values if value is not None]
        rejected = [value for value in sent if value not in receiver.values]
        if rejected and not is_response:
            self.report(old.place, f"{_code_list(rejected)} no longer accepted", direction)
        elif rejected and rejected == sent:
            self.report(old.place, f"{_code_list(rejected)} replaced all values", direction)

    def bounds(self, old: Shape, sender: Shape, receiver: Shape, direction: Direction) -> None:
        """Compare ranges and lengths."""
        is_response = direction is Direction.RESPONSE
        for key, unbounded in MINIMA.items():
            if sender.rest.get(key, unbounded) < receiver.rest.get(key, unbounded):
                self.report(old.place, f"`{key}` is {'lower' if is_response else 'higher'}", direction)
        for key in MAXIMA:
            if sender.rest.get(key, math.inf) > receiver.rest.get(key, math.inf):
                self.report(old.place, f"`{key}` is {'higher' if is_response else 'lower'}", direction)

    def keywords(self, old: Shape, new: Shape, direction: Direction) -> None:
        """Compare patterns, formats and all other keywords; defaults only if both schemas have one."""
        sender, receiver = (old, new) if direction is Direction.REQUEST else (new, old)
        for key in sorted(receiver.rest.keys() - MINIMA.keys() - set(MAXIMA) - {"default"}):
            if receiver.rest[key] is not False and sender.rest.get(key) != receiver.rest[key]:
                is_response = direction is Direction.RESPONSE
                how = "changed" if key in sender.rest else "was removed" if is_response else "was added"
                self.report(old.place, f"`{key}` {how}", direction)
        defaults = [shape.rest["default"] for shape in (old, new) if "default" in shape.rest]
        if direction is Direction.REQUEST and len(defaults) == 2 and defaults[0] != defaults[1]:
            self.report(old.place, "`default` changed", direction)

    def properties(self, old: Shape, new: Shape, direction: Direction) -> None:
        """Compare named properties."""
        for name, place in old.properties.items():
            if name in new.properties:
                self.schema(place, new.properties[name], direction)
            else:
                self.report(place, f"the property `{name}` was removed", direction)
        if direction is Direction.REQUEST:
            for name in sorted(new.required - old.required):
                place = old.properties.get(name) or new.properties.get(name) or new.place
                self.report(place, f"the property `{name}` became required", direction)
        else:
            for name in sorted((old.required - new.required) & new.properties.keys()):
                self.report(
                    old.properties.get(name, old.place), f"the property `{name}` is no longer required", direction
                )

    def additional(self, old: Shape, new: Shape, direction: Direction) -> None:
        """Compare additional properties."""
        if old.is_closed:
            return
        receiver = new if direction is Direction.REQUEST else old
        if new.is_closed and (direction is Direction.REQUEST or old.additional):
            is_request = direction is Direction.REQUEST
            how = "other properties are no longer accepted" if is_request else "the map was removed"
            self.report(old.place, how, direction)
        elif old.additional and new.additional and not new.is_closed:
            self.schema(old.additional, new.additional, direction)
        elif receiver.additional and not receiver.is_closed:
            how = "are restricted" if direction is Direction.REQUEST else "can be any value"
            self.report(old.place, f"additional properties {how}", direction)

    def union(self, old: Shape, new: Shape, direction: Direction) -> None:
        """Compare unions. Variants are matched by the discriminator's value, else by name, else by index."""
        by_tag = old.tag is not None and old.tag == new.tag
        if old.variants and new.variants and old.tag != new.tag and old.tag is not None:
            self.report(old.place, f"`{old.tag}` is no longer the discriminator", direction)
        before, after = (shape.variants_by_tag if by_tag else _by_name(shape) for shape in (old, new))
        for key in before:
            if key in after:
                self.schema(before[key], after[key], direction)
            elif direction is Direction.REQUEST:
                self.report(before[key], f"the variant `{key}` of {old.place.pointer} is no longer accepted", direction)
        if direction is Direction.RESPONSE and not old.variants and len(new.variants) > 1:
            self.report(old.place, "became a union", direction)
        elif direction is Direction.RESPONSE and not before.keys() & after.keys():
            self.report(old.place, "all variants were removed", direction)


def _by_name(shape: Shape) -> dict[str, Place]:
    """Return the variants, including those of nested unions, by component name, or by index for inline schemas.

    A schema without variants is its own variant.
    """
    places = [place.target() for place in _variant_places(shape)]
    return {place.name or str(index): place for index, place in enumerate(places)}


def _variant_places(shape: Shape) -> Iterator[Place]:
    for variant in shape.variants:
        yield from _variant_places(shape_of(variant))
    if not shape.variants:
        yield shape.place


def _parameters(operation: Place, item: Place) -> dict[tuple[str, str], Place]:
    """Return the parameters of an operation and its path by location and name. Header names are in lower case."""
    parameters = {}
    for place in (one.target() for owner in (item, operation) for one in owner.items("parameters")):
        where, name = place.content["in"], place.content["name"]
        parameters[where, name.lower() if where == "header" else name] = place
    return parameters


def _serialization(parameter: Place) -> tuple[str, bool]:
    """Return the style and explode of a parameter."""
    style = parameter.content.get("style", "form" if parameter.content["in"] in ("query", "cookie") else "simple")
    return style, parameter.content.get("explode", style == "form")


def _security(operation: Place) -> list[Json]:
    """Return the alternative sets of credentials of an operation; `{}` for none."""
    alternatives: list[Json] = operation.content.get("security", operation.document.get("security", []))
    return alternatives or [{}]


def _is_satisfied_by(new: Json, old: Json) -> bool:
    return all(name in old and set(scopes) <= set(old[name]) for name, scopes in new.items())
