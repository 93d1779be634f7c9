"""The fields that requests and answers are made of, each with its description for the document."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from service.rulesets.seats import MOST_SEATS

MOST_REVISION = 2**53 - 1  # what every client's numbers hold
PAGE = 500


def text(description: str, **options: Any) -> fields.String:
    """A string that is always there."""
    return fields.String(required=True, metadata={"description": description}, **options)


def flag(description: str) -> fields.Boolean:
    """A truth value that is always there."""
    return fields.Boolean(required=True, metadata={"description": description})


def whole(description: str, least: int | None = 0, **options: Any) -> fields.Integer:
    """A whole number that is always there."""
    bounds = None if least is None else validate.Range(least)
    metadata = {"description": description}
    return fields.Integer(required=True, strict=True, validate=bounds, metadata=metadata, **options)


def counter(description: str, least: int = 0, **options: Any) -> fields.Integer:
    """A revision, or what else is counted without an end: a client needs 64 bits for it, as for what it sends."""
    metadata = {"description": description, "format": "int64"}
    return fields.Integer(
        strict=True, validate=validate.Range(least), metadata=metadata, **{"required": True, **options}
    )


def when(description: str, **options: Any) -> fields.String:
    """A moment, RFC 3339, UTC."""
    return fields.String(metadata={"description": description, "format": "date-time"}, **{"required": True, **options})


def choice(names: Any, description: str, **options: Any) -> fields.String:
    """One of a fixed set. Sets may grow within /v1."""
    return fields.String(
        required=True, validate=validate.OneOf(names), metadata={"description": description}, **options
    )


def optional_seat(description: str) -> fields.Integer:
    """A seat that may be null or absent in a request."""
    return seat_number(description, required=False, allow_none=True, load_default=None)


def seat_number(description: str, **options: Any) -> fields.Integer:
    """A seat, counted from 0."""
    bounds = validate.Range(0, MOST_SEATS - 1)
    return fields.Integer(
        strict=True, validate=bounds, metadata={"description": description}, **{"required": True, **options}
    )
