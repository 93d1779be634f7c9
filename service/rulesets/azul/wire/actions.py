"""Actions and draws: integers internally, JSON in the API. `decode(encode(a)) == a`, and vice versa."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from service.rulesets.azul.rules.components import COLOURS, LINES
from service.rulesets.azul.rules.game import FIRST_TILING
from service.rulesets.azul.rules.state import DESTINATIONS, FLOOR, KINDS
from service.rulesets.azul.wire.schemas import ACTION_SCHEMAS, DRAWS
from service.rulesets.kernel import Record
from service.rulesets.parts.factories import SOURCE_NAMES
from service.rulesets.parts.turns import NO_SEAT
from service.rulesets.wire import Json, load_tagged, name_first_seat


def encode(named: Json) -> int:
    """Return the integer of an action in JSON. Raises InconsistentStateError, with pointers."""
    action = load_tagged(ACTION_SCHEMAS, named)
    if action["type"] == "azul.tile":
        return FIRST_TILING + int(action["line"]) * LINES + int(action["column"])
    destination = FLOOR if action["line"] == "floor" else int(action["line"])
    source, colour = SOURCE_NAMES.index(action["source"]), COLOURS.index(action["colour"])
    return (source * KINDS + colour) * DESTINATIONS + destination


def type_of(action: int) -> str:
    """Return the `type` of the action in JSON, without decoding it."""
    return "azul.tile" if action >= FIRST_TILING else "azul.draft"


def decode(action: int) -> Json:
    """Return the JSON of an action from `legal_actions`."""
    if action >= FIRST_TILING:
        line, column = divmod(action - FIRST_TILING, LINES)
        return {"type": "azul.tile", "line": line, "column": column}
    rest, destination = divmod(action, DESTINATIONS)
    source, colour = divmod(rest, KINDS)
    line_name: Any = "floor" if destination == FLOOR else destination
    return {"type": "azul.draft", "source": SOURCE_NAMES[source], "colour": COLOURS[colour], "line": line_name}


def name_draw(table_state: Record, drawn: Sequence[int]) -> Json:
    """Return the JSON of a draw that the record was waiting for."""
    if table_state.start_seat == NO_SEAT:
        return name_first_seat("azul", drawn)
    return {"type": "azul.deal", "tiles": [COLOURS[tile] for tile in drawn]}


def read_draw(named: Json) -> tuple[int, ...]:
    """Return the integers of a draw in JSON. Raises InconsistentStateError, with pointers."""
    draw = load_tagged(DRAWS, named)
    if "seat" in draw:
        return (int(draw["seat"]),)
    return tuple(COLOURS.index(tile) for tile in draw["tiles"])
