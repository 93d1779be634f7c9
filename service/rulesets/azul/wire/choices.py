"""Legal actions as choices, for front ends that highlight the next options without a list of all actions.

Built from the masks that the rules use to list and sample actions; the conformance suite compares both forms.
"""

from __future__ import annotations

from service.rulesets.azul.rules.components import COLOURS, LINES
from service.rulesets.azul.rules.state import DESTINATIONS, FLOOR, TILING
from service.rulesets.azul.rules.tiling import columns_for, line_to_tile
from service.rulesets.azul.wire.schemas import SOURCE, colour, destination
from service.rulesets.kernel import Record
from service.rulesets.parts.factories import SOURCE_NAMES
from service.rulesets.wire import Json, WireSchema, index, list_field, nest, one_of, places_of, tag

DESTINATION_NAMES = tuple("floor" if number == FLOOR else number for number in range(DESTINATIONS))


def choices(table_state: Record) -> Json:
    """Return the legal actions as AzulChoices."""
    board = table_state.boards[table_state.seat]
    if table_state.stage == TILING:
        line = int(line_to_tile(board))
        columns = columns_for(board, line, board.line_colour[line])
        tile = {"line": line, "columns": places_of(columns)}
        return {"ruleset": "azul", "draft": [], "tile": tile}
    lines = [[DESTINATION_NAMES[number] for number in places_of(mask)] for mask in board.open_to.tolist()]
    holders = table_state.holders.tolist()
    drafts = [
        {"source": source, "colour": COLOURS[colour], "lines": lines[colour]}
        for number, source in enumerate(SOURCE_NAMES)
        for colour in range(len(COLOURS))
        if holders[colour] >> number & 1
    ]
    return {"ruleset": "azul", "draft": drafts, "tile": None}


class DraftChoice(WireSchema):
    """The `source` and `colour` of an `azul.draft` action. Its `line` is one of `lines`."""

    component = "AzulDraftChoice"
    source = one_of(SOURCE)
    colour = colour()
    lines = list_field(destination(), 1, DESTINATIONS)


class TileChoice(WireSchema):
    """The `line` of an `azul.tile` action: the topmost complete pattern line. Its `column` is one of `columns`."""

    component = "AzulTileChoice"
    line = index(LINES)
    columns = list_field(index(LINES), 1, LINES)


class AzulChoices(WireSchema):
    """The choices in Azul, by type of action: `draft` for `azul.draft`, `tile` for `azul.tile`."""

    component = "AzulChoices"
    ruleset = tag("azul")
    draft = list_field(
        DraftChoice, description="Choose an entry, then one of its `lines`. Empty while a column is chosen."
    )
    tile = nest(TileChoice, "Grey side: choose one of its `columns`. Null while tiles are drafted.", allow_none=True)
