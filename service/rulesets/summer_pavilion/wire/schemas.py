"""Summer Pavilion on the wire: actions, draws, effects, positions, components. The registry reads the tables below."""

from __future__ import annotations

from functools import partial
from typing import Any

from marshmallow import ValidationError, fields, validate

from service.rulesets.factories import FACTORIES, MOST_FACTORIES, TILES_A_FACTORY, TOKEN_PLACES
from service.rulesets.seats import MOST_SEATS
from service.rulesets.summer_pavilion.rules.components import (
    COLOURS,
    CORNER_SPACES,
    LEAST_SCORE,
    NUMBER_BONUS,
    ROUNDS,
    SLOTS,
    STAR_BONUS,
    STARS,
    SUPPLY_SPACES,
    TILES_A_COLOUR,
)
from service.rulesets.summer_pavilion.wire.catalogue import SummerPavilionComponents
from service.rulesets.summer_pavilion.wire.fields import (
    COLOUR_OR_MIXED,
    FEATURE,
    MOST_BONUS_TILES,
    SOURCE,
    VARIANT,
    colour,
    slot,
    star,
    tiles,
)
from service.rulesets.wire import (
    WireSchema,
    by_type,
    effect_schema,
    first_seat_schema,
    index,
    listed,
    nullable_seat,
    number,
    one_of,
    seat,
    tag,
)

__all__ = [
    "ACTION_SCHEMAS",
    "DRAWS",
    "EFFECTS",
    "PHASES",
    "SummerPavilionComponents",
    "SummerPavilionPosition",
]

PHASES = ["acquire", "play", "take_bonus", "refill", "deal", "over"]
TILE_COUNT = len(COLOURS) * TILES_A_COLOUR
MOST_STAR_POINTS = int(STAR_BONUS.max())
MOST_BONUS = len(STARS) * MOST_STAR_POINTS + int(NUMBER_BONUS.sum())
MOST_POINTS = 999  # far above what a full board with all bonuses can bring; the record holds 32767

# ---------------------------------------------------------------------------------- actions and draws


class Acquire(WireSchema):
    """Take all tiles of a colour from a source, and one wild tile if the source holds any.

    The wild colour itself can be picked only where nothing else lies; then one tile is taken.
    """

    component = "SummerPavilionAcquire"
    type = tag("summer-pavilion.acquire")
    source = one_of(SOURCE)
    colour = colour()


class Place(WireSchema):
    """Pay as many tiles as the space's printed number; one lies on the space, the others go to the tower."""

    component = "SummerPavilionPlace"
    type = tag("summer-pavilion.place")
    star = star()
    slot = slot()
    colour = colour(metadata={"description": "The colour of the tile that will lie on the space."})
    wilds = index(
        SLOTS,
        metadata={
            "description": "How many tiles of the round's wild colour are paid in place of tiles of `colour`: fewer "
            "than the printed number, and 0 where `colour` is the wild colour itself."
        },
    )


class TakeBonus(WireSchema):
    """Take one of the bonus tiles owed from the supply."""

    component = "SummerPavilionTakeBonus"
    type = tag("summer-pavilion.take_bonus")
    colour = colour()


def _at_most_corner_spaces(keep: dict[str, int]) -> None:
    if sum(keep.values()) > CORNER_SPACES:
        raise ValidationError(f"must be at most {CORNER_SPACES} tiles in all")


class Pass(WireSchema):
    """Take no more turns in this round; tiles that are not kept are discarded for a point each."""

    component = "SummerPavilionPass"
    type = tag("summer-pavilion.pass")
    keep = tiles(
        f"Tiles of the hand that go to the board's corners, at most {CORNER_SPACES} in all.",
        validate=_at_most_corner_spaces,
    )


class Deal(WireSchema):
    """The tiles of a new round in the order drawn: the supply up to ten, then four to each factory, in their order."""

    component = "SummerPavilionDrawDeal"
    type = tag("summer-pavilion.deal")
    tiles = listed(colour(), 0, SUPPLY_SPACES + TILES_A_FACTORY * MOST_FACTORIES)


class Refill(WireSchema):
    """The tiles that fill the supply up to ten after a turn, in the order drawn."""

    component = "SummerPavilionDrawRefill"
    type = tag("summer-pavilion.refill")
    tiles = listed(colour(), 1, SUPPLY_SPACES)


ACTION_SCHEMAS = by_type(Acquire, Place, TakeBonus, Pass)
DRAWS = by_type(first_seat_schema("summer-pavilion"), Deal, Refill)

# -------------------------------------------------------------------------------------------- effects


class StarBonus(WireSchema):
    """Points for a complete star."""

    component = "SummerPavilionStarBonus"
    star = star()
    colour = one_of(COLOUR_OR_MIXED)
    points = number(int(STAR_BONUS.min()), MOST_STAR_POINTS)


class NumberBonus(WireSchema):
    """Points for tiles on all spaces of the board that show the number."""

    component = "SummerPavilionNumberBonus"
    points = number(int(NUMBER_BONUS[1]), int(NUMBER_BONUS[-1]))
    number = number(1, len(NUMBER_BONUS) - 1)


_effect = partial(effect_schema, "summer-pavilion")

ONE_COLOUR_AND_WILD = TILES_A_COLOUR + 1  # the most that one acquisition can bring

EFFECTS = by_type(
    _effect("tiles_acquired", "`count` tiles went from a source to a hand; `wilds`: a wild one came along.",
            seat=seat(), source=one_of(SOURCE), colour=colour(), count=number(1, ONE_COLOUR_AND_WILD),
            wilds=number(0, 1)),
    _effect("tiles_moved_to_centre", "What else lay in the factory went to the centre.", tiles=tiles()),
    _effect("start_token_taken", "The first seat to take from the centre took the start token and lost points.",
            seat=seat(), points=number(-ONE_COLOUR_AND_WILD, 0)),
    _effect("play_began", "Phase 2 began; the seat plays first.", seat=seat()),
    _effect("tile_placed", "A tile was placed and scored; `spent` went to the tower.",
            seat=seat(), star=star(), slot=slot(), colour=colour(), points=number(1, SLOTS), spent=tiles()),
    _effect("feature_surrounded", "A pillar, statue or window was surrounded; it brings `tiles` bonus tiles.",
            seat=seat(), feature=one_of(FEATURE), tiles=number(1, MOST_BONUS_TILES)),
    _effect("bonus_owed", "Bonus tiles that the seat takes now; 0 where the supply is empty.",
            seat=seat(), tiles=number(0, MOST_BONUS_TILES)),
    _effect("bonus_taken", "A bonus tile went from the supply to a hand; `owed` are still to be taken.",
            seat=seat(), colour=colour(), owed=number(0, MOST_BONUS_TILES - 1)),
    _effect("passed", "A seat passed; `discarded` went to the tower for a point each.",
            seat=seat(), kept=tiles(), discarded=tiles(), points=number(-TILE_COUNT, 0)),
    _effect("round_ended", "All seats have passed.", round=number(1, ROUNDS)),
    _effect("end_bonus", "Bonuses of a seat at the end of the game; `points` in all.",
            seat=seat(), stars=listed(fields.Nested(StarBonus), 0, len(STARS)),
            numbers=listed(fields.Nested(NumberBonus), 0, len(NUMBER_BONUS) - 1), points=number(0, MOST_BONUS)),
    _effect("leftover_penalty", "Tiles left in the corners of a board at the end of the game were paid for.",
            seat=seat(), tiles=tiles(), points=number(-CORNER_SPACES, 0)),
    _effect("game_ended", "The game has ended."),
    _effect("first_seat_drawn", "The seat that starts round 1 was drawn.", seat=seat()),
    _effect("supply_refilled", "The supply was filled up; whether the tower went into the bag on the way.",
            tiles=tiles(), tower_used=fields.Boolean(required=True)),
    _effect("dealt", "A round began; `supply`: its new tiles; whether the tower went into the bag on the way.",
            round=number(1, ROUNDS), wild=colour(), supply=tiles(),
            factories=listed(tiles(), min(FACTORIES.values()), MOST_FACTORIES),
            tower_used=fields.Boolean(required=True)),
    _effect("corners_returned", "Tiles kept in the corners of a board came back to the hand.",
            seat=seat(), tiles=tiles()),
)  # fmt: skip

# ------------------------------------------------------------------------------------------- position


def spaces() -> fields.List[Any]:
    """The six spaces of a star."""
    return fields.List(
        colour(allow_none=True),
        required=True,
        validate=validate.Length(equal=SLOTS),
        metadata={"description": "The colour on each space, slot 1 first; null where no tile lies."},
    )


class SummerPavilionStars(WireSchema):
    """The tiles on a board, by star."""

    component = "SummerPavilionStars"
    orange, red, blue, yellow, green, purple, centre = (spaces() for _ in STARS)


class SummerPavilionBoard(WireSchema):
    """A seat's board and what lies beside it."""

    component = "SummerPavilionBoard"
    score = number(LEAST_SCORE, MOST_POINTS)
    passed = fields.Boolean(
        required=True,
        metadata={"description": "Whether the seat has passed in this round; stays true until the next deal."},
    )
    hand = tiles("Tiles beside the board.")
    corners = tiles("Tiles kept on passing; they come back to the hand with the next deal.")
    leftover_penalty = number(
        0,
        CORNER_SPACES,
        metadata={"description": "Points lost at the end for tiles in corners; 0 while the game goes on."},
    )
    stars = fields.Nested(SummerPavilionStars, required=True)


class SummerPavilionPosition(WireSchema):
    """All that lies on the table. Nothing is hidden but the order of the draws."""

    component = "SummerPavilionPosition"
    ruleset = tag("summer-pavilion")
    variant = one_of(VARIANT)
    round = number(0, ROUNDS, metadata={"description": "0 before the first deal."})
    wild = colour(allow_none=True, metadata={"description": "The round's wild colour; null before the first deal."})
    phase = one_of(
        PHASES,
        metadata={
            "description": "`take_bonus`: the seat to decide takes bonus tiles. `refill`: the table waits for the "
            "supply's tiles. `deal`: it waits for the first seat, or for a new round's tiles."
        },
    )
    to_decide = nullable_seat("A seat in the phases acquire, play and take_bonus, else null.")
    next_seat = nullable_seat("The seat that decides after the refill; null in all other phases.")
    bonus_owed = number(
        0,
        MOST_BONUS_TILES,
        metadata={"description": "Bonus tiles still to take: above 0 in the phase take_bonus only."},
    )
    start_token = one_of(TOKEN_PLACES)
    start_seat = nullable_seat("The seat that started the round; null before it is drawn.")
    supply = tiles(f"Tiles to choose bonus tiles from, {SUPPLY_SPACES} at most.")
    factories = listed(
        tiles(),
        min(FACTORIES.values()),
        MOST_FACTORIES,
        f"Two a seat and one more; {TILES_A_FACTORY} tiles at most in each.",
    )
    centre = tiles("What lies between the factories.")
    bag = tiles()
    tower = tiles("Discarded tiles; they go into the bag when a tile is to be drawn and it is empty.")
    seats = listed(fields.Nested(SummerPavilionBoard), min(FACTORIES), MOST_SEATS)
