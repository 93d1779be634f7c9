"""Base schemas for the JSON of rulesets: tagged objects, counts by colour, and loading with JSON pointers in errors.

Every leaf of a union has its tag `type` as a required one-value enum, so that generated clients have discriminated
unions. `component` is the schema's name in the OpenAPI document.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate

from service.rulesets.seats import MAX_SEATS

if TYPE_CHECKING:  # the keeper reads JSON without loading the compiler
    from service.rulesets.kernel import Record

Json = dict[str, Any]
Problems = Iterator[tuple[str, str]]
"""Pairs of JSON pointer and error message."""


class InconsistentStateError(ValueError):
    """JSON that contradicts itself or its schema. `errors`: JSON pointer -> error message."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{pointer}: {text}" for pointer, text in errors.items()))
        self.errors = dict(errors)


def raise_if_any(problems: Iterable[tuple[str, str]]) -> None:
    """Raise InconsistentStateError with all problems, if there are any."""
    if errors := dict(problems):
        raise InconsistentStateError(errors)


class WireSchema(Schema):
    """A named object of the API. Unknown fields are rejected."""

    class Meta:
        """marshmallow's options."""

        unknown = RAISE

    component = ""  # its name in the OpenAPI document


class Names(Sequence[str]):
    """An enum with its own name in the document, so that generated clients have one type for it."""

    def __init__(self, component: str, description: str, names: Collection[str]) -> None:
        """`component`: its name in the document. `names` is read on each access, so a registry may grow."""
        self.component = component
        self.description = description
        self._names = names

    def __getitem__(self, key: Any) -> Any:
        """Return a name, or the names of a slice."""
        return tuple(self._names)[key]

    def __len__(self) -> int:
        """Return the number of names."""
        return len(self._names)


CERTAINTIES = ("certain", "likely", "reconstructed", "unknown")


def tag(value: str) -> fields.String:
    """Return the field `type` of a tagged object."""
    return fields.String(required=True, validate=validate.OneOf([value]), metadata={"enum": [value]})


def one_of(names: Sequence[str], description: str | None = None, **options: Any) -> fields.String:
    """Return a field for one of a fixed set of strings. `Names` become components of the document."""
    metadata = description_metadata(description)
    return fields.String(required=True, validate=validate.OneOf(names), metadata=metadata, **options)


def number(least: int = 0, most: int | None = None, description: str | None = None, **options: Any) -> fields.Integer:
    """Return a field for an integer within bounds."""
    metadata = description_metadata(description)
    return fields.Integer(
        required=True, strict=True, validate=validate.Range(least, most), metadata=metadata, **options
    )


def index(count: int, description: str | None = None, **options: Any) -> fields.Integer:
    """Return a field for an index 0..count-1."""
    return number(0, count - 1, description, **options)


def boolean(description: str | None = None) -> fields.Boolean:
    """Return a field for true or false."""
    return fields.Boolean(required=True, metadata=description_metadata(description))


def seat() -> fields.Integer:
    """Return a field for a seat number."""
    return index(MAX_SEATS)


def nullable_seat(description: str | None = None) -> fields.Integer:
    """Return a field for a seat number or null."""
    metadata = {**description_metadata(description), "minimum": 0, "maximum": MAX_SEATS - 1}
    return fields.Integer(required=True, allow_none=True, strict=True, metadata=metadata)


def description_metadata(description: str | None) -> dict[str, str]:
    """Return the metadata of a field with an optional description."""
    return {"description": description} if description else {}


def nest(schema: type[Schema], description: str | None = None, **options: Any) -> fields.Nested:
    """Return a field for an object."""
    return fields.Nested(schema, required=True, metadata=description_metadata(description), **options)


def list_field(inner: Any, least: int = 0, most: int | None = None, description: str | None = None) -> fields.List[Any]:
    """Return a field for a list with `least` to `most` items; `inner`: their field or schema."""
    item = inner if isinstance(inner, fields.Field) else fields.Nested(inner)
    bounds = None if most is None else validate.Length(least, most)
    return fields.List(item, required=True, validate=bounds, metadata=description_metadata(description))


def exact_list(inner: Any, count: int, description: str | None = None) -> fields.List[Any]:
    """Return a field for a list with `count` items."""
    return list_field(inner, count, count, description)


def counts(kinds: Sequence[str], most: int, component: str) -> type[WireSchema]:
    """Return the schema of an object `{kind: count}` without zero counts; `most` is the maximum of a kind."""
    members = {kind: fields.Integer(strict=True, validate=validate.Range(1, most)) for kind in kinds}
    return new_schema(component, "Counts; zeros are omitted.", members)


def new_schema(component: str, doc: str, members: Mapping[str, Any]) -> type[WireSchema]:
    """Return the schema of an object with these fields."""
    return type(component, (WireSchema,), {**members, "component": component, "__doc__": doc})


# ------------------------------------------------------------------------------- tagged objects


def by_type(*schemas: type[WireSchema]) -> dict[str, type[WireSchema]]:
    """Return the schemas of tagged objects by `type`."""
    return {schema().fields["type"].metadata["enum"][0]: schema for schema in schemas}


def effect_schema(ruleset: str, name: str, doc: str, **members: Any) -> type[WireSchema]:
    """Return the schema of a ruleset's effect: AzulEffectTilePlaced is `azul.tile_placed`."""
    return _tagged_schema(ruleset, f"Effect{camel(name)}", name, doc, members)


def first_seat_schema(ruleset: str) -> type[WireSchema]:
    """Return the schema of the draw of the first seat, which all rulesets share."""
    doc = "The seat that starts round 1, if drawn."
    return _tagged_schema(ruleset, "DrawFirstSeat", "first_seat", doc, {"seat": seat()})


def name_first_seat(ruleset: str, drawn: Sequence[int]) -> Json:
    """Return the draw of the first seat as JSON."""
    return {"type": f"{ruleset}.first_seat", "seat": drawn[0]}


def _tagged_schema(ruleset: str, component: str, name: str, doc: str, members: Json) -> type[WireSchema]:
    return new_schema(camel(ruleset) + component, doc, {"type": tag(f"{ruleset}.{name}"), **members})


def camel(name: str) -> str:
    """Convert a name with hyphens or underscores to CamelCase."""
    return "".join(part.capitalize() for part in re.split("[-_]", name))


# ------------------------------------------------------------------------------- positions


def seat_problems(position: Json, *names: str) -> Problems:
    """Yield problems of nullable seat fields whose seat does not exist."""
    seats = len(position["seats"])
    for name in names:
        if position[name] is not None and not 0 <= position[name] < seats:
            yield f"/{name}", f"must be null or a seat from 0 to {seats - 1}"


def mover_of(position: Json) -> int | None:
    """Return the seat that decides, now or after the draws that are due (`next_seat`)."""
    return position["to_decide"] if position["next_seat"] is None else position["next_seat"]


def scores_at_most(table_state: Record, most: Iterable[int]) -> dict[str, str]:
    """Return the scores above their limit (`most`, by seat), as `at_most` does."""
    return at_most({f"/seats/{seat}/score": (int(table_state.score[seat]), points) for seat, points in enumerate(most)})


def at_most(numbers: Mapping[str, tuple[int, int]]) -> dict[str, str]:
    """Return errors for numbers above their limit. `numbers`: JSON pointer -> (number, limit)."""
    text = "must be at most {}, or later values could exceed the limits of the schema"
    return {pointer: text.format(most) for pointer, (number, most) in numbers.items() if number > most}


def to_counts(row: Sequence[int], kinds: Sequence[str]) -> Json:
    """Convert a row of counts to an object without zeros."""
    return {kind: count for kind, count in zip(kinds, row, strict=True) if count}


def from_counts(counts: Mapping[str, int], kinds: Sequence[str]) -> list[int]:
    """Convert an object of counts to a row."""
    return [counts.get(kind, 0) for kind in kinds]


def places_of(mask: Any) -> list[int]:
    """Return the positions of the one bits of a mask."""
    rest, places = int(mask), []
    while rest:
        places.append((rest & -rest).bit_length() - 1)
        rest &= rest - 1
    return places


def pointers(messages: Any, at: str = "") -> Iterator[tuple[str, str]]:
    """Yield marshmallow's nested messages as pairs of JSON pointer and text."""
    if isinstance(messages, Mapping):
        for key, inner in messages.items():
            yield from pointers(inner, at if key == "_schema" else f"{at}/{_escape_pointer(str(key))}")
    elif isinstance(messages, (list, tuple)):
        yield at, " ".join(str(text) for text in messages)
    else:
        yield at, str(messages)


def nested_messages(errors: Mapping[str, str]) -> Json:
    """Return texts by JSON pointer as marshmallow's nested messages."""
    messages: Json = {}
    for pointer, text in errors.items():
        place = messages
        for name in pointer.split("/")[1:]:
            place = place.setdefault(name.replace("~1", "/").replace("~0", "~"), {})
        place["_schema"] = [text]
    return messages


def _escape_pointer(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


@cache
def _ready(schema: type[Schema]) -> Schema:
    """Return a cached instance; creating one costs more than loading with it."""
    return schema()


def load(schema: type[Schema], json: Any) -> Json:
    """Load JSON with the schema. Raises InconsistentStateError, with pointers."""
    try:
        return dict(_ready(schema).load(json))  # type: ignore[arg-type]
    except ValidationError as error:
        raise InconsistentStateError(dict(pointers(error.messages))) from None


def load_tagged(schemas: Mapping[str, type[Schema]], json: Any) -> Json:
    """Load a tagged object with the schema for its `type`. Raises InconsistentStateError, with pointers."""
    if not isinstance(json, Mapping):
        raise InconsistentStateError({"": "must be an object"})
    chosen = json.get("type")
    if not isinstance(chosen, str) or (chosen := full_type(chosen, _ruleset_of(schemas))) not in schemas:
        raise InconsistentStateError({"/type": f"must be one of: {', '.join(schemas)}"})
    return load(schemas[chosen], {**json, "type": chosen})


def full_type(type_: str, ruleset_id: str) -> str:
    """Prefix a type with the ruleset's id, unless it has one. Older logs have types without it."""
    return type_ if "." in type_ else f"{ruleset_id}.{type_}"


def _ruleset_of(schemas: Mapping[str, type[Schema]]) -> str:
    return next(iter(schemas)).partition(".")[0]
