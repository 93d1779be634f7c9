"""Schemas of the components of Summer Pavilion, which `GET /rulesets/summer-pavilion` returns."""

from __future__ import annotations

from typing import Any

from marshmallow import fields

from service.rulesets.offer import factories_by_seats_schema
from service.rulesets.parts.factories import FACTORIES
from service.rulesets.summer_pavilion.rules.components import (
    COLOURS,
    FEATURE_NAMES,
    NUMBER_BONUS,
    ROUNDS,
    SLOTS,
    STARS,
    VARIANTS,
)
from service.rulesets.summer_pavilion.wire.fields import (
    CERTAINTY,
    COLOUR_OR_MIXED,
    FEATURE,
    MAX_BONUS_TILES,
    VARIANT,
    colour,
    slot,
    star,
)
from service.rulesets.wire import WireSchema, exact_list, list_field, nest, number, one_of, tag

KINDS_OF_STAR = ["own_colour", "six_different", "free"]
KINDS_OF_FEATURE = ["pillar", "statue", "window"]


def bearing(description: str, **options: Any) -> fields.Integer:
    """Return a field for a direction in degrees."""
    return number(0, 359, description, **options)


class RatedSchema(WireSchema):
    """An object with a status: how certain its details are."""

    status = one_of(CERTAINTY)


class Round(WireSchema):
    """A round and its wild colour."""

    component = "SummerPavilionRound"
    round = number(1, ROUNDS)
    wild = colour()


class Score(RatedSchema):
    """Scoring parameters."""

    component = "SummerPavilionScore"
    start = number(1, description="Points of each seat at the start.")
    least = number(0, description="Minimum score.")
    track_spaces = number(1, description="Spaces of the printed track, a loop from 1 to 80.")


class Space(WireSchema):
    """A space of a star.

    Slot k is next to k - 1 and k + 1; slot 6 is next to 1. On an outer star, slot 1 is the tip a quarter turn clockwise
    of outward; on the centre star, the tip towards north. Slots are places: printed numbers differ on the grey side.
    """

    component = "SummerPavilionSpace"
    slot = slot()
    bearing = bearing("Direction of the space from the centre of its star.")
    number = number(1, SLOTS, "Printed number: the tiles to pay.")


class Star(RatedSchema):
    """A star printed on a board."""

    component = "SummerPavilionStar"
    star = star()
    bearing = bearing(
        "Direction of the star from the centre of the board, or null for the centre star.", allow_none=True
    )
    kind = one_of(
        KINDS_OF_STAR,
        "`own_colour`: tiles of `colour` only. `six_different`: six different colours. `free`: one "
        "colour or six different colours, as the first two tiles decide.",
    )
    colour = colour("Colour of an `own_colour` star, else null.", allow_none=True)
    spaces = exact_list(Space, SLOTS)


class NumberBonusOfBoard(RatedSchema):
    """End-of-game points for tiles on all spaces of the board with the number."""

    component = "SummerPavilionBoardNumberBonus"
    points = number(1)
    spaces = number(1, len(STARS) * SLOTS, "Number of spaces with the number.")
    number = number(1, len(NUMBER_BONUS) - 1)


class PrintedBoard(RatedSchema):
    """One side of the player boards."""

    component = "SummerPavilionPrintedBoard"
    variant = one_of(VARIANT)
    stars = exact_list(Star, len(STARS), "Outer stars clockwise, then the centre star.")
    number_bonuses = exact_list(NumberBonusOfBoard, len(NUMBER_BONUS) - 1)


class SpaceOfBoard(WireSchema):
    """A space of a board."""

    component = "SummerPavilionSpaceOfBoard"
    star = star()
    slot = slot()


class Feature(RatedSchema):
    """A pillar, statue or window of both sides. It is surrounded when all its spaces have tiles."""

    component = "SummerPavilionFeature"
    feature = one_of(FEATURE)
    kind = one_of(KINDS_OF_FEATURE)
    bearing = bearing("Direction from the centre of the board: inward of its star, outward, or between two stars.")
    tiles = number(1, MAX_BONUS_TILES, "Bonus tiles for surrounding the feature.")
    spaces = list_field(SpaceOfBoard, 2, 4, "Spaces around the feature.")
    stars = list_field(star(), 1, 2, "Stars of these spaces.")


class StarBonusByColour(RatedSchema):
    """End-of-game points for a complete star of the colour, or of six different colours."""

    component = "SummerPavilionStarBonusByColour"
    colour = one_of(COLOUR_OR_MIXED)
    points = number(1)


class SummerPavilionComponents(RatedSchema):
    """Game components of Summer Pavilion, sufficient to draw both sides of the board.

    Bearings are degrees clockwise from the board's north: the edge with the player's colour circle, between orange and
    red.
    """

    component = "SummerPavilionComponents"
    ruleset = tag("summer-pavilion")
    colours = exact_list(colour(), len(COLOURS))
    tiles_per_colour = number(1)
    tiles_per_factory = number(1)
    factories = exact_list(factories_by_seats_schema("summer-pavilion"), len(FACTORIES))
    supply_spaces = number(1)
    corner_spaces = number(1)
    rounds = exact_list(Round, ROUNDS)
    score = nest(Score)
    boards = exact_list(PrintedBoard, len(VARIANTS))
    features = exact_list(Feature, len(FEATURE_NAMES))
    star_bonuses = exact_list(StarBonusByColour, len(COLOUR_OR_MIXED))
