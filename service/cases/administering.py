"""The operator's part: to see which games there are. They inspect them as a reader does, and end them by aborting."""

from __future__ import annotations

from service.cases import access, known, summaries
from service.cases.context import Caller, Cases
from service.cases.reading import Filters
from service.rulesets.wire import Json


def listing(
    cases: Cases, caller: Caller, filters: Filters, cursor: str | None, limit: int
) -> tuple[list[Json], str | None]:
    """All games, private ones too, those that live longest first; and the next cursor. ValueError: cursor."""
    access.must_be_admin(cases, caller)
    page = cases.store.every_game(cursor, limit)
    ids = [game_id for game_id, _ in page.games]
    seen = zip(ids, known.games(cases, ids), strict=True)
    wanted = [game_id for game_id, found in seen if found is not None and filters.pass_(found.facts)]
    return summaries.of(cases, wanted), page.cursor
