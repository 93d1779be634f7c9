"""Base schemas for what rulesets say on the wire: tagged dicts, counts by colour, and reading them with pointers.

Every variant of a union carries its tag `type` as a required one-value enum, so that clients are generated with
discriminated unions; a Schema's name in the OpenAPI document is `component`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate

Json = dict[str, Any]


class Inconsistent(ValueError):  # noqa: N818 - it is a fact about the JSON
    """JSON that says what cannot be. `errors`: JSON pointer -> what is wrong there."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{pointer}: {text}" for pointer, text in errors.items()))
        self.errors = dict(errors)


class WireSchema(Schema):
    """A named object of the API. Unknown fields are refused."""

    class Meta:
        """marshmallow's options."""

        unknown = RAISE

    component = ""  # its name in the OpenAPI document


class Names(Sequence[str]):
    """A set of words that the document tells once, by name: generated clients then have one type for them."""

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
    """A string out of a fixed set; `Names` are told once in the document."""
    return fields.String(required=True, validate=validate.OneOf(names), **options)


def index(count: int, **options: Any) -> fields.Integer:
    """An index 0..count-1."""
    return fields.Integer(required=True, strict=True, validate=validate.Range(0, count - 1), **options)


def number(least: int = 0, most: int | None = None, **options: Any) -> fields.Integer:
    """A whole number within bounds."""
    return fields.Integer(required=True, strict=True, validate=validate.Range(least, most), **options)


def counts(kinds: Sequence[str], component: str) -> type[WireSchema]:
    """Schema of an object `{kind: count}` that leaves zeros out."""
    members: dict[str, Any] = {
        kind: fields.Integer(strict=True, validate=validate.Range(1), metadata={"minimum": 1}) for kind in kinds
    }
    return type(component, (WireSchema,), {**members, "component": component, "__doc__": "Counts; zeros are left out."})


def at_most(told: Mapping[str, tuple[int, int]]) -> dict[str, str]:
    """JSON pointer -> (number, the most it may be, so that play stays within what can be told): those that are more."""
    text = "must be at most {}: with what may still come it could be more than can be told"
    return {pointer: text.format(most) for pointer, (number, most) in told.items() if number > most}


def to_counts(row: Any, kinds: Sequence[str]) -> Json:
    """A row of an array as an object that leaves zeros out."""
    return {kind: count for kind, count in zip(kinds, row.tolist(), strict=True) if count}


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


def full_type(told: str, ruleset_id: str) -> str:
    """A type as it is told now, with the ruleset's id in front; it once had none."""
    return told if "." in told else f"{ruleset_id}.{told}"


def _ruleset_of(schemas: Mapping[str, type[Schema]]) -> str:
    return next(iter(schemas)).partition(".")[0]
