"""Games, competitions and bots as admins see them, and how they end games and competitions."""

from __future__ import annotations

from service.games.state.moments import rfc3339
from service.rulesets.wire import Json
from service.storage.base.follow_ups import LogEntry
from service.storage.base.optimistic import optimistic
from service.storage.people.moderation import ADMIN
from service.usecases.base import access, game_facts, repository
from service.usecases.base.context import Caller, Context
from service.usecases.base.profiles import player_json
from service.usecases.matchmaking import competition_records, competitions
from service.usecases.views import summaries
from service.usecases.views.listings import Filters, Selection


def list_games(context: Context, caller: Caller, filters: Filters, cursor: str | None, limit: int) -> Selection:
    """Return all games, including private ones, longest remaining lifetime first, and the next cursor.

    Raises `ValueError` for an invalid cursor.
    """
    access.must_be_staff(context, caller, ADMIN)
    page = context.store.list_all(cursor, limit)
    selected = [
        game_id
        for game_id, listed in page.found.items()
        if filters.visibility in (None, listed.visibility)
        and filters.is_match(game_facts.facts_of(listed), listed.view)
    ]
    return summaries.summaries_json(page, selected), page.cursor


def end_game(context: Context, caller: Caller, game_id: str, reason: str | None) -> None:
    """End a game without a result. Raises: game/not_found, game/over."""
    actor = access.must_be_staff(context, caller, ADMIN)

    def attempt() -> None:
        session = repository.open_session(context, repository.load(context, game_id).game)
        session.end()
        context.moderation.append(LogEntry(actor, "end_game", "game", game_id, reason))
        repository.append(context, session)

    optimistic(attempt, repository.is_stale)


def list_competitions(context: Context, caller: Caller) -> list[Json]:
    """Return all competitions that are not over, last announced first."""
    access.must_be_staff(context, caller, ADMIN)
    return competition_records.summaries(context, context.competitions.list_open())


def cancel_competition(context: Context, caller: Caller, competition_id: str, reason: str | None) -> None:
    """Cancel a competition. Raises: competition/not_found, competition/closed."""
    actor = access.must_be_staff(context, caller, ADMIN)
    competitions.cancel_as_staff(context, actor, competition_id, reason)


def list_bots(context: Context, caller: Caller) -> list[Json]:
    """Return all published bots with their owners and endpoints, last published first."""
    access.must_be_staff(context, caller, ADMIN)
    bots = sorted(context.bots.get_all(), key=lambda bot: bot.published_at, reverse=True)
    players = context.players.get_many(bot.id for bot in bots)
    return [
        {
            "player": player_json(player),
            "owner": bot.owner,
            "url": None if bot.endpoint is None else bot.endpoint["url"],
            "disabled": bot.disabled,
            "arena": bot.arena,
            "published_at": bot.published_at,
            "seen_at": rfc3339(bot.seen_at) if bot.seen_at else None,
            "failed_at": rfc3339(bot.failed_at) if bot.failed_at else None,
        }
        for bot, player in zip(bots, players, strict=True)
        if player is not None
    ]
