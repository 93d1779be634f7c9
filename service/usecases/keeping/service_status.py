"""The announcement that everyone sees, and maintenance, during which nothing new begins. Admins set both.

Both are in Redis, so they apply to all processes at once. Only operations that create something check for maintenance.
Running games, rounds of running competitions and seeks that wait go on.
"""

from __future__ import annotations

from service.games.errors import GameError
from service.games.state.moments import parse_ms, rfc3339, seconds_until
from service.rulesets.wire import Json
from service.storage.base.follow_ups import LogEntry
from service.storage.people.moderation import ADMIN
from service.usecases.base import access
from service.usecases.base.context import Caller, Context

ANNOUNCEMENT, MAINTENANCE = "announcement", "maintenance"
USUAL_RETRY_AFTER_S = 60
"""Retry-After during maintenance without an end."""
LONGEST_RETRY_AFTER_S = 3600
LOGGED_ACTS = {
    (ANNOUNCEMENT, True): "set_announcement",
    (ANNOUNCEMENT, False): "remove_announcement",
    (MAINTENANCE, True): "begin_maintenance",
    (MAINTENANCE, False): "end_maintenance",
}


def read(context: Context) -> Json:
    """Return the announcement and the maintenance, null for what is not set or over."""
    names, now = (ANNOUNCEMENT, MAINTENANCE), context.now_ms()
    statuses = zip(names, context.moderation.service_status(*names), strict=True)
    return {name: status if _is_current(status, now) else None for name, status in statuses}


def change(context: Context, caller: Caller, name: str, status: Json | None) -> Json | None:
    """Set or remove (None) the announcement or the maintenance, and return it."""
    actor = access.must_be_staff(context, caller, ADMIN)
    if status is not None and status["until"] is not None:
        status = {**status, "until": rfc3339(parse_ms(status["until"]))}
    reason = None if status is None or name == ANNOUNCEMENT else status["reason"]
    entry = LogEntry(actor, LOGGED_ACTS[name, status is not None], "service", name, reason)
    context.moderation.set_service_status(name, status, entry)
    return status


def must_not_be_in_maintenance(context: Context) -> None:
    """Refuse to begin something new. Raises: service/maintenance, with reason and end."""
    (status,) = context.moderation.service_status(MAINTENANCE)
    if status is None or not _is_current(status, now := context.now_ms()):
        return
    wait_s, facts = USUAL_RETRY_AFTER_S, {name: value for name, value in status.items() if value is not None}
    if "until" in facts:
        wait_s = min(seconds_until(parse_ms(facts["until"]), now), LONGEST_RETRY_AFTER_S)
    raise GameError("service/maintenance", retry_after_s=wait_s, **facts)


def _is_current(status: Json | None, now_ms: int) -> bool:
    return status is not None and (status["until"] is None or now_ms < parse_ms(status["until"]))
