"""Colours, stars, slots, seats and counts on the wire: the fields that the schemas of this folder share."""

from __future__ import annotations

from typing import Any

from marshmallow import fields

from service.rulesets.offer import source_names
from service.rulesets.summer_pavilion.rules.components import COLOURS, FEATURE_NAMES, SLOTS, STARS, VARIANTS
from service.rulesets.wire import CERTAINTIES, Names, counts, number, one_of

SOURCE = source_names("summer-pavilion")
COLOUR = Names("SummerPavilionColour", "A colour of tiles.", COLOURS)
STAR = Names("SummerPavilionStarPlace", "A star's place on the board. On the grey side no more than that.", STARS)
COLOUR_OR_MIXED = Names(
    "SummerPavilionColourOrMixed", "The colour of a star's tiles; `mixed`: six colours.", [*COLOURS, "mixed"]
)
CERTAINTY = Names("SummerPavilionCertainty", "How sure it is that a part is so.", CERTAINTIES)
VARIANT = Names("SummerPavilionVariant", "The side of the boards.", VARIANTS)
FEATURE = Names("SummerPavilionFeatureName", "A pillar, a statue or a window of a board.", FEATURE_NAMES)
MOST_BONUS_TILES = 3  # from one placement

SLOT = (
    "Space of the star, 1 to 6 clockwise; slot k touches k - 1 and k + 1, 6 touches 1. On an outer star slot 1 is the "
    "tip a quarter turn clockwise of outward, on the centre star the tip that points to the board's north. It is a "
    "place, not the printed number: on the grey side the two differ (see the ruleset's components)."
)


def colour(**options: Any) -> fields.String:
    """One of the six colours."""
    return one_of(COLOUR, **options)


def star() -> fields.String:
    """One of the seven stars of a board."""
    return one_of(STAR, metadata={"description": STAR.description})


def slot() -> fields.Integer:
    """A space of a star, from 1."""
    return number(1, SLOTS, metadata={"description": SLOT})


SummerPavilionTiles = counts(COLOURS, "SummerPavilionTiles")


def tiles(description: str | None = None, **options: Any) -> fields.Nested:
    """Counts by colour."""
    metadata = {"description": description} if description else {}
    return fields.Nested(SummerPavilionTiles, required=True, metadata=metadata, **options)
