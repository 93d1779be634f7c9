"""Records as JSON and back: `from_json(to_json(r))` equals r byte for byte, for every reachable record.

`from_json` validates untrusted input: first the schema, then the further levels of checks in reading.py. It reports all
errors of one level together, by JSON pointer. Masks are computed by the helpers of the rules.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

from service.rulesets.kernel import DECIDING, DRAWING, OVER, Record, new_record
from service.rulesets.parts.turns import NO_SEAT
from service.rulesets.queens_garden.rules.components import (
    COLOURS,
    FIRST_OF_AREA,
    PATTERNS,
    ROUNDS,
    SPACES,
    STACKS,
    VARIANTS,
)
from service.rulesets.queens_garden.rules.garden import (
    check_free,
    check_garden,
    lay_expansion,
    lay_face_down,
    show,
)
from service.rulesets.queens_garden.rules.state import (
    FACE_DOWN,
    FACE_UP,
    FILLING,
    FREE,
    PLAYING,
    RECORD,
    TOP,
    TURNING,
    rule,
)
from service.rulesets.queens_garden.rules.steps import Reason
from service.rulesets.queens_garden.wire.fields import HEXAGON_NAMES, hexagon_of
from service.rulesets.queens_garden.wire.reading import phase_problems, piece_problems, shape_problems
from service.rulesets.queens_garden.wire.schemas import MARKER_PLACES, QueensGardenPosition
from service.rulesets.wire import Json, Problems, load, mover_of, places_of, raise_if_any

# phases by (status, stage) of the record
PHASE_OF = {
    (DECIDING, PLAYING): "play",
    (DRAWING, FILLING): "fill",
    (DRAWING, TURNING): "turn",
    (OVER, PLAYING): "over",
}
KEPT_AS = {phase: kept for kept, phase in PHASE_OF.items()}
PAIRS = tuple((colour, pattern) for colour in COLOURS for pattern in PATTERNS)
FIRST_SPACES = FIRST_OF_AREA.tolist()


# ------------------------------------------------------------------------------------------------ out


def to_json(table_state: Record) -> Json:
    """Return the position as QueensGardenPosition."""
    seats, number = int(table_state["seats"]), int(table_state["round_number"])  # twice as fast as attribute access
    phase = PHASE_OF[int(table_state["status"]), int(table_state["stage"])]
    seat, start_seat = int(table_state["seat"]), int(table_state["start_seat"])
    known = start_seat != NO_SEAT
    return {
        "ruleset": "queens-garden",
        "variant": VARIANTS[table_state["variant"]],
        "round": number,
        "phase": phase,
        "to_decide": seat if phase == "play" else None,
        "next_seat": seat if phase in {"fill", "turn"} and known else None,
        "start_seat": start_seat if known else None,
        "marker": MARKER_PLACES[int(table_state["marker"]) + 1],
        "display": _display(table_state),
        "round_stacks": (ROUNDS - number) * STACKS[seats],
        "supply": int(table_state["supply"]),
        "unseen": _named_mask(int(table_state["unseen"])),
        "bag": _tile_counts(table_state["bag"].tolist()),
        "tower": _tile_counts(table_state["tower"].tolist()),
        "seats": _boards(table_state, seats),
    }


assert MARKER_PLACES[0] == "display"  # noqa: S101 - IN_DISPLAY is -1; then the seats follow


def _named_mask(mask: int) -> list[Json]:
    return [HEXAGON_NAMES[bit].copy() for bit in places_of(mask)]


def _tile_counts(row: list[int]) -> Json:
    """Return counts by colour and pattern without zeros."""
    by_colour: Json = {}
    for (colour, pattern), count in zip(PAIRS, row, strict=True):  # twice as fast as one comprehension per colour
        if not count:
            continue
        if colour in by_colour:
            by_colour[colour][pattern] = count
        else:
            by_colour[colour] = {pattern: count}
    return by_colour


def _tiles(row: list[int]) -> list[Json]:
    """Return the tiles on a place of the display."""
    return [HEXAGON_NAMES[tile - 1].copy() for tile in row if tile]


def _display(table_state: Record) -> Json:
    lying, faces, beside = table_state["lying"].tolist(), table_state["face"].tolist(), int(table_state["beside"])
    return {
        "stack": int(table_state["stack"]),
        "top": _tiles(lying[TOP]),
        "beside": [
            {
                "number": number,
                "tiles": _tiles(lying[1 + number]),
                "face": HEXAGON_NAMES[face - 1].copy() if face else None,
            }
            for number, face in enumerate(faces)
            if beside >> number & 1
        ],
        "left": int(table_state["left_stack"]),
    }


def _boards(table_state: Record, seats: int) -> list[Json]:
    boards, passed, scores = table_state["boards"], int(table_state["passed"]), table_state["score"].tolist()
    jokers, tiles, expansions = (boards[name].tolist() for name in ("jokers", "tiles", "expansions"))
    points, areas, gardens = (boards[name].tolist() for name in ("storage_points", "area", "garden"))
    return [
        {
            "score": scores[seat],
            "passed": bool(passed >> seat & 1),
            "jokers": jokers[seat],
            "tiles": _tile_counts(tiles[seat]),
            "expansions": _named_mask(expansions[seat]),
            "storage_points": points[seat],
            "areas": [_area(lying) for lying in areas[seat]],
            "garden": _garden(gardens[seat], areas[seat]),
        }
        for seat in range(seats)
    ]


def _area(lying: int) -> Json | None:
    if lying == FREE:
        return None
    return {"face": "down"} if lying == FACE_DOWN else {"face": "up", "rotation": lying - FACE_UP}


def _garden(garden: list[int], areas: list[int]) -> list[Json]:
    printed = {FIRST_SPACES[area] + lying - FACE_UP for area, lying in enumerate(areas) if lying >= FACE_UP}
    return [
        {"space": list(SPACES[space]), "hexagon": HEXAGON_NAMES[shown - 1].copy(), "printed": space in printed}
        for space, shown in enumerate(garden)
        if shown
    ]


# ------------------------------------------------------------------------------------------------- in


def from_json(json: Json) -> Record:
    """Return the record of a position in JSON. Raises InconsistentStateError, with pointers."""
    position = load(QueensGardenPosition, json)
    raise_if_any(shape_problems(position))
    table_state = new_record(RECORD)
    start_seat = NO_SEAT if position["start_seat"] is None else position["start_seat"]
    rule.start(table_state, VARIANTS.index(position["variant"]), len(position["seats"]), start_seat)
    boards = enumerate(position["seats"])
    raise_if_any(chain.from_iterable(_lay_garden(table_state, seat, board) for seat, board in boards))
    raise_if_any(piece_problems(position))
    _lay_table(table_state, position)
    _lay_display(table_state, position["display"])
    for seat, board in enumerate(position["seats"]):
        _lay_storage(table_state, seat, board)
    raise_if_any(phase_problems(table_state, position))
    return table_state


def _mask(hexagons: list[Json]) -> int:
    return sum({1 << hexagon_of(hexagon) for hexagon in hexagons})


def _row(counts: Json) -> list[int]:
    """Return counts by hexagon."""
    return [counts.get(colour, {}).get(pattern, 0) for colour, pattern in PAIRS]


def _lay_garden(table_state: Record, seat: int, position: Json) -> Problems:
    """Place expansions and hexagons one by one, and yield problems of illegal places."""
    board, at = table_state.boards[seat], f"/seats/{seat}"
    printed = {
        SPACES.index(tuple(shown["space"])): k
        for k, shown in reversed([*enumerate(position["garden"])])
        if shown["printed"]
    }
    laid = set()
    for area, lying in enumerate(position["areas"]):
        if lying is None:
            continue
        entry = printed.get(FIRST_SPACES[area] + lying["rotation"]) if lying["face"] == "up" else None
        if entry is not None:
            laid.add(entry)
            yield from _repeat(board, position["garden"], entry, at)
            lay_expansion(board, hexagon_of(position["garden"][entry]["hexagon"]), area, lying["rotation"])
            continue
        lay_face_down(board, area)
        if lying["face"] == "up":
            yield (
                f"{at}/areas/{area}",
                "must have its printed hexagon in the garden, on the space given by the rotation",
            )
    for k, shown in enumerate(position["garden"]):
        if k not in laid:
            yield from _lay_hexagon(board, position["garden"], k, at)
            if shown["printed"]:
                yield f"{at}/garden/{k}/printed", "no face-up expansion has its printed hexagon there"


def _lay_hexagon(board: Any, garden: list[Json], k: int, at: str) -> Problems:
    space = SPACES.index(tuple(garden[k]["space"]))
    reason = check_free(board, space)
    if reason:
        text = "no board is there" if reason == Reason.NO_BOARD_THERE else "another hexagon is there"
        yield f"{at}/garden/{k}/space", text
        return
    yield from _repeat(board, garden, k, at)
    show(board, hexagon_of(garden[k]["hexagon"]), space)


def _repeat(board: Any, garden: list[Json], k: int, at: str) -> Problems:
    """Yield problems of hexagons that occur twice in a connected group."""
    hexagon, space = hexagon_of(garden[k]["hexagon"]), SPACES.index(tuple(garden[k]["space"]))
    if check_garden(board, hexagon, space) == Reason.GROUP_REPEATS_HEXAGON:
        yield f"{at}/garden/{k}/hexagon", "a group of one colour or pattern would show the same hexagon twice"


def _lay_table(table_state: Record, position: Json) -> None:
    table_state.status, table_state.stage = KEPT_AS[position["phase"]]
    table_state.seat = mover_of(position) or 0
    table_state.round_number = position["round"]
    table_state.marker = MARKER_PLACES.index(position["marker"]) - 1
    table_state.supply = position["supply"]
    table_state.unseen = _mask(position["unseen"])
    table_state.bag[:], table_state.tower[:] = _row(position["bag"]), _row(position["tower"])


def _lay_display(table_state: Record, position: Json) -> None:
    table_state.stack, table_state.left_stack = position["stack"], position["left"]
    places = [(TOP, position["top"]), *((1 + each["number"], each["tiles"]) for each in position["beside"])]
    for bit, tiles in places:
        table_state.lies[bit] = _mask(tiles)
        for k, tile in enumerate(tiles):
            table_state.lying[bit, k] = hexagon_of(tile) + 1
    for each in position["beside"]:
        table_state.beside |= 1 << each["number"]
        if each["face"]:
            table_state.face[each["number"]] = hexagon_of(each["face"]) + 1
    table_state.faces = _mask([each["face"] for each in position["beside"] if each["face"]])


def _lay_storage(table_state: Record, seat: int, position: Json) -> None:
    board, row = table_state.boards[seat], _row(position["tiles"])
    table_state.score[seat] = position["score"]
    table_state.passed |= position["passed"] << seat
    board.tiles[:] = row
    board.tile_count, board.jokers = sum(row), position["jokers"]
    board.held = sum((count > 0) << hexagon for hexagon, count in enumerate(row))
    board.expansions = _mask(position["expansions"])
    board.storage_points = position["storage_points"]
