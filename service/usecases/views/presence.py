"""Who looks at a game now, as it is told to those who may read the game."""

from __future__ import annotations

from service.rulesets.wire import Json
from service.usecases.base.context import Caller, Context
from service.usecases.base.profiles import player_json
from service.usecases.views import reading, viewers

MAX_NAMED = 20


def present(context: Context, caller: Caller, game_id: str) -> Json:
    """The seats that are connected, and who watches; players first, as many as are named. game/not_found."""
    reading.glance(context, caller, game_id)
    looking = viewers.looking(context, game_id)
    named = context.players.every(looking.players[:MAX_NAMED])
    return {
        "seats": looking.seats,
        "watching": {
            "count": len(looking.players) + looking.unnamed,
            "players": [player_json(player) for player in named if player is not None],
        },
    }
