"""Checks of posted positions, level by level, with JSON pointers (see view.py).

The checks of phases follow the order of play in rules/game.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from service.rulesets.kernel import Record
from service.rulesets.queens_garden.letters import count_tiles
from service.rulesets.queens_garden.rules.components import (
    COLOURS,
    EXPANSIONS,
    PATTERNS,
    ROUNDS,
    STACKS,
    START_JOKERS,
    START_SCORE,
    TILE_SPACES,
    TILES_A_HEXAGON,
)
from service.rulesets.queens_garden.rules.scoring import breakdown, value_left
from service.rulesets.queens_garden.wire.schemas import MARKER_PLACES
from service.rulesets.wire import Json, Problems, mover_of, seat_problems

Hexagon = tuple[str, str]
DRAWN = ("fill", "turn")  # phases that wait for a draw


def _hexagon(position: Json) -> Hexagon:
    return position["colour"], position["pattern"]


# ------------------------------------------------------------------------------- checks: shape


def shape_problems(position: Json) -> Problems:
    """Yield problems that the schema cannot express: contradicting fields."""
    yield from _seat_problems(position)
    yield from _display_problems(position)
    left = (ROUNDS - position["round"]) * STACKS[len(position["seats"])]
    if position["round_stacks"] != left:
        yield "/round_stacks", f"must be {left} in round {position['round']}"
    for seat, board in enumerate(position["seats"]):
        if count_tiles(board["tiles"]) + board["jokers"] > TILE_SPACES:
            yield f"/seats/{seat}/tiles", f"must have at most {TILE_SPACES} tiles and jokers"


def _seat_problems(position: Json) -> Problems:
    """Yield problems of seats that do not exist or are missing."""
    seats, phase = len(position["seats"]), position["phase"]
    yield from seat_problems(position, "to_decide", "next_seat", "start_seat")
    if position["marker"] not in MARKER_PLACES[: seats + 1]:
        yield "/marker", "must be 'display' or a seat of this game"
    if (position["to_decide"] is not None) != (phase == "play"):
        yield "/to_decide", "must be a seat in the phase play, and null otherwise"
    if position["start_seat"] is None and phase != "fill":
        yield "/start_seat", "is required once tiles have been drawn"
    elif (position["next_seat"] is not None) != (phase in DRAWN and position["start_seat"] is not None):
        yield "/next_seat", "must be a seat in the phases fill and turn once `start_seat` is set, and null otherwise"


def _display_problems(position: Json) -> Problems:
    """Yield problems of the display: number of expansions, and tiles on face-up expansions."""
    display, size = position["display"], STACKS[len(position["seats"])]
    if display["stack"] + display["left"] != size:
        yield "/display/left", f"must be {size} together with `stack`"
    if display["top"] and display["stack"] == 0:
        yield "/display/top", "must be empty, because the stack is empty"
    last = -1
    for k, each in enumerate(display["beside"]):
        if not last < each["number"] < display["left"]:
            yield f"/display/beside/{k}/number", "must be in ascending order and less than `left`"
        if each["face"] and each["tiles"]:
            yield f"/display/beside/{k}/face", "must be null while tiles lie on the expansion"
        last = each["number"]


# ------------------------------------------------------------------------------- checks: pieces


def piece_problems(position: Json) -> Problems:
    """Yield problems of missing or extra tiles and expansions, and of repeated faces."""
    yield from _tile_problems(position)
    yield from _face_problems(position)
    display, seats = position["display"], position["seats"]
    total = display["stack"] + len(display["beside"]) + position["round_stacks"] + position["supply"]
    total += sum(len(board["expansions"]) + sum(lying is not None for lying in board["areas"]) for board in seats)
    if total != EXPANSIONS:
        yield "/supply", f"the position must have {EXPANSIONS} expansions in total, not {total}"


def _tile_problems(position: Json) -> Problems:
    heaps = [position["bag"], position["tower"], *(board["tiles"] for board in position["seats"])]
    display = position["display"]
    single = [*display["top"], *(tile for each in display["beside"] for tile in each["tiles"])]
    single += [shown["hexagon"] for board in position["seats"] for shown in board["garden"] if not shown["printed"]]
    lying = Counter(_hexagon(tile) for tile in single)
    for colour in COLOURS:
        for pattern in PATTERNS:
            total = lying[colour, pattern] + sum(heap.get(colour, {}).get(pattern, 0) for heap in heaps)
            if total != TILES_A_HEXAGON:
                text = f"the position must have {TILES_A_HEXAGON} {colour} {pattern} tiles in total, not {total}"
                yield f"/bag/{colour}/{pattern}", text


def _faces(position: Json) -> Iterator[tuple[str, Hexagon]]:
    """Yield each visible face with its JSON pointer."""
    for k, each in enumerate(position["display"]["beside"]):
        if each["face"]:
            yield f"/display/beside/{k}/face", _hexagon(each["face"])
    for seat, board in enumerate(position["seats"]):
        for k, hexagon in enumerate(board["expansions"]):
            yield f"/seats/{seat}/expansions/{k}", _hexagon(hexagon)
        for k, shown in enumerate(board["garden"]):
            if shown["printed"]:
                yield f"/seats/{seat}/garden/{k}/hexagon", _hexagon(shown["hexagon"])


def _face_problems(position: Json) -> Problems:
    seen: set[Hexagon] = set()
    for at, face in _faces(position):
        if face in seen:
            yield at, "must be unique: another expansion shows this hexagon"
        seen.add(face)
    unseen: set[Hexagon] = set()
    for k, hexagon in enumerate(position["unseen"]):
        face = _hexagon(hexagon)
        if face in seen:
            yield f"/unseen/{k}", "must not contain a face that is visible elsewhere"
        elif face in unseen:
            yield f"/unseen/{k}", "must be unique"
        unseen.add(face)
    display = position["display"]
    to_turn = position["round_stacks"] + display["stack"] + sum(not each["face"] for each in display["beside"])
    if len(unseen) < to_turn:
        yield "/unseen", f"must have at least {to_turn} faces, one for each face-down expansion"


# ------------------------------------------------------------------------------- checks: phase


def phase_problems(table_state: Record, position: Json) -> Problems:
    """Yield problems that contradict the round or the phase."""
    phase = position["phase"]
    yield from _passing_problems(position)
    if phase == "fill":
        yield from _fill_problems(position)
    elif (position["display"]["stack"] > 0) != bool(position["display"]["top"]):
        yield "/display/top", "must have tiles if there is a stack, except in the phase fill"
    to_turn = [k for k, each in enumerate(position["display"]["beside"]) if not each["tiles"] and not each["face"]]
    if phase == "turn" and not to_turn:
        yield "/phase", "must not be turn: no expansion beside the stack is without tiles and face"
    if phase in {"play", "over"}:
        yield from ((f"/display/beside/{k}/face", "is required once no tiles lie on the expansion") for k in to_turn)
    if phase == "over":
        yield from _end_problems(table_state, position)
        return
    for seat, board in enumerate(position["seats"]):
        if board["storage_points"]:
            yield f"/seats/{seat}/storage_points", "must be 0 until the game is over"


def _passing_problems(position: Json) -> Problems:
    """Yield problems of passes: the seat to decide has not passed, the first to pass has the marker."""
    passed = [board["passed"] for board in position["seats"]]
    mover = mover_of(position)
    if mover is not None and passed[mover]:
        yield f"/seats/{mover}/passed", "must be false for the seat that moves"
    if position["phase"] == "over" and not all(passed):
        yield f"/seats/{passed.index(False)}/passed", "must be true for all seats when the game is over"
    holder = MARKER_PLACES.index(position["marker"]) - 1
    if any(passed) != (holder >= 0):
        yield "/marker", "must be a seat once a seat has passed in this round, and display before"
    elif holder >= 0 and not passed[holder]:
        yield "/marker", "must be a seat that has passed"


def _fill_problems(position: Json) -> Problems:
    """Yield problems while a fill is due: the top is empty; at the start of a round no seat has acted."""
    display = position["display"]
    if display["stack"] == 0:
        yield "/phase", "must not be fill: there is no stack"
    if display["top"]:
        yield "/display/top", "must be empty in the phase fill"
    if not count_tiles(position["bag"]) + count_tiles(position["tower"]):
        yield "/phase", "must not be fill: no tiles are left"
    if position["start_seat"] is None and (position["round"] > 1 or display["left"]):
        yield "/start_seat", "is required once tiles have been drawn"
    if display["left"]:
        return
    if position["next_seat"] != position["start_seat"]:
        yield "/next_seat", "must be the starting seat before the first move of a round"
    for seat, board in enumerate(position["seats"]):
        if board["passed"]:
            yield f"/seats/{seat}/passed", "must be false before the first move of a round"
    if position["round"] == 1:
        yield from _set_up_problems(position)


def _set_up_problems(position: Json) -> Problems:
    """Yield problems before the first fill, when all tiles are in the bag and no seat has acted."""
    if count_tiles(position["bag"]) < len(COLOURS) * len(PATTERNS) * TILES_A_HEXAGON:
        yield "/bag", "must contain all tiles before the first draw"
    if len(position["unseen"]) < EXPANSIONS:
        yield "/unseen", "must contain all faces before the first draw"
    for seat, board in enumerate(position["seats"]):
        for name, value in (("score", START_SCORE), ("jokers", START_JOKERS)):
            if board[name] != value:
                yield f"/seats/{seat}/{name}", f"must be {value} before the first draw"
        if any(board["areas"]):
            yield f"/seats/{seat}/areas", "must be empty before the first draw"


def _end_problems(table_state: Record, position: Json) -> Problems:
    """Yield problems after the end: round 4, and the points of each storage. Scores do not fall below 0."""
    if position["round"] != ROUNDS:
        yield "/round", f"must be {ROUNDS} when the game is over"
    for seat, board in enumerate(position["seats"]):
        rounds = breakdown(table_state, seat)["rounds"]
        net = board["jokers"] - int(value_left(table_state.boards[seat]))
        if rounds < 0:
            yield f"/seats/{seat}/score", "must not be less than the points of the garden and the storage"
        elif board["storage_points"] != max(net, -rounds):
            yield f"/seats/{seat}/storage_points", f"must be {max(net, -rounds)} for the contents of the storage"
