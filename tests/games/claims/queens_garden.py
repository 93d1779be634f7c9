"""What the reasons for an action in Queen's Garden claim, see `tests.games.claims.turn`."""

from __future__ import annotations

import copy

from service.games.reasons import Reason
from tests.games.claims.turn import Claims, Turn
from tests.rulesets.queens_garden import referee
from tests.rulesets.queens_garden.geometry import ELEMENTS, connected_parts, kind_of, spaces_around
from tests.rulesets.queens_garden.letters import COLOURS, ORDER, PATTERNS, ROUNDS, name_of


def points_in(turn: Turn, number: int) -> int:
    """Return the points of the garden in a round."""
    return referee.points_of_round({**turn.before, "round": number}, turn.board)


def scores(turn: Turn, reason: Reason) -> bool:
    if turn.has("round_ended"):
        ended = sum(each["points"] for kind in ("passed", "marker_taken", "round_scored") for each in turn.of_own(kind))
        return bool(ended == reason.best)
    at_once = turn.board["score"] - turn.before["seats"][turn.seat]["score"]
    return bool(at_once + points_in(turn, turn.before["round"]) == reason.best)


def scores_groups(turn: Turn, reason: Reason) -> bool:
    seat = {**copy.deepcopy(turn.board), "score": 0, "jokers": 0, "tiles": {}, "expansions": []}
    referee.end(turn.before["variant"], seat)
    return bool(seat["score"] == reason.best)


def has_group(turn: Turn, reason: Reason) -> bool:
    value = reason.details["value"]
    mark = ORDER[COLOURS.index(value)] if value in COLOURS else str(1 + PATTERNS.index(value))
    spaces = [space for space, shown in referee.garden_of(turn.board).items() if mark in shown]
    return max(map(len, connected_parts(spaces))) == reason.best


def is_almost_surrounded(turn: Turn, reason: Reason) -> bool:
    garden = referee.garden_of(turn.board)
    return any(
        sum(space not in garden for space in spaces_around(element)) == 1
        for element in ELEMENTS
        if kind_of(element) == reason.details["kind"]
    )


def pieces_in_storage(turn: Turn) -> list[str]:
    tiles, faces, _ = referee.storage_of(turn.board)
    return [*tiles, *faces]


def can_place(turn: Turn, reason: Reason) -> bool:
    is_tile = reason.details["kind"] == "tile"
    options = referee.placements(turn.board) if is_tile else referee.expansions(turn.board)
    return name_of(reason.details["hexagon"]) in [name_of(action["hexagon"]) for action in options]


def pieces_for_opponent(turn: Turn, reason: Reason) -> int:
    wanted = reason.details["value"]
    taken = [
        len(action["pieces"])
        for action, _ in turn.next_effects(reason.details["seat"], "acquire")
        if all(wanted in piece["hexagon"].values() for piece in action["pieces"])
    ]
    return max(taken, default=0)


CLAIMS: Claims = {
    "points_of_round": scores,
    "later_points": lambda turn, reason: (
        sum(points_in(turn, number) for number in range(turn.before["round"] + 1, ROUNDS + 1)) == reason.best
    ),
    "group_points": scores_groups,
    "group": has_group,
    "element_completed": lambda turn, reason: (
        (reason.details["kind"], reason.best)
        in [(each["kind"], each["jokers"]) for each in turn.of_own("element_completed")]
    ),
    "element_ready": is_almost_surrounded,
    "expansions_placed": lambda turn, reason: sum(map(bool, turn.board["areas"])) == reason.best,
    "expansions": lambda turn, reason: len(turn.board["expansions"]) == reason.best,
    "jokers": lambda turn, reason: turn.board["jokers"] == reason.best,
    "tiles": lambda turn, reason: len(turn.action["pieces"]) == reason.best,
    "tiles_kept": lambda turn, reason: len(pieces_in_storage(turn)) == reason.best,
    "storage": lambda turn, reason: sum(map(referee.value, pieces_in_storage(turn))) == -reason.best,
    "placeable": can_place,
    "covered": lambda turn, _: turn.has("round_ended") or turn.result["phase"] != "fill",
    "start_token": lambda turn, _: turn.has("marker_taken"),
    "in_round": lambda turn, _: not turn.has("passed"),
    "deny": lambda turn, reason: pieces_for_opponent(turn, reason) <= -reason.best,
}
