"""The current viewers of a game as JSON."""

from __future__ import annotations

from service.rulesets.wire import Json
from service.usecases.base.context import Caller, Context
from service.usecases.base.profiles import player_json
from service.usecases.views import reading, viewers

MAX_NAMED = 20


def get(context: Context, caller: Caller, game_id: str) -> Json:
    """Return the connected seats and the watchers, the first of them with names. Raises: game/not_found."""
    reading.glance(context, caller, game_id)
    current = viewers.current_viewers(context, game_id)
    named = context.players.get_many(current.players[:MAX_NAMED])
    return {
        "seats": current.seats,
        "watching": {
            "count": len(current.players) + current.unnamed,
            "players": [player_json(player) for player in named if player is not None],
        },
    }
