"""Filtered lists of public games and of a player's games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from orjson import Fragment

from service.games.facts import Facts
from service.storage.base.listing import Page
from service.usecases.base import access, game_facts, handles
from service.usecases.base.context import Caller, Context
from service.usecases.views import player_games, summaries

MAX_SCANNED = 200  # games checked for one page, so a filter that matches nothing stays cheap
SCANNED_AT_ONCE = 50
PUBLIC = "public"


@dataclass(frozen=True)
class Filters:
    """Filters of a list; None matches any value."""

    ruleset: str | None = None
    variant: str | None = None
    status: str | None = None
    open_seats: bool | None = None
    updated_since: datetime | None = None
    opponent: str | None = None
    """Id of another player with a seat."""
    visibility: str | None = None
    """Only lists of the staff contain games that are not public."""

    def is_match(self, facts: Facts, view: bytes) -> bool:
        """Return whether the game matches all filters. `view`: as JSON, without spaces."""
        return (
            self.ruleset in (None, facts.ruleset)
            and self.variant in (None, facts.variant)
            and self.status in (None, facts.status)
            and self.open_seats in (None, facts.has_open_seat)
            and (self.opponent is None or f'"player":"{self.opponent}"'.encode() in view)
            and not self.is_too_old(facts)
        )

    def is_too_old(self, facts: Facts) -> bool:
        """Return whether the game's last change was before `updated_since`."""
        return self.updated_since is not None and facts.updated_ms < 1000 * self.updated_since.timestamp()


ANY = Filters()
Selection = tuple[list[Fragment], str | None]
"""A page of games and the cursor of the next page."""


def listing(context: Context, filters: Filters, cursor: str | None = None, limit: int = 50) -> Selection:
    """Return public games that match, last changed first, and the cursor of the next page.

    A page can have fewer games than `limit`, or none, and still have a next one. Raises `ValueError` for an invalid
    cursor.
    """
    return _select(context.store.list_public, filters, cursor, limit, public=True)


def of_player(
    context: Context, caller: Caller, word: str, filters: Filters, cursor: str | None, limit: int
) -> Selection:
    """Return games with a seat of the player with this id or handle, as `listing` does.

    Games that are not public are listed for the player themselves. Raises: player/not_found.
    """
    viewer, player = access.player_of(context, caller), handles.must_find(context, word)
    pages = partial(player_games.page, context, player.id)
    return _select(pages, filters, cursor, limit, public=viewer is None or viewer.id != player.id)


def list_own(context: Context, caller: Caller, filters: Filters, cursor: str | None, limit: int) -> Selection:
    """Return the caller's games, public or not, as `listing` does. The filter `opponent` may be a handle.

    Raises: player/not_found.
    """
    if filters.opponent is not None:
        filters = replace(filters, opponent=handles.must_find(context, filters.opponent).id)
    pages = partial(player_games.page, context, access.must_be_player(context, caller).id)
    return _select(pages, filters, cursor, limit, public=False)


def _select(
    pages: Callable[[str | None, int], Page], filters: Filters, cursor: str | None, limit: int, *, public: bool
) -> Selection:
    """Collect a page of games that match the filters; with `public`, only public ones."""
    results: list[Fragment] = []
    size = limit if filters == ANY else SCANNED_AT_ONCE
    for _ in range(MAX_SCANNED // SCANNED_AT_ONCE):
        page, selected = pages(cursor, size), list[str]()
        for place in page.games:
            listed = page.found[place[0]]
            if public and listed.visibility != PUBLIC:
                continue
            if filters != ANY:
                facts = game_facts.facts_of(listed)
                if filters.is_too_old(facts):
                    return results + summaries.summaries_json(page, selected), None
                if not filters.is_match(facts, listed.view):
                    continue
            selected.append(place[0])
            if len(results) + len(selected) == limit:
                next_cursor = page.cursor if place == page.games[-1] else page.cursor_behind(place)
                return results + summaries.summaries_json(page, selected), next_cursor
        results += summaries.summaries_json(page, selected)
        cursor = page.cursor
        if cursor is None:
            break
    return results, cursor
