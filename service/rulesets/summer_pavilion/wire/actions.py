"""Actions and draws: integers internally, JSON in the API. `decode(encode(a)) == a`, and vice versa."""

from __future__ import annotations

from collections.abc import Sequence

from service.rulesets.kernel import Record
from service.rulesets.parts.factories import SOURCE_NAMES
from service.rulesets.parts.turns import NO_SEAT
from service.rulesets.summer_pavilion.rules.components import COLOURS, KEEP_AT, KEEP_PLACE, KEEPS, STARS
from service.rulesets.summer_pavilion.rules.game import FIRST_PASS, FIRST_PLACE, FIRST_TAKE_BONUS, placement, placing
from service.rulesets.summer_pavilion.rules.state import ACQUIRING, KINDS
from service.rulesets.summer_pavilion.wire.schemas import ACTION_SCHEMAS, DRAWS
from service.rulesets.wire import Json, load_tagged, name_first_seat, to_counts


def encode(named: Json) -> int:
    """Return the integer of an action in JSON. Raises InconsistentStateError, with pointers."""
    action = load_tagged(ACTION_SCHEMAS, named)
    if action["type"] == "summer-pavilion.pass":
        kept = [action["keep"].get(colour, 0) for colour in COLOURS]
        return FIRST_PASS + int(KEEP_AT[KEEP_PLACE @ kept])
    colour = COLOURS.index(action["colour"])
    if action["type"] == "summer-pavilion.acquire":
        return SOURCE_NAMES.index(action["source"]) * KINDS + colour
    if action["type"] == "summer-pavilion.take_bonus":
        return FIRST_TAKE_BONUS + colour
    return int(placing(STARS.index(action["star"]), int(action["slot"]) - 1, colour, int(action["wilds"])))


def type_of(action: int) -> str:
    """Return the `type` of the action in JSON, without decoding it."""
    if action >= FIRST_PASS:
        return "summer-pavilion.pass"
    if action >= FIRST_TAKE_BONUS:
        return "summer-pavilion.take_bonus"
    return "summer-pavilion.place" if action >= FIRST_PLACE else "summer-pavilion.acquire"


def decode(action: int) -> Json:
    """Return the JSON of an action from `legal_actions`."""
    if action >= FIRST_PASS:
        return {"type": "summer-pavilion.pass", "keep": to_counts(KEEPS[action - FIRST_PASS].tolist(), COLOURS)}
    if action >= FIRST_TAKE_BONUS:
        return {"type": "summer-pavilion.take_bonus", "colour": COLOURS[action - FIRST_TAKE_BONUS]}
    if action >= FIRST_PLACE:
        star, slot, colour, wilds = (int(part) for part in placement(action))
        return {
            "type": "summer-pavilion.place",
            "star": STARS[star],
            "slot": slot + 1,
            "colour": COLOURS[colour],
            "wilds": wilds,
        }
    source, colour = divmod(action, KINDS)
    return {"type": "summer-pavilion.acquire", "source": SOURCE_NAMES[source], "colour": COLOURS[colour]}


def name_draw(table_state: Record, drawn: Sequence[int]) -> Json:
    """Return the JSON of a draw that the record was waiting for."""
    if table_state.start_seat == NO_SEAT:
        return name_first_seat("summer-pavilion", drawn)
    return {
        "type": "summer-pavilion.deal" if table_state.stage == ACQUIRING else "summer-pavilion.refill",
        "tiles": [COLOURS[tile] for tile in drawn],
    }


def read_draw(named: Json) -> tuple[int, ...]:
    """Return the integers of a draw in JSON. Raises InconsistentStateError, with pointers."""
    draw = load_tagged(DRAWS, named)
    if "seat" in draw:
        return (int(draw["seat"]),)
    return tuple(COLOURS.index(tile) for tile in draw["tiles"])
