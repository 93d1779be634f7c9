"""Players who were seen at the same address as another, for moderators."""

from __future__ import annotations

from service.games.state.moments import rfc3339
from service.rulesets.wire import Json
from service.storage.people.address_links import PERIOD_MS, period_end
from service.usecases.base import access, handles
from service.usecases.base.context import Caller, Context
from service.usecases.base.profiles import player_json

MAX_LINKED = 100


def list_linked(context: Context, caller: Caller, word: str) -> Json:
    """Return the players who share an address with the player of this id or handle, the last seen first.

    Raises: player/not_found.
    """
    access.must_be_staff(context, caller)
    player = handles.must_find(context, word)
    seen = context.moderation.address_links.players(context.moderation.address_links.digests(player.id))
    seen.pop(player.id, None)
    newest = sorted(seen, key=lambda other_id: (-seen[other_id], other_id))[:MAX_LINKED]
    others = [other for other in context.players.get_many(newest) if other is not None]
    since_ms = period_end(context.now_ms()) - PERIOD_MS
    return {
        "since": rfc3339(since_ms) if context.settings.links_players else None,
        "players": [{"player": player_json(other), "last_seen_at": rfc3339(seen[other.id])} for other in others],
    }
