"""Fields that the JSON schemas of Summer Pavilion share: colours, stars, slots and counts."""

from __future__ import annotations

from typing import Any

from marshmallow import fields

from service.rulesets.offer import source_names
from service.rulesets.summer_pavilion.rules.components import (
    COLOURS,
    FEATURE_NAMES,
    SLOTS,
    STARS,
    TILES_A_COLOUR,
    VARIANTS,
)
from service.rulesets.wire import CERTAINTIES, Names, counts, nest, number, one_of

SOURCE = source_names("summer-pavilion")
COLOUR = Names("SummerPavilionColour", "A tile colour.", COLOURS)
STAR = Names("SummerPavilionStarPlace", "Place of a star on the board. On the grey side, stars have no colour.", STARS)
COLOUR_OR_MIXED = Names(
    "SummerPavilionColourOrMixed", "Colour of a star's tiles; `mixed` for six colours.", [*COLOURS, "mixed"]
)
CERTAINTY = Names("SummerPavilionCertainty", "How certain the details are.", CERTAINTIES)
VARIANT = Names("SummerPavilionVariant", "The side of the boards.", VARIANTS)
FEATURE = Names("SummerPavilionFeatureName", "A pillar, statue or window of the board.", FEATURE_NAMES)
MAX_BONUS_TILES = 3  # per placement

SLOT = "Place on the star; see `SummerPavilionSpace`."


def colour(description: str | None = None, **options: Any) -> fields.String:
    """Return a field for one of the six colours."""
    return one_of(COLOUR, description, **options)


def star() -> fields.String:
    """Return a field for one of the seven stars of a board."""
    return one_of(STAR)


def slot() -> fields.Integer:
    """Return a field for a space of a star, from 1."""
    return number(1, SLOTS, SLOT)


SummerPavilionTiles = counts(COLOURS, TILES_A_COLOUR, "SummerPavilionTiles")


def tiles(description: str | None = None, **options: Any) -> fields.Nested:
    """Return a field for counts by colour."""
    return nest(SummerPavilionTiles, description, **options)
