"""Legal actions as choices, for front ends that highlight the next options without a list of all actions.

Built from the masks that the rules use to list and sample actions; the conformance suite compares both forms.
"""

from __future__ import annotations

from collections.abc import Iterator

from service.rulesets.azul.rules.components import COLOURS, FLOOR_PENALTY, FLOOR_SPACES, LINES, PRINTED_COLUMN
from service.rulesets.azul.rules.scoring import points_of_tile
from service.rulesets.azul.rules.state import COLOURED, DESTINATIONS, FLOOR, TILING
from service.rulesets.azul.rules.tiling import columns_for, line_to_tile
from service.rulesets.azul.wire.schemas import SOURCE, colour, destination
from service.rulesets.kernel import Record
from service.rulesets.parts.factories import CENTRE, SOURCE_NAMES, TOKEN_IN_CENTRE
from service.rulesets.wire import Json, WireSchema, index, list_field, nest, number, one_of, places_of, tag

DESTINATION_NAMES = tuple("floor" if number == FLOOR else number for number in range(DESTINATIONS))


def choices(table_state: Record) -> Json:
    """Return the legal actions as AzulChoices."""
    board = table_state.boards[table_state.seat]
    if table_state.stage == TILING:
        line = int(line_to_tile(board))
        columns = places_of(columns_for(board, line, board.line_colour[line]))
        options = [{"column": column, "points": int(points_of_tile(board, line, column))} for column in columns]
        return {"ruleset": "azul", "draft": [], "tile": {"line": line, "columns": options}}
    return {"ruleset": "azul", "draft": list(_drafts(table_state, board)), "tile": None}


def _drafts(table_state: Record, board: Record) -> Iterator[Json]:
    points = _tile_points(table_state, board)
    free = [line + 1 - count for line, count in enumerate(board.line_count.tolist())] + [0]
    before, open_to, holders = int(board.floor_count), board.open_to.tolist(), table_state.holders.tolist()
    for source, name in enumerate(SOURCE_NAMES):
        has_token = source == CENTRE and table_state.start_token == TOKEN_IN_CENTRE
        for kind, count in enumerate(table_state.tiles[source].tolist()):
            if not holders[kind] >> source & 1:
                continue
            lines = []
            for line in places_of(open_to[kind]):
                after = min(FLOOR_SPACES, before + has_token + count - min(count, free[line]))
                floor_points = int(FLOOR_PENALTY[before] - FLOOR_PENALTY[after])
                scored = {"tile_points": points[line][kind], "floor_points": floor_points}
                lines.append({"line": DESTINATION_NAMES[line], **scored})
            yield {"source": name, "colour": COLOURS[kind], "lines": lines}


def _tile_points(table_state: Record, board: Record) -> list[list[int]]:
    """Return the points of the tile that each destination moves to the wall, by destination and colour.

    On the coloured side, complete lines above move their tiles first. On the grey side their columns are not chosen
    yet, and the best column counts.
    """
    wall, points = board.copy(), []
    for line in range(LINES):
        if table_state.variant == COLOURED:
            columns = [[column] for column in PRINTED_COLUMN[:, line].tolist()]
        else:
            columns = [places_of(columns_for(board, line, colour)) for colour in range(len(COLOURS))]
        by_column = [int(points_of_tile(wall, line, column)) for column in range(LINES)]
        points.append([max((by_column[column] for column in each), default=0) for each in columns])
        if table_state.variant == COLOURED and board.line_count[line] > line:
            [column] = columns[board.line_colour[line]]
            wall.row_mask[line] |= 1 << column
            wall.column_mask[column] |= 1 << line
    return [*points, [0] * len(COLOURS)]


class LineChoice(WireSchema):
    """The `line` of an `azul.draft` action, and the points it means at the end of the round."""

    component = "AzulLineChoice"
    line = destination()
    tile_points = number(
        0,
        2 * LINES,
        "Points of the tile that the line moves to the wall when it is complete. Tiles of complete lines above count. "
        "Grey side: the points of the best column on the current wall. Floor line: 0.",
    )
    floor_points = number(-int(FLOOR_PENALTY[-1]), 0, "Change of the points of the floor line: 0 or a loss.")


class DraftChoice(WireSchema):
    """The `source` and `colour` of an `azul.draft` action. Choose its `line` from `lines`."""

    component = "AzulDraftChoice"
    source = one_of(SOURCE)
    colour = colour()
    lines = list_field(LineChoice, 1, DESTINATIONS)


class ColumnChoice(WireSchema):
    """The `column` of an `azul.tile` action, and the points of the tile there."""

    component = "AzulColumnChoice"
    column = index(LINES)
    points = number(1, 2 * LINES)


class TileChoice(WireSchema):
    """The `line` of an `azul.tile` action: the topmost complete pattern line. Choose its `column` from `columns`."""

    component = "AzulTileChoice"
    line = index(LINES)
    columns = list_field(ColumnChoice, 1, LINES)


class AzulChoices(WireSchema):
    """The choices in Azul, by type of action: `draft` for `azul.draft`, `tile` for `azul.tile`."""

    component = "AzulChoices"
    ruleset = tag("azul")
    draft = list_field(
        DraftChoice, description="Choose an entry, then one of its `lines`. Empty while a column is chosen."
    )
    tile = nest(TileChoice, "Grey side: choose one of its `columns`. Null while tiles are drafted.", allow_none=True)
