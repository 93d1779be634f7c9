"""Public profiles of players."""

from __future__ import annotations

from service.rulesets.wire import Json
from service.storage.people.players import StoredPlayer
from service.usecases.base.context import Context

PUBLIC_FIELDS = ("id", "handle", "name", "bot", "colour", "country", "created_at")


def player_json(player: StoredPlayer) -> Json:
    """Return the public profile of a player."""
    return {name: getattr(player, name) for name in PUBLIC_FIELDS}


def is_banned(context: Context, player_id: str | None) -> bool:
    """Return whether there is such a player and they are banned. The service then calls none of their endpoints."""
    player = None if player_id is None else context.players.get(player_id)
    return player is not None and player.banned_at is not None
