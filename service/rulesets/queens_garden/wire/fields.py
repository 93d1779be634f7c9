"""Hexagons, spaces, pieces, payments, seats and counts on the wire: what the schemas of this folder share.

Shape only: a payment of mixed colours or a hexagon named twice passes here, since the rules refuse it with a reason.
"""

from __future__ import annotations

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
    MOST_BESIDE,
    PATTERNS,
    SPACES,
    TILE_SPACES,
    TILES_A_HEXAGON,
    VARIANTS,
)
from service.rulesets.wire import CERTAINTIES, Json, Names, WireSchema, described, index, listed, number, one_of

HEXAGON_NAMES: tuple[Json, ...] = tuple(
    {"colour": colour, "pattern": pattern} for colour in COLOURS for pattern in PATTERNS
)
COLOUR = Names("QueensGardenColour", "A colour of hexagons.", COLOURS)
PATTERN = Names("QueensGardenPattern", "A pattern of hexagons.", PATTERNS)
COLOUR_OR_PATTERN = Names("QueensGardenColourOrPattern", "A colour or a pattern.", [*COLOURS, *PATTERNS])
AXIS = Names("QueensGardenAxis", "The property by which hexagons are chosen, or joined.", ["colour", "pattern"])
SOURCE_FIELD = Names(
    "QueensGardenPlace", "Where a piece of the display lies.", ["top", *(f"beside_{k}" for k in range(MOST_BESIDE))]
)
PIECE_KIND = Names("QueensGardenPieceKind", "What a hexagon is as a piece.", ["tile", "expansion"])
ELEMENT = Names("QueensGardenElementName", "An element of a garden.", [name for name, _, _ in ELEMENTS])
ELEMENT_KIND = Names("QueensGardenElementKind", "What an element is.", ELEMENT_JOKERS)
CERTAINTY = Names("QueensGardenCertainty", "How sure it is that a part is so.", CERTAINTIES)
VARIANT = Names("QueensGardenVariant", "The side of the scoring board.", VARIANTS)
FARTHEST = max(abs(part) for space in SPACES for part in space)
MOST_PIECES = TILE_SPACES + EXPANSION_SPACES  # in a storage
MOST_VALUE = KINDS * MOST_PIECES  # of all that a storage can hold

SPACE = (
    "A space of the garden, as axial coordinates [q, r]: the fountain is [0, 0], q grows to the right, r grows down "
    "and to the right. Only the spaces that take hexagons are named; the ruleset's components list them."
)


def hexagon_of(named: Json) -> int:
    """The number of a hexagon."""
    return COLOURS.index(named["colour"]) * KINDS + PATTERNS.index(named["pattern"])


def colour(**options: Any) -> fields.String:
    """One of the six colours."""
    return one_of(COLOUR, **options)


def pattern(**options: Any) -> fields.String:
    """One of the six patterns."""
    return one_of(PATTERN, **options)


def axis() -> fields.String:
    """Whether hexagons are chosen, or joined, by their colour or by their pattern."""
    return one_of(AXIS)


def axis_value() -> fields.String:
    """A colour or a pattern."""
    return one_of(COLOUR_OR_PATTERN, metadata={"description": "A colour if `by` is `colour`, else a pattern."})


def area() -> fields.Integer:
    """One of the six places for expansions."""
    return index(
        AREAS,
        metadata={"description": "The area, whose centre is 3 times direction `area`: 0 to the right, then clockwise."},
    )


def rotation(**options: Any) -> fields.Integer:
    """How a face-up expansion lies."""
    return fields.Integer(
        strict=True,
        validate=validate.Range(0, len(DIRECTIONS) - 1),
        metadata={"description": "The direction from the area's centre to the printed hexagon."},
        **options,
    )


def beside_number() -> fields.Integer:
    """The number of an expansion beside the stack."""
    return index(
        MOST_BESIDE,
        metadata={
            "description": "The number of the expansion: they are counted as they leave the stack, anew each round."
        },
    )


def _is_a_space(coordinates: list[int]) -> None:
    if len(coordinates) == 2 and tuple(coordinates) not in SPACES:
        raise ValidationError("must be one of the garden's spaces, no element and not outside it")


def space(description: str = SPACE) -> fields.List[Any]:
    """A space of the garden."""
    return fields.List(
        fields.Integer(strict=True, validate=validate.Range(-FARTHEST, FARTHEST)),
        required=True,
        validate=[validate.Length(equal=2), _is_a_space],
        metadata={"description": description},
    )


def place(description: str) -> fields.List[Any]:
    """Where an element stands, or a direction: no space of the garden."""
    return fields.List(
        fields.Integer(strict=True, validate=validate.Range(-FARTHEST, FARTHEST)),
        required=True,
        validate=validate.Length(equal=2),
        metadata={"description": description},
    )


class Hexagon(WireSchema):
    """What a tile or an expansion shows. There are 36: a tile shows one of them three times, an expansion once."""

    component = "QueensGardenHexagon"
    colour = colour()
    pattern = pattern(metadata={"description": "The pattern; its value is its place in this list, from 1."})


def hexagon(description: str | None = None, **options: Any) -> fields.Nested:
    """A hexagon."""
    return fields.Nested(Hexagon, required=True, metadata=described(description), **options)


def hexagons(least: int, most: int, description: str | None = None) -> fields.List[Any]:
    """A list of hexagons."""
    return listed(fields.Nested(Hexagon), least, most, description)


class Piece(WireSchema):
    """A tile or an expansion of the display."""

    class Meta(WireSchema.Meta):
        """`from` is a word of Python's."""

        include = {  # noqa: RUF012 - marshmallow's
            "from": one_of(
                SOURCE_FIELD,
                metadata={
                    "description": "`top`: a tile on the stack's top. `beside_2`: a tile on expansion number 2 beside "
                    "the stack or, of kind `expansion`, that expansion itself, which lies face up."
                },
            )
        }

    component = "QueensGardenPiece"
    kind = one_of(PIECE_KIND)
    hexagon = hexagon()


class Pieces(WireSchema):
    """Tiles and expansions of a storage."""

    component = "QueensGardenPieces"
    tiles = hexagons(0, TILE_SPACES)
    expansions = hexagons(0, EXPANSION_SPACES)


class Payment(WireSchema):
    """The further pieces of a payment, without the placed one: value − 1 in all, jokers included.

    Their hexagons and the placed one are all different, and share one colour or share one pattern.
    """

    component = "QueensGardenPayment"
    tiles = hexagons(0, TILE_SPACES, "They go to the tower.")
    expansions = hexagons(0, EXPANSION_SPACES, "They go face down under the supply.")
    jokers = number(0, TILE_SPACES, metadata={"description": "Jokers stand for any of the further pieces."})


def payment() -> fields.Nested:
    """A payment."""
    return fields.Nested(Payment, required=True)


def _counts(component: str, doc: str, members: dict[str, Any]) -> type[WireSchema]:
    return type(component, (WireSchema,), {**members, "component": component, "__doc__": doc})


CountsByPattern = _counts(
    "QueensGardenCountsByPattern",
    "Tiles of one colour by pattern; zeros are left out.",
    {name: fields.Integer(strict=True, validate=validate.Range(1, TILES_A_HEXAGON)) for name in PATTERNS},
)
Counts = _counts(
    "QueensGardenCounts",
    "Tiles by colour, then by pattern; zeros and colours without tiles are left out.",
    {name: fields.Nested(CountsByPattern) for name in COLOURS},
)


def counts(description: str | None = None) -> fields.Nested:
    """Counts by colour and pattern."""
    return fields.Nested(Counts, required=True, metadata=described(description))
