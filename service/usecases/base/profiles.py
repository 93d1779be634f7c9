"""Public profiles of players."""

from __future__ import annotations

from service.rulesets.wire import Json
from service.storage.people.players import StoredPlayer

PUBLIC_FIELDS = ("id", "handle", "name", "bot", "colour", "country", "created_at")


def player_json(player: StoredPlayer) -> Json:
    """Return the public profile of a player."""
    return {name: getattr(player, name) for name in PUBLIC_FIELDS}
