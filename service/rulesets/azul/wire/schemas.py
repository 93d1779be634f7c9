"""JSON schemas of Azul: actions, draws, effects, positions and components. The registry reads the tables below."""

from __future__ import annotations

from functools import partial
from typing import Any

from marshmallow import ValidationError, fields

from service.rulesets.azul.rules.components import COLOURS, FLOOR_SPACES, LINES, TILES_A_COLOUR, VARIANTS
from service.rulesets.azul.rules.state import REASONS_OF_END
from service.rulesets.offer import factories_by_seats_schema, source_names
from service.rulesets.parts.factories import MAX_FACTORIES, TOKEN_PLACES
from service.rulesets.seats import MAX_SEATS
from service.rulesets.wire import (
    CERTAINTIES,
    Names,
    WireSchema,
    boolean,
    by_type,
    counts,
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

SOURCE = source_names("azul")
COLOUR = Names("AzulColour", "A tile colour.", COLOURS)
REASON = Names("AzulReasonOfEnd", "Why the game ended.", REASONS_OF_END[1:])
CERTAINTY = Names("AzulCertainty", "How certain the details are.", CERTAINTIES)
PHASES = ["draft", "tile", "draw", "over"]
MAX_POINTS = 999  # far above any possible score; the record holds 32767
MAX_ROUNDS = 65_535


class Destination(fields.Field[Any]):
    """A pattern line 0..4, or `floor`."""

    plain_values = (*range(LINES), "floor")

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:  # noqa: ARG002 - marshmallow's
        if type(value) in {int, str} and value in self.plain_values:
            return value
        raise ValidationError(f"must be a pattern line from 0 to {LINES - 1} or 'floor'")


def destination() -> Destination:
    """Return the field `line` of a draft. `floor` is a pattern: generators have no type for a constant in a union."""
    line = {"type": "integer", "minimum": 0, "maximum": LINES - 1}
    floor = {"type": "string", "pattern": "^floor$", "description": "`floor`: the floor line."}
    described = {"description": "Number of a pattern line, or `floor`.", "oneOf": [line, floor]}
    return Destination(required=True, metadata={**described, "x-component": "AzulDestination"})


def colour(**options: Any) -> fields.String:
    """Return a field for one of the five colours."""
    return one_of(COLOUR, **options)


# ---------------------------------------------------------------------------------- actions and draws


class Draft(WireSchema):
    """Move all tiles of a colour from a source to a pattern line or the floor line."""

    component = "AzulDraft"
    type = tag("azul.draft")
    source = one_of(SOURCE)
    colour = colour()
    line = destination()


class Tile(WireSchema):
    """Grey side: choose the wall column for the topmost complete pattern line."""

    component = "AzulTile"
    type = tag("azul.tile")
    line = index(LINES)
    column = index(LINES)


class Deal(WireSchema):
    """Tiles of a deal in the order drawn: four per factory, in factory order."""

    component = "AzulDrawDeal"
    type = tag("azul.deal")
    tiles = fields.List(colour(), required=True, validate=lambda tiles: len(tiles) <= 4 * MAX_FACTORIES)


ACTION_SCHEMAS = by_type(Draft, Tile)
DRAWS = by_type(first_seat_schema("azul"), Deal)

# -------------------------------------------------------------------------------------------- effects

AzulTiles = counts(COLOURS, TILES_A_COLOUR, "AzulTiles")


def tiles(**options: Any) -> fields.Nested:
    """Return a field for counts by colour."""
    return nest(AzulTiles, **options)


_effect = partial(effect_schema, "azul")

EFFECTS = by_type(
    _effect("tiles_taken", "Tiles of one colour were taken from a source.",
            seat=seat(), source=one_of(SOURCE), colour=colour(), count=number(1, 20)),
    _effect("tiles_moved_to_centre", "The remaining tiles of the factory moved to the centre.", tiles=tiles()),
    _effect("start_token_taken", "The first seat to take from the centre took the start token.", seat=seat()),
    _effect("tiles_placed", "Tiles were placed on a pattern line.",
            seat=seat(), line=index(LINES), colour=colour(), count=number(1, LINES)),
    _effect("tiles_fallen", "`count` tiles fell to the floor line. `lost` of them had no space: to the box lid.",
            seat=seat(), colour=colour(), count=number(1, 20), lost=number(0, 20)),
    _effect("tile_placed", "A tile moved to the wall and scored.",
            seat=seat(), line=index(LINES), column=index(LINES), colour=colour(), points=number(1, 10)),
    _effect("line_fallen", "Grey side: a complete line had no free column. Its tiles fell, `lost` into the box lid.",
            seat=seat(), line=index(LINES), colour=colour(), count=number(1, LINES), lost=number(0, LINES)),
    _effect("floor_penalty", "The floor line was scored and cleared; `tiles` counts its occupied spaces.",
            seat=seat(), tiles=number(1, FLOOR_SPACES), points=number(-14, 0)),
    _effect("round_ended", "Wall-tiling is complete for all seats.", round=number(1)),
    _effect("end_bonus", "End-of-game bonuses of a seat.",
            seat=seat(), rows=number(0, LINES), columns=number(0, LINES), colours=number(0, LINES),
            points=number(0)),
    _effect("game_ended", "The game has ended.", reason=one_of(REASON)),
    _effect("first_seat_drawn", "The seat that starts round 1 was drawn.", seat=seat()),
    _effect("dealt", "The factories were filled. `box_lid_used`: the box lid was emptied into the bag.",
            factories=list_field(tiles()), box_lid_used=boolean()),
)  # fmt: skip

# ------------------------------------------------------------------------------------------- position


class PatternLine(WireSchema):
    """A pattern line; `colour` is null if empty."""

    component = "AzulPatternLine"
    capacity = number(1, LINES)
    colour = colour(allow_none=True)
    count = number(0, LINES)


class Board(WireSchema):
    """A seat's player board."""

    component = "AzulBoard"
    score = number(0, MAX_POINTS)
    pattern_lines = fields.List(fields.Nested(PatternLine), required=True, metadata={"minItems": 5, "maxItems": 5})
    wall = fields.List(
        fields.List(colour(allow_none=True), required=True),
        required=True,
        metadata={
            "description": "Tiles by row and column; null for an empty space.",
            "minItems": 5,
            "maxItems": 5,
        },
    )
    floor_line = fields.List(
        one_of([*COLOURS, "start_token"]),
        required=True,
        metadata={"description": "Occupied spaces from left to right.", "maxItems": FLOOR_SPACES},
    )


class AzulPosition(WireSchema):
    """Everything on the table. Only future draws are hidden."""

    component = "AzulPosition"
    ruleset = tag("azul")
    variant = one_of(VARIANTS)
    round = number(0, MAX_ROUNDS, "Round, from 1; 0 before the first deal.")
    phase = one_of(PHASES, "`draw`: a draw is due.")
    to_decide = nullable_seat()
    start_token = one_of(TOKEN_PLACES)
    start_seat = nullable_seat("Starting seat of the round, or null.")
    rounds_without_tile = number(0, 5, "Consecutive rounds in which no wall gained a tile.")
    wall_gained_tile = boolean("Whether a wall gained a tile this round.")
    reason_of_end = one_of(REASON, allow_none=True)
    factories = list_field(tiles())
    centre = tiles()
    bag = tiles()
    box_lid = tiles()
    seats = fields.List(fields.Nested(Board), required=True, metadata={"minItems": 2, "maxItems": MAX_SEATS})


# ----------------------------------------------------------------------------------------- components


class Bonuses(WireSchema):
    """End-of-game points for each complete row, column and colour."""

    component = "AzulBonuses"
    row = number()
    column = number()
    colour = number()


class AzulComponents(WireSchema):
    """Game components of Azul."""

    component = "AzulComponents"
    ruleset = tag("azul")
    colours = list_field(colour())
    tiles_per_colour = number(1)
    tiles_per_factory = number(1)
    factories = list_field(factories_by_seats_schema("azul"))
    pattern_lines = list_field(number(1), description="Capacities from top to bottom.")
    printed_wall = list_field(fields.List(colour()), description="Coloured side by row and column.")
    floor_penalties = list_field(fields.Integer(), description="Points by number of occupied floor spaces.")
    bonuses = nest(Bonuses)
    status = one_of(CERTAINTY)
