"""All that is kept of a player, as they get it."""

from __future__ import annotations

from service.rulesets.wire import Json
from service.usecases.base import access
from service.usecases.base.context import Caller, Context
from service.usecases.base.profiles import player_json
from service.usecases.games.messages import is_of, message_json
from service.usecases.matchmaking import bots, competitions
from service.usecases.notifications import devices, webhooks
from service.usecases.people import players, ratings, statistics
from service.usecases.views import player_games


def export(context: Context, caller: Caller) -> Json:
    """All that is kept of the caller, but for secrets."""
    player = access.must_be_player(context, caller)
    seats = player_games.seats(context, player.id)
    said = context.chat.of_games(list(seats))
    return {
        "player": player_json(player),
        "tokens": players.tokens(context, caller),
        "identities": players.identities(context, caller),
        "blocked": players.blocked(context, caller),
        "webhooks": webhooks.listed(context, caller),
        "devices": devices.listed(context, caller),
        "bot": bots.own(context, player),
        "ratings": ratings.everything(context, player.id),
        "statistics": statistics.of(context, player.id),
        "competitions": competitions.everything(context, player),
        "games": [
            {"id": game_id, "seats": seats[game_id], "messages": _said_by(player.id, seats[game_id], said[game_id])}
            for game_id in sorted(seats)
        ],
    }


def _said_by(player_id: str, seats: list[int], said: list[tuple[int, bytes]]) -> list[Json]:
    return [message_json(number, entry) for number, entry in said if is_of(entry, player_id, seats)]
