"""The answer of GET /rulesets/summer-pavilion: all that is printed and in the box, for front ends to draw."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from service.rulesets.factories import FACTORIES
from service.rulesets.offer import factories_by_seats_schema
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
    MOST_BONUS_TILES,
    VARIANT,
    colour,
    slot,
    star,
)
from service.rulesets.wire import WireSchema, listed, number, one_of, tag

KINDS_OF_STAR = ["own_colour", "six_different", "free"]
KINDS_OF_FEATURE = ["pillar", "statue", "window"]
BEARING = "Degrees clockwise from the board's north: its edge with the player's colour circle, between orange and red."


def status() -> fields.String:
    """How sure it is that the part is so."""
    return one_of(CERTAINTY)


def bearing(description: str, **options: Any) -> fields.Integer:
    """A direction."""
    return fields.Integer(
        required=True,
        strict=True,
        validate=validate.Range(0, 359),
        metadata={"description": f"{description} {BEARING}"},
        **options,
    )


class Round(WireSchema):
    """A round and its wild colour."""

    component = "SummerPavilionRound"
    round = number(1, ROUNDS)
    wild = colour()


class Score(WireSchema):
    """How points are counted."""

    component = "SummerPavilionScore"
    start = number(1, metadata={"description": "Points of every seat at the start."})
    least = number(0, metadata={"description": "No loss takes a score below this."})
    track_spaces = number(
        1,
        metadata={"description": "Spaces of the printed track, 1 to 80 in a loop; a full loop is a token of as many."},
    )
    status = status()


class Space(WireSchema):
    """A space of a star."""

    component = "SummerPavilionSpace"
    slot = slot()
    bearing = bearing("Where the space lies, seen from the middle of its star.")
    number = number(1, SLOTS, metadata={"description": "Printed on the space: the tiles it costs."})


class Star(WireSchema):
    """A star printed on a board."""

    component = "SummerPavilionStar"
    star = star()
    bearing = bearing("Where the star lies, seen from the middle of the board; null: in the middle.", allow_none=True)
    kind = one_of(
        KINDS_OF_STAR,
        metadata={
            "description": "`own_colour`: takes tiles of `colour` only. `six_different`: takes no colour twice. "
            "`free`: all of one colour or all different; the first two tiles settle it."
        },
    )
    colour = colour(allow_none=True, metadata={"description": "The colour an `own_colour` star takes, else null."})
    spaces = listed(fields.Nested(Space), SLOTS, SLOTS)
    status = status()


class NumberBonusOfBoard(WireSchema):
    """Points at the end for tiles on all spaces of the board that show the number."""

    component = "SummerPavilionBoardNumberBonus"
    points = number(1)
    spaces = number(1, len(STARS) * SLOTS, metadata={"description": "How many spaces of the board show it."})
    number = number(1, len(NUMBER_BONUS) - 1)
    status = status()


class PrintedBoard(WireSchema):
    """One side of the players' boards."""

    component = "SummerPavilionPrintedBoard"
    variant = one_of(VARIANT)
    stars = listed(fields.Nested(Star), len(STARS), len(STARS), "The outer ones clockwise, then the one in the middle.")
    number_bonuses = listed(fields.Nested(NumberBonusOfBoard), len(NUMBER_BONUS) - 1, len(NUMBER_BONUS) - 1)
    status = status()


class SpaceOfBoard(WireSchema):
    """A space of a board."""

    component = "SummerPavilionSpaceOfBoard"
    star = star()
    slot = slot()


class Feature(WireSchema):
    """A pillar, statue or window, printed on both sides; surrounded when all its spaces hold tiles."""

    component = "SummerPavilionFeature"
    feature = one_of(FEATURE)
    kind = one_of(KINDS_OF_FEATURE)
    bearing = bearing("Where it lies, seen from the middle of the board: inward of its star, outward, or between two.")
    tiles = number(1, MOST_BONUS_TILES, metadata={"description": "Bonus tiles for surrounding it."})
    spaces = listed(fields.Nested(SpaceOfBoard), 2, 4, "The spaces around it.")
    stars = listed(star(), 1, 2, "The stars that those spaces belong to.")
    status = status()


class StarBonusByColour(WireSchema):
    """Points at the end for a complete star of that colour, or of six different ones."""

    component = "SummerPavilionStarBonusByColour"
    colour = one_of(COLOUR_OR_MIXED)
    points = number(1)
    status = status()


class SummerPavilionComponents(WireSchema):
    """What is printed and in the box: enough to draw both sides of the board."""

    component = "SummerPavilionComponents"
    ruleset = tag("summer-pavilion")
    colours = listed(colour(), len(COLOURS), len(COLOURS))
    tiles_per_colour = number(1)
    tiles_per_factory = number(1)
    factories = listed(fields.Nested(factories_by_seats_schema("summer-pavilion")), len(FACTORIES), len(FACTORIES))
    supply_spaces = number(1)
    corner_spaces = number(1)
    rounds = listed(fields.Nested(Round), ROUNDS, ROUNDS)
    score = fields.Nested(Score, required=True)
    boards = listed(fields.Nested(PrintedBoard), len(VARIANTS), len(VARIANTS))
    features = listed(fields.Nested(Feature), len(FEATURE_NAMES), len(FEATURE_NAMES))
    star_bonuses = listed(fields.Nested(StarBonusByColour), len(COLOUR_OR_MIXED), len(COLOUR_OR_MIXED))
    status = status()
