"""The games of a player, as lists and exports need them: those in Redis, and behind them those that are only archived.

What is archived is named in a list of the player's own. A game that stands in the list of Redis, too, is passed over
there, so each is told once.
"""

from __future__ import annotations

from dataclasses import replace

from service.storage.base.listing import MAX_LOOKED_AT, Page
from service.storage.games.archive_queue import listed_of
from service.usecases.base import access, archived
from service.usecases.base.context import Context

ARCHIVED = "archived."
"""What a cursor begins with among the archived games."""
READ_AT_ONCE = 100


def page(context: Context, player_id: str, cursor: str | None, count: int) -> Page:
    """Return a page of the player's games, last changed first.

    Raises `ValueError` for an invalid cursor, `ArchiveUnavailableError`.
    """
    if cursor is not None and cursor.startswith(ARCHIVED):
        return _archived(context, player_id, cursor.removeprefix(ARCHIVED) or None, count)
    found = context.players.games(player_id, cursor, count)
    if found.cursor is None and context.archive is not None and _only_archived(context, player_id, None, 1).games:
        return replace(found, cursor=ARCHIVED)
    return found


def _archived(context: Context, player_id: str, before: str | None, count: int) -> Page:
    named = _only_archived(context, player_id, before, count)
    records = archived.every(context, [game_id for game_id, _ in named.games])
    found = {game_id: listed_of(record) for game_id, record in records.items()}
    return replace(named, games=tuple(place for place in named.games if place[0] in found), found=found)


def _only_archived(context: Context, player_id: str, before: str | None, count: int) -> Page:
    """Their names."""
    places = context.archivals.page(player_id, before, MAX_LOOKED_AT)
    listed = context.archivals.listed(player_id, [game_id for game_id, _ in places])
    left = [place for place in places if place[0] not in listed]
    named = Page(tuple(left[:count]), None, prefix=ARCHIVED)
    if len(left) > count:
        return replace(named, cursor=named.cursor_behind(left[count - 1]))
    return replace(named, cursor=named.cursor_behind(places[-1])) if len(places) == MAX_LOOKED_AT else named


def seats(context: Context, player_id: str) -> dict[str, list[int]]:
    """The player's seats in each of their games, and in each that names them. Raises `ArchiveUnavailableError`."""
    holder, game_ids = f"player:{player_id}", context.players.game_ids(player_id)
    roles = context.store.roles_in(game_ids, holder)
    there = zip(game_ids, context.store.glances(game_ids), strict=True)
    found = {game_id: roles.get(game_id, "") for game_id, seen in there if seen is not None}
    elsewhere = sorted({*game_ids, *context.archivals.game_ids(player_id)} - found.keys())
    for at in range(0, len(elsewhere), READ_AT_ONCE):
        for game_id, record in archived.every(context, elsewhere[at : at + READ_AT_ONCE]).items():
            found[game_id] = record.holders.get(holder, "")
    return {game_id: access.seats_of(frozenset(held.split())) for game_id, held in found.items()}
