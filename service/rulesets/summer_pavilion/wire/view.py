"""Records as JSON and back: `from_json(to_json(r))` equals r byte for byte, for every reachable record.

`from_json` validates untrusted input: first the schema, then each board, the tiles, and the phase and round. It reports
all errors of one level together, by JSON pointer. Masks are computed from the tiles.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from service.rulesets.kernel import DECIDING, DRAWING, OVER, Record, new_record
from service.rulesets.offer import lay_offer, offer_problems, token_place
from service.rulesets.parts.factories import CENTRE, TILES_A_FACTORY, TOKEN_PLACES, factory_count
from service.rulesets.parts.turns import NO_SEAT
from service.rulesets.summer_pavilion.rules.components import (
    COLOURS,
    CORNER_SPACES,
    FEATURE_SLOTS,
    FEATURE_TILES,
    FEATURES_AT,
    MIN_SCORE,
    NO_FEATURE,
    ROUNDS,
    STARS,
    START_SCORE,
    SUPPLY_SPACES,
    TILES_A_COLOUR,
    VARIANTS,
)
from service.rulesets.summer_pavilion.rules.placing import colours_after
from service.rulesets.summer_pavilion.rules.scoring import breakdown
from service.rulesets.summer_pavilion.rules.state import ACQUIRING, PLAYING, RECORD, TAKING_BONUS, rule
from service.rulesets.summer_pavilion.wire.fields import MAX_BONUS_TILES
from service.rulesets.summer_pavilion.wire.schemas import PHASES, SummerPavilionPosition
from service.rulesets.wire import Json, Problems, from_counts, load, mover_of, raise_if_any, to_counts

ON_SPACE = (None, *COLOURS)
_tile_names, _counts = partial(to_counts, kinds=COLOURS), partial(from_counts, kinds=COLOURS)

# phases by (status, stage) of the record
PHASE_OF = {
    (DECIDING, ACQUIRING): "acquire",
    (DECIDING, PLAYING): "play",
    (DECIDING, TAKING_BONUS): "take_bonus",
    (DRAWING, PLAYING): "refill",
    (DRAWING, ACQUIRING): "deal",
    (OVER, ACQUIRING): "over",
}
KEPT_AS = {phase: kept for kept, phase in PHASE_OF.items()}
DECIDED = PHASES[:3]
TURNS = ("play", "take_bonus", "refill")  # the phases of part 2 of a round


# ------------------------------------------------------------------------------------------------ out


def to_json(table_state: Record) -> Json:
    """Return the position as SummerPavilionPosition."""
    seats, number = int(table_state["seats"]), int(table_state["round_number"])  # twice as fast as attribute access
    phase = PHASE_OF[int(table_state["status"]), int(table_state["stage"])]
    seat, start_seat = int(table_state["seat"]), int(table_state["start_seat"])
    tiles = table_state["tiles"].tolist()
    return {
        "ruleset": "summer-pavilion",
        "variant": VARIANTS[table_state["variant"]],
        "round": number,
        "wild": COLOURS[number - 1] if number else None,
        "phase": phase,
        "to_decide": seat if phase in DECIDED else None,
        "next_seat": seat if phase == "refill" else None,
        "bonus_owed": int(table_state["bonus_owed"]),
        "start_token": token_place(table_state),
        "start_seat": None if start_seat == NO_SEAT else start_seat,
        "supply": _tile_names(table_state["supply"].tolist()),
        "factories": [_tile_names(factory) for factory in tiles[: factory_count(seats)]],
        "centre": _tile_names(tiles[CENTRE]),
        "bag": _tile_names(table_state["bag"].tolist()),
        "tower": _tile_names(table_state["tower"].tolist()),
        "seats": _boards_to_json(table_state, seats),
    }


def _boards_to_json(table_state: Record, seats: int) -> list[Json]:
    boards, passed = table_state["boards"], int(table_state["passed"])
    scores, penalties = table_state["score"].tolist(), boards["leftover_penalty"].tolist()
    hands, corners, stars = boards["hand"].tolist(), boards["corners"].tolist(), boards["stars"].tolist()
    return [
        {
            "score": scores[seat],
            "passed": bool(passed >> seat & 1),
            "hand": _tile_names(hands[seat]),
            "corners": _tile_names(corners[seat]),
            "leftover_penalty": penalties[seat],
            "stars": {star: [ON_SPACE[tile] for tile in tiles] for star, tiles in zip(STARS, stars[seat], strict=True)},
        }
        for seat in range(seats)
    ]


# ------------------------------------------------------------------------------------------------- in


def from_json(json: Json) -> Record:
    """Return the record of a position in JSON. Raises InconsistentStateError, with pointers."""
    position = load(SummerPavilionPosition, json)
    raise_if_any(_shape_problems(position))
    table_state = new_record(RECORD)
    start_seat = NO_SEAT if position["start_seat"] is None else position["start_seat"]
    rule.start(table_state, VARIANTS.index(position["variant"]), len(position["seats"]), start_seat)
    raise_if_any(
        problem
        for seat, board in enumerate(position["seats"])
        for problem in _lay_stars(table_state, seat, board["stars"])
    )
    raise_if_any(_tile_problems(position))
    _lay_table(table_state, position)
    for seat, board in enumerate(position["seats"]):
        _lay_board(table_state, seat, board)
    raise_if_any(_phase_problems(table_state, position))
    return table_state


def _lay_stars(table_state: Record, seat: int, stars: Json) -> Problems:
    """Place the tiles of a board one by one, and yield problems of tiles that the star does not accept."""
    board = table_state.boards[seat]
    for star, name in enumerate(STARS):
        for slot, tile in enumerate(stars[name]):
            if tile is None:
                continue
            colour = COLOURS.index(tile)
            if not board.open_to[star] >> colour & 1:
                yield (
                    f"/seats/{seat}/stars/{name}/{slot}",
                    "must be a colour that the star accepts beside its other tiles",
                )
                continue
            board.open_to[star] = colours_after(board, table_state.variant, star, colour)
            board.stars[star, slot] = colour + 1
            board.filled[star] |= 1 << slot


def _lay_table(table_state: Record, position: Json) -> None:
    table_state.status, table_state.stage = KEPT_AS[position["phase"]]
    table_state.seat = mover_of(position) or 0
    table_state.round_number = position["round"]
    table_state.bonus_owed = position["bonus_owed"]
    lay_offer(table_state, position, COLOURS)
    table_state.supply[:], table_state.bag[:], table_state.tower[:] = (
        _counts(position[name]) for name in ("supply", "bag", "tower")
    )


def _lay_board(table_state: Record, seat: int, position: Json) -> None:
    board = table_state.boards[seat]
    table_state.score[seat] = position["score"]
    table_state.passed |= position["passed"] << seat
    board.hand[:], board.corners[:] = _counts(position["hand"]), _counts(position["corners"])
    board.leftover_penalty = position["leftover_penalty"]


# ------------------------------------------------------------------------------- checks: shape


def _shape_problems(position: Json) -> Problems:
    """Yield problems that the schema cannot express: pieces that do not exist, and contradicting fields."""
    phase = position["phase"]
    yield from offer_problems(position, "to_decide", "next_seat", "start_seat")
    if (position["to_decide"] is not None) != (phase in DECIDED):
        yield "/to_decide", "must be a seat in the phases acquire, play and take_bonus, and null otherwise"
    if (position["next_seat"] is not None) != (phase == "refill"):
        yield "/next_seat", "must be a seat in the phase refill, and null otherwise"
    if (position["bonus_owed"] > 0) != (phase == "take_bonus"):
        yield "/bonus_owed", "must be at least 1 in the phase take_bonus, and 0 otherwise"
    if position["wild"] != (COLOURS[position["round"] - 1] if position["round"] else None):
        yield "/wild", "must be the wild colour of the round, and null in round 0"
    yield from _room_problems(position)


def _room_problems(position: Json) -> Problems:
    """Yield problems of more tiles than spaces."""
    if sum(position["supply"].values()) > SUPPLY_SPACES:
        yield "/supply", f"must have at most {SUPPLY_SPACES} tiles"
    for factory, tiles in enumerate(position["factories"]):
        if sum(tiles.values()) > TILES_A_FACTORY:
            yield f"/factories/{factory}", f"must have at most {TILES_A_FACTORY} tiles"
    for seat, board in enumerate(position["seats"]):
        if sum(board["corners"].values()) > CORNER_SPACES:
            yield f"/seats/{seat}/corners", f"must have at most {CORNER_SPACES} tiles"


# ------------------------------------------------------------------------------- checks: tiles


def _tile_problems(position: Json) -> Problems:
    """Yield problems of missing or extra tiles."""
    places = [position["bag"], position["tower"], position["supply"], position["centre"], *position["factories"]]
    spaces = []
    for board in position["seats"]:
        places += [board["hand"], board["corners"]]
        spaces += [tile for star in STARS for tile in board["stars"][star]]
    for colour in COLOURS:
        total = sum(place.get(colour, 0) for place in places) + spaces.count(colour)
        if total != TILES_A_COLOUR:
            yield f"/bag/{colour}", f"the position must have {TILES_A_COLOUR} {colour} tiles in total, not {total}"


# ------------------------------------------------------------------------------- checks: phase


def _phase_problems(table_state: Record, position: Json) -> Problems:
    """Yield problems that contradict the round or the phase."""
    phase = position["phase"]
    yield from _round_problems(position)
    if position["round"] == 0:
        yield from _set_up_problems(position)
        return
    if (phase == "acquire") != bool(position["centre"] or any(position["factories"])):
        yield "/phase", "must be acquire if there are tiles to take, and another phase otherwise"
    elif phase == "acquire":
        yield from _factory_problems(position)
    yield from _supply_problems(position)
    yield from _passing_problems(position)
    for seat, board in enumerate(position["seats"]):
        if phase != "over" and board["leftover_penalty"]:
            yield f"/seats/{seat}/leftover_penalty", "must be 0 until the game is over"
        if phase == "over" and breakdown(table_state, seat)["rounds"] < MIN_SCORE:
            yield f"/seats/{seat}/score", "must not be less than the bonuses of the board"
    if phase == "take_bonus" and position["bonus_owed"] > _most_earned(table_state.boards[position["to_decide"]]):
        yield "/bonus_owed", "must not be more than a placement on this board can earn"


def _round_problems(position: Json) -> Problems:
    number, phase = position["round"], position["phase"]
    if number == 0 and phase != "deal":
        yield "/round", "must be at least 1 once tiles have been dealt"
    if number == ROUNDS and phase == "deal":
        yield "/round", f"must be less than {ROUNDS} in the phase deal"
    if number != ROUNDS and phase == "over":
        yield "/round", f"must be {ROUNDS} when the game is over"
    if number and position["start_seat"] is None:
        yield "/start_seat", "is required from the first round on"


def _set_up_problems(position: Json) -> Problems:
    """Yield problems before the first deal, when all tiles are in the bag and no seat has acted."""
    if any(count < TILES_A_COLOUR for count in _counts(position["bag"])):
        yield "/bag", "must contain all tiles before the first deal"
    if position["start_token"] != TOKEN_PLACES[0]:
        yield "/start_token", "must be centre before the first deal"
    for seat, board in enumerate(position["seats"]):
        for name, value in (("score", START_SCORE), ("passed", False), ("leftover_penalty", 0)):
            if board[name] != value:
                yield f"/seats/{seat}/{name}", f"must be {str(value).lower()} before the first deal"


def _factory_problems(position: Json) -> Problems:
    """Yield problems unless factories are full or empty, except the one where tiles ran out."""
    if all(position["factories"]) and (
        position["centre"]
        or position["start_token"] != TOKEN_PLACES[0]
        or position["to_decide"] != position["start_seat"]
    ):
        yield "/factories", "must contain an empty factory once a seat has taken tiles"
    if position["bag"] or position["tower"]:
        for factory, tiles in enumerate(position["factories"]):
            if 0 < sum(tiles.values()) < TILES_A_FACTORY:
                yield (
                    f"/factories/{factory}",
                    f"must have {TILES_A_FACTORY} tiles or none while the bag or the tower has tiles",
                )


def _supply_problems(position: Json) -> Problems:
    """Yield problems of a supply that was not refilled before a decision, as far as tiles allow."""
    phase, lying = position["phase"], sum(position["supply"].values())
    if phase == "take_bonus" and lying < position["bonus_owed"]:
        yield "/supply", "must contain at least `bonus_owed` tiles"
    elif phase == "acquire" and lying < SUPPLY_SPACES:
        yield "/supply", "must be full in the phase acquire"
    elif phase == "refill" and (lying == SUPPLY_SPACES or not (position["bag"] or position["tower"])):
        yield "/phase", "must not be refill if the supply is full, or no tile is left for it"
    elif phase == "play" and lying < SUPPLY_SPACES and (position["bag"] or position["tower"]):
        yield "/supply", "must be full in the phase play while the bag or the tower has tiles"
    else:
        taken = MAX_BONUS_TILES - position["bonus_owed"] if phase in TURNS else 0  # at most, since the last refill
        if lying + taken < SUPPLY_SPACES and position["bag"]:
            yield "/supply", "must have fewer free spaces while the bag has tiles"


def _passing_problems(position: Json) -> Problems:
    """Yield problems of seats that have passed: empty hand, corners kept, not their turn."""
    phase, mover = position["phase"], mover_of(position)
    for seat, board in enumerate(position["seats"]):
        at = f"/seats/{seat}"
        if board["passed"] and (phase == "acquire" or seat == mover):
            yield f"{at}/passed", "must be false in the phase acquire, and for the seat that moves"
        if not board["passed"] and phase in ("deal", "over"):
            yield f"{at}/passed", "must be true for all seats after a round"
        if board["passed"] and board["hand"]:
            yield f"{at}/hand", "must be empty once the seat has passed"
        if board["corners"] and (phase == "over" or not board["passed"]):
            yield f"{at}/corners", "must be empty unless the seat has passed, and when the game is over"


def _most_earned(board: Any) -> int:
    """Return the maximum bonus tiles that a single placement on the board can have earned."""
    filled = board.filled.tolist()
    surrounded = [
        all(mask & slots == slots for mask, slots in zip(filled, features, strict=True))
        for features in FEATURE_SLOTS.tolist()
    ]
    return max(
        sum(int(FEATURE_TILES[feature]) for feature in features if feature != NO_FEATURE and surrounded[feature])
        for star in FEATURES_AT.tolist()
        for features in star
    )
