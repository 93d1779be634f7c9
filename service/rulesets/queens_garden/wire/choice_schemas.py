"""The factored form of the legal actions on the wire; choices.py makes it."""

from __future__ import annotations

from marshmallow import fields

from service.rulesets.queens_garden.rules.components import (
    AREAS,
    EXPANSION_SPACES,
    KINDS,
    MOST_BESIDE,
    SPACES,
    TILE_SPACES,
)
from service.rulesets.queens_garden.wire.fields import (
    PIECE_KIND,
    SOURCE_FIELD,
    area,
    axis,
    axis_value,
    counts,
    hexagon,
    hexagons,
    pattern,
    rotation,
    space,
)
from service.rulesets.wire import WireSchema, listed, number, one_of, tag

MOST_SOURCES = len(SOURCE_FIELD) + MOST_BESIDE  # a tile of each place, and each expansion itself


class SourceChoice(WireSchema):
    """Where a piece can be taken from."""

    class Meta(WireSchema.Meta):
        """`from` is a word of Python's."""

        include = {"from": one_of(SOURCE_FIELD)}  # noqa: RUF012 - marshmallow's

    component = "QueensGardenSourceChoice"
    kind = one_of(PIECE_KIND)


class PieceChoice(WireSchema):
    """A hexagon that is taken, with all the places it can be taken from: exactly one is chosen."""

    component = "QueensGardenPieceChoice"
    hexagon = hexagon()
    sources = listed(fields.Nested(SourceChoice), 1, MOST_SOURCES)


class AcquireChoice(WireSchema):
    """A colour or pattern that can be acquired. Of each hexagon one piece is taken, and all of them have to fit.

    Any choice of sources is legal that takes `tile_spaces` tiles and `expansion_spaces` expansions at most. Where a
    pattern would take just what a colour takes, the colour alone is told, with the pattern as its `alias`.
    """

    component = "QueensGardenAcquireChoice"
    by = axis()
    value = axis_value()
    alias = pattern(
        allow_none=True,
        metadata={
            "description": "The pattern that takes exactly what this colour takes; it is not listed, but may be posted "
            "(`by`: `pattern`) with the same pieces. Null where there is none."
        },
    )
    pieces = listed(fields.Nested(PieceChoice), 1, KINDS)


class PayableChoice(WireSchema):
    """A hexagon of the storage that can be part of a payment, once, as one of its `kinds`."""

    component = "QueensGardenPayableChoice"
    hexagon = hexagon()
    kinds = listed(one_of(PIECE_KIND), 1, len(PIECE_KIND))


class PaymentChoice(WireSchema):
    """All payments for a hexagon: exactly `pieces` further pieces, of which `jokers` at most are jokers.

    The others are any hexagons of `by_colour`, or any of `by_pattern`, and not of both.
    """

    component = "QueensGardenPaymentChoice"
    pieces = number(0, KINDS - 1, metadata={"description": "The value of the placed hexagon, less one."})
    jokers = number(0, KINDS - 1, metadata={"description": "How many of the pieces may be jokers."})
    by_colour = listed(fields.Nested(PayableChoice), 0, KINDS - 1, "They share the colour of the placed hexagon.")
    by_pattern = listed(fields.Nested(PayableChoice), 0, KINDS - 1, "They share its pattern.")


def _payments() -> fields.Nested:
    return fields.Nested(PaymentChoice, required=True)


class PlaceTileChoice(WireSchema):
    """A tile that can be placed: on each of the spaces, with each of the payments."""

    component = "QueensGardenPlaceTileChoice"
    hexagon = hexagon()
    spaces = listed(space(), 1, len(SPACES))
    payment = _payments()


class PlacementChoice(WireSchema):
    """A free area, with all the rotations in which an expansion can lie there."""

    component = "QueensGardenPlacementChoice"
    area = area()
    rotations = listed(rotation(), 1, KINDS)


class PlaceExpansionChoice(WireSchema):
    """An expansion that can be placed: so, with each of the payments."""

    component = "QueensGardenPlaceExpansionChoice"
    hexagon = hexagon()
    placements = listed(fields.Nested(PlacementChoice), 1, AREAS)
    payment = _payments()


class DiscardChoice(WireSchema):
    """What can be discarded on passing: any of these pieces, none included."""

    component = "QueensGardenDiscardChoice"
    tiles = counts()
    expansions = hexagons(0, EXPANSION_SPACES)


class QueensGardenChoices(WireSchema):
    """What the seat to decide may do, by the `type` of the action."""

    class Meta(WireSchema.Meta):
        """`pass` is a word of Python's."""

        include = {"pass": fields.Nested(DiscardChoice, required=True)}  # noqa: RUF012 - marshmallow's

    component = "QueensGardenChoices"
    ruleset = tag("queens-garden")
    tile_spaces = number(0, TILE_SPACES, metadata={"description": "Free in the storage, for tiles that are acquired."})
    expansion_spaces = number(0, EXPANSION_SPACES, metadata={"description": "Free in the storage, for expansions."})
    acquire = listed(fields.Nested(AcquireChoice), 0, 2 * KINDS)
    place_tile = listed(fields.Nested(PlaceTileChoice), 0, TILE_SPACES)
    place_expansion = listed(fields.Nested(PlaceExpansionChoice), 0, EXPANSION_SPACES)
    buy_expansion = listed(area(), 0, AREAS, "Areas for which an expansion of the supply can be bought.")
