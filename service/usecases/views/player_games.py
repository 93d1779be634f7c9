"""The games of a player for lists and exports: those in Redis first, then those only in the archive.

A list per player names their archived games. Games that are also in Redis are skipped there, so each game appears once.
"""

from __future__ import annotations

from dataclasses import replace

from service.storage.base.listing import MAX_LOOKED_AT, Page
from service.storage.games.archive_queue import listed_game
from service.usecases.base import access, archived_games
from service.usecases.base.context import Context

ARCHIVED = "archived."
"""Prefix of cursors into the archived games."""
READ_AT_ONCE = 100


def page(context: Context, player_id: str, cursor: str | None, count: int) -> Page:
    """Return a page of the player's games, last changed first.

    Raises `ValueError` for an invalid cursor, `ArchiveUnavailableError`.
    """
    if cursor is not None and cursor.startswith(ARCHIVED):
        return _archived_page(context, player_id, cursor.removeprefix(ARCHIVED) or None, count)
    stored = context.players.games(player_id, cursor, count)
    if stored.cursor is None and context.archive is not None and _archived_names(context, player_id, None, 1).games:
        return replace(stored, cursor=ARCHIVED)
    return stored


def _archived_page(context: Context, player_id: str, before: str | None, count: int) -> Page:
    page = _archived_names(context, player_id, before, count)
    records = archived_games.read_records(context, [game_id for game_id, _ in page.games])
    listed = {game_id: listed_game(record) for game_id, record in records.items()}
    return replace(page, games=tuple(place for place in page.games if place[0] in listed), found=listed)


def _archived_names(context: Context, player_id: str, before: str | None, count: int) -> Page:
    """Return a page with the names of games that are only in the archive."""
    places = context.archive_queue.page(player_id, before, MAX_LOOKED_AT)
    listed = context.archive_queue.games_in_redis(player_id, [game_id for game_id, _ in places])
    remaining = [place for place in places if place[0] not in listed]
    page = Page(tuple(remaining[:count]), None, prefix=ARCHIVED)
    if len(remaining) > count:
        return replace(page, cursor=page.cursor_behind(remaining[count - 1]))
    return replace(page, cursor=page.cursor_behind(places[-1])) if len(places) == MAX_LOOKED_AT else page


def seats(context: Context, player_id: str) -> dict[str, list[int]]:
    """Return the player's seats in each of their games. Raises `ArchiveUnavailableError`."""
    holder, game_ids = f"player:{player_id}", context.players.game_ids(player_id)
    roles = context.store.roles_in(game_ids, holder)
    glances = zip(game_ids, context.store.glances(game_ids), strict=True)
    roles_by_game = {game_id: roles.get(game_id, "") for game_id, one in glances if one is not None}
    archived = sorted({*game_ids, *context.archive_queue.game_ids(player_id)} - roles_by_game.keys())
    for at in range(0, len(archived), READ_AT_ONCE):
        for game_id, record in archived_games.read_records(context, archived[at : at + READ_AT_ONCE]).items():
            roles_by_game[game_id] = record.holders.get(holder, "")
    return {game_id: access.seats_of(frozenset(text.split())) for game_id, text in roles_by_game.items()}
