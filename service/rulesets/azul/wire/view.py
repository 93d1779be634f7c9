"""Records as JSON and back: `from_json(to_json(r))` equals r byte for byte, for every reachable record.

`from_json` validates untrusted input: first the schema, then each board, then the whole table. It reports all errors of
one level together, by JSON pointer.
"""

from __future__ import annotations

from typing import Any

from service.rulesets.azul.rules.components import (
    COLOURS,
    FLOOR_SPACES,
    LINES,
    PRINTED_COLUMN,
    TILES_A_COLOUR,
    VARIANTS,
)
from service.rulesets.azul.rules.state import (
    ALL_OPEN,
    COLOURED,
    DRAFTING,
    FLOOR,
    FULL_ROW,
    GREY,
    REASONS_OF_END,
    RECORD,
    ROW_COMPLETED,
    TILING,
    TOKEN,
)
from service.rulesets.azul.rules.tiling import columns_for, line_to_tile
from service.rulesets.azul.wire.schemas import PHASES, AzulPosition
from service.rulesets.kernel import DECIDING, DRAWING, OVER, Record, new_record
from service.rulesets.offer import lay_offer, offer_problems, token_place
from service.rulesets.parts.factories import CENTRE, FACTORIES, starter
from service.rulesets.parts.turns import NO_SEAT
from service.rulesets.wire import (
    InconsistentStateError,
    Json,
    Problems,
    from_counts,
    load,
    raise_if_any,
    to_counts,
)

ON_FLOOR = (None, *COLOURS, "start_token")
ON_WALL = (None, *COLOURS)


# ------------------------------------------------------------------------------------------------ out


def phase_of(table_state: Record) -> str:
    """Return `draft`, `tile`, `draw` or `over`."""
    if (status := int(table_state["status"])) == DECIDING:
        return "draft" if table_state["stage"] == DRAFTING else "tile"
    return "draw" if status == DRAWING else "over"


def to_json(table_state: Record) -> Json:
    """Return the position as AzulPosition."""
    seats, tiles = int(table_state["seats"]), table_state["tiles"].tolist()  # twice as fast as attribute access
    phase, start_seat = phase_of(table_state), int(table_state["start_seat"])
    return {
        "ruleset": "azul",
        "variant": VARIANTS[table_state["variant"]],
        "round": int(table_state["round_number"]),
        "phase": phase,
        "to_decide": int(table_state["seat"]) if phase in PHASES[:2] else None,
        "start_token": token_place(table_state),
        "start_seat": None if start_seat == NO_SEAT else start_seat,
        "rounds_without_tile": int(table_state["rounds_without_tile"]),
        "wall_gained_tile": bool(table_state["wall_gained_tile"]),
        "reason_of_end": REASONS_OF_END[table_state["reason_of_end"]] or None,
        "factories": [to_counts(tiles[k], COLOURS) for k in range(FACTORIES[seats])],
        "centre": to_counts(tiles[CENTRE], COLOURS),
        "bag": to_counts(table_state["bag"].tolist(), COLOURS),
        "box_lid": to_counts(table_state["box_lid"].tolist(), COLOURS),
        "seats": _boards(table_state, seats),
    }


def _boards(table_state: Record, seats: int) -> list[Json]:
    boards, scores = table_state["boards"], table_state["score"].tolist()
    colours, counts, walls = (boards[name].tolist() for name in ("line_colour", "line_count", "wall"))
    floors, floor_counts = boards["floor"].tolist(), boards["floor_count"].tolist()
    return [
        {
            "score": scores[seat],
            "pattern_lines": [
                {"capacity": line + 1, "colour": COLOURS[colour] if count else None, "count": count}
                for line, (colour, count) in enumerate(zip(colours[seat], counts[seat], strict=True))
            ],
            "wall": [[ON_WALL[space] for space in row] for row in walls[seat]],
            "floor_line": [ON_FLOOR[space] for space in floors[seat][: floor_counts[seat]]],
        }
        for seat in range(seats)
    ]


# ------------------------------------------------------------------------------------------------- in


def from_json(json: Json) -> Record:
    """Return the record of a position in JSON. Raises InconsistentStateError, with pointers."""
    position = load(AzulPosition, json)
    raise_if_any(_shape_problems(position))
    table_state = new_record(RECORD)
    table_state.variant = VARIANTS.index(position["variant"])
    table_state.seats = len(position["seats"])
    table_state.status = {"draft": DECIDING, "tile": DECIDING, "draw": DRAWING, "over": OVER}[position["phase"]]
    table_state.stage = TILING if position["phase"] == "tile" else DRAFTING
    table_state.seat = position["to_decide"] or 0
    table_state.start_seat = NO_SEAT if position["start_seat"] is None else position["start_seat"]
    table_state.round_number = position["round"]
    table_state.rounds_without_tile = position["rounds_without_tile"]
    table_state.wall_gained_tile = position["wall_gained_tile"]
    table_state.reason_of_end = REASONS_OF_END.index(position["reason_of_end"] or "")
    _lay_tiles(table_state, position)
    for seat, board in enumerate(position["seats"]):
        _lay_board(table_state, seat, board)
    raise_if_any(problem for seat in range(table_state.seats) for problem in _board_problems(table_state, seat))
    raise_if_any(_table_problems(table_state))
    raise_if_any(_phase_problems(table_state))
    return table_state


def _shape_problems(position: Json) -> Problems:
    """Yield problems that the schema cannot express: related lengths, and seats that do not exist."""
    seats = len(position["seats"])
    if not 2 <= seats <= 4:
        yield "/seats", "must have 2, 3 or 4 items"
        return
    yield from offer_problems(position, "to_decide", "start_seat")
    if (position["to_decide"] is not None) != (position["phase"] in PHASES[:2]):
        yield "/to_decide", "must be a seat in the phases draft and tile, and null otherwise"
    if (position["reason_of_end"] is not None) != (position["phase"] == "over"):
        yield "/reason_of_end", "is required when the game is over, and must be null before"
    for factory, tiles in enumerate(position["factories"]):
        if sum(tiles.values()) > 4:
            yield f"/factories/{factory}", "must have at most four tiles"
    for seat, board in enumerate(position["seats"]):
        yield from _board_shape_problems(board, f"/seats/{seat}")


def _board_shape_problems(board: Json, at: str) -> Problems:
    if len(board["pattern_lines"]) != LINES:
        yield f"{at}/pattern_lines", f"must have {LINES} lines"
    for line, position in enumerate(board["pattern_lines"]):
        if position["capacity"] != line + 1:
            yield f"{at}/pattern_lines/{line}/capacity", f"must be {line + 1}"
        elif position["count"] > position["capacity"]:
            yield f"{at}/pattern_lines/{line}/count", "must not exceed the capacity"
        if (position["colour"] is None) != (position["count"] == 0):
            yield f"{at}/pattern_lines/{line}/colour", "must be null if the line is empty, and a colour otherwise"
    if [len(row) for row in board["wall"]] != [LINES] * LINES:
        yield f"{at}/wall", f"must have {LINES} rows of {LINES} spaces"
    if len(board["floor_line"]) > FLOOR_SPACES:
        yield f"{at}/floor_line", f"must have at most {FLOOR_SPACES} pieces"


def _lay_tiles(table_state: Record, position: Json) -> None:
    if max(max(from_counts(position[where], COLOURS)) for where in ("centre", "bag", "box_lid")) > TILES_A_COLOUR:
        raise InconsistentStateError(
            {"/bag": f"must not exceed {TILES_A_COLOUR} tiles of a colour, together with the other places"}
        )
    lay_offer(table_state, position, COLOURS)
    table_state.bag[:], table_state.box_lid[:] = (from_counts(position[name], COLOURS) for name in ("bag", "box_lid"))


def _lay_board(table_state: Record, seat: int, position: Json) -> None:
    board = table_state.boards[seat]
    table_state.score[seat] = position["score"]
    for row in range(LINES):
        for column in range(LINES):
            if position["wall"][row][column] is not None:
                colour = COLOURS.index(position["wall"][row][column])
                board.wall[row, column] = colour + 1
                board.row_mask[row] |= 1 << column
                board.column_mask[column] |= 1 << row
                board.row_colours[row] |= 1 << colour
                board.column_colours[column] |= 1 << colour
    board.open_to[:] = ALL_OPEN
    for line, pattern_line in enumerate(position["pattern_lines"]):
        if pattern_line["count"]:
            board.line_colour[line] = COLOURS.index(pattern_line["colour"])
            board.line_count[line] = pattern_line["count"]
        for colour in range(len(COLOURS)):
            taken = pattern_line["count"] and (colour != board.line_colour[line] or board.line_count[line] > line)
            if taken or board.row_colours[line] >> colour & 1:
                board.open_to[colour] &= ALL_OPEN ^ (1 << line)
    board.floor[: len(position["floor_line"])] = [ON_FLOOR.index(piece) for piece in position["floor_line"]]
    board.floor_count = len(position["floor_line"])


def _board_problems(table_state: Record, seat: int) -> Problems:
    """Yield problems of boards that are never possible."""
    board, at = table_state.boards[seat], f"/seats/{seat}"
    for row in range(LINES):
        for column in range(LINES):
            tile = board.wall[row, column]
            if not tile:
                continue
            if table_state.variant == COLOURED and PRINTED_COLUMN[tile - 1, row] != column:
                yield f"{at}/wall/{row}/{column}", "must be the colour printed on this space"
            elif list(board.wall[row]).count(tile) > 1:
                yield f"{at}/wall/{row}/{column}", "must not repeat a colour in the row"
            elif list(board.wall[:, column]).count(tile) > 1:
                yield f"{at}/wall/{row}/{column}", "must not repeat a colour in the column"
        if board.line_count[row] and board.row_colours[row] >> board.line_colour[row] & 1:
            yield f"{at}/pattern_lines/{row}/colour", "must not be a colour that is already in the wall row"
    if board.floor_count > FLOOR_SPACES or list(board.floor).count(TOKEN) > 1:
        yield f"{at}/floor_line", "must not contain more than one start token"
    elif TOKEN in board.floor and table_state.start_token != seat:
        yield f"{at}/floor_line", "must not contain the start token, which is elsewhere"


def _table_problems(table_state: Record) -> Problems:
    """Yield problems of missing or extra tiles."""
    for colour, name in enumerate(COLOURS):
        total = (
            int(table_state.bag[colour]) + int(table_state.box_lid[colour]) + int(table_state.tiles[:, colour].sum())
        )
        for seat in range(table_state.seats):
            board = table_state.boards[seat]
            total += int((board.wall == colour + 1).sum() + (board.floor == colour + 1).sum())
            total += int(board.line_count[board.line_colour == colour].sum())
        if total != TILES_A_COLOUR:
            yield f"/bag/{name}", f"the position must have {TILES_A_COLOUR} {name} tiles in total, not {total}"


def _phase_problems(table_state: Record) -> Problems:
    """Yield problems that contradict the phase."""
    phase = phase_of(table_state)
    if (phase == "draft") != bool(table_state.tiles.any()):
        yield "/phase", "must be draft if there are tiles to take, and another phase otherwise"
    if table_state.wall_gained_tile and phase != "tile":
        yield "/wall_gained_tile", "must be false outside the phase tile"
    if table_state.rounds_without_tile >= 5 and phase != "over":
        yield "/rounds_without_tile", "must be less than 5 unless the game is over"
    full_row = bool((table_state.boards["row_mask"][: table_state.seats] == FULL_ROW).any())
    if full_row and phase in ("draft", "draw"):
        yield "/phase", "must be over or tile, because a wall row is full"
    if phase == "over" and full_row != (table_state.reason_of_end == ROW_COMPLETED):
        yield "/reason_of_end", "must be row_completed if a wall row is full, and another reason otherwise"
    if table_state.start_seat == NO_SEAT and (
        phase != "draw" or table_state.round_number or table_state.start_token >= 0
    ):
        yield "/start_seat", "is required from the first round on"
    if table_state.round_number == 0 and phase not in ("draw", "over"):
        yield "/round", "must be at least 1 once tiles have been dealt"
    if phase == "tile":
        yield from _tiling_problems(table_state)
    elif phase != "draft":
        yield from _settled_problems(table_state, range(table_state.seats))
    elif table_state.start_token >= 0:
        board = table_state.boards[table_state.start_token]
        if TOKEN not in board.floor and board.floor_count < FLOOR_SPACES:
            yield f"/seats/{table_state.start_token}/floor_line", "must contain the start token of this seat"


def _tiling_problems(table_state: Record) -> Problems:
    """Yield problems unless the seat to decide has a column to choose and earlier seats have finished."""
    if table_state.variant != GREY:
        yield "/phase", "must not be tile: the coloured variant has no decisions in wall-tiling"
        return
    board = table_state.boards[table_state.seat]
    line = line_to_tile(board)
    if line == FLOOR or not columns_for(board, line, board.line_colour[line]):
        yield "/to_decide", "must be a seat with a complete line that it can tile"
    first, seats = int(starter(table_state)), int(table_state.seats)
    done = [seat for seat in range(seats) if (seat - first) % seats < (int(table_state.seat) - first) % seats]
    yield from _settled_problems(table_state, done)


def _settled_problems(table_state: Record, seats: Any) -> Problems:
    for seat in seats:
        if line_to_tile(table_state.boards[seat]) != FLOOR:
            yield f"/seats/{seat}/pattern_lines", "must not contain complete lines, which have already been tiled"
        if table_state.boards[seat].floor_count:
            yield f"/seats/{seat}/floor_line", "must be empty, because its penalty has already been scored"
