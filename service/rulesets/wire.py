"""Base schemas for what rulesets say on the wire: tagged dicts, counts by colour, and reading them with pointers.

Every variant of a union carries its tag `type` as a required one-value enum, so that clients are generated with
discriminated unions; a Schema's name in the OpenAPI document is `component`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate

from service.rulesets.seats import MOST_SEATS

if TYPE_CHECKING:  # the keeper knows JSON, and loads no compiler
    from service.rulesets.kernel import Record

Json = dict[str, Any]
Problems = Iterator[tuple[str, str]]
"""JSON pointer, and what is wrong there."""


class Inconsistent(ValueError):  # noqa: N818 - it is a fact about the JSON
    """JSON that says what cannot be. `errors`: JSON pointer -> what is wrong there."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{pointer}: {text}" for pointer, text in errors.items()))
        self.errors = dict(errors)


def raise_if_any(problems: Iterable[tuple[str, str]]) -> None:
    """Inconsistent, with all of the problems, if there are any."""
    if errors := dict(problems):
        raise Inconsistent(errors)


class WireSchema(Schema):
    """A named object of the API. Unknown fields are refused."""

    class Meta:
        """marshmallow's options."""

        unknown = RAISE

    component = ""  # its name in the OpenAPI document


class Names(Sequence[str]):
    """A set of words with a name of its own in the document, so that generated clients have one type for them."""

    def __init__(self, component: str, description: str, names: Collection[str]) -> None:
        """`component` is its name in the document. A registry's words are those that it has when they are asked for."""
        self.component = component
        self.description = description
        self._names = names

    def __getitem__(self, key: Any) -> Any:
        """By index or slice."""
        return tuple(self._names)[key]

    def __len__(self) -> int:
        """How many there are."""
        return len(self._names)


CERTAINTIES = ("certain", "likely", "reconstructed", "unknown")


def tag(value: str) -> fields.String:
    """The field `type` of a tagged object."""
    return fields.String(required=True, validate=validate.OneOf([value]), metadata={"enum": [value]})


def one_of(names: Sequence[str], **options: Any) -> fields.String:
    """A string out of a fixed set; `Names` have a component of their own in the document."""
    return fields.String(required=True, validate=validate.OneOf(names), **options)


def index(count: int, **options: Any) -> fields.Integer:
    """An index 0..count-1."""
    return fields.Integer(required=True, strict=True, validate=validate.Range(0, count - 1), **options)


def number(least: int = 0, most: int | None = None, **options: Any) -> fields.Integer:
    """A whole number within bounds."""
    return fields.Integer(required=True, strict=True, validate=validate.Range(least, most), **options)


def seat() -> fields.Integer:
    """A seat number."""
    return index(MOST_SEATS)


def nullable_seat(description: str) -> fields.Integer:
    """A seat number or null."""
    bounds = {"minimum": 0, "maximum": MOST_SEATS - 1}
    return fields.Integer(required=True, allow_none=True, strict=True, metadata={"description": description, **bounds})


def described(description: str | None) -> dict[str, str]:
    """The metadata of a field that may be described."""
    return {"description": description} if description else {}


def listed(inner: Any, least: int, most: int, description: str | None = None) -> fields.List[Any]:
    """A list of so many."""
    return fields.List(inner, required=True, validate=validate.Length(least, most), metadata=described(description))


def counts(kinds: Sequence[str], component: str) -> type[WireSchema]:
    """Schema of an object `{kind: count}` that leaves zeros out."""
    members: dict[str, Any] = {
        kind: fields.Integer(strict=True, validate=validate.Range(1), metadata={"minimum": 1}) for kind in kinds
    }
    return type(component, (WireSchema,), {**members, "component": component, "__doc__": "Counts; zeros are left out."})


# ------------------------------------------------------------------------------- tagged objects


def by_type(*schemas: type[WireSchema]) -> dict[str, type[WireSchema]]:
    """Schemas of tagged objects by their `type`."""
    return {schema().fields["type"].metadata["enum"][0]: schema for schema in schemas}


def effect_schema(ruleset: str, name: str, doc: str, **members: Any) -> type[WireSchema]:
    """The schema of an effect of a ruleset: AzulEffectTilePlaced is `azul.tile_placed`."""
    return _tagged(ruleset, f"Effect{camel(name)}", name, doc, members)


def first_seat_schema(ruleset: str) -> type[WireSchema]:
    """The schema of the draw that all rulesets have; `name_first_seat` makes one."""
    doc = "The seat that starts round 1, where it is left to chance."
    return _tagged(ruleset, "DrawFirstSeat", "first_seat", doc, {"seat": seat()})


def name_first_seat(ruleset: str, drawn: Sequence[int]) -> Json:
    """The first seat, named."""
    return {"type": f"{ruleset}.first_seat", "seat": drawn[0]}


def _tagged(ruleset: str, component: str, name: str, doc: str, members: Json) -> type[WireSchema]:
    component = camel(ruleset) + component
    body = {"type": tag(f"{ruleset}.{name}"), **members, "component": component, "__doc__": doc}
    return type(component, (WireSchema,), body)


def camel(name: str) -> str:
    """A name with hyphens or underscores, as schemas are named."""
    return "".join(part.capitalize() for part in re.split("[-_]", name))


# ------------------------------------------------------------------------------- positions


def seat_problems(position: Json, *names: str) -> Problems:
    """Seats that this game does not have, in fields that are null or a seat."""
    seats = len(position["seats"])
    for name in names:
        if position[name] is not None and not 0 <= position[name] < seats:
            yield f"/{name}", f"must be null or a seat 0..{seats - 1}"


def scores_at_most(table_state: Record, most: Iterable[int]) -> dict[str, str]:
    """`at_most` of the scores; `most` is by seat."""
    return at_most({f"/seats/{seat}/score": (int(table_state.score[seat]), points) for seat, points in enumerate(most)})


def at_most(numbers: Mapping[str, tuple[int, int]]) -> dict[str, str]:
    """JSON pointer -> (number, the most it may be for play to stay within the schemas): those that are more."""
    text = "must be at most {}: with what may still come it could be more than the schemas allow"
    return {pointer: text.format(most) for pointer, (number, most) in numbers.items() if number > most}


def to_counts(row: Sequence[int], kinds: Sequence[str]) -> Json:
    """A row of counts as an object that leaves zeros out."""
    return {kind: count for kind, count in zip(kinds, row, strict=True) if count}


def from_counts(counts: Mapping[str, int], kinds: Sequence[str]) -> list[int]:
    """The same read back, as a row."""
    return [counts.get(kind, 0) for kind in kinds]


def places_of(mask: Any) -> list[int]:
    """Where the ones of a mask stand."""
    rest, places = int(mask), []
    while rest:
        places.append((rest & -rest).bit_length() - 1)
        rest &= rest - 1
    return places


def pointers(messages: Any, at: str = "") -> Iterator[tuple[str, str]]:
    """Marshmallow's nested messages as (JSON pointer, text), one for each place."""
    if isinstance(messages, Mapping):
        for key, inner in messages.items():
            yield from pointers(inner, at if key == "_schema" else f"{at}/{_escaped(str(key))}")
    elif isinstance(messages, (list, tuple)):
        yield at, " ".join(str(text) for text in messages)
    else:
        yield at, str(messages)


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


@cache
def _ready(schema: type[Schema]) -> Schema:
    """One instance of each schema: making one costs more than reading with it."""
    return schema()


def load(schema: type[Schema], json: Any) -> Json:
    """What the schema reads. Inconsistent, with pointers, if it does not fit."""
    try:
        return dict(_ready(schema).load(json))  # type: ignore[arg-type]
    except ValidationError as error:
        raise Inconsistent(dict(pointers(error.messages))) from None


def load_tagged(schemas: Mapping[str, type[Schema]], json: Any) -> Json:
    """One of several tagged objects, chosen by `type`. Inconsistent, with pointers, if it fits none."""
    if not isinstance(json, Mapping):
        raise Inconsistent({"": "must be an object"})
    chosen = json.get("type")
    if not isinstance(chosen, str) or (chosen := full_type(chosen, _ruleset_of(schemas))) not in schemas:
        raise Inconsistent({"/type": f"must be one of: {', '.join(schemas)}"})
    return load(schemas[chosen], {**json, "type": chosen})


def full_type(type_: str, ruleset_id: str) -> str:
    """A full type: the ruleset's id, a dot and a word. Older logs have the word alone."""
    return type_ if "." in type_ else f"{ruleset_id}.{type_}"


def _ruleset_of(schemas: Mapping[str, type[Schema]]) -> str:
    return next(iter(schemas)).partition(".")[0]
