"""Fields that the JSON schemas of Queen's Garden share: hexagons, spaces, pieces, payments and counts.

They check shapes only. The rules refuse illegal values, such as payments of mixed colours, with a reason.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from marshmallow import ValidationError, fields, validate

from service.rulesets.queens_garden.rules.components import (
    AREAS,
    COLOURS,
    DIRECTIONS,
    ELEMENT_JOKERS,
    ELEMENTS,
    EXPANSION_SPACES,
    KINDS,
    MAX_BESIDE,
    PATTERNS,
    SPACES,
    TILE_SPACES,
    TILES_A_HEXAGON,
    VARIANTS,
)
from service.rulesets.wire import (
    CERTAINTIES,
    Json,
    Names,
    WireSchema,
    index,
    list_field,
    nest,
    new_schema,
    number,
    one_of,
)

HEXAGON_NAMES: tuple[Json, ...] = tuple(
    {"colour": colour, "pattern": pattern} for colour in COLOURS for pattern in PATTERNS
)
COLOUR = Names("QueensGardenColour", "A hexagon colour.", COLOURS)
PATTERN = Names("QueensGardenPattern", "A hexagon pattern.", PATTERNS)
COLOUR_OR_PATTERN = Names("QueensGardenColourOrPattern", "A colour or a pattern.", [*COLOURS, *PATTERNS])
AXIS = Names("QueensGardenAxis", "Property by which hexagons are chosen or grouped.", ["colour", "pattern"])
SOURCE_FIELD = Names(
    "QueensGardenPlace", "Place of a piece in the display.", ["top", *(f"beside_{k}" for k in range(MAX_BESIDE))]
)
PIECE_KIND = Names("QueensGardenPieceKind", "Kind of a piece.", ["tile", "expansion"])
ELEMENT = Names("QueensGardenElementName", "An element of a garden.", [name for name, _, _ in ELEMENTS])
ELEMENT_KIND = Names("QueensGardenElementKind", "Kind of an element.", ELEMENT_JOKERS)
CERTAINTY = Names("QueensGardenCertainty", "How certain the details are.", CERTAINTIES)
VARIANT = Names("QueensGardenVariant", "The side of the scoring board.", VARIANTS)
FARTHEST = max(abs(part) for space in SPACES for part in space)
MAX_PIECES = TILE_SPACES + EXPANSION_SPACES  # in a storage
MAX_VALUE = KINDS * MAX_PIECES  # of a full storage

SPACE = "Coordinates [q, r] of a space; see `QueensGardenGeometry`."
SOURCE = "`top`: the top of the stack. `beside_2`: expansion 2 beside the stack, or a tile on it."


def hexagon_of(named: Json) -> int:
    """Return the number of a hexagon."""
    return COLOURS.index(named["colour"]) * KINDS + PATTERNS.index(named["pattern"])


def colour() -> fields.String:
    """Return a field for one of the six colours."""
    return one_of(COLOUR)


def pattern(description: str | None = None, **options: Any) -> fields.String:
    """Return a field for one of the six patterns."""
    return one_of(PATTERN, description, **options)


def axis() -> fields.String:
    """Return a field for the property by which hexagons are chosen or grouped."""
    return one_of(AXIS)


def axis_value() -> fields.String:
    """Return a field for a colour or a pattern."""
    return one_of(COLOUR_OR_PATTERN, "A colour if `by` is `colour`, else a pattern.")


def area() -> fields.Integer:
    """Return a field for one of the six places for expansions."""
    return index(AREAS, "Area, clockwise from 0 on the right.")


def rotation(**options: Any) -> fields.Integer:
    """Return a field for the rotation of a face-up expansion."""
    return fields.Integer(
        strict=True,
        validate=validate.Range(0, len(DIRECTIONS) - 1),
        metadata={"description": "Direction from the area's centre to the printed hexagon."},
        **options,
    )


def beside_number() -> fields.Integer:
    """Return a field for the number of an expansion beside the stack."""
    return index(MAX_BESIDE, "Number of the expansion beside the stack.")


def _is_a_space(coordinates: list[int]) -> None:
    if len(coordinates) == 2 and tuple(coordinates) not in SPACES:
        raise ValidationError("must be a free space of the garden, without a printed element")


def space(description: str = SPACE) -> fields.List[Any]:
    """Return a field for a space of the garden."""
    return place(description, _is_a_space)


def place(description: str, *validators: Callable[[list[int]], None]) -> fields.List[Any]:
    """Return a field for the coordinates of an element or a direction."""
    return fields.List(
        fields.Integer(strict=True, validate=validate.Range(-FARTHEST, FARTHEST)),
        required=True,
        validate=[validate.Length(equal=2), *validators],
        metadata={"description": description},
    )


class Hexagon(WireSchema):
    """The colour and pattern of a tile or expansion. Each of the 36 hexagons is on three tiles and one expansion."""

    component = "QueensGardenHexagon"
    colour = colour()
    pattern = pattern("The pattern. Its value is its place in this list, from 1.")


def hexagon(description: str | None = None, **options: Any) -> fields.Nested:
    """Return a field for a hexagon."""
    return nest(Hexagon, description, **options)


def hexagons(least: int, most: int, description: str | None = None) -> fields.List[Any]:
    """Return a field for a list of hexagons."""
    return list_field(Hexagon, least, most, description)


class Piece(WireSchema):
    """A tile or expansion of the display."""

    class Meta(WireSchema.Meta):
        """`from` is a Python keyword."""

        include = {"from": one_of(SOURCE_FIELD, SOURCE)}  # noqa: RUF012 - marshmallow's

    component = "QueensGardenPiece"
    kind = one_of(PIECE_KIND)
    hexagon = hexagon()


class Pieces(WireSchema):
    """Tiles and expansions of a storage."""

    component = "QueensGardenPieces"
    tiles = hexagons(0, TILE_SPACES)
    expansions = hexagons(0, EXPANSION_SPACES)


class Payment(WireSchema):
    """The pieces paid in addition to the placed one: its value minus one, including jokers.

    All hexagons, including the placed one, are different and share one colour or one pattern.
    """

    component = "QueensGardenPayment"
    tiles = hexagons(0, TILE_SPACES, "Tiles to pay. They go to the tower.")
    expansions = hexagons(0, EXPANSION_SPACES, "Expansions to pay. They go face down under the supply.")
    jokers = number(0, TILE_SPACES, "Jokers to pay, each instead of any piece.")


def payment() -> fields.Nested:
    """Return a field for a payment."""
    return nest(Payment)


CountsByPattern = new_schema(
    "QueensGardenCountsByPattern",
    "Tiles of one colour by pattern; zeros are omitted.",
    {name: fields.Integer(strict=True, validate=validate.Range(1, TILES_A_HEXAGON)) for name in PATTERNS},
)
Counts = new_schema(
    "QueensGardenCounts",
    "Tiles by colour and pattern; zeros and colours without tiles are omitted.",
    {name: fields.Nested(CountsByPattern) for name in COLOURS},
)


def counts(description: str | None = None) -> fields.Nested:
    """Return a field for counts by colour and pattern."""
    return nest(Counts, description)
