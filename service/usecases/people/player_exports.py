"""Export of all data about a player."""

from __future__ import annotations

from service.games.state.moments import rfc3339
from service.rulesets.wire import Json
from service.storage.people.players import StoredPlayer
from service.usecases.base import access
from service.usecases.base.context import Caller, Context
from service.usecases.base.profiles import player_json
from service.usecases.games.messages import is_from, message_json
from service.usecases.matchmaking import bots, competitions
from service.usecases.notifications import devices, webhooks
from service.usecases.people import players, ratings, relations, reports, standings, statistics
from service.usecases.puzzles import puzzle_progress
from service.usecases.views import player_games


def export(context: Context, caller: Caller) -> Json:
    """Return all stored data about the caller, except secrets."""
    return export_json(context, access.must_be_player(context, caller))


def export_json(context: Context, player: StoredPlayer) -> Json:
    """Return all stored data about a player, except secrets."""
    seats = player_games.seats(context, player.id)
    messages = {
        game_id: [message_json(number, entry) for number, entry in entries if is_from(entry, player.id, seats[game_id])]
        for game_id, entries in context.chat.get_many(list(seats)).items()
    }
    return {
        "player": player_json(player),
        "standing": standings.standing_json(context.moderation.standing(player.id), context.now_ms()),
        "tokens": players.tokens_json(context, player),
        "identities": players.identities_json(context, player),
        "blocked": relations.blocked_json(context, player),
        "following": relations.following_json(context, player),
        "webhooks": webhooks.webhooks_json(context, player),
        "devices": devices.devices_json(context, player),
        "bot": bots.own_bot(context, player),
        "ratings": ratings.all_ratings(context, player.id),
        "statistics": statistics.statistics_json(context, player.id),
        "puzzles": puzzle_progress.export_json(context, player.id),
        "competitions": competitions.list_of_player(context, player),
        "reports": reports.reports_json(context, player),
        "addresses": [
            {"digest": digest, "last_seen_at": rfc3339(ms)}
            for digest, ms in context.moderation.address_links.digests(player.id).items()
        ],
        "games": [{"id": game_id, "seats": seats[game_id], "messages": messages[game_id]} for game_id in sorted(seats)],
    }
