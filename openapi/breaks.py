"""Which changes between two OpenAPI documents could break a client written for the first.

Direction decides. Of every value somebody gives and somebody takes: in a request the client of the old document gives
and the service of the new one takes; in an answer the new service gives and the old client takes. Whatever the giver
may give, the taker must take. So a request may only be asked for less, and an answer may only promise more:

                          in a request           in an answer
    gives, takes          old, new               new, old
    type, null, format,   must not narrow        must not widen
      pattern, bounds
    required              not newly              for ever
    values of an enum,    may be added           may be added: sets may grow within /v1, and clients are told so;
      variants of a union                          that some are never given any more is no harm
    additionalProperties  must not be closed     may be closed or open

To that comes what is not about values. A property, parameter, header, success status, media type, method or path that
was there must stay. Names that generated clients make their own names of must stay: operation ids, components'
schemas. Access must not become stricter, a default must not change. New statuses of refusals and new codes are fine.

What a keyword means that stands in no list here is not known, but nearly all keywords can only forbid something. So the
taker's must be the giver's, or be absent.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from openapi.shapes import Json, Place, Shape, referred, shape_of

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
TYPES = frozenset({"array", "boolean", "integer", "number", "object", "string"})
LEAST = {"minimum": -math.inf, "exclusiveMinimum": -math.inf, "minLength": 0, "minItems": 0, "minProperties": 0}
MOST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")


class Way(Enum):
    """Who gives: the client, or the service."""

    ASKED = "Requests"
    TOLD = "Answers"


@dataclass(frozen=True, order=True)
class Break:
    """Where, in the old document or, if it is only there, in the new one; and what a client meets."""

    pointer: str
    sentence: str


def breaks(before: Json, after: Json) -> list[Break]:
    """All of them, by pointer."""
    old, new = (Place(document, "", document) for document in (before, after))
    comparison = Comparison()
    comparison.paths(old, new)
    comparison.pushed(old.each("webhooks"), new.each("webhooks"))
    comparison.components(old, new)
    return sorted(comparison.breaks)


def _listed(names: Iterable[Any]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _covered(types: frozenset[str]) -> frozenset[str]:
    return types | {"integer"} if "number" in types else types


@dataclass
class Comparison:
    """What was found so far, and which pairs of places were compared: schemas may refer to themselves."""

    breaks: set[Break] = field(default_factory=set)
    seen: set[tuple[str, str, Way]] = field(default_factory=set)

    def say(self, place: Place, sentence: str, way: Way | None = None) -> None:
        """Note a break."""
        whose = re.match(r"(/paths/.*?/parameters/\d+)/", place.pointer)
        if whose:  # a number tells a person nothing
            sentence += f" (parameter `{referred(place.document, '#' + whose[1]).content['name']}`)"
        self.breaks.add(Break(place.pointer, f"{way.value}: {sentence}." if way else f"{sentence}."))

    # What is not about values

    def paths(self, before: Place, after: Place) -> None:
        """Every operation there was. How a path's parameters are named is compared with the parameters."""
        new = {re.sub(r"\{.*?\}", "{}", path): place.target() for path, place in after.each("paths").items()}
        for path, old in before.each("paths").items():
            item = new.get(re.sub(r"\{.*?\}", "{}", path))
            if item is None:
                self.say(old, "The path is gone")
                continue
            for method, operation in old.target().each().items():
                if method in METHODS and method not in item.content:
                    self.say(operation, "The method is gone")
                elif method in METHODS:
                    self.operation(operation, item.at(method), (old.target(), item))

    def components(self, before: Place, after: Place) -> None:
        """What is shared: names of schemas, and what a credential is."""
        for name, old in before.each("components", "schemas").items():
            if name not in after.at("components", "schemas").content:
                self.say(old, "The component is gone: generated clients lose its name")
        for name, old in before.each("components", "securitySchemes").items():
            new = after.at("components", "securitySchemes", name)
            for key in ("type", "scheme", "in", "name", "openIdConnectUrl"):
                if old.content.get(key) != new.content.get(key):
                    self.say(old, f"Another credential is taken: its `{key}` has changed")

    def operation(self, before: Place, after: Place, items: tuple[Place, Place]) -> None:
        """An operation of both documents; `items` are the paths it stands in."""
        if before.content.get("operationId") not in (None, after.content.get("operationId")):
            name = before.content["operationId"]
            self.say(before.at("operationId"), f"It was `{name}`: generated clients lose the name")
        self.security(before, after)
        self.parameters(_parameters(before, items[0]), _parameters(after, items[1]), after)
        self.body(before, after)
        self.responses(before, after)
        for name, old in before.each("callbacks").items():
            self.pushed(old.target().each(), after.at("callbacks", name).target().each())

    def security(self, before: Place, after: Place) -> None:
        """With whatever one could come before, one must be able to come now."""
        now = _ways_in(after)
        for old in _ways_in(before):
            if not any(_asks_no_more(new, old) for new in now):
                held = _listed(old) or "no credential"
                self.say(before.at("security"), f"Access is stricter: {held} was enough and is not any more")

    def parameters(self, before: dict[tuple[str, str], Place], after: dict[tuple[str, str], Place], at: Place) -> None:
        """Parameters by where they stand and what they are called."""
        for (where, name), old in before.items():
            new = after.get((where, name))
            if new is None:
                self.say(old, f"The parameter `{name}` ({where}) is gone")
                continue
            if new.content.get("required", False) and not old.content.get("required", False):
                self.say(old, f"The parameter `{name}` is newly required", Way.ASKED)
            if _written(old) != _written(new):
                self.say(old, f"The parameter `{name}` is written in another way (style, explode)", Way.ASKED)
            self.schema(old.at("schema"), new.at("schema"), Way.ASKED)
            self.contents(old, new, Way.ASKED)
        for (where, name), new in after.items():
            if new.content.get("required", False) and (where, name) not in before:
                self.say(at, f"The parameter `{name}` ({where}) is new and required", Way.ASKED)

    def body(self, before: Place, after: Place) -> None:
        """The body of a request."""
        old, new = before.at("requestBody").target(), after.at("requestBody").target()
        if "requestBody" in before.content and "requestBody" not in after.content:
            self.say(old, "No body is taken any more", Way.ASKED)
            return
        if new.content.get("required", False) and not old.content.get("required", False):
            self.say(old, "A body is newly required", Way.ASKED)
        self.contents(old, new, Way.ASKED)

    def responses(self, before: Place, after: Place) -> None:
        """Answers by status. A refusal may cease; a success may not, and neither may change for the worse."""
        for status, old in before.each("responses").items():
            new = after.at("responses", status).target()
            if status in after.at("responses").content:
                self.headers(old.target(), new)
                self.contents(old.target(), new, Way.TOLD)
            elif status[0] in "23":
                self.say(old, "The success status is gone", Way.TOLD)

    def headers(self, before: Place, after: Place) -> None:
        """The headers of an answer, whose names know no case."""
        described = {name.lower(): place.target() for name, place in after.each("headers").items()}
        for name, old in before.each("headers").items():
            new = described.get(name.lower())
            if new is None:
                self.say(old, f"The header `{name}` is gone", Way.TOLD)
                continue
            if old.target().content.get("required", False) and not new.content.get("required", False):
                self.say(old, f"The header `{name}` is no longer required", Way.TOLD)
            self.schema(old.target().at("schema"), new.at("schema"), Way.TOLD)

    def contents(self, before: Place, after: Place, way: Way) -> None:
        """What stands under `content`, by media type."""
        for media_type, old in before.each("content").items():
            if media_type in after.at("content").content:
                self.schema(old.at("schema"), after.at("content", media_type, "schema"), way)
            else:
                self.say(old, f"The media type `{media_type}` is gone", way)

    def pushed(self, before: dict[str, Place], after: dict[str, Place]) -> None:
        """Webhooks and callbacks: what the service sends by itself is told, and what it is answered is asked."""
        for name, old in before.items():
            for method, operation in old.target().each().items():
                new = after[name].target().at(method, "requestBody").target() if name in after else None
                if method in METHODS and (new is None or method not in after[name].target().content):
                    self.say(operation, "It is not sent any more")
                elif method in METHODS and new is not None:
                    self.contents(operation.at("requestBody").target(), new, Way.TOLD)
                    answers = after[name].target().at(method)
                    for status, answer in operation.each("responses").items():
                        self.contents(answer.target(), answers.at("responses", status).target(), Way.ASKED)

    # Values

    def schema(self, before: Place, after: Place, way: Way) -> None:
        """A value of both documents."""
        pair = (before.pointer, after.pointer, way)
        if pair in self.seen:
            return
        self.seen.add(pair)
        old, new = shape_of(before), shape_of(after)
        if old.null != new.null and (old.types or new.types):  # told where it is used: what it refers to is as it was
            self.null(before, old, way)
        if not self.types(old, new, way):
            return  # nothing in common: there is no sense in comparing further
        if bool(old.variants) != bool(new.variants):
            self.union(old, new, way)
            return
        giver, taker = (old, new) if way is Way.ASKED else (new, old)
        self.values(old, giver, taker, way)
        self.bounds(old, giver, taker, way)
        self.others(old, new, way)
        self.properties(old, new, way)
        self.additional(old, new, way)
        if old.items and new.items:
            self.schema(old.items, new.items, way)
        elif taker.items and "array" in (giver.types or TYPES):
            self.say(old.place, "the items may be anything now" if way is Way.TOLD else "not all items are taken", way)
        if old.variants:
            self.union(old, new, way)

    def null(self, before: Place, old: Shape, way: Way) -> None:
        """Null, which the old one allowed and the new one does not, or the other way round."""
        if old.null and way is Way.ASKED:
            self.say(before, "null is no longer taken", way)
        elif not old.null and way is Way.TOLD:
            self.say(before, "may be null now", way)

    def types(self, old: Shape, new: Shape, way: Way) -> bool:
        """Types, null apart; whether any is left in common."""
        giver, taker = (old, new) if way is Way.ASKED else (new, old)
        more = frozenset[str]()
        if taker.types is not None:
            more = (TYPES if giver.types is None else giver.types) - _covered(taker.types)
        if more:
            kinds = "anything" if giver.types is None else ", ".join(sorted(more))
            self.say(old.place, f"may be {kinds} now" if way is Way.TOLD else f"{kinds} is no longer taken", way)
        return not more or (giver.types is not None and more != giver.types)

    def values(self, old: Shape, giver: Shape, taker: Shape, way: Way) -> None:
        """Closed sets of values. In answers they may grow, but not become other sets, nor open."""
        if taker.values is None:
            return
        if giver.values is None:
            described = (
                "may be anything now, and was one of a few" if way is Way.TOLD else "only some values are taken now"
            )
            self.say(old.place, described, way)
            return
        given = [value for value in giver.values if value is not None]
        gone = [value for value in given if value not in taker.values]
        if way is Way.ASKED and gone:
            self.say(old.place, f"{_listed(gone)} not taken any more", way)
        if way is Way.TOLD and gone and gone == given:
            self.say(old.place, f"{_listed(gone)} and nothing of what it was", way)

    def bounds(self, old: Shape, giver: Shape, taker: Shape, way: Way) -> None:
        """Sizes and lengths."""
        for key, none in LEAST.items():
            if giver.rest.get(key, none) < taker.rest.get(key, none):
                self.say(old.place, f"`{key}` is {'lower' if way is Way.TOLD else 'higher'}", way)
        for key in MOST:
            if giver.rest.get(key, math.inf) > taker.rest.get(key, math.inf):
                self.say(old.place, f"`{key}` is {'higher' if way is Way.TOLD else 'lower'}", way)

    def others(self, old: Shape, new: Shape, way: Way) -> None:
        """Patterns, formats, and whatever else is written there; a default where both tell one."""
        giver, taker = (old, new) if way is Way.ASKED else (new, old)
        for key in sorted(taker.rest.keys() - LEAST.keys() - set(MOST) - {"default"}):
            if taker.rest[key] is not False and giver.rest.get(key) != taker.rest[key]:
                how = "has changed" if key in giver.rest else "is gone" if way is Way.TOLD else "is new"
                self.say(old.place, f"`{key}` {how}", way)
        described = [shape.rest["default"] for shape in (old, new) if "default" in shape.rest]
        if way is Way.ASKED and len(described) == 2 and described[0] != described[1]:
            self.say(old.place, "what is left out means something else: `default` has changed", way)

    def properties(self, old: Shape, new: Shape, way: Way) -> None:
        """Named properties."""
        for name, place in old.properties.items():
            if name in new.properties:
                self.schema(place, new.properties[name], way)
            else:
                self.say(place, f"the property `{name}` is gone", way)
        if way is Way.ASKED:
            for name in sorted(new.required - old.required):
                place = old.properties.get(name) or new.properties.get(name) or new.place
                self.say(place, f"the property `{name}` is newly required", way)
        else:
            for name in sorted((old.required - new.required) & new.properties.keys()):
                self.say(old.properties.get(name, old.place), f"the property `{name}` is no longer required", way)

    def additional(self, old: Shape, new: Shape, way: Way) -> None:
        """Properties that have no name here: forbidden, of one kind, or whatever."""
        if old.closed:
            return
        taker = new if way is Way.ASKED else old
        if new.closed and (way is Way.ASKED or old.additional):
            how = "no property is taken but those named" if way is Way.ASKED else "the map is gone"
            self.say(old.place, how, way)
        elif old.additional and new.additional and not new.closed:
            self.schema(old.additional, new.additional, way)
        elif taker.additional and not taker.closed:
            how = "not all are taken" if way is Way.ASKED else "may be anything now"
            self.say(old.place, f"additional properties: {how}", way)

    def union(self, old: Shape, new: Shape, way: Way) -> None:
        """One of several: variants are the same by the discriminator's value, else by name, else by place."""
        by_tag = old.tag is not None and old.tag == new.tag
        if old.variants and new.variants and old.tag != new.tag and old.tag is not None:
            self.say(old.place, f"the variants are no longer told apart by `{old.tag}`", way)
        before, after = (shape.tagged if by_tag else _by_name(shape) for shape in (old, new))
        for key in before:
            if key in after:
                self.schema(before[key], after[key], way)
            elif way is Way.ASKED:
                self.say(before[key], f"the variant `{key}` of {old.place.pointer} is not taken any more", way)
        if way is Way.TOLD and not old.variants and len(new.variants) > 1:
            self.say(old.place, "may be one of several kinds now", way)
        elif way is Way.TOLD and not before.keys() & after.keys():
            self.say(old.place, "none of the variants is told any more", way)


def _by_name(shape: Shape) -> dict[str, Place]:
    """The variants, those of unions in a union too, by their components' names, those in place by their number.

    What is no union is its only variant.
    """
    places = [place.target() for place in _leaves(shape)]
    return {place.name or str(index): place for index, place in enumerate(places)}


def _leaves(shape: Shape) -> Iterator[Place]:
    for variant in shape.variants:
        yield from _leaves(shape_of(variant))
    if not shape.variants:
        yield shape.place


def _parameters(operation: Place, item: Place) -> dict[tuple[str, str], Place]:
    """An operation's parameters and its path's; the operation's go before. Headers' names know no case."""
    differences = {}
    for place in (one.target() for owner in (item, operation) for one in owner.listed("parameters")):
        where, name = place.content["in"], place.content["name"]
        differences[where, name.lower() if where == "header" else name] = place
    return differences


def _written(parameter: Place) -> tuple[str, bool]:
    """How a parameter of several values is put into the request."""
    style = parameter.content.get("style", "form" if parameter.content["in"] in ("query", "cookie") else "simple")
    return style, parameter.content.get("explode", style == "form")


def _ways_in(operation: Place) -> list[Json]:
    """Which sets of credentials open an operation, any of them; `{}` is none."""
    described: list[Json] = operation.content.get("security", operation.document.get("security", []))
    return described or [{}]


def _asks_no_more(new: Json, old: Json) -> bool:
    return all(name in old and set(scopes) <= set(old[name]) for name, scopes in new.items())
