"""Ids of new games, and the limit of open games of a caller."""

from __future__ import annotations

from collections.abc import Sequence

from service.games.errors import GameError
from service.games.state.statuses import UNFINISHED
from service.usecases.base import game_facts
from service.usecases.base.context import Caller, Context


def new_game_id(context: Context, caller: Caller, remembered: str | None = None) -> str:
    """Return an id for a new game, in the bucket of the digest `remembered` if there is one.

    Raises: limit/open_games if the caller has created too many unfinished games.
    """
    game_id = context.store.new_game_id(remembered)
    count_open_game(context, caller.quota_key, game_id)
    return game_id


def count_open_game(context: Context, quota_key: str | None, game_id: str) -> None:
    """Count the game for `quota_key`, unless that is None. Raises: limit/open_games."""
    if quota_key is None:
        return

    def filter_unfinished(game_ids: Sequence[str]) -> set[str]:
        facts = zip(game_ids, game_facts.get_many(context, game_ids), strict=True)
        return {game for game, stored in facts if stored is not None and stored.facts.status in UNFINISHED}

    if not context.open_games.open(quota_key, game_id, context.settings.game_ttl_s, filter_unfinished):
        raise GameError("limit/open_games", limit=context.open_games.limit)
