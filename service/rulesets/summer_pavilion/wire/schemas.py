"""JSON schemas of Summer Pavilion: actions, draws, effects, positions. The registry reads the tables below."""

from __future__ import annotations

from functools import partial
from typing import Any

from marshmallow import ValidationError, fields, validate

from service.rulesets.parts.factories import FACTORIES, MAX_FACTORIES, TILES_A_FACTORY, TOKEN_PLACES
from service.rulesets.seats import MAX_SEATS
from service.rulesets.summer_pavilion.rules.components import (
    COLOURS,
    CORNER_SPACES,
    MIN_SCORE,
    NUMBER_BONUS,
    ROUNDS,
    SLOTS,
    STAR_BONUS,
    STARS,
    SUPPLY_SPACES,
    TILES_A_COLOUR,
)
from service.rulesets.summer_pavilion.wire.fields import (
    COLOUR_OR_MIXED,
    FEATURE,
    MAX_BONUS_TILES,
    SOURCE,
    VARIANT,
    colour,
    slot,
    star,
    tiles,
)
from service.rulesets.wire import (
    WireSchema,
    boolean,
    by_type,
    effect_schema,
    first_seat_schema,
    index,
    list_field,
    nest,
    nullable_seat,
    number,
    one_of,
    seat,
    tag,
)

PHASES = ["acquire", "play", "take_bonus", "refill", "deal", "over"]
TILE_COUNT = len(COLOURS) * TILES_A_COLOUR
MAX_STAR_POINTS = int(STAR_BONUS.max())
MAX_BONUS = len(STARS) * MAX_STAR_POINTS + int(NUMBER_BONUS.sum())
MAX_POINTS = 999  # far above any possible score; the record holds 32767

# ---------------------------------------------------------------------------------- actions and draws


class Acquire(WireSchema):
    """Take all tiles of a colour from a source, plus one wild tile if the source has any.

    The wild colour can be chosen only if the source has no other colour. One tile is then taken.
    """

    component = "SummerPavilionAcquire"
    type = tag("summer-pavilion.acquire")
    source = one_of(SOURCE)
    colour = colour()


class Place(WireSchema):
    """Pay as many tiles as the number of the space. One is placed on the space, the others go to the tower."""

    component = "SummerPavilionPlace"
    type = tag("summer-pavilion.place")
    star = star()
    slot = slot()
    colour = colour("Colour of the placed tile.")
    wilds = index(
        SLOTS,
        "Number of wild tiles paid instead of tiles of `colour`: fewer than the printed number, and "
        "0 if `colour` is the wild colour.",
    )


class TakeBonus(WireSchema):
    """Take one of the owed bonus tiles from the supply."""

    component = "SummerPavilionTakeBonus"
    type = tag("summer-pavilion.take_bonus")
    colour = colour()


def _at_most_corner_spaces(keep: dict[str, int]) -> None:
    if sum(keep.values()) > CORNER_SPACES:
        raise ValidationError(f"must have at most {CORNER_SPACES} tiles in total")


class Pass(WireSchema):
    """End the round for this seat. Tiles that are not kept are discarded, at the cost of one point each."""

    component = "SummerPavilionPass"
    type = tag("summer-pavilion.pass")
    keep = tiles(
        f"Tiles to keep in the board's corners, at most {CORNER_SPACES} in total.",
        validate=_at_most_corner_spaces,
    )


class Deal(WireSchema):
    """Tiles of a new round in the order drawn: the supply up to ten, then four per factory, in factory order."""

    component = "SummerPavilionDrawDeal"
    type = tag("summer-pavilion.deal")
    tiles = list_field(colour(), 0, SUPPLY_SPACES + TILES_A_FACTORY * MAX_FACTORIES)


class Refill(WireSchema):
    """Tiles that refill the supply to ten after a turn, in the order drawn."""

    component = "SummerPavilionDrawRefill"
    type = tag("summer-pavilion.refill")
    tiles = list_field(colour(), 1, SUPPLY_SPACES)


ACTION_SCHEMAS = by_type(Acquire, Place, TakeBonus, Pass)
DRAWS = by_type(first_seat_schema("summer-pavilion"), Deal, Refill)

# -------------------------------------------------------------------------------------------- effects


class StarBonus(WireSchema):
    """Points for a complete star."""

    component = "SummerPavilionStarBonus"
    star = star()
    colour = one_of(COLOUR_OR_MIXED)
    points = number(int(STAR_BONUS.min()), MAX_STAR_POINTS)


class NumberBonus(WireSchema):
    """Points for tiles on all spaces of the board with the number."""

    component = "SummerPavilionNumberBonus"
    points = number(int(NUMBER_BONUS[1]), int(NUMBER_BONUS[-1]))
    number = number(1, len(NUMBER_BONUS) - 1)


_effect = partial(effect_schema, "summer-pavilion")

ONE_COLOUR_AND_WILD = TILES_A_COLOUR + 1  # the largest acquisition

EFFECTS = by_type(
    _effect("tiles_acquired", "`count` tiles went from a source to a hand, including `wilds` wild tiles.",
            seat=seat(), source=one_of(SOURCE), colour=colour(), count=number(1, ONE_COLOUR_AND_WILD),
            wilds=number(0, 1)),
    _effect("tiles_moved_to_centre", "The remaining tiles of the factory moved to the centre.", tiles=tiles()),
    _effect("start_token_taken", "The first seat to take from the centre took the start token and lost points.",
            seat=seat(), points=number(-ONE_COLOUR_AND_WILD, 0)),
    _effect("play_began", "Phase 2 began. The seat plays first.", seat=seat()),
    _effect("tile_placed", "A tile was placed and scored; `spent` went to the tower.",
            seat=seat(), star=star(), slot=slot(), colour=colour(), points=number(1, SLOTS), spent=tiles()),
    _effect("feature_surrounded", "A pillar, statue or window was surrounded and earned `tiles` bonus tiles.",
            seat=seat(), feature=one_of(FEATURE), tiles=number(1, MAX_BONUS_TILES)),
    _effect("bonus_owed", "Bonus tiles to take now; 0 if the supply is empty.",
            seat=seat(), tiles=number(0, MAX_BONUS_TILES)),
    _effect("bonus_taken", "A bonus tile went from the supply to a hand; `owed` remain.",
            seat=seat(), colour=colour(), owed=number(0, MAX_BONUS_TILES - 1)),
    _effect("passed", "A seat passed. `discarded` went to the tower, at the cost of one point each.",
            seat=seat(), kept=tiles(), discarded=tiles(), points=number(-TILE_COUNT, 0)),
    _effect("round_ended", "All seats have passed.", round=number(1, ROUNDS)),
    _effect("end_bonus", "End-of-game bonuses of a seat; `points` is the total.",
            seat=seat(), stars=list_field(StarBonus, 0, len(STARS)),
            numbers=list_field(NumberBonus, 0, len(NUMBER_BONUS) - 1), points=number(0, MAX_BONUS)),
    _effect("leftover_penalty", "A seat lost points for tiles left in the corners of its board.",
            seat=seat(), tiles=tiles(), points=number(-CORNER_SPACES, 0)),
    _effect("game_ended", "The game has ended."),
    _effect("first_seat_drawn", "The seat that starts round 1 was drawn.", seat=seat()),
    _effect("supply_refilled", "The supply was refilled. `tower_used`: the tower was emptied into the bag.",
            tiles=tiles(), tower_used=boolean()),
    _effect("dealt", "A round began. `supply`: its new tiles. `tower_used`: the tower was emptied into the bag.",
            round=number(1, ROUNDS), wild=colour(), supply=tiles(),
            factories=list_field(tiles(), min(FACTORIES.values()), MAX_FACTORIES),
            tower_used=boolean()),
    _effect("corners_returned", "Tiles kept in the corners of a board returned to the hand.",
            seat=seat(), tiles=tiles()),
)  # fmt: skip

# ------------------------------------------------------------------------------------------- position


def spaces() -> fields.List[Any]:
    """Return a field for the six spaces of a star."""
    return fields.List(
        colour(allow_none=True),
        required=True,
        validate=validate.Length(equal=SLOTS),
        metadata={"description": "Colours by slot; null if empty."},
    )


class SummerPavilionStars(WireSchema):
    """Tiles on a board, by star."""

    component = "SummerPavilionStars"
    orange, red, blue, yellow, green, purple, centre = (spaces() for _ in STARS)


class SummerPavilionBoard(WireSchema):
    """A seat's board and hand."""

    component = "SummerPavilionBoard"
    score = number(MIN_SCORE, MAX_POINTS)
    passed = boolean("Whether the seat has passed this round; true until the next deal.")
    hand = tiles("Tiles in hand, beside the board.")
    corners = tiles("Tiles kept on passing. They return to the hand with the next deal.")
    leftover_penalty = number(0, CORNER_SPACES, "Points lost at the end for tiles in corners; 0 before the end.")
    stars = nest(SummerPavilionStars)


class SummerPavilionPosition(WireSchema):
    """Everything on the table. Only future draws are hidden."""

    component = "SummerPavilionPosition"
    ruleset = tag("summer-pavilion")
    variant = one_of(VARIANT)
    round = number(0, ROUNDS, "Round, from 1; 0 before the first deal.")
    wild = colour("Wild colour of the round, or null before the first deal.", allow_none=True)
    phase = one_of(
        PHASES,
        "`take_bonus`: the seat to decide takes bonus tiles. `refill`: a draw for the supply is "
        "due. `deal`: a draw of the first seat or of a round's tiles is due.",
    )
    to_decide = nullable_seat("Seat to decide, or null while a draw is due and after the end.")
    next_seat = nullable_seat("Seat to decide after a refill; null in other phases.")
    bonus_owed = number(0, MAX_BONUS_TILES, "Bonus tiles still to take; 0 except in `take_bonus`.")
    start_token = one_of(TOKEN_PLACES)
    start_seat = nullable_seat("Starting seat of the round, or null.")
    supply = tiles(f"Bonus tiles to choose from, at most {SUPPLY_SPACES}.")
    factories = list_field(
        tiles(),
        min(FACTORIES.values()),
        MAX_FACTORIES,
        f"Two factories per seat plus one, with at most {TILES_A_FACTORY} tiles each.",
    )
    centre = tiles("Tiles in the centre of the factories.")
    bag = tiles()
    tower = tiles("Discarded tiles. They refill the bag when it is empty.")
    seats = list_field(SummerPavilionBoard, min(FACTORIES), MAX_SEATS)
