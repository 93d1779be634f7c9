"""What a posted position says that cannot be, each with its JSON pointer, level by level (see view.py).

What is said here of phases follows from the order of play in rules/game.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from service.rulesets.kernel import Record
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
from service.rulesets.wire import Json, Problems, seat_problems

Hexagon = tuple[str, str]
DRAWN = ("fill", "turn")  # the phases in which chance decides


def _hexagon(position: Json) -> Hexagon:
    return position["colour"], position["pattern"]


def _tile_count(counts: Json) -> int:
    return sum(sum(row.values()) for row in counts.values())


# ------------------------------------------------------------------------------- what cannot be: the shape


def shape_problems(position: Json) -> Problems:
    """What the schema cannot say: fields that hang together."""
    yield from _seat_problems(position)
    yield from _display_problems(position)
    left = (ROUNDS - position["round"]) * STACKS[len(position["seats"])]
    if position["round_stacks"] != left:
        yield "/round_stacks", f"must be {left}: the stacks of the rounds after round {position['round']}"
    for seat, board in enumerate(position["seats"]):
        if _tile_count(board["tiles"]) + board["jokers"] > TILE_SPACES:
            yield f"/seats/{seat}/tiles", f"must be at most {TILE_SPACES} tiles and jokers"


def _seat_problems(position: Json) -> Problems:
    """Seats exist, and are given where they are known."""
    seats, phase = len(position["seats"]), position["phase"]
    yield from seat_problems(position, "to_decide", "next_seat", "start_seat")
    if position["marker"] not in MARKER_PLACES[: seats + 1]:
        yield "/marker", "must be 'display' or a seat of this game"
    if (position["to_decide"] is not None) != (phase == "play"):
        yield "/to_decide", "must be a seat in the phase play, else null"
    if position["start_seat"] is None and phase != "fill":
        yield "/start_seat", "is known once tiles were drawn"
    elif (position["next_seat"] is not None) != (phase in DRAWN and position["start_seat"] is not None):
        yield "/next_seat", "must be a seat in the phases fill and turn once the first seat is known, else null"


def _display_problems(position: Json) -> Problems:
    """Expansions are in the stack or have left it; face up, they carry no tiles."""
    display, size = position["display"], STACKS[len(position["seats"])]
    if display["stack"] + display["left"] != size:
        yield "/display/left", f"with those in the stack {size} expansions began the round"
    if display["top"] and display["stack"] == 0:
        yield "/display/top", "there is no stack for tiles to lie on"
    last = -1
    for k, each in enumerate(display["beside"]):
        if not last < each["number"] < display["left"]:
            yield f"/display/beside/{k}/number", "must ascend, and be less than `left`"
        if each["face"] and each["tiles"]:
            yield f"/display/beside/{k}/face", "is null while tiles lie on the expansion"
        last = each["number"]


# ------------------------------------------------------------------------------- what cannot be: the pieces


def piece_problems(position: Json) -> Problems:
    """All tiles and all expansions are somewhere, and no face is there twice."""
    yield from _tile_problems(position)
    yield from _face_problems(position)
    display, seats = position["display"], position["seats"]
    total = display["stack"] + len(display["beside"]) + position["round_stacks"] + position["supply"]
    total += sum(len(board["expansions"]) + sum(lying is not None for lying in board["areas"]) for board in seats)
    if total != EXPANSIONS:
        yield "/supply", f"{total} expansions in all, there must be {EXPANSIONS}"


def _tile_problems(position: Json) -> Problems:
    heaps = [position["bag"], position["tower"], *(board["tiles"] for board in position["seats"])]
    single = [tile for place in [position["display"]["top"], *_beside(position)] for tile in place]
    single += [shown["hexagon"] for board in position["seats"] for shown in board["garden"] if not shown["printed"]]
    lying = Counter(_hexagon(tile) for tile in single)
    for colour in COLOURS:
        for pattern in PATTERNS:
            total = lying[colour, pattern] + sum(heap.get(colour, {}).get(pattern, 0) for heap in heaps)
            if total != TILES_A_HEXAGON:
                text = f"{total} tiles show {colour} {pattern} in all, there must be {TILES_A_HEXAGON}"
                yield f"/bag/{colour}/{pattern}", text


def _beside(position: Json) -> Iterable[list[Json]]:
    return (each["tiles"] for each in position["display"]["beside"])


def _faces(position: Json) -> Iterator[tuple[str, Hexagon]]:
    """Every visible face with its JSON pointer."""
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
            yield at, "another expansion shows that hexagon; there is one of each"
        seen.add(face)
    unseen: set[Hexagon] = set()
    for k, hexagon in enumerate(position["unseen"]):
        face = _hexagon(hexagon)
        if face in seen:
            yield f"/unseen/{k}", "an expansion that lies face up shows that hexagon"
        elif face in unseen:
            yield f"/unseen/{k}", "is told twice"
        unseen.add(face)
    display = position["display"]
    to_turn = position["round_stacks"] + display["stack"] + sum(not each["face"] for each in display["beside"])
    if len(unseen) < to_turn:
        yield "/unseen", f"must be at least {to_turn} faces: so many expansions of the round stacks lie face down"


# ------------------------------------------------------------------------------- what cannot be: the phase


def phase_problems(table_state: Record, position: Json) -> Problems:
    """What round and phase allow."""
    phase = position["phase"]
    yield from _passing_problems(position)
    if phase == "fill":
        yield from _fill_problems(position)
    elif (position["display"]["stack"] > 0) != bool(position["display"]["top"]):
        yield "/display/top", "holds tiles while there is a stack, but for the phase fill"
    to_turn = [k for k, each in enumerate(position["display"]["beside"]) if not each["tiles"] and not each["face"]]
    if phase == "turn" and not to_turn:
        yield "/phase", "no expansion beside the stack waits for its face"
    if phase in {"play", "over"}:
        yield from ((f"/display/beside/{k}/face", "is known once no tiles lie on the expansion") for k in to_turn)
    if phase == "over":
        yield from _end_problems(table_state, position)
        return
    for seat, board in enumerate(position["seats"]):
        if board["storage_points"]:
            yield f"/seats/{seat}/storage_points", "is 0 until the game is over"


def _passing_problems(position: Json) -> Problems:
    """Who moves has not passed; the first who passed holds the marker."""
    passed = [board["passed"] for board in position["seats"]]
    mover = position["to_decide"] if position["phase"] == "play" else position["next_seat"]
    if mover is not None and passed[mover]:
        yield f"/seats/{mover}/passed", "is false of the seat that moves"
    if position["phase"] == "over" and not all(passed):
        yield f"/seats/{passed.index(False)}/passed", "is true of all seats when the game is over"
    holder = MARKER_PLACES.index(position["marker"]) - 1
    if any(passed) != (holder >= 0):
        yield "/marker", "lies with a seat once a seat has passed in this round, and in the display before"
    elif holder >= 0 and not passed[holder]:
        yield "/marker", "lies with the seat that passed first"


def _fill_problems(position: Json) -> Problems:
    """A new top without tiles, and tiles to come; at the start of a round nobody has moved yet."""
    display = position["display"]
    if display["stack"] == 0:
        yield "/phase", "there is no stack to be filled"
    if display["top"]:
        yield "/display/top", "is empty in the phase fill"
    if not _tile_count(position["bag"]) + _tile_count(position["tower"]):
        yield "/phase", "there is no tile to fill with"
    if position["start_seat"] is None and (position["round"] > 1 or display["left"]):
        yield "/start_seat", "is known once tiles were drawn"
    if display["left"]:
        return
    if position["next_seat"] != position["start_seat"]:
        yield "/next_seat", "is the seat that starts the round, before its first move"
    for seat, board in enumerate(position["seats"]):
        if board["passed"]:
            yield f"/seats/{seat}/passed", "is false before the first move of a round"
    if position["round"] == 1:
        yield from _set_up_problems(position)


def _set_up_problems(position: Json) -> Problems:
    """Before the first tiles all are in the bag (so none lies elsewhere), and nobody has done anything."""
    if _tile_count(position["bag"]) < len(COLOURS) * len(PATTERNS) * TILES_A_HEXAGON:
        yield "/bag", "holds all tiles before the first are drawn"
    if len(position["unseen"]) < EXPANSIONS:
        yield "/unseen", "holds all faces before the first tiles are drawn"
    for seat, board in enumerate(position["seats"]):
        for name, value in (("score", START_SCORE), ("jokers", START_JOKERS)):
            if board[name] != value:
                yield f"/seats/{seat}/{name}", f"is {value} before the first tiles are drawn"
        if any(board["areas"]):
            yield f"/seats/{seat}/areas", "are free before the first tiles are drawn"


def _end_problems(table_state: Record, position: Json) -> Problems:
    """After round 4; what a storage brought follows from it and from the score, which no loss takes below 0."""
    if position["round"] != ROUNDS:
        yield "/round", f"is {ROUNDS} when the game is over"
    for seat, board in enumerate(position["seats"]):
        rounds = breakdown(table_state, seat)["rounds"]
        net = board["jokers"] - int(value_left(table_state.boards[seat]))
        if rounds < 0:
            yield f"/seats/{seat}/score", "is less than the groups of the garden and the storage bring"
        elif board["storage_points"] != max(net, -rounds):
            yield f"/seats/{seat}/storage_points", f"must be {max(net, -rounds)} for what lies in the storage"
