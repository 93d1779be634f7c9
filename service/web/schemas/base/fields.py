"""Field factories for requests and responses.

A field is required unless it has a `load_default` or `required=False`. With the default None it accepts null. An empty
description is left out of the document.
"""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields, validate

from service.rulesets.seats import MAX_SEATS
from service.rulesets.wire import description_metadata

MAX_INT32 = 2**31 - 1
MAX_REVISION = 2**53 - 1  # the largest integer that JavaScript represents exactly
PAGE = 500

VARIANT = "One of the ruleset's `variants`."
UNTIMED = "The clock, or null if untimed."


class StrictBoolean(fields.Boolean):
    """A JSON boolean. Numbers and strings are rejected."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class StrictNumber(fields.Float):
    """A JSON number. Strings and booleans are rejected."""

    def _deserialize(self, value: Any, *arguments: Any, **more: Any) -> Any:
        if isinstance(value, str | bool):
            raise self.make_error("invalid", input=value)
        return super()._deserialize(value, *arguments, **more)


class PlacedList(fields.List[Any]):
    """A list whose valid part keeps the places of its items: wrong ones become None, or what is valid in them."""

    def _deserialize(self, value: Any, *_: Any, **options: Any) -> list[Any]:
        if not isinstance(value, list):
            raise self.make_error("invalid")
        items, errors = [], {}
        for place, item in enumerate(value):
            try:
                items.append(self.inner.deserialize(item, **options))
            except ValidationError as error:
                items.append(error.valid_data)
                errors[place] = error.messages
        if errors:
            raise ValidationError(errors, valid_data=items)
        return items


def _options(description: str, options: dict[str, Any], **metadata: str) -> dict[str, Any]:
    metadata = {**description_metadata(description), **metadata}
    return {"required": "load_default" not in options, "metadata": metadata, **options}


def text(description: str = "", most: int = 0, **options: Any) -> fields.String:
    """Return a string field. With `most`, it has 1 to `most` characters."""
    if most:
        options["validate"] = validate.Length(1, most)
    return fields.String(**_options(description, options))


def flag(description: str = "", **options: Any) -> fields.Boolean:
    """Return a boolean field."""
    return StrictBoolean(**_options(description, options))


def integer(description: str = "", least: int | None = 0, most: int | None = None, **options: Any) -> fields.Integer:
    """Return an integer field. `least` None: no bounds; `most` None: no upper bound."""
    bounds = None if least is None else validate.Range(least, most)
    return fields.Integer(strict=True, validate=bounds, **_options(description, options))


def number(description: str = "", **options: Any) -> fields.Float:
    """Return a field for a number with a fraction."""
    return StrictNumber(**_options(description, options))


def counter(description: str = "", least: int = 0, **options: Any) -> fields.Integer:
    """Return an integer field for a revision or another unbounded counter; clients need 64 bits for it."""
    return fields.Integer(strict=True, validate=validate.Range(least), **_options(description, options, format="int64"))


def instant(description: str = "", **options: Any) -> fields.String:
    """Return a field for a time in RFC 3339, UTC."""
    return fields.String(**_options(description, options, format="date-time"))


def choice(names: Any, description: str = "", **options: Any) -> fields.String:
    """Return a string field with a fixed set of values. Sets may grow within /v1."""
    return fields.String(validate=validate.OneOf(names), **_options(description, options))


def matching(pattern: str, error: str, description: str, **options: Any) -> fields.String:
    """Return a string field with a pattern such as `^[0-9]+$`. `error`: what the text must be."""
    rule = validate.Regexp(rf"{pattern[:-1]}\Z", error=error)
    return fields.String(validate=rule, **_options(description, options, pattern=pattern))


def constant(word: str) -> fields.String:
    """Return a string field with one value, which selects a member of a union."""
    return fields.String(required=True, validate=validate.OneOf([word]), metadata={"enum": [word]})


def nest(schema: Any, description: str = "", **options: Any) -> fields.Nested:
    """Return a field for an object."""
    return fields.Nested(schema, **_options(description, options))


def array(item: Any, description: str = "", **options: Any) -> fields.List[Any]:
    """Return a field for a list. `item`: the schema or the field of its items."""
    inner = item if isinstance(item, fields.Field) else fields.Nested(item)
    return PlacedList(inner, **_options(description, options))


def by_name(description: str, values: Any = fields.String) -> fields.Dict:
    """Return a field for an object with any names. `values`: the field of its values."""
    return fields.Dict(keys=fields.String(), values=values, **_options(description, {}))


def optional_seat(description: str) -> fields.Integer:
    """Return an optional, nullable seat field of a request."""
    return seat_number(description, load_default=None)


def seat_number(description: str = "", **options: Any) -> fields.Integer:
    """Return a field for a seat number, counted from 0."""
    return integer(description, 0, MAX_SEATS - 1, **options)
