"""Export of all data about a player."""

from __future__ import annotations

from service.games.state.moments import rfc3339
from service.rulesets.wire import Json
from service.usecases.base import access
from service.usecases.base.context import Caller, Context
from service.usecases.base.profiles import player_json
from service.usecases.games.messages import is_from, message_json
from service.usecases.matchmaking import bots, competitions
from service.usecases.notifications import devices, webhooks
from service.usecases.people import players, ratings, relations, reports, standings, statistics
from service.usecases.views import player_games


def export(context: Context, caller: Caller) -> Json:
    """Return all stored data about the caller, except secrets."""
    player = access.must_be_player(context, caller)
    seats = player_games.seats(context, player.id)
    messages = {
        game_id: [message_json(number, entry) for number, entry in entries if is_from(entry, player.id, seats[game_id])]
        for game_id, entries in context.chat.get_many(list(seats)).items()
    }
    return {
        "player": player_json(player),
        "standing": standings.standing_json(context.moderation.standing(player.id), context.now_ms()),
        "tokens": players.tokens(context, caller),
        "identities": players.identities(context, caller),
        "blocked": relations.list_blocked(context, caller),
        "following": relations.list_following(context, caller),
        "webhooks": webhooks.list_webhooks(context, caller),
        "devices": devices.list_devices(context, caller),
        "bot": bots.own_bot(context, player),
        "ratings": ratings.all_ratings(context, player.id),
        "statistics": statistics.statistics_json(context, player.id),
        "competitions": competitions.list_of_player(context, player),
        "reports": reports.list_own(context, caller),
        "addresses": [
            {"digest": digest, "last_seen_at": rfc3339(ms)}
            for digest, ms in context.moderation.address_links.digests(player.id).items()
        ],
        "games": [{"id": game_id, "seats": seats[game_id], "messages": messages[game_id]} for game_id in sorted(seats)],
    }
