"""What everybody may know of a player."""

from __future__ import annotations

from service.rulesets.wire import Json
from service.storage.people.players import StoredPlayer

SHOWN = ("id", "handle", "name", "bot", "colour", "country", "created_at")


def player_json(player: StoredPlayer) -> Json:
    """A player as they are told to everybody."""
    return {name: getattr(player, name) for name in SHOWN}
