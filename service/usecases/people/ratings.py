"""Ratings as JSON: of a player, and of the seats of a game."""

from __future__ import annotations

from itertools import product

import orjson

from service.games import rating
from service.games.errors import GameError
from service.games.rating import KINDS_OF_RATING, Rating
from service.games.state.statuses import ABORTED, FINISHED
from service.rulesets.registry import RULESETS
from service.rulesets.wire import Json
from service.storage.people.ratings import StoredRating
from service.usecases.base import handles
from service.usecases.base.context import Caller, Context
from service.usecases.people import rating_games
from service.usecases.people.rating_games import APPLIED, NOT_RATED, NOTE, REMOVED
from service.usecases.views import reading

UNFINISHED_GAME, PENDING, RATED, UNRATED = "unfinished", "pending", "applied", "not_counted"
RATING_STATUSES = (UNFINISHED_GAME, PENDING, RATED, UNRATED)
WITHOUT_OUTCOME, TAKEN_OUT = "aborted", "removed"
WHY_UNRATED = (*NOT_RATED, WITHOUT_OUTCOME, TAKEN_OUT)


def of_player(context: Context, word: str, ruleset: str | None, kind: str | None) -> Json:
    """Return the ratings of the player with this id or handle; with `ruleset` and `kind`, also the history.

    Raises: player/not_found.
    """
    player = handles.must_find(context, word)
    stored = context.ratings.get(player.id)
    ratings = [
        _rating_json(context, one, seats, stored[f"{one}:{seats}"])
        for one, seats in product(RULESETS, KINDS_OF_RATING)
        if ruleset in (None, one) and kind in (None, seats) and f"{one}:{seats}" in stored
    ]
    is_one = ruleset is not None and kind is not None
    return {"ratings": ratings, "history": _history(context, player.id, f"{ruleset}:{kind}") if is_one else None}


def all_ratings(context: Context, player_id: str) -> list[Json]:
    """Return all ratings of a player, each with its history."""
    results = []
    for field, stored in context.ratings.get(player_id).items():
        ruleset, _, kind = field.partition(":")
        results.append({**_rating_json(context, ruleset, kind, stored), "history": _history(context, player_id, field)})
    return results


def _rating_json(context: Context, ruleset: str, kind: str, stored: StoredRating) -> Json:
    now_ms = context.now_ms()
    now = rating_games.current(stored, now_ms)
    return {
        "ruleset": ruleset,
        "seats": kind,
        "points": now.points,
        "provisional": now.is_provisional,
        "ranked": rating_games.is_ranked(stored, now_ms),
        "games": stored.games,
        "wins": stored.wins,
        "best": None if stored.best is None else Rating(stored.best, rating.CERTAIN).points,
    }


def _history(context: Context, player_id: str, field: str) -> list[Json]:
    days = context.ratings.history(player_id, field)
    ratings = [(day, Rating(mu, sigma)) for day, mu, sigma in days]
    return [{"day": day, "points": one.points, "provisional": one.is_provisional} for day, one in ratings]


def of_game(context: Context, caller: Caller, game_id: str) -> Json:
    """Return the rating changes of the game's seats. Raises: game/not_found, game/not_rated."""
    game = reading.readable(context, caller, game_id).game
    if not game.meta.rated:
        raise GameError("game/not_rated")
    answer: Json = {"status": UNFINISHED_GAME, "reason": None, "seats": []}
    if game.status == ABORTED:
        return {**answer, "status": UNRATED, "reason": WITHOUT_OUTCOME}
    if game.status != FINISHED:
        return answer
    stored, applied, removed = context.ratings.get_notes(game_id, NOTE, APPLIED, REMOVED)
    if removed is not None:
        return {**answer, "status": UNRATED, "reason": TAKEN_OUT}
    if stored is None or applied is None:
        return {**answer, "status": PENDING}
    changes = orjson.loads(stored)
    if changes["reason"] is not None:
        return {**answer, "status": UNRATED, "reason": changes["reason"]}
    return {**answer, "status": RATED, "seats": [_change_json(seat) for seat in changes["seats"]]}


def _change_json(seat: Json) -> Json:
    before, after = Rating(*seat["before"]), Rating(*seat["after"])
    return {
        "before": before.points,
        "after": after.points,
        "change": after.points - before.points,
        "provisional": after.is_provisional,
        "weight": seat.get("weight", 1.0),
    }
