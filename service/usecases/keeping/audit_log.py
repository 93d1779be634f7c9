"""Reading of the audit log. Use cases add its entries with the acts of staff, and nothing else changes it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from service.games.state.moments import rfc3339
from service.rulesets.wire import Json
from service.storage.base.follow_ups import LogEntry
from service.usecases.base import access
from service.usecases.base.context import Caller, Context

FILTERED_AT_ONCE = EXPORTED_AT_ONCE = 500
MAX_READS = 20
"""Reads for a page of entries that match filters."""


class Filters(NamedTuple):
    """Filters of entries. `contains`: a text in actor, object or reason, in any case."""

    act: str | None = None
    contains: str | None = None

    def accepts(self, entry: LogEntry) -> bool:
        """Return whether an entry matches the filters."""
        texts = (*entry.actor, entry.object_type, entry.object_id, entry.reason)
        contents = "\n".join(filter(None, texts)).casefold()
        return self.act in (None, entry.act) and (self.contains or "").casefold() in contents


EVERYTHING = Filters()


def page(
    context: Context, caller: Caller, cursor: str | None, limit: int, filters: Filters = EVERYTHING
) -> tuple[list[Json], str | None]:
    """Return entries, newest first, and the cursor of the next page. Raises `ValueError` for an invalid cursor.

    With filters, a page before the last one can be short, because at most `MAX_READS` parts of the log are read.
    """
    access.must_be_staff(context, caller)
    count, found = limit + 1 if filters == EVERYTHING else FILTERED_AT_ONCE, list[LogEntry]()
    for _ in range(MAX_READS):
        entries = context.moderation.log(cursor, count)
        found += filter(filters.accepts, entries)
        if len(found) > limit:
            return [*map(_entry_json, found[:limit])], found[limit - 1].id
        cursor = entries[-1].id if len(entries) == count else None
        if cursor is None:
            break
    return [*map(_entry_json, found)], cursor


def export(context: Context, caller: Caller, cursor: str | None, filters: Filters = EVERYTHING) -> Iterator[Json]:
    """Return an iterator over all entries that match, or those after the cursor, newest first.

    Raises `ValueError` for an invalid cursor.
    """
    entries, following = page(context, caller, cursor, EXPORTED_AT_ONCE, filters)

    def continue_export() -> Iterator[Json]:
        shown, after = entries, following
        yield from shown
        while after is not None:
            shown, after = page(context, caller, after, EXPORTED_AT_ONCE, filters)
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
