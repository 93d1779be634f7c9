"""Deletion of an account: release names, delete webhooks, and remove the player from their games.

The player resigns running games, and the other players are rated. Games that have not started are ended. Then the
player's id, name and messages are removed from the stored game and its log. All steps are idempotent, so another
process can resume. Archived games are changed later: see `archiving`.
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
from service.usecases.base import repository, reservations
from service.usecases.base.context import Context
from service.usecases.games.messages import is_from
from service.usecases.matchmaking import competing, pairing
from service.usecases.people import leaderboard_names, rating_games

LOG = structlog.get_logger()


def delete_account_data(context: Context, follow_up: FollowUp) -> None:
    """Delete everything that belongs to a deleted player. Raise the last error if a game could not be changed."""
    player_id, failed = follow_up.owner, None
    reservations.reconcile(context, player_id, follow_up.facts)
    for hooks in context.all_hooks:
        for webhook in hooks.get_all(player_id):
            hooks.delete(player_id, webhook.id)
    context.outbox.unsubscribe(player_id)
    pairing.forget_player(context, player_id)
    competing.forget_player(context, player_id)
    _forget_bots(context, player_id)
    game_ids = context.players.game_ids(player_id)
    for game_id in game_ids:
        try:
            remove_from_game(context, game_id, player_id)
        except Exception as error:
            if outage(error) is not None:
                raise
            LOG.warning("deleted player not removed from game", game=game_id, error=str(error))
            failed = error
    if failed is not None:
        raise failed
    if context.archive is not None:
        outlines = zip(game_ids, context.store.outlines(game_ids), strict=True)
        context.archive_queue.forget_player(player_id, [game_id for game_id, outline in outlines if outline is None])
    context.reports.forget_reporter(player_id)
    context.moderation.address_links.forget(player_id)
    context.ratings.forget(player_id)
    context.statistics.forget(player_id)
    context.puzzle_attempts.forget(player_id)
    context.leaderboards.remove(leaderboard_names.all_boards(RULESETS, KINDS_OF_RATING, context.now_ms()), [player_id])
    context.players.delete_lists(player_id)


def _forget_bots(context: Context, player_id: str) -> None:
    """Remove the player as a bot and as an owner of bots."""
    context.bots.forget_games(player_id)
    for bot in context.bots.get_all():
        if bot.owner == player_id:
            context.bots.remove_owner(bot.id, player_id)


def remove_from_game(context: Context, game_id: str, player_id: str, *, look_in_archive: bool = False) -> None:
    """Remove the player from a game, if it still exists."""

    def attempt() -> None:
        loaded = repository.load(context, game_id, look_in_archive=look_in_archive)
        seats = [number for number, seat in enumerate(loaded.game.seats) if seat.player == player_id]
        game = _resign(context, loaded.game, seats)
        if game.meta.rated:
            rating_games.count(context, game_id)
        _anonymize(context, game, player_id, seats)

    try:
        optimistic(attempt, repository.is_stale)
    except GameError as error:
        if error.code != "game/not_found":
            raise


def _resign(context: Context, game: Game, seats: list[int]) -> Game:
    """Return the game after the player has resigned and left its offers, or after ending it if it had not started."""
    session = repository.open_session(context, game)
    for offer in game.offers if game.is_over else ():
        if {offer.seat, *offer.accepted} & {*seats}:
            session.drop_offer(offer)
    if game.status == OPEN and seats:
        session.end()
    for seat in seats:
        if not session.game.is_over and not session.game.seats[seat].is_out:
            session.resign(seat)
    if session.events:
        repository.append(context, session)
        repository.wake(context, session.game)
    return session.game


def _anonymize(context: Context, game: Game, player_id: str, seats: list[int]) -> None:
    meta = Meta.from_json(_anonymize_json(game.meta.to_json(), player_id))
    anonymous = Game.from_state(meta, game.revision, _anonymize_json(game.state_json(), player_id), game.position)
    fields = {"meta": orjson.dumps(meta.to_json()), **repository.stored_fields(context, anonymous)}
    events = [content for _, content in context.store.log(game.meta.id, 0, game.revision)]
    new_events = [_anonymize_event(content, player_id) for content in events]
    messages = context.chat.messages(game.meta.id, 0, MAX_MESSAGES)
    message_numbers = [number for number, content in messages if is_from(content, player_id, seats)]
    if new_events == events:
        new_events = []
    context.store.erase(game.meta.id, player_id, game.revision, fields, new_events, message_numbers)


def _anonymize_event(content: bytes, player_id: str) -> bytes:
    if player_id.encode() not in content:
        return content
    return orjson.dumps(_anonymize_json(orjson.loads(content), player_id))


def _anonymize_json(content: Any, player_id: str) -> Any:
    """Return the JSON without the player's id, and without the name next to it."""
    if isinstance(content, list | tuple):
        return [_anonymize_json(part, player_id) for part in content]
    if not isinstance(content, dict):
        return content
    results = {name: _anonymize_json(part, player_id) for name, part in content.items()}
    if results.get("player") == player_id:
        results["player"] = None
        results |= {"name": None} if "name" in results else {}
    return results
