"""Reading of the audit log. Use cases add its entries with the acts of staff, and nothing else changes it."""

from __future__ import annotations

from collections.abc import Iterator

from service.games.state.moments import rfc3339
from service.rulesets.wire import Json
from service.storage.base.follow_ups import LogEntry
from service.usecases.base import access
from service.usecases.base.context import Caller, Context

EXPORTED_AT_ONCE = 500


def page(context: Context, caller: Caller, cursor: str | None, limit: int) -> tuple[list[Json], str | None]:
    """Return entries, newest first, and the cursor of the next page. Raises `ValueError` for an invalid cursor."""
    access.must_be_staff(context, caller)
    entries = context.moderation.log(cursor, limit + 1)
    return [*map(_entry_json, entries[:limit])], entries[limit - 1].id if len(entries) > limit else None


def export(context: Context, caller: Caller, cursor: str | None) -> Iterator[Json]:
    """Return an iterator over all entries, or those after the cursor, newest first.

    Raises `ValueError` for an invalid cursor.
    """
    entries, following = page(context, caller, cursor, EXPORTED_AT_ONCE)

    def continue_export() -> Iterator[Json]:
        shown, after = entries, following
        yield from shown
        while after is not None:
            shown, after = page(context, caller, after, EXPORTED_AT_ONCE)
            yield from shown

    return continue_export()


def _entry_json(entry: LogEntry) -> Json:
    return {
        "id": entry.id,
        "at": rfc3339(entry.at_ms),
        "actor": entry.actor._asdict(),
        "act": entry.act,
        "object": {"type": entry.object_type, "id": entry.object_id},
        "reason": entry.reason,
    }
