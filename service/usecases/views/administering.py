"""The operator's part: to see which games there are. They inspect them as a reader does, and end them by aborting."""

from __future__ import annotations

from orjson import Fragment

from service.usecases.base import access, game_facts
from service.usecases.base.context import Caller, Context
from service.usecases.views import summaries
from service.usecases.views.listings import Filters


def listing(
    context: Context, caller: Caller, filters: Filters, cursor: str | None, limit: int
) -> tuple[list[Fragment], str | None]:
    """All games, private ones too, those that live longest first; and the next cursor. ValueError: cursor."""
    access.must_be_admin(context, caller)
    page = context.store.every_game(cursor, limit)
    selected = [game_id for game_id, listed in page.found.items() if filters.pass_(game_facts.facts_of(listed))]
    return summaries.of(page, selected), page.cursor
