"""The list of all games. The operator reads games like anyone else, and ends them by aborting."""

from __future__ import annotations

from service.storage.people.moderation import ADMIN
from service.usecases.base import access, game_facts
from service.usecases.base.context import Caller, Context
from service.usecases.views import summaries
from service.usecases.views.listings import Filters, Selection


def listing(context: Context, caller: Caller, filters: Filters, cursor: str | None, limit: int) -> Selection:
    """Return all games, including private ones, longest remaining lifetime first, and the next cursor.

    Raises `ValueError` for an invalid cursor.
    """
    access.must_be_staff(context, caller, ADMIN)
    page = context.store.list_all(cursor, limit)
    selected = [
        game_id for game_id, listed in page.found.items() if filters.is_match(game_facts.facts_of(listed), listed.view)
    ]
    return summaries.summaries_json(page, selected), page.cursor
