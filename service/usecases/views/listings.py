"""Lists of games with filters: those that are public, and those of a player."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from orjson import Fragment

from service.games.facts import Facts
from service.storage.base.listing import Page
from service.usecases.base import access, game_facts, handles
from service.usecases.base.context import Caller, Context
from service.usecases.views import player_games, summaries

MAX_SCANNED = 200  # listed games looked at for one page, so that a filter that matches nothing stays cheap
SCANNED_AT_ONCE = 50
PUBLIC = "public"


@dataclass(frozen=True)
class Filters:
    """Which games of a listing are wanted; None: any."""

    ruleset: str | None = None
    variant: str | None = None
    status: str | None = None
    open_seats: bool | None = None
    updated_since: datetime | None = None

    def pass_(self, facts: Facts) -> bool:
        """Whether the game is wanted."""
        return (
            self.ruleset in (None, facts.ruleset)
            and self.variant in (None, facts.variant)
            and self.status in (None, facts.status)
            and self.open_seats in (None, facts.has_open_seat)
            and not self.too_old(facts)
        )

    def too_old(self, facts: Facts) -> bool:
        """Whether it changed last before what is asked for."""
        return self.updated_since is not None and facts.updated_ms < 1000 * self.updated_since.timestamp()


ANY = Filters()


def listing(
    context: Context, filters: Filters, cursor: str | None = None, limit: int = 50
) -> tuple[list[Fragment], str | None]:
    """Public games, last changed first, that pass the filters; and the cursor of the next page. ValueError: cursor.

    Where few games pass, a page may hold fewer than `limit`, or none, and a cursor all the same.
    """
    return _selected(context.store.listing, filters, cursor, limit, public=True)


def of_player(
    context: Context, caller: Caller, word: str, filters: Filters, cursor: str | None, limit: int
) -> tuple[list[Fragment], str | None]:
    """The same of the games in which the player of this id or handle has a seat; to themselves, public or not.

    player/not_found.
    """
    asking, player = access.player_of(context, caller), handles.found(context, word)
    return _of(context, player.id, filters, cursor, limit, public=asking is None or asking.id != player.id)


def own(
    context: Context, caller: Caller, filters: Filters, cursor: str | None, limit: int
) -> tuple[list[Fragment], str | None]:
    """The same of the games in which the caller has a seat, public or not."""
    return _of(context, access.must_be_player(context, caller).id, filters, cursor, limit, public=False)


def _of(
    context: Context, player_id: str, filters: Filters, cursor: str | None, limit: int, *, public: bool
) -> tuple[list[Fragment], str | None]:
    return _selected(
        lambda *where: player_games.page(context, player_id, *where), filters, cursor, limit, public=public
    )


def _selected(
    pages: Callable[[str | None, int], Page], filters: Filters, cursor: str | None, limit: int, *, public: bool
) -> tuple[list[Fragment], str | None]:
    """What passes the filters of a list, if it must be so, of its public games."""
    found: list[Fragment] = []
    size = limit if filters == ANY else SCANNED_AT_ONCE
    for _ in range(MAX_SCANNED // SCANNED_AT_ONCE):
        page, wanted = pages(cursor, size), list[str]()
        for place in page.games:
            listed = page.found[place[0]]
            if public and listed.visibility != PUBLIC:
                continue
            if filters != ANY:
                facts = game_facts.facts_of(listed)
                if filters.too_old(facts):
                    return found + summaries.of(page, wanted), None
                if not filters.pass_(facts):
                    continue
            wanted.append(place[0])
            if len(found) + len(wanted) == limit:
                next_cursor = page.cursor if place == page.games[-1] else page.cursor_behind(place)
                return found + summaries.of(page, wanted), next_cursor
        found += summaries.of(page, wanted)
        cursor = page.cursor
        if cursor is None:
            break
    return found, cursor
