"""When a player is deleted: their names are free, their webhooks end, and their games forget who they were.

In a game that goes on, the player resigns, and the others are rated; one that has not begun is ended. Then id, name
and messages of the player are taken out of what is stored of the game, its log included. Each step can be done again,
by whoever comes next. Archived games forget them later: see `archiving`.
"""

from __future__ import annotations

from typing import Any

import orjson
import structlog

from service.games.errors import GameError
from service.games.rating import KINDS_OF_RATING
from service.games.state.model import Game, Meta
from service.games.state.statuses import OPEN
from service.rulesets.registry import RULESETS
from service.storage.base.connect import outage
from service.storage.base.follow_ups import FollowUp
from service.storage.base.optimistic import optimistic
from service.storage.games.chat import MAX_MESSAGES
from service.usecases.base import claims, repository
from service.usecases.base.context import Context
from service.usecases.games.messages import is_of
from service.usecases.matchmaking import competing, pairing
from service.usecases.people import leaderboard_names, rating_games

LOG = structlog.get_logger()


def say_farewell(context: Context, follow_up: FollowUp) -> None:
    """Undo all that there is of a player beside the player. Raises what has gone wrong with the last of their games."""
    player_id, failed = follow_up.owner, None
    claims.settle(context, player_id, follow_up.facts)
    for hooks in context.every_hooks:
        for webhook in hooks.of(player_id):
            hooks.delete(player_id, webhook.id)
    context.outbox.unhook(player_id)
    pairing.end_all_of(context, player_id)
    competing.forget(context, player_id)
    _forget_bots(context, player_id)
    game_ids = context.players.game_ids(player_id)
    for game_id in game_ids:
        try:
            leave(context, game_id, player_id)
        except Exception as error:
            if outage(error) is not None:
                raise
            LOG.warning("a game cannot forget a player", game=game_id, error=str(error))
            failed = error
    if failed is not None:
        raise failed
    if context.archive is not None:
        there = zip(game_ids, context.store.outlines(game_ids), strict=True)
        context.archivals.forget_player(player_id, [game_id for game_id, outline in there if outline is None])
    context.ratings.forget(player_id)
    context.statistics.forget(player_id)
    context.leaderboards.remove(leaderboard_names.every(RULESETS, KINDS_OF_RATING, context.now_ms()), [player_id])
    context.players.forget_lists(player_id)


def _forget_bots(context: Context, player_id: str) -> None:
    """The player plays no games as a bot any more, and owns none."""
    context.bots.forget_games(player_id)
    for bot in context.bots.every():
        if bot.owner == player_id:
            context.bots.release(bot.id, player_id)


def leave(context: Context, game_id: str, player_id: str, *, look_in_archive: bool = False) -> None:
    """The player leaves a game, which forgets them. Nothing is done where it is gone."""

    def attempt() -> None:
        loaded = repository.load(context, game_id, look_in_archive=look_in_archive)
        seats = [number for number, seat in enumerate(loaded.game.seats) if seat.player == player_id]
        game = _given_up(context, loaded.game, seats)
        if game.meta.rated:
            rating_games.count(context, game_id)
        _erase(context, game, player_id, seats)

    try:
        optimistic(attempt, repository.is_stale)
    except GameError as error:
        if error.code != "game/not_found":
            raise


def _given_up(context: Context, game: Game, seats: list[int]) -> Game:
    """The game after the player has resigned, or ended what had not begun."""
    if game.is_over or not seats:
        return game
    session = repository.opened(context, game)
    if game.status == OPEN:
        session.end()
    for seat in seats:
        if not session.game.is_over and not session.game.seats[seat].is_out:
            session.resign(seat)
    if session.events:
        repository.append(context, session)
        repository.wake(context, session.game)
    return session.game


def _erase(context: Context, game: Game, player_id: str, seats: list[int]) -> None:
    meta = Meta.from_json(_without(game.meta.to_json(), player_id))
    forgetful = Game.restored(meta, game.revision, _without(game.state_json(), player_id), game.position)
    fields = {"meta": orjson.dumps(meta.to_json()), **repository.fields_of(context, forgetful)}
    events = [content for _, content in context.store.log(game.meta.id, 0, game.revision)]
    forgetful_events = [_event_without(content, player_id) for content in events]
    messages = context.chat.messages(game.meta.id, 0, MAX_MESSAGES)
    said = [number for number, content in messages if is_of(content, player_id, seats)]
    new_events = forgetful_events if forgetful_events != events else ()
    context.store.erase(game.meta.id, player_id, game.revision, fields, new_events, said)


def _event_without(content: bytes, player_id: str) -> bytes:
    if player_id.encode() not in content:
        return content
    return orjson.dumps(_without(orjson.loads(content), player_id))


def _without(content: Any, player_id: str) -> Any:
    """JSON in which no object tells that it is the player's, nor the name that stands beside."""
    if isinstance(content, list | tuple):
        return [_without(part, player_id) for part in content]
    if not isinstance(content, dict):
        return content
    results = {name: _without(part, player_id) for name, part in content.items()}
    if results.get("player") == player_id:
        results["player"] = None
        results |= {"name": None} if "name" in results else {}
    return results
