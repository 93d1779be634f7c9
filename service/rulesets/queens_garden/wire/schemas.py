"""Queen's Garden on the wire: actions, draws, effects, positions, components. The registry reads the tables below.

The word for what a field says stands in fields.py; what the rules forbid is not forbidden here.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from marshmallow import ValidationError, fields, validates_schema

from service.rulesets.queens_garden.rules.components import (
    AREAS,
    COLOURS,
    ELEMENT_JOKERS,
    ELEMENTS_AT,
    EXPANSION_SPACES,
    EXPANSIONS,
    FIRST_PASS_PENALTY,
    GROUP_BONUS,
    JOKERS_OF,
    KINDS,
    LEAST_GROUP,
    MOST_BESIDE,
    MOST_GROUP,
    NO_ELEMENT,
    PATTERN_POINTS,
    PRICE,
    ROUNDS,
    SPACES,
    STACKS,
    TILE_SPACES,
    TILES_ON_TOP,
    WHEEL,
)
from service.rulesets.queens_garden.wire.catalogue import QueensGardenComponents
from service.rulesets.queens_garden.wire.fields import (
    COLOUR_OR_PATTERN,
    ELEMENT,
    ELEMENT_KIND,
    MOST_PIECES,
    MOST_VALUE,
    VARIANT,
    Piece,
    Pieces,
    area,
    axis,
    axis_value,
    beside_number,
    counts,
    hexagon,
    hexagons,
    payment,
    rotation,
    space,
)
from service.rulesets.seats import MOST_SEATS
from service.rulesets.wire import (
    WireSchema,
    by_type,
    effect_schema,
    first_seat_schema,
    listed,
    nullable_seat,
    number,
    one_of,
    seat,
    tag,
)

__all__ = ["ACTIONS", "DRAWS", "EFFECTS", "MARKER_PLACES", "PHASES", "QueensGardenComponents", "QueensGardenPosition"]

PHASES = ["play", "fill", "turn", "over"]
MARKER_PLACES = ["display", *(f"seat_{k}" for k in range(MOST_SEATS))]
MOST_POINTS = 999  # far above what four rounds and all groups can bring; the record holds 32767
MOST_POINTS_A_HEXAGON = max(max(points) for points in PATTERN_POINTS.values())
MOST_GROUPS = 2 * (len(SPACES) // LEAST_GROUP)
MOST_BONUS = int(GROUP_BONUS.max())
MOST_GAINED = max(
    sum(int(JOKERS_OF[element]) for element in elements if element != NO_ELEMENT) for elements in ELEMENTS_AT.tolist()
)

# ---------------------------------------------------------------------------------- actions and draws


class Acquire(WireSchema):
    """Take, of each different hexagon in the display that has the colour or pattern, one piece; which one is chosen.

    All of it must fit into the storage. Where a colour and a pattern take exactly the same, since one hexagon is all
    that has the one or the other, the acquisition by colour is listed; that by pattern may be posted as well.
    """

    component = "QueensGardenAcquire"
    type = tag("queens-garden.acquire")
    by = axis()
    value = axis_value()
    pieces = listed(
        fields.Nested(Piece),
        0,
        MOST_PIECES,
        "The pieces in any order; responses list them in the order of the other axis.",
    )

    @validates_schema
    def _names_what_it_says(self, loaded: dict[str, Any], **_: Any) -> None:
        if (loaded["value"] in COLOURS) != (loaded["by"] == "colour"):
            raise ValidationError(f"must be a {loaded['by']}", "value")


class PlaceTile(WireSchema):
    """Place a tile of the storage on a free space of the garden, and pay for it."""

    component = "QueensGardenPlaceTile"
    type = tag("queens-garden.place_tile")
    hexagon = hexagon()
    space = space()
    payment = payment()


class PlaceExpansion(WireSchema):
    """Place an expansion of the storage face up on a free area, and pay for it."""

    component = "QueensGardenPlaceExpansion"
    type = tag("queens-garden.place_expansion")
    hexagon = hexagon()
    area = area()
    rotation = rotation(required=True)
    payment = payment()


class BuyExpansion(WireSchema):
    """Place an expansion of the supply face down on a free area, for points."""

    component = "QueensGardenBuyExpansion"
    type = tag("queens-garden.buy_expansion")
    area = area()


class Pass(WireSchema):
    """Take no more turns in this round; pieces of the storage may be discarded, each for minus its value."""

    component = "QueensGardenPass"
    type = tag("queens-garden.pass")
    discard = fields.Nested(Pieces, required=True)


class Fill(WireSchema):
    """The tiles that come onto the stack's top, in the order drawn."""

    component = "QueensGardenDrawFill"
    type = tag("queens-garden.fill")
    tiles = hexagons(1, TILES_ON_TOP)


class Turn(WireSchema):
    """The faces of the expansions that turn face up, by their number."""

    component = "QueensGardenDrawTurn"
    type = tag("queens-garden.turn")
    faces = hexagons(1, MOST_BESIDE)


ACTIONS = by_type(Acquire, PlaceTile, PlaceExpansion, BuyExpansion, Pass)
DRAWS = by_type(first_seat_schema("queens-garden"), Fill, Turn)

# -------------------------------------------------------------------------------------------- effects


class Turned(WireSchema):
    """An expansion beside the stack that turned face up."""

    component = "QueensGardenTurned"
    number = beside_number()
    hexagon = hexagon()


class ShownPoints(WireSchema):
    """What a seat's garden scored for one colour or pattern that the wheel shows."""

    component = "QueensGardenShownPoints"
    shown = one_of(COLOUR_OR_PATTERN)
    hexagons = number(0, len(SPACES))
    points = number(0, len(SPACES) * MOST_POINTS_A_HEXAGON)


class Group(WireSchema):
    """A connected group of one colour or pattern that scores at the end."""

    component = "QueensGardenGroup"
    by = axis()
    value = axis_value()
    spaces = listed(space(), LEAST_GROUP, MOST_GROUP)
    points = number(LEAST_GROUP, KINDS * MOST_GROUP + MOST_BONUS, metadata={"description": "The bonus included."})
    bonus = number(0, MOST_BONUS, metadata={"description": "The bonus for the size of the group."})


_effect = partial(effect_schema, "queens-garden")

EFFECTS = by_type(
    _effect("pieces_acquired", "Pieces went from the display to a storage.",
            seat=seat(), by=axis(), value=axis_value(), pieces=listed(fields.Nested(Piece), 1, KINDS)),
    _effect("top_moved_beside", "The stack's top moved beside it, with the tiles left on it.",
            number=beside_number(), tiles=hexagons(0, TILES_ON_TOP - 1)),
    _effect("stack_spread", "No tile was left to fill with: the rest of the stack went beside it.",
            numbers=listed(beside_number(), 1, MOST_BESIDE)),
    _effect("stack_filled", "Tiles came onto the stack's top; whether the tower went into the bag before.",
            tiles=hexagons(1, TILES_ON_TOP), tower_used=fields.Boolean(required=True)),
    _effect("expansions_turned", "Expansions without tiles turned face up; they can be taken from now on.",
            expansions=listed(fields.Nested(Turned), 1, MOST_BESIDE)),
    _effect("first_seat_drawn", "The seat that starts round 1 was drawn.", seat=seat()),
    _effect("tile_placed", "A tile was placed in a garden and paid for.",
            seat=seat(), hexagon=hexagon(), space=space(), payment=payment()),
    _effect("element_completed", "The fountain, a statue, a bench or a pavilion was surrounded; its jokers.",
            seat=seat(), element=one_of(ELEMENT), kind=one_of(ELEMENT_KIND),
            jokers=number(1, max(ELEMENT_JOKERS.values()))),
    _effect("jokers_gained", "`jokers` went to the storage; `lost` did not fit.",
            seat=seat(), jokers=number(0, MOST_GAINED), lost=number(0, MOST_GAINED)),
    _effect("expansion_placed", "An expansion of the storage was placed face up in a garden and paid for.",
            seat=seat(), hexagon=hexagon(), area=area(), rotation=rotation(required=True), payment=payment()),
    _effect("expansion_bought", "An expansion of the supply was placed face down in a garden.",
            seat=seat(), area=area(), points=number(-PRICE, -PRICE)),
    _effect("passed", "A seat passed; `discarded` left the storage, `points` is what that really cost.",
            seat=seat(), discarded=fields.Nested(Pieces, required=True), points=number(-MOST_VALUE, 0)),
    _effect("marker_taken", "The first seat to pass took the first-player marker; `points` is what it lost.",
            seat=seat(), points=number(-FIRST_PASS_PENALTY, 0)),
    _effect("round_scored", "A seat's garden was scored by the wheel; `points` in all.",
            seat=seat(), shown=listed(fields.Nested(ShownPoints), len(WHEEL[0]), len(WHEEL[0])),
            pavilions=number(0, AREAS, metadata={"description": "Face-up expansions, a point each."}),
            points=number(0, len(SPACES) * (MOST_POINTS_A_HEXAGON + 1) + AREAS)),
    _effect("round_ended", "All seats have passed and were scored.", round=number(1, ROUNDS)),
    _effect("round_began", "The next stack lies in the display; the seat starts.",
            round=number(2, ROUNDS), seat=seat()),
    _effect("storage_counted", "What a seat had left was counted: a point a joker, less the values of the rest.",
            seat=seat(), jokers=number(0, TILE_SPACES),
            values=number(0, MOST_VALUE, metadata={"description": "The values of tiles and expansions, added up."}),
            points=number(-MOST_VALUE, TILE_SPACES,
                          metadata={"description": "What it really changed: no loss takes a score below 0."})),
    _effect("groups_scored", "A seat's groups of three and more were scored; `points` in all.",
            seat=seat(), groups=listed(fields.Nested(Group), 0, MOST_GROUPS), points=number(0, MOST_POINTS)),
    _effect("game_ended", "The game has ended."),
)  # fmt: skip

# ------------------------------------------------------------------------------------------- position


class Beside(WireSchema):
    """An expansion beside the stack."""

    component = "QueensGardenBeside"
    number = beside_number()
    tiles = hexagons(0, TILES_ON_TOP - 1, "Tiles that lie on it.")
    face = hexagon("What it shows; null while tiles lie on it or its face is still to be drawn.", allow_none=True)


class Display(WireSchema):
    """The stack of the round, and the expansions that have left it."""

    component = "QueensGardenDisplay"
    stack = number(0, MOST_BESIDE, metadata={"description": "Expansions in the stack, the top included; face down."})
    top = hexagons(0, TILES_ON_TOP, "Tiles on the stack's top.")
    beside = listed(fields.Nested(Beside), 0, MOST_BESIDE, "Those that still lie there, by number.")
    left = number(0, MOST_BESIDE, metadata={"description": "How many have left the stack this round."})


class Area(WireSchema):
    """An expansion that lies in a garden."""

    component = "QueensGardenArea"
    face = one_of(
        ["up", "down"],
        metadata={
            "description": "`up`: a pavilion in the centre and a printed hexagon on the ring. `down`: seven spaces."
        },
    )
    rotation = rotation()

    @validates_schema
    def _turned_if_up(self, loaded: dict[str, Any], **_: Any) -> None:
        if ("rotation" in loaded) != (loaded["face"] == "up"):
            raise ValidationError("is told of a face-up expansion, and of no other", "rotation")


class Shown(WireSchema):
    """A hexagon in a garden."""

    component = "QueensGardenShown"
    space = space()
    hexagon = hexagon()
    printed = fields.Boolean(
        required=True, metadata={"description": "Whether it is printed on the expansion there; else it is a tile."}
    )


class QueensGardenBoard(WireSchema):
    """A seat's garden and storage."""

    component = "QueensGardenBoard"
    score = number(0, MOST_POINTS)
    passed = fields.Boolean(
        required=True,
        metadata={"description": "Whether the seat has passed in this round; stays true when the game is over."},
    )
    jokers = number(0, TILE_SPACES, metadata={"description": "They lie on tile spaces of the storage."})
    tiles = counts(f"The tiles in the storage: with the jokers {TILE_SPACES} at most.")
    expansions = hexagons(0, EXPANSION_SPACES, "The expansions in the storage.")
    storage_points = number(
        -MOST_VALUE,
        TILE_SPACES,
        metadata={"description": "What the storage brought at the end; 0 while the game goes on."},
    )
    areas = listed(
        fields.Nested(Area, allow_none=True), AREAS, AREAS, "What lies on each area, 0 first; null where it is free."
    )
    garden = listed(
        fields.Nested(Shown),
        0,
        len(SPACES),
        "All hexagons; responses list them in the order of spaces: round the fountain by direction, then area by area "
        "its ring by direction, and its centre.",
    )


class QueensGardenPosition(WireSchema):
    """All that lies on the table. Nothing is hidden but what chance has still to bring."""

    component = "QueensGardenPosition"
    ruleset = tag("queens-garden")
    variant = one_of(VARIANT)
    round = number(1, ROUNDS)
    phase = one_of(
        PHASES,
        metadata={
            "description": "`play`: a seat decides. `fill`: the table waits for the first seat, or for tiles on the "
            "stack's top. `turn`: it waits for the faces of expansions that turn."
        },
    )
    to_decide = nullable_seat("A seat in the phase play, else null.")
    next_seat = nullable_seat(
        "The seat that decides after the draws; null in play and over, and while no first seat is drawn."
    )
    start_seat = nullable_seat("The seat that started the round; null before it is drawn.")
    marker = one_of(
        MARKER_PLACES,
        metadata={"description": "Where the first-player marker lies: with the seat that passed first this round."},
    )
    display = fields.Nested(Display, required=True)
    round_stacks = number(
        0,
        (ROUNDS - 1) * max(STACKS.values()),
        metadata={"description": "Expansions in the stacks of later rounds together."},
    )
    supply = number(0, EXPANSIONS, metadata={"description": "Expansions that can be bought; face down."})
    unseen = hexagons(0, EXPANSIONS, "Faces of expansions that never turned up: a turn draws from these.")
    bag = counts()
    tower = counts("Spent tiles; they go into the bag when a fill needs more than the bag holds.")
    seats = listed(fields.Nested(QueensGardenBoard), min(STACKS), MOST_SEATS)
