"""The operator's part: to see which games there are. He inspects them as a reader, and ends them by aborting."""

from __future__ import annotations

import orjson

from service.cases import access
from service.cases.context import Caller, Cases
from service.cases.reading import Filters
from service.cases.summaries import summarised
from service.rulesets.wire import Json


def listing(
    cases: Cases, caller: Caller, filters: Filters, cursor: str | None, limit: int
) -> tuple[list[Json], str | None]:
    """All games, private ones too, those that live longest first; and the next cursor. ValueError: cursor."""
    access.must_be_admin(cases, caller)
    page = cases.store.every_game(cursor, limit)
    seen = cases.store.glances([game_id for game_id, _ in page.games])
    views = (orjson.loads(found.view) for found in seen if found is not None)
    return [summarised(view) for view in views if filters.pass_(view)], page.cursor
