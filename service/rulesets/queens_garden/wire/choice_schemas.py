"""JSON schemas of the choices, which choices.py returns."""

from __future__ import annotations

from marshmallow import fields

from service.rulesets.queens_garden.rules.components import (
    AREAS,
    COLOUR_POINTS,
    EXPANSION_SPACES,
    FIRST_PASS_PENALTY,
    KINDS,
    MAX_BESIDE,
    PAVILION_POINTS,
    PRICE,
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
from service.rulesets.queens_garden.wire.schemas import MAX_GAINED, MAX_POINTS_A_HEXAGON
from service.rulesets.wire import WireSchema, list_field, nest, number, one_of, tag

MAX_SOURCES = len(SOURCE_FIELD) + MAX_BESIDE  # a tile of each place, plus each expansion


class SourceChoice(WireSchema):
    """The `kind` and `from` of a piece."""

    class Meta(WireSchema.Meta):
        """`from` is a Python keyword."""

        include = {"from": one_of(SOURCE_FIELD)}  # noqa: RUF012 - marshmallow's

    component = "QueensGardenSourceChoice"
    kind = one_of(PIECE_KIND)


class PieceChoice(WireSchema):
    """The `hexagon` of a piece to take. Its `kind` and `from` are one of `sources`."""

    component = "QueensGardenPieceChoice"
    hexagon = hexagon()
    sources = list_field(SourceChoice, 1, MAX_SOURCES)


class AcquireChoice(WireSchema):
    """The `by` and `value` of a `queens-garden.acquire` action. It takes one piece for each entry of `pieces`.

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
    """The `payment` of a placement: exactly `pieces` tiles, expansions and jokers, including at most `jokers` jokers.

    The tiles and expansions are either all from `by_colour` or all from `by_pattern`.
    """

    component = "QueensGardenPaymentChoice"
    pieces = number(0, KINDS - 1, "Value of the placed hexagon, minus one.")
    jokers = number(0, KINDS - 1, "Maximum number of jokers.")
    by_colour = list_field(PayableChoice, 0, KINDS - 1, "Hexagons with the colour of the placed hexagon.")
    by_pattern = list_field(PayableChoice, 0, KINDS - 1, "Hexagons with the pattern of the placed hexagon.")


def round_points(most: int) -> fields.Integer:
    """Return the field for the points of a placed piece in the current round."""
    return number(0, most, "Points that the piece adds to the scoring at the end of this round.")


class SpaceChoice(WireSchema):
    """The `space` of a `queens-garden.place_tile` action."""

    component = "QueensGardenSpaceChoice"
    space = space()
    jokers = number(0, MAX_GAINED, "Jokers for completed elements. Those without a free storage space are lost.")


class PlaceTileChoice(WireSchema):
    """The `hexagon` of a `queens-garden.place_tile` action. Each of `spaces` combines with each payment."""

    component = "QueensGardenPlaceTileChoice"
    hexagon = hexagon()
    points = round_points(COLOUR_POINTS + MAX_POINTS_A_HEXAGON)
    spaces = list_field(SpaceChoice, 1, len(SPACES))
    payment = nest(PaymentChoice)


class PlacementChoice(WireSchema):
    """The `area` of an expansion to place. Its `rotation` is one of `rotations`."""

    component = "QueensGardenPlacementChoice"
    area = area()
    rotations = list_field(rotation(), 1, KINDS)


class PlaceExpansionChoice(WireSchema):
    """The `hexagon` of a `queens-garden.place_expansion` action. Each of `placements` combines with each payment."""

    component = "QueensGardenPlaceExpansionChoice"
    hexagon = hexagon()
    points = round_points(COLOUR_POINTS + MAX_POINTS_A_HEXAGON + PAVILION_POINTS)
    placements = list_field(PlacementChoice, 1, AREAS)
    payment = nest(PaymentChoice)


class BuyChoice(WireSchema):
    """The `area` of a `queens-garden.buy_expansion` action."""

    component = "QueensGardenBuyChoice"
    area = area()
    points = number(-PRICE, -PRICE, "The price.")


class DiscardChoice(WireSchema):
    """The `discard` of a `queens-garden.pass` action: any of these pieces, or none."""

    component = "QueensGardenDiscardChoice"
    points = number(-FIRST_PASS_PENALTY, 0, "Points of the pass without discards: 0, or a loss for passing first.")
    tiles = counts()
    expansions = hexagons(0, EXPANSION_SPACES)


class QueensGardenChoices(WireSchema):
    """The choices in Queen's Garden, by type of action: `acquire` for `queens-garden.acquire`, and so on."""

    class Meta(WireSchema.Meta):
        """`pass` is a Python keyword."""

        include = {"pass": nest(DiscardChoice, "Choose what to `discard`.")}  # noqa: RUF012 - marshmallow's

    component = "QueensGardenChoices"
    ruleset = tag("queens-garden")
    tile_spaces = number(0, TILE_SPACES, "Free spaces in the storage for tiles.")
    expansion_spaces = number(0, EXPANSION_SPACES, "Free spaces in the storage for expansions.")
    acquire = list_field(
        AcquireChoice, 0, 2 * KINDS, "Choose an entry, then one of the `sources` of each of its `pieces`."
    )
    place_tile = list_field(
        PlaceTileChoice, 0, TILE_SPACES, "Choose an entry, then one of its `spaces`, then the payment."
    )
    place_expansion = list_field(
        PlaceExpansionChoice,
        0,
        EXPANSION_SPACES,
        "Choose an entry, then one of its `placements`, then one of the `rotations`, then the payment.",
    )
    buy_expansion = list_field(BuyChoice, 0, AREAS, "Choose an entry.")
