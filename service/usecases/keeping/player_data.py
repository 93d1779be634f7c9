"""Export and deletion of a player's data on request, for players who cannot do it themselves."""

from __future__ import annotations

from service.games.errors import GameError
from service.rulesets.wire import Json
from service.storage.base.follow_ups import LogEntry
from service.storage.people.moderation import ADMIN
from service.usecases.base import access, handles
from service.usecases.base.context import Caller, Context
from service.usecases.people import player_exports, players


def export(context: Context, caller: Caller, word: str, reason: str | None) -> Json:
    """Return all stored data about the player with this id or handle, except secrets. Raises: player/not_found."""
    actor, player = access.must_be_staff(context, caller, ADMIN), handles.must_find(context, word)
    context.moderation.append(LogEntry(actor, "export_player", "player", player.id, reason))
    return player_exports.export_json(context, player)


def delete(context: Context, caller: Caller, word: str, reason: str | None) -> None:
    """Delete the player with this id or handle, as they could themselves. Raises: player/not_found."""
    actor, player = access.must_be_staff(context, caller, ADMIN), handles.must_find(context, word)
    if not players.delete_account(context, player, LogEntry(actor, "delete_player", "player", player.id, reason)):
        raise GameError("player/not_found")
