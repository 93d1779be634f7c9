"""Rated games of a player for the staff: list them, and remove them from the ratings or restore them there."""

from __future__ import annotations

from collections.abc import Collection

from service.games.errors import GameError
from service.games.state.moments import rfc3339
from service.rulesets.wire import Json
from service.storage.base.follow_ups import FollowUp, LogEntry
from service.storage.people.moderation import ADMIN
from service.usecases.base import access, handles
from service.usecases.base.context import Caller, Context
from service.usecases.people import follow_ups, rating_removals
from service.usecases.people.rating_removals import RatedGame

REMOVE, RESTORE = "remove_rated_games", "restore_rated_games"
RATING_ACTS = (REMOVE, RESTORE)
MAX_SHOWN_GAMES, MAX_CHANGED = 200, 2_000


def list_rated(context: Context, caller: Caller, word: str) -> list[Json]:
    """Return the newest rated games of the player with this id or handle, the last ended first.

    Raises: player/not_found.
    """
    access.must_be_staff(context, caller)
    player_id = handles.must_find(context, word).id
    games = rating_removals.games_of(context, player_id)
    return [_game_json(game, player_id) for game in games[: -MAX_SHOWN_GAMES - 1 : -1]]


def change(
    context: Context,
    caller: Caller,
    word: str,
    act: str,
    game_ids: Collection[str] | None,
    since_ms: int | None,
    reason: str,
) -> list[Json]:
    """Remove rated games of a player from the ratings of all their players, or restore them. Return `list_rated`.

    `game_ids`, `since_ms`: only these games, and those that have ended since; None: all. At most `MAX_CHANGED`, the
    newest. A keeper continues after the first ones. Raises: player/not_found, request/invalid for a game that is not
    a rated one of the player.
    """
    actor, player = access.must_be_staff(context, caller, ADMIN), handles.must_find(context, word)
    games = rating_removals.games_of(context, player.id)
    _must_be_among(games, game_ids or ())
    chosen = [
        game.id
        for game in games
        if game.is_removed == (act == RESTORE)
        and (game_ids is None or game.id in game_ids)
        and (since_ms is None or game.ended_ms >= since_ms)
    ]
    if chosen:
        facts = {"games": chosen[-MAX_CHANGED:], "players": [], "remove": act == REMOVE}
        follow_up = FollowUp(player.id, follow_ups.REMOVAL, facts)
        entry = LogEntry(actor, act, "player", player.id, reason)
        if not context.players.change(player, {}, follow_up=(follow_up, follow_ups.due_at(context)), log_entry=entry):
            raise GameError("player/not_found")
        follow_ups.execute_now(context, follow_up)
    return list_rated(context, caller, player.id)


def _must_be_among(games: Collection[RatedGame], game_ids: Collection[str]) -> None:
    known = {game.id for game in games}
    wrong = [f"/games/{number}" for number, game_id in enumerate(game_ids) if game_id not in known]
    if wrong:
        raise GameError("request/invalid", errors=dict.fromkeys(wrong, "must be a rated game of this player"))


def _game_json(game: RatedGame, player_id: str) -> Json:
    seat = game.players.index(player_id)
    before, after = game.rating_before(seat), game.rating_after(seat)
    ruleset, _, seats = game.field.partition(":")
    return {
        "game_id": game.id,
        "ended_at": rfc3339(game.ended_ms),
        "ruleset": ruleset,
        "seats": seats,
        "opponents": [other for other in game.players if other not in (None, player_id)],
        "change": after.points - before.points,
        "removed": game.is_removed,
    }
