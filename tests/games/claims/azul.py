"""What the reasons for an action in Azul claim, see `tests.games.claims.turn`."""

from __future__ import annotations

import copy

from service.games.reasons import Reason
from tests.games.claims.turn import Claims, Json, Turn
from tests.rulesets.azul import referee
from tests.rulesets.azul.build import COLOURS
from tests.rulesets.playing import of_type

PENALTIES = (0, 1, 2, 4, 6, 8, 11, 14)


def goes_on(turn: Turn) -> bool:
    """Return True if tiles are drafted after the action, in the same round."""
    return bool(turn.result["phase"] == "draft" and not turn.has("round_ended"))


def board_of_round(turn: Turn) -> Json | None:
    """Return the board as if the round ended, or None if columns are chosen on it."""
    if turn.before["variant"] == "grey":
        return None
    if not goes_on(turn):
        return turn.board
    position = copy.deepcopy(turn.result)
    seat: Json = position["seats"][turn.seat]
    for row in referee.complete_lines(seat):
        referee.tile(position, seat, row, referee.columns(position, seat, row)[0])
    referee.pay_floor(position, seat)
    return seat


def scores(turn: Turn, reason: Reason) -> bool:
    board = board_of_round(turn)
    if board is None:
        return True
    bonus = sum(each["points"] for each in turn.of_own("end_bonus"))
    return bool(reason.best == board["score"] - bonus - turn.before["seats"][turn.seat]["score"])


def fills_line(turn: Turn, reason: Reason) -> bool:
    line = reason.details["line"]
    held = turn.board["pattern_lines"][line]
    placed = [*turn.of_own("tile_placed"), *turn.of_own("line_fallen")]
    return held["count"] == held["capacity"] or line in [each["line"] for each in placed]


def can_fill_line(turn: Turn, reason: Reason) -> bool:
    held = turn.board["pattern_lines"][reason.details["line"]]
    left = sum(source.get(reason.details["colour"], 0) for source in referee.sources(turn.result).values())
    return bool(0 < held["capacity"] - held["count"] <= left)


def has_in_column(turn: Turn, reason: Reason) -> bool:
    board = board_of_round(turn)
    count = reason.best if reason.best > 1 else 5
    return board is None or count == sum(row[reason.details["column"]] is not None for row in board["wall"])


def has_of_colour(turn: Turn, reason: Reason) -> bool:
    board = board_of_round(turn)
    count = reason.best if reason.best > 1 else 5
    return board is None or count == sum(reason.details["colour"] in row for row in board["wall"])


def fills_row(turn: Turn) -> bool:
    return any(
        sum(tile is not None for tile in row) + (line["count"] == line["capacity"]) == 5
        for seat in turn.result["seats"]
        for row, line in zip(seat["wall"], seat["pattern_lines"], strict=True)
    )


def floor_change(turn: Turn) -> int:
    before, after = (len(each["seats"][turn.seat]["floor_line"]) for each in (turn.before, turn.result))
    return PENALTIES[before] - PENALTIES[after]


def denies(turn: Turn, reason: Reason) -> bool:
    line, colour, board = reason.details["line"], reason.details["colour"], turn.result["seats"][reason.details["seat"]]
    free = line + 1 - board["pattern_lines"][line]["count"]
    taken = [
        of_type(effects, "tiles_taken")[0]["count"]
        for action, effects in turn.next_effects(reason.details["seat"], "draft")
        if (action["colour"], action["line"]) == (colour, line)
    ]
    return max(taken, default=0) < free and colour in COLOURS


def costs_opponent(turn: Turn, reason: Reason) -> bool:
    choices = turn.after.choices() or {}
    losses = [-option["floor_points"] for draft in choices["draft"] for option in draft["lines"]]
    return bool(min(losses) >= reason.best and reason.details["seat"] == turn.after.seat)


def most_for_opponent(turn: Turn, reason: Reason) -> bool:
    placed = [
        sum(each["count"] for each in of_type(effects, "tiles_placed"))
        for _, effects in turn.next_effects(reason.details["seat"], "draft")
    ]
    return bool(max(placed) == -reason.best)


def fills_for_opponent(turn: Turn, reason: Reason) -> bool:
    """Check the most points of a line that the opponent completes, less the tiles that fall."""
    choices, board = turn.after.choices() or {}, turn.result["seats"][reason.details["seat"]]
    found = [0]
    for draft in choices["draft"]:
        count = referee.sources(turn.result)[draft["source"]][draft["colour"]]
        for option in draft["lines"]:
            line = option["line"]
            if line != "floor" and count >= line + 1 - board["pattern_lines"][line]["count"]:
                found.append(option["tile_points"] + option["floor_points"])
    return max(found) == -reason.best


def could_fill_line(turn: Turn, reason: Reason) -> bool:
    """Return True if a source holds all tiles that the line lacks."""
    line, board = reason.details["line"], turn.board
    lacking = line + 1 - board["pattern_lines"][line]["count"]
    colours = [colour for colour in COLOURS if line in referee.open_lines(board, colour)]
    return any(
        source.get(colour, 0) >= lacking for source in referee.sources(turn.result).values() for colour in colours
    )


def lacks(turn: Turn, reason: Reason) -> bool:
    held = turn.board["pattern_lines"][reason.details["line"]]
    return bool(held["capacity"] - held["count"] == -reason.best)


CLAIMS: Claims = {
    "points_of_round": scores,
    "floor": lambda turn, reason: not goes_on(turn) or floor_change(turn) == reason.best,
    "line_completed": fills_line,
    "line_completable": can_fill_line,
    "tile_points": lambda _, reason: reason.best > 0,
    "tiles": lambda turn, reason: turn.of_own("tiles_placed")[0]["count"] == reason.best,
    "tiles_missing": lacks,
    "follow_up": could_fill_line,
    "opponent_points": fills_for_opponent,
    "start_token": lambda turn, _: turn.has("start_token_taken"),
    "column_completed": has_in_column,
    "column_tiles": has_in_column,
    "colour_completed": has_of_colour,
    "colour_tiles": has_of_colour,
    "game_end": lambda turn, _: turn.has("game_ended") or fills_row(turn),
    "game_open": lambda turn, _: not turn.has("game_ended") and not fills_row(turn),
    "deny": denies,
    "opponent_loss": costs_opponent,
    "opponent_tiles": most_for_opponent,
}
