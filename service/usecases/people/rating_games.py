"""Count and rate a game when it has ended.

The rating changes of all seats are stored in the game once, and then applied to each player once. Processes can die at
any step and run concurrently: a later one uses the stored changes, and a player's script ignores a game that was
already applied. See `service.storage.people.ratings`.
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
"""Rated games of the same two players a day."""
TOO_OFTEN, UNMEASURED, ADJUDICATED = "same_players", "unmeasured_level", "adjudicated"
NOT_RATED = (TOO_OFTEN, UNMEASURED, ADJUDICATED)
"""Reasons why a finished game is not rated: too many games of the same players that day; a level without rating; a
result that the host of a competition decided, which must not move the ratings of other players."""
NOTE, APPLIED = "rating", "rating_applied"
"""Fields of the stored game."""
WEEKS_BOARD_S = 15 * 86_400
SCALE = Scale(*rating.NEW, rating.CERTAIN)


def count(context: Context, game_id: str) -> None:
    """Count the game in statistics, rate it, and remove it from its bots' games, if it still exists. Idempotent."""
    try:
        game = repository.load(context, game_id, look_in_archive=False).game
    except GameError as error:
        if error.code != "game/not_found":
            raise
        return
    counting_games.count(context, game)
    rate(context, game)
    context.bots.remove_games([seat.player for seat in game.seats if seat.player is not None], [game_id])


def rate(context: Context, game: Game) -> None:
    """Apply the game to the ratings of its players, if it is rated and finished and not yet applied."""
    game_id = game.meta.id
    if not game.meta.rated or game.status != FINISHED:
        return
    stored, applied = context.ratings.get_notes(game_id, NOTE, APPLIED)
    if applied is not None:
        return
    if stored is None:
        stored = context.ratings.set_note(game_id, NOTE, orjson.dumps(compute_changes(context, game)))
    if stored is None:  # the game has expired
        return
    changes = orjson.loads(stored)
    if not changes["reason"]:
        for seat, change in zip(game.seats, changes["seats"], strict=True):
            if seat.player is not None:
                _apply(context, game, seat.player, changes["ended_ms"], change)
    context.ratings.set_note(game_id, APPLIED, b"1")


def _apply(context: Context, game: Game, player_id: str, ended_ms: int, stored: dict[str, Any]) -> None:
    before, after = Rating(*stored["before"]), Rating(*stored["after"])
    change = Change(field_of(game), after.mu - before.mu, after.sigma / before.sigma, stored["won"])
    if context.ratings.apply(player_id, game.meta.id, ended_ms, change, SCALE) == LATE:
        LOG.warning("game too old to be rated", game=game.meta.id)
    _update_leaderboards(context, game, player_id)


def _update_leaderboards(context: Context, game: Game, player_id: str) -> None:
    """Place the player on the leaderboards with their current rating, unless it is provisional."""
    kind, now = rating.rating_kind(len(game.seats)), context.now_ms()
    (stored,) = context.ratings.get_field([player_id], field_of(game))
    while stored is not None and (player := context.players.get(player_id)) is not None:
        current = Rating(stored.mu, stored.sigma)
        if current.is_provisional:
            return
        who = leaderboard_names.BOTS if player.bot else leaderboard_names.PEOPLE
        for period, ttl_s in (
            (leaderboard_names.EVER, context.settings.player_ttl_s),
            (leaderboard_names.WEEK, WEEKS_BOARD_S),
        ):
            board = leaderboard_names.board(game.meta.ruleset, kind, who, period, now)
            context.leaderboards.place([board], player_id, current.points, ttl_s)
        before, (stored,) = stored, context.ratings.get_field([player_id], field_of(game))
        if stored == before:  # no other game was applied in between
            return


def field_of(game: Game) -> str:
    """Return the field of the players' ratings that the game changes."""
    return rating.rating_field(game.meta.ruleset, len(game.seats))


def compute_changes(context: Context, game: Game) -> dict[str, Any]:
    """Compute the rating of each seat before and after the game. No seats if the game is not rated.

    Counts the game as a meeting of each two players.

    `ended_ms`: when the game ended, or when a rematch was last offered. All processes that apply the game use the
    stored value.
    """
    ended_ms = unix_ms(game.updated_at)
    if game.ranks is not None:
        return {"reason": ADJUDICATED, "ended_ms": ended_ms, "seats": []}
    people = [seat.player for seat in game.seats if seat.player is not None]
    levels = [
        rating.level_rating(game.ruleset, len(game.seats), seat.level or "") if seat.kind == AI else None
        for seat in game.seats
    ]
    if any(seat.kind == AI and level is None for seat, level in zip(game.seats, levels, strict=True)):
        return {"reason": UNMEASURED, "ended_ms": ended_ms, "seats": []}
    meetings = [context.ratings.count_meeting(pair, game.meta.id, ended_ms) for pair in combinations(people, 2)]
    if any(before >= MAX_MEETINGS for before in meetings):
        return {"reason": TOO_OFTEN, "ended_ms": ended_ms, "seats": []}
    stored_ratings = dict(zip(people, context.ratings.get_field(people, field_of(game)), strict=True))
    ratings = []
    for seat, level in zip(game.seats, levels, strict=True):
        stored = None if seat.player is None else stored_ratings[seat.player]
        ratings.append(level or (rating.NEW if stored is None else Rating(stored.mu, stored.sigma)))
    places = [seat["rank"] for seat in (outcome(game) or {"seats": []})["seats"]]
    rated = rating.rate_game(ratings, places)
    return {
        "reason": None,
        "ended_ms": ended_ms,
        "seats": [
            {"before": [*before], "after": [*(level or after)], "won": place == 1}
            for before, after, level, place in zip(ratings, rated, levels, places, strict=True)
        ],
    }
