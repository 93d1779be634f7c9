"""What follows from the end of a game: it is counted in the statistics of its players, and rated.

What it brings each seat is noted in the game, once, then applied to each player, once. Whoever does it may die at any
step, and several may do it at one time: who comes second finds what was noted, and a player's script does nothing
where the game was applied before. See `service.storage.people.ratings`.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import orjson
import structlog

from service.games import rating
from service.games.errors import GameError
from service.games.rating import Rating
from service.games.state.model import Game
from service.games.state.moments import unix_ms
from service.games.state.seats import AI
from service.games.state.statuses import FINISHED
from service.games.view import outcome
from service.storage.people.ratings import LATE, Change, Scale
from service.usecases.base import repository
from service.usecases.base.context import Context
from service.usecases.people import counting_games, leaderboard_names

LOG = structlog.get_logger()
MAX_MEETINGS = 5
"""So many rated games of two players are counted a day."""
TOO_OFTEN, UNMEASURED = "same_players", "unmeasured_level"
NOT_COUNTED = (TOO_OFTEN, UNMEASURED)
"""Why a finished game changes no rating: two of its players have ended too many that day; a level has no rating."""
NOTE, APPLIED = "rating", "rating_applied"
"""Fields of the game."""
WEEKS_BOARD_S = 15 * 86_400
SCALE = Scale(*rating.NEW, rating.CERTAIN)


def count(context: Context, game_id: str) -> None:
    """Have everybody's statistics and rating be what the game makes of them. Nothing is done where the game is gone."""
    try:
        game = repository.load(context, game_id, look_in_archive=False).game
    except GameError as error:
        if error.code != "game/not_found":
            raise
        return
    counting_games.count(context, game)
    rate(context, game)
    context.bots.end([seat.player for seat in game.seats if seat.player is not None], [game_id])


def rate(context: Context, game: Game) -> None:
    """Have everybody's rating be what the game makes of it, if it is rated and over and that was not done."""
    game_id = game.meta.id
    if not game.meta.rated or game.status != FINISHED:
        return
    noted, applied = context.ratings.noted(game_id, NOTE, APPLIED)
    if applied is not None:
        return
    if noted is None:
        noted = context.ratings.note(game_id, NOTE, orjson.dumps(result(context, game)))
    if noted is None:  # the game has expired meanwhile
        return
    found = orjson.loads(noted)
    if not found["reason"]:
        for seat, brought in zip(game.seats, found["seats"], strict=True):
            if seat.player is not None:
                _apply(context, game, seat.player, found["ended_ms"], brought)
    context.ratings.note(game_id, APPLIED, b"1")


def _apply(context: Context, game: Game, player_id: str, ended_ms: int, brought: dict[str, Any]) -> None:
    before, after = Rating(*brought["before"]), Rating(*brought["after"])
    change = Change(field_of(game), after.mu - before.mu, after.sigma / before.sigma, brought["won"])
    if context.ratings.apply(player_id, game.meta.id, ended_ms, change, SCALE) == LATE:
        LOG.warning("a game is too old to be rated", game=game.meta.id)
    _place(context, game, player_id)


def _place(context: Context, game: Game, player_id: str) -> None:
    """The player stands on the leaderboards with the rating that they have now, once it is certain."""
    kind, now = rating.kind_of(len(game.seats)), context.now_ms()
    (stored,) = context.ratings.every([player_id], field_of(game))
    while stored is not None and (player := context.players.get(player_id)) is not None:
        own = Rating(stored.mu, stored.sigma)
        if own.is_provisional:
            return
        who = leaderboard_names.BOTS if player.bot else leaderboard_names.PEOPLE
        for period, ttl_s in (
            (leaderboard_names.EVER, context.settings.player_ttl_s),
            (leaderboard_names.WEEK, WEEKS_BOARD_S),
        ):
            board = leaderboard_names.board(game.meta.ruleset, kind, who, period, now)
            context.leaderboards.place([board], player_id, own.points, ttl_s)
        seen, (stored,) = stored, context.ratings.every([player_id], field_of(game))
        if stored == seen:  # no other game has come in between
            return


def field_of(game: Game) -> str:
    """The field of a player's rating that the game changes."""
    return rating.field_of(game.meta.ruleset, len(game.seats))


def result(context: Context, game: Game) -> dict[str, Any]:
    """What the game brings each seat, by the ratings as they are now; no seats where it is not counted.

    `ended_ms`: when it ended, or a rematch was offered last; once noted it is the same for all who apply the game.
    """
    ended_ms = unix_ms(game.updated_at)
    people = [seat.player for seat in game.seats if seat.player is not None]
    levels = [
        rating.of_level(game.ruleset, len(game.seats), seat.level or "") if seat.kind == AI else None
        for seat in game.seats
    ]
    if any(seat.kind == AI and level is None for seat, level in zip(game.seats, levels, strict=True)):
        return {"reason": UNMEASURED, "ended_ms": ended_ms, "seats": []}
    meetings = [context.ratings.meetings(pair, game.meta.id, ended_ms) for pair in combinations(people, 2)]
    if any(before >= MAX_MEETINGS for before in meetings):
        return {"reason": TOO_OFTEN, "ended_ms": ended_ms, "seats": []}
    known = dict(zip(people, context.ratings.every(people, field_of(game)), strict=True))
    ratings = []
    for seat, level in zip(game.seats, levels, strict=True):
        stored = None if seat.player is None else known[seat.player]
        ratings.append(level or (rating.NEW if stored is None else Rating(stored.mu, stored.sigma)))
    places = [seat["rank"] for seat in (outcome(game) or {"seats": []})["seats"]]
    rated = rating.after(ratings, places)
    return {
        "reason": None,
        "ended_ms": ended_ms,
        "seats": [
            {"before": [*before], "after": [*(level or after)], "won": place == 1}
            for before, after, level, place in zip(ratings, rated, levels, places, strict=True)
        ],
    }
