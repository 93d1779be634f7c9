"""Merits of actions, from the rules alone.

Points count as if the round ended after the action. The options of the next opponent are those right after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from service.rulesets.azul.rules.components import COLOUR_BONUS, COLOURS, COLUMN_BONUS, FLOOR_PENALTY, LINES
from service.rulesets.azul.rules.game import FIRST_TILING
from service.rulesets.azul.rules.scoring import points_of_tile
from service.rulesets.azul.rules.state import DESTINATIONS, DRAFTING, FLOOR, GREY, KINDS, TILING, rule
from service.rulesets.azul.rules.tiling import columns_for, line_to_tile, move_to_wall
from service.rulesets.azul.wire.choices import DESTINATION_NAMES, choices
from service.rulesets.kernel import Record, new_record
from service.rulesets.parts.factories import CENTRE, SOURCE_NAMES, TOKEN_IN_CENTRE
from service.rulesets.shared_effects import Merit
from service.rulesets.wire import Json, places_of


def merits(table_state: Record, action: int) -> list[Merit]:
    """Perform a legal action on the record and return its merits."""
    seat = int(table_state.seat)
    score = int(table_state.score[seat])
    found = [*_draft_merits(table_state, action)] if action < FIRST_TILING else []
    rule.act(table_state, action)
    found += _wall_merits(table_state, seat, score)
    return [*found, *_merits_of_next(table_state, seat)] if table_state.stage == DRAFTING else found


def _draft_merits(table_state: Record, action: int) -> Iterator[Merit]:
    """Yield the merits of a draft before it is performed."""
    rest, line = divmod(action, DESTINATIONS)
    source, colour = divmod(rest, KINDS)
    yield Merit("start_token", int(source == CENTRE and table_state.start_token == TOKEN_IN_CENTRE))
    option = _option(table_state, source, colour, line)
    yield Merit("floor", option["floor_points"])
    if line == FLOOR:
        yield Merit("tiles_missing", -DESTINATIONS, 0.0)
        return
    count = int(table_state.tiles[source, colour])
    free = line + 1 - int(table_state.boards[table_state.seat].line_count[line])
    is_complete, named = count >= free, {"line": line, "colour": COLOURS[colour]}
    yield Merit("line_completed", int(is_complete), 3.0 + option["tile_points"], named)
    available = int(table_state.tiles[:, colour].sum()) >= free
    yield Merit("line_completable", int(available), 0.0 if is_complete else 1.0, named)
    yield Merit("tile_points", option["tile_points"], 0.0 if is_complete else 0.5, named)
    yield Merit("tiles", min(count, free), 0.4, named)
    yield Merit("tiles_missing", min(0, count - free), 0.0 if is_complete else 0.3, named)


def _option(table_state: Record, source: int, colour: int, line: int) -> Json:
    """Return the entry of `choices` for a draft, with its points."""
    wanted = SOURCE_NAMES[source], COLOURS[colour]
    drafts = choices(table_state)["draft"]
    lines = next(draft["lines"] for draft in drafts if (draft["source"], draft["colour"]) == wanted)
    return next(option for option in lines if option["line"] == DESTINATION_NAMES[line])  # type: ignore[no-any-return]


def _wall_merits(table_state: Record, seat: int, score: int) -> Iterator[Merit]:
    """Yield the merits of the wall after the complete lines are tiled. `score`: before the action."""
    tiled = _tile_lines(table_state, seat)
    board, points = tiled.boards[seat], int(tiled.score[seat])
    yield Merit("points_of_round", points - min(points, int(FLOOR_PENALTY[board.floor_count])) - score)
    for column, mask in enumerate(board.column_mask.tolist()):
        count = mask.bit_count()
        yield Merit("column_completed", int(count == LINES), COLUMN_BONUS, {"column": column}, column)
        yield Merit("column_tiles", count, 0.25 * count if 2 < count < LINES else 0.0, {"column": column}, column)
    for colour, name in enumerate(COLOURS):
        count = sum(row >> colour & 1 for row in board.row_colours.tolist())
        yield Merit("colour_completed", int(count == LINES), COLOUR_BONUS, {"colour": name}, colour)
        yield Merit("colour_tiles", count, 0.2 * count if 2 < count < LINES else 0.0, {"colour": name}, colour)
    is_last = _is_last_round(tiled)
    yield Merit("game_end", int(is_last), 2.0)
    yield Merit("game_open", int(not is_last), 2.0)


def _tile_lines(table_state: Record, seat: int) -> Record:
    """Return a copy with the seat's complete lines tiled; on the grey side each in the column with the most points."""
    tiled = new_record(rule.dtype, table_state.tobytes())
    tiled.stage, tiled.seat = TILING, seat
    board = tiled.boards[seat]
    while (line := int(line_to_tile(board))) < LINES:
        is_grey = tiled.variant == GREY
        columns = places_of(columns_for(board, line, board.line_colour[line])) if is_grey else []
        if columns:
            move_to_wall(tiled, line, max(columns, key=lambda column: int(points_of_tile(board, line, column))))
        else:
            rule.settle(tiled)
    return tiled


def _is_last_round(table_state: Record) -> bool:
    """Return True if a wall row is full, or will be when the complete lines are tiled."""
    boards = [table_state.boards[seat] for seat in range(table_state.seats)]
    return any(
        int(row).bit_count() + (count > line) == LINES
        for board in boards
        for line, (row, count) in enumerate(zip(board.row_mask, board.line_count, strict=True))
    )


def _merits_of_next(table_state: Record, seat: int) -> Iterator[Merit]:
    """Yield what the next opponent can do with its draft, and what the seat could do with another one."""
    opponent = int(table_state.seat)
    points, most, offered = 0, 0, choices(table_state)["draft"]
    for draft in _drafts(table_state, opponent, offered):
        if draft.is_complete:
            named = {"seat": opponent, "line": draft.line, "colour": draft.colour}
            yield Merit("deny", -draft.tile_points, 0.5, named, (draft.line, draft.colour))
            points = max(points, draft.tile_points + draft.floor_points)
        most = max(most, draft.tiles)
    losses = [option["floor_points"] for draft in offered for option in draft["lines"]]
    yield Merit("opponent_loss", -max(losses), 0.8, {"seat": opponent})
    yield Merit("opponent_points", -points, 0.6, {"seat": opponent})
    yield Merit("opponent_tiles", -most, 0.3, {"seat": opponent})
    decided = new_record(rule.dtype, table_state.tobytes())
    decided.seat = seat
    own = max((one for one in _drafts(decided, seat, choices(decided)["draft"]) if one.is_complete), default=None)
    if own:
        yield Merit("follow_up", own.tile_points, 0.4, {"line": own.line})


class _Draft(NamedTuple):
    """A draft for a pattern line."""

    tile_points: int
    floor_points: int
    line: int
    colour: str
    tiles: int  # for the line
    is_complete: bool


def _drafts(table_state: Record, seat: int, offered: Sequence[Json]) -> Iterator[_Draft]:
    """Yield the drafts for pattern lines among the choices that are offered to the seat."""
    free = [line + 1 - count for line, count in enumerate(table_state.boards[seat].line_count.tolist())]
    for draft in offered:
        count = int(table_state.tiles[SOURCE_NAMES.index(draft["source"]), COLOURS.index(draft["colour"])])
        for option in draft["lines"]:
            line = option["line"]
            if line != "floor":
                tiles, points = min(count, free[line]), (option["tile_points"], option["floor_points"])
                yield _Draft(*points, line, draft["colour"], tiles, count >= free[line])
