"""Colours, stars, slots, seats and counts on the wire: the fields that the schemas of this folder share."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from service.rulesets.kernel import MOST_SEATS
from service.rulesets.summer_pavilion.components import COLOURS, SLOTS, STARS
from service.rulesets.wire import counts, index, number, one_of

STAR_KINDS = [*COLOURS, "mixed"]  # what a complete star may be: of one colour, or of six different ones
MOST_BONUS_TILES = 3  # from one placement

SLOT = (
    "Space of the star, 1 to 6 clockwise; slot k touches k - 1 and k + 1, 6 touches 1. On an outer star slot 1 is the "
    "tip a quarter turn clockwise of outward, on the centre star the tip that points to the board's north. It is a "
    "place, not the printed number: on the grey side the two differ (see the ruleset's components)."
)


def colour(**options: Any) -> fields.String:
    """One of the six colours."""
    return one_of(COLOURS, **options)


def star() -> fields.String:
    """One of the seven stars of a board."""
    return one_of(STARS, metadata={"description": "The star's place on the board. On the grey side no more than that."})


def slot() -> fields.Integer:
    """A space of a star, from 1."""
    return number(1, SLOTS, metadata={"description": SLOT})


def seat() -> fields.Integer:
    """A seat number."""
    return index(MOST_SEATS)


def nullable_seat(description: str) -> fields.Integer:
    """A seat number or null."""
    bounds = {"minimum": 0, "maximum": MOST_SEATS - 1}
    return fields.Integer(required=True, allow_none=True, strict=True, metadata={"description": description, **bounds})


SummerPavilionTiles = counts(COLOURS, "SummerPavilionTiles")


def tiles(description: str | None = None, **options: Any) -> fields.Nested:
    """Counts by colour."""
    metadata = {"description": description} if description else {}
    return fields.Nested(SummerPavilionTiles, required=True, metadata=metadata, **options)


def listed(inner: Any, least: int, most: int, description: str | None = None) -> fields.List[Any]:
    """A list of so many."""
    metadata = {"description": description} if description else {}
    return fields.List(inner, required=True, validate=validate.Length(least, most), metadata=metadata)
