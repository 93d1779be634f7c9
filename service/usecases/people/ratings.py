"""Ratings as they are told: of a player, and what a game has brought its seats."""

from __future__ import annotations

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
from service.usecases.people.rating_games import APPLIED, NOT_COUNTED, NOTE
from service.usecases.views import reading

UNFINISHED_GAME, PENDING, RATED, UNRATED = "unfinished", "pending", "applied", "not_counted"
RATING_STATUSES = (UNFINISHED_GAME, PENDING, RATED, UNRATED)
WITHOUT_OUTCOME = "aborted"
WHY_UNRATED = (*NOT_COUNTED, WITHOUT_OUTCOME)


def of_player(context: Context, word: str, ruleset: str | None, kind: str | None) -> Json:
    """The ratings of the player of this id or handle, of those asked for; the history of one. player/not_found."""
    player = handles.found(context, word)
    known = context.ratings.of(player.id)
    named = [
        (each, of) for each in RULESETS for of in KINDS_OF_RATING if ruleset in (None, each) and kind in (None, of)
    ]
    found = [_told(*name, known[f"{name[0]}:{name[1]}"]) for name in named if f"{name[0]}:{name[1]}" in known]
    is_one = ruleset is not None and kind is not None
    return {"ratings": found, "history": _history(context, player.id, f"{ruleset}:{kind}") if is_one else None}


def everything(context: Context, player_id: str) -> list[Json]:
    """All that is kept of a player's ratings, each with its history."""
    results = []
    for field, stored in context.ratings.of(player_id).items():
        ruleset, _, kind = field.partition(":")
        results.append({**_told(ruleset, kind, stored), "history": _history(context, player_id, field)})
    return results


def _told(ruleset: str, kind: str, stored: StoredRating) -> Json:
    now = Rating(stored.mu, stored.sigma)
    return {
        "ruleset": ruleset,
        "seats": kind,
        "points": now.points,
        "provisional": now.is_provisional,
        "games": stored.games,
        "wins": stored.wins,
        "best": None if stored.best is None else Rating(stored.best, rating.CERTAIN).points,
    }


def _history(context: Context, player_id: str, field: str) -> list[Json]:
    days = context.ratings.history(player_id, field)
    return [{"day": day, **_points(Rating(mu, sigma))} for day, mu, sigma in days]


def _points(one: Rating) -> Json:
    return {"points": one.points, "provisional": one.is_provisional}


def of_game(context: Context, caller: Caller, game_id: str) -> Json:
    """What the game has brought its seats. game/not_found, game/not_rated."""
    game = reading.readable(context, caller, game_id).game
    if not game.meta.rated:
        raise GameError("game/not_rated")
    answer: Json = {"status": UNFINISHED_GAME, "reason": None, "seats": []}
    if game.status == ABORTED:
        return {**answer, "status": UNRATED, "reason": WITHOUT_OUTCOME}
    if game.status != FINISHED:
        return answer
    noted, applied = context.ratings.noted(game_id, NOTE, APPLIED)
    if noted is None or applied is None:
        return {**answer, "status": PENDING}
    found = orjson.loads(noted)
    if found["reason"] is not None:
        return {**answer, "status": UNRATED, "reason": found["reason"]}
    return {**answer, "status": RATED, "seats": [_brought(seat) for seat in found["seats"]]}


def _brought(seat: Json) -> Json:
    before, after = Rating(*seat["before"]), Rating(*seat["after"])
    return {
        "before": before.points,
        "after": after.points,
        "change": after.points - before.points,
        "provisional": after.is_provisional,
    }
