"""JSON schemas of Queen's Garden: actions, draws, effects, positions. The registry reads the tables below.

Shared fields are in fields.py. The schemas do not check the rules.
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
    MAX_BESIDE,
    MAX_GROUP,
    MIN_GROUP,
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
from service.rulesets.queens_garden.wire.fields import (
    COLOUR_OR_PATTERN,
    ELEMENT,
    ELEMENT_KIND,
    MAX_PIECES,
    MAX_VALUE,
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
from service.rulesets.seats import MAX_SEATS
from service.rulesets.wire import (
    WireSchema,
    boolean,
    by_type,
    effect_schema,
    exact_list,
    first_seat_schema,
    list_field,
    nest,
    nullable_seat,
    number,
    one_of,
    seat,
    tag,
)

PHASES = ["play", "fill", "turn", "over"]
MARKER_PLACES = ["display", *(f"seat_{k}" for k in range(MAX_SEATS))]
MAX_POINTS = 999  # far above any possible score; the record holds 32767
MAX_POINTS_A_HEXAGON = max(max(points) for points in PATTERN_POINTS.values())
MAX_GROUPS = 2 * (len(SPACES) // MIN_GROUP)
MAX_BONUS = int(GROUP_BONUS.max())
MAX_GAINED = max(
    sum(int(JOKERS_OF[element]) for element in elements if element != NO_ELEMENT) for elements in ELEMENTS_AT.tolist()
)

# ---------------------------------------------------------------------------------- actions and draws


class Acquire(WireSchema):
    """Take one piece of each different hexagon in the display that has the colour or pattern.

    All pieces must fit into the storage. If a colour and a pattern take exactly the same pieces, only the acquisition
    by colour is listed; the one by pattern is also accepted.
    """

    component = "QueensGardenAcquire"
    type = tag("queens-garden.acquire")
    by = axis()
    value = axis_value()
    pieces = list_field(Piece, 0, MAX_PIECES, "Pieces in any order; responses sort them by the other axis.")

    @validates_schema
    def _names_what_it_says(self, loaded: dict[str, Any], **_: Any) -> None:
        if (loaded["value"] in COLOURS) != (loaded["by"] == "colour"):
            raise ValidationError(f"must be a {loaded['by']}", "value")


class PlaceTile(WireSchema):
    """Place a tile from the storage on a free space of the garden and pay for it."""

    component = "QueensGardenPlaceTile"
    type = tag("queens-garden.place_tile")
    hexagon = hexagon()
    space = space()
    payment = payment()


class PlaceExpansion(WireSchema):
    """Place an expansion from the storage face up on a free area and pay for it."""

    component = "QueensGardenPlaceExpansion"
    type = tag("queens-garden.place_expansion")
    hexagon = hexagon()
    area = area()
    rotation = rotation(required=True)
    payment = payment()


class BuyExpansion(WireSchema):
    """Buy an expansion from the supply with points and place it face down on a free area."""

    component = "QueensGardenBuyExpansion"
    type = tag("queens-garden.buy_expansion")
    area = area()


class Pass(WireSchema):
    """End the round for this seat. Pieces of the storage may be discarded, each at the cost of its value in points."""

    component = "QueensGardenPass"
    type = tag("queens-garden.pass")
    discard = nest(Pieces)


class Fill(WireSchema):
    """Tiles for the top of the stack, in the order drawn."""

    component = "QueensGardenDrawFill"
    type = tag("queens-garden.fill")
    tiles = hexagons(1, TILES_ON_TOP)


class Turn(WireSchema):
    """Faces of the expansions that turn face up, by number."""

    component = "QueensGardenDrawTurn"
    type = tag("queens-garden.turn")
    faces = hexagons(1, MAX_BESIDE)


ACTIONS = by_type(Acquire, PlaceTile, PlaceExpansion, BuyExpansion, Pass)
DRAWS = by_type(first_seat_schema("queens-garden"), Fill, Turn)

# -------------------------------------------------------------------------------------------- effects


class Turned(WireSchema):
    """An expansion beside the stack that turned face up."""

    component = "QueensGardenTurned"
    number = beside_number()
    hexagon = hexagon()


class ShownPoints(WireSchema):
    """Points of a seat's garden for a colour or pattern of the wheel."""

    component = "QueensGardenShownPoints"
    shown = one_of(COLOUR_OR_PATTERN)
    hexagons = number(0, len(SPACES))
    points = number(0, len(SPACES) * MAX_POINTS_A_HEXAGON)


class Group(WireSchema):
    """A connected group of one colour or pattern that scores at the end."""

    component = "QueensGardenGroup"
    by = axis()
    value = axis_value()
    spaces = list_field(space(), MIN_GROUP, MAX_GROUP)
    points = number(MIN_GROUP, KINDS * MAX_GROUP + MAX_BONUS, "Points including `bonus`.")
    bonus = number(0, MAX_BONUS)


_effect = partial(effect_schema, "queens-garden")

EFFECTS = by_type(
    _effect("pieces_acquired", "Pieces went from the display to a storage.",
            seat=seat(), by=axis(), value=axis_value(), pieces=list_field(Piece, 1, KINDS)),
    _effect("top_moved_beside", "The top of the stack moved beside it, with its remaining tiles.",
            number=beside_number(), tiles=hexagons(0, TILES_ON_TOP - 1)),
    _effect("stack_spread", "No tiles were left for the stack, so its remaining expansions moved beside it.",
            numbers=list_field(beside_number(), 1, MAX_BESIDE)),
    _effect("stack_filled", "Tiles were put on the stack's top. `tower_used`: the tower was emptied into the bag.",
            tiles=hexagons(1, TILES_ON_TOP), tower_used=boolean()),
    _effect("expansions_turned", "Expansions without tiles turned face up and can now be taken.",
            expansions=list_field(Turned, 1, MAX_BESIDE)),
    _effect("first_seat_drawn", "The seat that starts round 1 was drawn.", seat=seat()),
    _effect("tile_placed", "A tile was placed in a garden and paid for.",
            seat=seat(), hexagon=hexagon(), space=space(), payment=payment()),
    _effect("element_completed", "The fountain, a statue, a bench or a pavilion was surrounded and earned jokers.",
            seat=seat(), element=one_of(ELEMENT), kind=one_of(ELEMENT_KIND),
            jokers=number(1, max(ELEMENT_JOKERS.values()))),
    _effect("jokers_gained", "`jokers` went to the storage; `lost` did not fit.",
            seat=seat(), jokers=number(0, MAX_GAINED), lost=number(0, MAX_GAINED)),
    _effect("expansion_placed", "An expansion from the storage was placed face up in a garden and paid for.",
            seat=seat(), hexagon=hexagon(), area=area(), rotation=rotation(required=True), payment=payment()),
    _effect("expansion_bought", "An expansion from the supply was placed face down in a garden.",
            seat=seat(), area=area(), points=number(-PRICE, -PRICE)),
    _effect("passed", "A seat passed. `discarded` left the storage; `points` is the actual loss.",
            seat=seat(), discarded=nest(Pieces), points=number(-MAX_VALUE, 0)),
    _effect("marker_taken", "The first seat to pass took the first-player marker and lost `points`.",
            seat=seat(), points=number(-FIRST_PASS_PENALTY, 0)),
    _effect("round_scored", "A seat's garden was scored by the wheel; `points` is the total.",
            seat=seat(), shown=exact_list(ShownPoints, len(WHEEL[0])),
            pavilions=number(0, AREAS, "Face-up expansions, one point each."),
            points=number(0, len(SPACES) * (MAX_POINTS_A_HEXAGON + 1) + AREAS)),
    _effect("round_ended", "All seats have passed and were scored.", round=number(1, ROUNDS)),
    _effect("round_began", "The next stack is in the display. The seat starts.",
            round=number(2, ROUNDS), seat=seat()),
    _effect("storage_counted", "A seat's storage was scored: one point per joker, minus the values of other pieces.",
            seat=seat(), jokers=number(0, TILE_SPACES),
            values=number(0, MAX_VALUE, "Total value of tiles and expansions."),
            points=number(-MAX_VALUE, TILE_SPACES, "Actual change. Scores do not fall below 0.")),
    _effect("groups_scored", "A seat's groups of three or more were scored; `points` is the total.",
            seat=seat(), groups=list_field(Group, 0, MAX_GROUPS), points=number(0, MAX_POINTS)),
    _effect("game_ended", "The game has ended."),
)  # fmt: skip

# ------------------------------------------------------------------------------------------- position


class Beside(WireSchema):
    """An expansion beside the stack."""

    component = "QueensGardenBeside"
    number = beside_number()
    tiles = hexagons(0, TILES_ON_TOP - 1)
    face = hexagon("Face, or null while covered by tiles or not drawn.", allow_none=True)


class Display(WireSchema):
    """The stack of the round and the expansions that have left it."""

    component = "QueensGardenDisplay"
    stack = number(0, MAX_BESIDE, "Face-down expansions in the stack, including the top.")
    top = hexagons(0, TILES_ON_TOP, "Tiles on the top of the stack.")
    beside = list_field(Beside, 0, MAX_BESIDE, "Remaining expansions beside the stack, by number.")
    left = number(0, MAX_BESIDE, "Expansions that have left the stack this round.")


class Area(WireSchema):
    """An expansion in a garden."""

    component = "QueensGardenArea"
    face = one_of(
        ["up", "down"], "`up`: a pavilion in the centre and a printed hexagon on the ring. `down`: seven spaces."
    )
    rotation = rotation()

    @validates_schema
    def _turned_if_up(self, loaded: dict[str, Any], **_: Any) -> None:
        if ("rotation" in loaded) != (loaded["face"] == "up"):
            raise ValidationError("is required for a face-up expansion, and only allowed there", "rotation")


class Shown(WireSchema):
    """A hexagon in a garden."""

    component = "QueensGardenShown"
    space = space()
    hexagon = hexagon()
    printed = boolean("Whether the hexagon is printed on an expansion; otherwise it is a tile.")


class QueensGardenBoard(WireSchema):
    """A seat's garden and storage."""

    component = "QueensGardenBoard"
    score = number(0, MAX_POINTS)
    passed = boolean("Whether the seat has passed this round; stays true after the end.")
    jokers = number(0, TILE_SPACES, "Jokers on tile spaces of the storage.")
    tiles = counts(f"Tiles in the storage; at most {TILE_SPACES} including jokers.")
    expansions = hexagons(0, EXPANSION_SPACES)
    storage_points = number(-MAX_VALUE, TILE_SPACES, "Points for the storage at the end; 0 before.")
    areas = exact_list(fields.Nested(Area, allow_none=True), AREAS, "Expansions by area, from 0; null for a free area.")
    garden = list_field(
        Shown,
        0,
        len(SPACES),
        "All hexagons. Responses sort them by space: around the fountain by direction, then for each area its ring by "
        "direction and its centre.",
    )


class QueensGardenPosition(WireSchema):
    """Everything on the table. Only future draws are hidden."""

    component = "QueensGardenPosition"
    ruleset = tag("queens-garden")
    variant = one_of(VARIANT)
    round = number(1, ROUNDS)
    phase = one_of(
        PHASES,
        "`play`: a seat decides. `fill`: a draw of the first seat or of tiles for the stack is due. "
        "`turn`: a draw of the faces of expansions is due.",
    )
    to_decide = nullable_seat("Seat to decide in `play`, else null.")
    next_seat = nullable_seat(
        "Seat to decide after the draws; null in `play` and `over`, and before the first seat is drawn."
    )
    start_seat = nullable_seat("Starting seat of the round, or null.")
    marker = one_of(MARKER_PLACES, "Place of the first-player marker: with the first seat to pass this round.")
    display = nest(Display)
    round_stacks = number(
        0, (ROUNDS - 1) * max(STACKS.values()), "Total number of expansions in the stacks of later rounds."
    )
    supply = number(0, EXPANSIONS, "Face-down expansions that can be bought.")
    unseen = hexagons(0, EXPANSIONS, "Faces that have not turned up yet; a `turn` draws from them.")
    bag = counts()
    tower = counts("Spent tiles. They refill the bag when a `fill` needs more tiles than the bag has.")
    seats = list_field(QueensGardenBoard, min(STACKS), MAX_SEATS)
