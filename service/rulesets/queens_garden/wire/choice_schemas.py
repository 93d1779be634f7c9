"""JSON schemas of the legal actions in factored form, which choices.py returns."""

from __future__ import annotations

from service.rulesets.queens_garden.rules.components import (
    AREAS,
    EXPANSION_SPACES,
    KINDS,
    MAX_BESIDE,
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
from service.rulesets.wire import WireSchema, list_field, nest, number, one_of, tag

MAX_SOURCES = len(SOURCE_FIELD) + MAX_BESIDE  # a tile of each place, plus each expansion


class SourceChoice(WireSchema):
    """A place from which a piece can be taken."""

    class Meta(WireSchema.Meta):
        """`from` is a Python keyword."""

        include = {"from": one_of(SOURCE_FIELD)}  # noqa: RUF012 - marshmallow's

    component = "QueensGardenSourceChoice"
    kind = one_of(PIECE_KIND)


class PieceChoice(WireSchema):
    """A hexagon to take, and its possible sources. Exactly one is chosen."""

    component = "QueensGardenPieceChoice"
    hexagon = hexagon()
    sources = list_field(SourceChoice, 1, MAX_SOURCES)


class AcquireChoice(WireSchema):
    """A colour or pattern that can be acquired. One piece of each hexagon is taken.

    Any choice of sources is legal that takes at most `tile_spaces` tiles and `expansion_spaces` expansions. If a
    pattern takes the same pieces as a colour, only the colour is listed, with the pattern as its `alias`.
    """

    component = "QueensGardenAcquireChoice"
    by = axis()
    value = axis_value()
    alias = pattern(
        "Pattern that takes the same pieces and is also accepted (`by`: `pattern`), or null.", allow_none=True
    )
    pieces = list_field(PieceChoice, 1, KINDS)


class PayableChoice(WireSchema):
    """A hexagon of the storage that can be paid once, as one of its `kinds`."""

    component = "QueensGardenPayableChoice"
    hexagon = hexagon()
    kinds = list_field(one_of(PIECE_KIND), 1, len(PIECE_KIND))


class PaymentChoice(WireSchema):
    """All payments for a hexagon: exactly `pieces` further pieces, including at most `jokers` jokers.

    The others are either all from `by_colour` or all from `by_pattern`.
    """

    component = "QueensGardenPaymentChoice"
    pieces = number(0, KINDS - 1, "Value of the placed hexagon, minus one.")
    jokers = number(0, KINDS - 1, "Maximum number of jokers.")
    by_colour = list_field(PayableChoice, 0, KINDS - 1, "Hexagons with the colour of the placed hexagon.")
    by_pattern = list_field(PayableChoice, 0, KINDS - 1, "Hexagons with the pattern of the placed hexagon.")


class PlaceTileChoice(WireSchema):
    """A tile that can be placed on each of the spaces, with each of the payments."""

    component = "QueensGardenPlaceTileChoice"
    hexagon = hexagon()
    spaces = list_field(space(), 1, len(SPACES))
    payment = nest(PaymentChoice)


class PlacementChoice(WireSchema):
    """A free area, and the rotations in which an expansion can be placed there."""

    component = "QueensGardenPlacementChoice"
    area = area()
    rotations = list_field(rotation(), 1, KINDS)


class PlaceExpansionChoice(WireSchema):
    """An expansion that can be placed in each of the placements, with each of the payments."""

    component = "QueensGardenPlaceExpansionChoice"
    hexagon = hexagon()
    placements = list_field(PlacementChoice, 1, AREAS)
    payment = nest(PaymentChoice)


class DiscardChoice(WireSchema):
    """Pieces that can be discarded on passing: any number of them, including none."""

    component = "QueensGardenDiscardChoice"
    tiles = counts()
    expansions = hexagons(0, EXPANSION_SPACES)


class QueensGardenChoices(WireSchema):
    """Legal actions by `type`."""

    class Meta(WireSchema.Meta):
        """`pass` is a Python keyword."""

        include = {"pass": nest(DiscardChoice)}  # noqa: RUF012 - marshmallow's

    component = "QueensGardenChoices"
    ruleset = tag("queens-garden")
    tile_spaces = number(0, TILE_SPACES, "Free spaces in the storage for tiles.")
    expansion_spaces = number(0, EXPANSION_SPACES, "Free spaces in the storage for expansions.")
    acquire = list_field(AcquireChoice, 0, 2 * KINDS)
    place_tile = list_field(PlaceTileChoice, 0, TILE_SPACES)
    place_expansion = list_field(PlaceExpansionChoice, 0, EXPANSION_SPACES)
    buy_expansion = list_field(area(), 0, AREAS, "Areas where a bought expansion can be placed.")
