"""Field factories for requests and responses. An empty description is left out of the document."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from service.rulesets.seats import MOST_SEATS
from service.rulesets.wire import described

MOST_INT32 = 2**31 - 1
MOST_REVISION = 2**53 - 1  # the largest integer that JavaScript represents exactly
PAGE = 500

VARIANT = "One of the ruleset's `variants`."
UNTIMED = "The clock, or null if untimed."


def text(description: str = "", **options: Any) -> fields.String:
    """Return a required string field."""
    return fields.String(required=True, metadata=described(description), **options)


def flag(description: str = "") -> fields.Boolean:
    """Return a required boolean field."""
    return fields.Boolean(required=True, metadata=described(description))


def whole(description: str = "", least: int | None = 0, **options: Any) -> fields.Integer:
    """Return a required integer field. `least`: the minimum, or None for no bound."""
    bounds = None if least is None else validate.Range(least)
    return fields.Integer(required=True, strict=True, validate=bounds, metadata=described(description), **options)


def counter(description: str = "", least: int = 0, **options: Any) -> fields.Integer:
    """Return an integer field for a revision or another unbounded counter; clients need 64 bits for it."""
    metadata = {**described(description), "format": "int64"}
    return fields.Integer(
        strict=True, validate=validate.Range(least), metadata=metadata, **{"required": True, **options}
    )


def when(description: str = "", **options: Any) -> fields.String:
    """Return a field for a time in RFC 3339, UTC."""
    return fields.String(metadata={**described(description), "format": "date-time"}, **{"required": True, **options})


def choice(names: Any, description: str = "", **options: Any) -> fields.String:
    """Return a required string field with a fixed set of values. Sets may grow within /v1."""
    return fields.String(required=True, validate=validate.OneOf(names), metadata=described(description), **options)


def optional_seat(description: str) -> fields.Integer:
    """Return an optional, nullable seat field of a request."""
    return seat_number(description, required=False, allow_none=True, load_default=None)


def seat_number(description: str = "", **options: Any) -> fields.Integer:
    """Return a field for a seat number, counted from 0."""
    bounds = validate.Range(0, MOST_SEATS - 1)
    return fields.Integer(
        strict=True, validate=bounds, metadata=described(description), **{"required": True, **options}
    )
