"""What the reasons for an action in Summer Pavilion claim, see `tests.games.claims.turn`."""

from __future__ import annotations

from service.games.reasons import Reason
from tests.games.claims.turn import Claims, Json, Turn
from tests.rulesets.playing import of_type, short_type
from tests.rulesets.summer_pavilion import referee

STARS = (*referee.OUTER_STARS, "centre")


def points_at_once(turn: Turn) -> int:
    kinds = ("start_token_taken", "tile_placed", "passed")
    points = sum(effect["points"] for kind in kinds for effect in turn.of_own(kind))
    is_last = turn.before["round"] == referee.ROUNDS and turn.has("passed")
    kept_tiles = sum(sum(each["kept"].values()) for each in turn.of_own("passed")) if is_last else 0
    return int(points - min(kept_tiles, turn.before["seats"][turn.seat]["score"] + points - 1))


def can_score(turn: Turn, reason: Reason) -> bool:
    """Let the others pass and the seat place the tile with the most points, and of those the cheapest, each turn.

    Further ties are broken by star, slot and colour as in the action's number, and by fewer wild tiles.
    """
    points = points_at_once(turn)
    if turn.action["type"].endswith("pass"):
        return points == reason.best
    position = turn.after
    wanted = position.ruleset.wire
    while turn.before["phase"] != "acquire" and points < reason.best:
        if position.status == "drawing":
            position = position.resolve_draw(position.sample(turn.rng))
            continue
        named = {action: wanted.decode(action) for action in position.legal_actions()}
        if position.seat != turn.seat:
            position = position.play(next(action for action, fields in named.items() if not fields.get("keep", 1)))
            continue
        scored = {action: position.step(action) for action in named if "wilds" in named[action]}
        tiles = {action: of_type(effects, "tile_placed")[0] for action, (effects, _) in scored.items()}
        if not tiles:
            if short_type(next(iter(named.values()))) != "take_bonus":
                return False
            position = position.play(next(iter(named)))
            continue
        cost = {action: sum(tiles[action]["spent"].values()) for action in tiles}
        best = max(tiles, key=lambda action: (tiles[action]["points"], -cost[action], action // 6, -action))
        points, position = points + tiles[best]["points"], scored[best][1]
    return True


def tiles_on(turn: Turn, star: str) -> int:
    return sum(tile is not None for tile in turn.board["stars"][star])


def spaces_with(turn: Turn, number: int) -> list[bool]:
    """Return for each space with the number whether it holds a tile."""
    return [
        turn.board["stars"][star][slot] is not None
        for star in STARS
        for slot in range(6)
        if referee.number_on(turn.before, star, slot + 1) == number
    ]


def has_feature_ready(turn: Turn, reason: Reason) -> bool:
    tiles = {"window": 3, "statue": 2, "pillar": 1}[reason.details["kind"]]
    lacking = [
        sum(turn.board["stars"][star][slot - 1] is None for star, slot in spaces)
        for spaces, bonus in referee.FEATURES
        if bonus == tiles
    ]
    return 1 in lacking


def tiles_left(turn: Turn) -> Json:
    return {
        colour: turn.board["hand"].get(colour, 0) + turn.board["corners"].get(colour, 0)
        for colour in {**turn.board["hand"], **turn.board["corners"]}
    }


def is_known(turn: Turn) -> bool:
    """Return True unless the game ended, which empties the corners."""
    return bool(turn.result["phase"] != "over")


def can_afford(turn: Turn, reason: Reason) -> bool:
    hand, wild, star = turn.board["hand"], turn.before["wild"], reason.details["star"]
    board = turn.board["stars"][star]
    return any(
        hand[colour] + (0 if colour == wild else hand.get(wild, 0)) >= reason.best
        for slot in range(6)
        for colour in hand
        if board[slot] is None and referee.number_on(turn.before, star, slot + 1) == reason.best
        if referee.can_take(turn.before["variant"], star, board, colour)
    )


def acquired_by_opponent(turn: Turn, reason: Reason, *, wilds: bool) -> list[int]:
    found = []
    for action, effects in turn.next_effects(reason.details["seat"], "acquire"):
        if action["colour"] == reason.details.get("colour", action["colour"]):
            [taken] = of_type(effects, "tiles_acquired")
            own = taken["count"] - (taken["wilds"] if action["colour"] != turn.before["wild"] and not wilds else 0)
            found.append(own)
    return found


def lost_by_opponent(turn: Turn, reason: Reason) -> bool:
    losses = [
        -sum(each["points"] for each in of_type(effects, "start_token_taken"))
        for _, effects in turn.next_effects(reason.details["seat"], "acquire")
    ]
    return bool(min(losses) >= reason.best)


CLAIMS: Claims = {
    "points": lambda turn, reason: points_at_once(turn) == reason.best,
    "points_of_round": can_score,
    "bonus": lambda turn, reason: sum(each["tiles"] for each in turn.of_own("bonus_owed")) == reason.best,
    "star_completed": lambda turn, reason: tiles_on(turn, reason.details["star"]) == 6,
    "star_tiles": lambda turn, reason: tiles_on(turn, reason.details["star"]) == reason.best,
    "number_completed": lambda turn, reason: all(spaces_with(turn, reason.details["number"])),
    "number_tiles": lambda turn, reason: (
        (sum(spaces_with(turn, reason.details["number"])), len(spaces_with(turn, reason.details["number"])))
        == (reason.best, reason.details["spaces"])
    ),
    "feature_ready": has_feature_ready,
    "affordable": can_afford,
    "tiles": lambda turn, reason: turn.of_own("tiles_acquired")[0]["count"] == reason.best,
    "jokers": lambda turn, _: turn.before["wild"] in turn.board["hand"] and turn.has("tiles_acquired"),
    "tiles_kept": lambda turn, reason: not is_known(turn) or sum(tiles_left(turn).values()) == reason.best,
    "jokers_kept": lambda turn, reason: turn.board["hand"].get(turn.before["wild"], 0) == reason.best,
    "next_jokers": lambda turn, reason: (
        tiles_left(turn)[reason.details["colour"]] == reason.best
        and referee.COLOURS[turn.before["round"]] == reason.details["colour"]
    ),
    "colour_tiles": lambda turn, reason: tiles_left(turn)[reason.details["colour"]] == reason.best,
    "start_token": lambda turn, _: turn.has("start_token_taken"),
    "in_round": lambda turn, _: not turn.has("passed"),
    "deny": lambda turn, reason: max(acquired_by_opponent(turn, reason, wilds=False), default=0) == -reason.best,
    "opponent_loss": lost_by_opponent,
    "opponent_tiles": lambda turn, reason: max(acquired_by_opponent(turn, reason, wilds=True)) == -reason.best,
}
