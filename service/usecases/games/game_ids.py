"""Ids of new games, for callers who may have another one."""

from __future__ import annotations

from collections.abc import Sequence

from service.games.errors import GameError
from service.games.state.statuses import UNFINISHED
from service.usecases.base import game_facts
from service.usecases.base.context import Caller, Context


def new_game_id(context: Context, caller: Caller, remembered: str | None = None) -> str:
    """An id for a game about to be created (in the bucket of the digest its create is remembered by).

    limit/open_games where the caller has created as many unfinished games as they may.
    """
    game_id = context.store.new_game_id(remembered)
    take(context, caller.counted, game_id)
    return game_id


def take(context: Context, counted: str | None, game_id: str) -> None:
    """Count the game among those that `counted` has created, if their number is limited. limit/open_games."""
    if counted is None:
        return

    def unfinished(game_ids: Sequence[str]) -> set[str]:
        seen = zip(game_ids, game_facts.games(context, game_ids), strict=True)
        return {game for game, stored in seen if stored is not None and stored.facts.status in UNFINISHED}

    if not context.open_games.open(counted, game_id, context.settings.game_ttl_s, unfinished):
        raise GameError("limit/open_games", limit=context.open_games.most)
