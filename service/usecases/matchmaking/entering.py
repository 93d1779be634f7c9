"""Who may enter a competition, and how an entry changes it."""

from __future__ import annotations

import hmac
from dataclasses import replace

from service.competitions.model import ARENA, COMING, ENTERED, MAX_ENTRANTS, REMOVED, RUNNING, Competition, Entrant
from service.games.errors import GameError
from service.storage.base.shares import Share
from service.storage.matchmaking.competitions import MAX_REMEMBERED_OF_A_PLAYER
from service.storage.people.players import StoredPlayer
from service.usecases.base import published_bots
from service.usecases.base.context import Context
from service.usecases.base.published_bots import BOTS_ALONE, EVERYBODY, PEOPLE_ALONE
from service.usecases.matchmaking import competition_records

MAX_AT_ONCE = 10
MAX_COMPETITIONS_SHOWN = 100


def must_be_allowed_to_enter(
    context: Context, competition: Competition, player: StoredPlayer, invitation: str | None, *, mixed: bool
) -> None:
    """Raise an error unless the player may enter.

    Raises: competition/not_for_you, competition/invitation, game/not_mixed, limit/competitions.
    """
    plan = competition.plan
    if plan.open_to not in (EVERYBODY, BOTS_ALONE if player.bot else PEOPLE_ALONE):
        raise GameError("competition/not_for_you", open_to=plan.open_to)
    if plan.invitation is not None and not hmac.compare_digest(plan.invitation.encode(), (invitation or "").encode()):
        raise GameError("competition/invitation")
    if plan.settings["rated"] and plan.open_to == EVERYBODY and not mixed:
        bot = published_bots.find_published(context, [player]).get(player.id)
        if bot is None or bot.rated != EVERYBODY:
            raise GameError("game/not_mixed")
    entered_ids = context.competitions.list_entered(player.id, context.now_ms())
    if len(entered_ids) >= MAX_REMEMBERED_OF_A_PLAYER:
        raise GameError("limit/competitions", limit=MAX_REMEMBERED_OF_A_PLAYER)
    statuses = [one["status"] for one in competition_records.summaries(context, entered_ids[:MAX_COMPETITIONS_SHOWN])]
    if sum(status in (COMING, RUNNING) for status in statuses) >= MAX_AT_ONCE:
        raise GameError("limit/competitions", limit=MAX_AT_ONCE)


def enter(competition: Competition, player: StoredPlayer, points: int, share: Share, now_ms: int) -> Competition | None:
    """Return the competition with the player's entry, or None if they have entered already.

    Raises: competition/removed, competition/closed, competition/full, limit/competitions.
    """
    own_entry = competition.entrant_of(player.id)
    if own_entry is not None and own_entry.status == REMOVED:
        raise GameError("competition/removed")
    late = competition.status == RUNNING and competition.plan.format == ARENA
    if own_entry is not None and own_entry.status == ENTERED and not competition.is_over:
        return None
    if competition.status != COMING and not late:
        raise GameError("competition/closed", became=competition.status)
    if own_entry is not None:
        return competition.with_entrant(replace(own_entry, status=ENTERED, free_since=now_ms))
    full = len(competition.active) >= competition.plan.most_players
    if full or len(competition.entrants) >= 2 * MAX_ENTRANTS:
        raise GameError("competition/full", limit=competition.plan.most_players)
    if share.most and sum(one.caller == share.caller for one in competition.entrants) >= share.most:
        raise GameError("limit/competitions", limit=share.most)
    number = 1 + max((one.number for one in competition.entrants), default=0)
    entrant = Entrant(
        number, player.id, player.display_name, player.bot, points, now_ms, free_since=now_ms, caller=share.caller
    )
    return competition.with_entrant(entrant)
