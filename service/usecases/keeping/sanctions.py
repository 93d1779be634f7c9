"""Acts of moderators on players and messages. Each changes the player and adds its entry of the log in one transaction.

An act that finds what it would set changes nothing, so two moderators may send the same. An act on a player who is
deleted at the same time is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.games.errors import GameError
from service.games.state.moments import rfc3339
from service.rulesets.wire import Json
from service.storage.base.follow_ups import Actor, DueFollowUp, FollowUp, LogEntry
from service.storage.base.optimistic import LostRaceError, optimistic
from service.storage.people.players import StoredPlayer
from service.storage.people.reservations import HANDLE
from service.usecases.base import access, handles
from service.usecases.base.context import Caller, Context
from service.usecases.base.profiles import player_json
from service.usecases.games.messages import serialize
from service.usecases.people import follow_ups, standings

UNTIL_FIELDS = {
    "mute": ("muted_until", "muted_reason"),
    "exclude_from_rated": ("unrated_until", "unrated_reason"),
}
"""Acts that need an end, and the fields that they set: the end and the reason."""
DROPPED_FIELDS: Mapping[str, tuple[str, ...]] = {
    "withdraw_warning": ("warned_at", "warning"),
    "unmute": UNTIL_FIELDS["mute"],
    "readmit_to_rated": UNTIL_FIELDS["exclude_from_rated"],
    "unban": follow_ups.BAN_FIELDS,
    "remove_name": ("name",),
    "remove_handle": ("handle",),
}
"""Acts that only drop fields."""
ACTS = ("warn", *UNTIL_FIELDS, "ban", *DROPPED_FIELDS)
MAX_NUMBER = 2**53
NOTICE = "A moderator deleted a message."


def act(
    context: Context, caller: Caller, word: str, kind: str, until_ms: int | None = None, reason: str | None = None
) -> Json:
    """Do one of `ACTS` to the player with this id or handle, and return them. Raises: player/not_found.

    `until_ms`: the end of a mute, an exclusion or a ban; None for a ban for good.
    """
    actor = access.must_be_staff(context, caller)
    return optimistic(lambda: _act(context, actor, handles.must_find(context, word), kind, until_ms, reason))


def _act(
    context: Context, actor: Actor, player: StoredPlayer, kind: str, until_ms: int | None, reason: str | None
) -> Json:
    now = context.now_ms()
    changes: dict[str, str | None] = dict.fromkeys(DROPPED_FIELDS.get(kind, ()))
    follow_up = None
    if kind == "warn":
        changes = {"warned_at": str(now), "warning": reason}
    elif kind in UNTIL_FIELDS:
        changes = dict(zip(UNTIL_FIELDS[kind], (str(until_ms), reason), strict=True))
    elif kind == "ban":
        changes, follow_up = _ban(player, now, until_ms, reason)
    elif kind == "remove_handle" and player.handle is not None:
        names = [handles.reserved_name(context, player.id, player.handle)]
        changes["handle_at"], follow_up = str(now), FollowUp(player.id, follow_ups.NAMES, {HANDLE: names})
    scheduled: DueFollowUp | None = None if follow_up is None else (follow_up, follow_ups.due_at(context))
    entry = LogEntry(actor, kind, "player", player.id, reason)
    unchanged = "handle" if kind == "remove_handle" else "created_at"
    if not context.players.change(player, changes, unchanged=unchanged, follow_up=scheduled, log_entry=entry):
        if context.players.get(player.id) is None:
            raise GameError("player/not_found")
        raise LostRaceError  # the player has changed the handle
    if follow_up is not None:
        follow_ups.execute_now(context, follow_up)
    return moderated_json(context, handles.must_find(context, player.id))


def _ban(
    player: StoredPlayer, now_ms: int, until_ms: int | None, reason: str | None
) -> tuple[dict[str, str | None], FollowUp]:
    """Return the fields of a ban, and the follow-up that ends what the player takes part in, and later the ban."""
    at, until = rfc3339(now_ms), None if until_ms is None else str(until_ms)
    facts: dict[str, Any] = {} if until_ms is None else {"until": until_ms, "banned_at": at}
    return {"banned_at": at, "banned_until": until, "ban_reason": reason}, FollowUp(player.id, follow_ups.BAN, facts)


def delete_message(context: Context, caller: Caller, game_id: str, number: int, reason: str | None) -> None:
    """Delete a message of a game. A new message says so in its place. Raises: message/not_found."""
    entry = LogEntry(access.must_be_staff(context, caller), "delete_message", "game", game_id, reason)
    notice = {"seat": None, "text": NOTICE, "at": rfc3339(context.now_ms()), "deletes": number}
    if number > MAX_NUMBER or not context.chat.remove(game_id, number, serialize(notice, None), entry):
        raise GameError("message/not_found")


def moderated_json(context: Context, player: StoredPlayer) -> Json:
    """Return the player, and what moderators have imposed on them."""
    stored = context.moderation.standing(player.id)
    ban = None if player.banned_at is None else {"at": player.banned_at, **standings.ban_json(stored)}
    standing = standings.standing_json(stored, context.now_ms())
    return {"player": player_json(player), "standing": standing, "ban": ban}
