"""The standing of players: warnings, mutes, exclusions from rated games, and bans, as JSON."""

from __future__ import annotations

from service.games.errors import GameError
from service.games.state.moments import rfc3339
from service.rulesets.wire import Json
from service.storage.people.moderation import Standing
from service.usecases.base import access
from service.usecases.base.context import Caller, Context
from service.usecases.base.profiles import player_json


def get_own(context: Context, caller: Caller) -> Json:
    """Return the caller's profile and standing. Raises: auth/banned, with reason, end and contact."""
    try:
        player = access.must_be_player(context, caller)
    except GameError as refusal:
        if refusal.code == "auth/token_unknown" and caller.player_id is not None:
            _report_ban(context, caller, caller.player_id)
        raise
    return {**player_json(player), "standing": standing_json(context.moderation.standing(player.id), context.now_ms())}


def _report_ban(context: Context, caller: Caller, player_id: str) -> None:
    """Raise auth/banned if the token is of a banned player."""
    player = context.players.get(player_id, caller.digest)
    if player is not None and player.token is not None and player.banned_at is not None:
        facts = {**ban_json(context.moderation.standing(player_id)), "contact": context.settings.contact or None}
        raise GameError("auth/banned", **{name: value for name, value in facts.items() if value is not None})


def standing_json(stored: Standing, now_ms: int) -> Json:
    """Return the warning of a player, and why and until when they are muted and excluded from rated games.

    Mutes and exclusions that have ended are null.
    """
    warning = None if stored.warned_at is None else {"at": rfc3339(stored.warned_at), "reason": stored.warning}

    def in_force(end_ms: int | None, reason: str | None) -> tuple[str | None, str | None]:
        return (None, None) if end_ms is None or end_ms <= now_ms else (rfc3339(end_ms), reason)

    muted_until, muted_reason = in_force(stored.muted_until, stored.muted_reason)
    unrated_until, unrated_reason = in_force(stored.unrated_until, stored.unrated_reason)
    return {
        "warning": warning,
        "muted_until": muted_until,
        "muted_reason": muted_reason,
        "unrated_until": unrated_until,
        "unrated_reason": unrated_reason,
    }


def ban_json(stored: Standing) -> Json:
    """Return reason and end of a ban; an end of null means for good."""
    until = None if stored.banned_until is None else rfc3339(stored.banned_until)
    return {"reason": stored.ban_reason, "until": until}
