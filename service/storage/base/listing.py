"""Lists of games over all buckets, most recently changed first: public games, all games, games of a player.

A game moves to the front with every change. Positions counted from the front would therefore skip and repeat games
between two pages. A cursor is a place in the order instead: last change, then id, both descending like in Redis. Each
bucket is in that order, and a page merges all buckets.

An expired game leaves its id behind, because expiry does not change sorted sets. The id is removed when a list is read,
or by the store's sweep. Ids are never used twice, so it does not matter when.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import merge
from itertools import islice
from typing import NamedTuple

from redis import Redis

from service.record_reader import unreadable
from service.storage.base.keys import Keys
from service.storage.base.packing import unpack_object
from service.storage.base.pipelining import ask_all
from service.storage.base.scripts import Script
from service.stored_json import UnreadableRecordError

ListingPoint = tuple[int, bytes]
"""Unix ms of the last change, game id."""
SPARE = 8
"""Ids read from each list beyond its share of a page."""
MAX_LOOKED_AT = 500
"""Ids read for one page. If many games have expired, the rest is left to the next page."""
END: ListingPoint = (2**53, b"")


class Listed(NamedTuple):
    """The part of a game that a list contains."""

    revision: int
    visibility: str
    facts: bytes
    view: bytes


UNREADABLE = Listed(0, "", b"", b"")
"""A game that stays in its lists but is not shown."""


@dataclass(frozen=True)
class Page:
    """Part of a list."""

    games: tuple[tuple[str, int], ...]
    """Game id and unix ms of its last change. Fewer than requested if many games have expired."""
    cursor: str | None
    """Cursor of the next page; None on the last page."""
    found: Mapping[str, Listed] = field(default_factory=dict, compare=False)
    """The content of each game, by id."""
    prefix: str = ""
    """Prefix of the cursors of this list."""

    def cursor_behind(self, place: tuple[str, int]) -> str:
        """Return the cursor of the page that begins behind one of these games."""
        return self.prefix + cursor_after(*place)


def cursor_after(game_id: str, ms: int) -> str:
    """Return the cursor of the page that begins behind a game."""
    return f"{ms}.{game_id}"


def expired_games(redis: Redis, keys: Keys, ids: Sequence[bytes]) -> list[bytes]:
    """Return the ids whose games no longer exist."""
    replies = ask_all(redis, (("EXISTS", keys.game(game_id.decode()).game) for game_id in ids))
    return [game_id for game_id, exists in zip(ids, replies, strict=True) if not exists]


class Lists:
    """Reads lists, each in one round trip together with its games."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._list = Script(redis, "list")

    def page(self, lists: Iterable[str], before: str | None, count: int, *, tidy: bool = True) -> Page:
        """Return up to `count` (at least 1) existing games behind the cursor `before`. Each bucket has one of the
        lists.

        `tidy`: remove the ids of expired games. False for lists in which the sweep has to find them.

        Raises `ValueError` for an invalid cursor.
        """
        before_point, names = END if before is None else read_cursor(before), list(lists)
        batch = (count + 1) // len(names) + SPARE
        parts = (self._games(name, before_point, batch, tidy=tidy) for name in names)
        ordered = merge(*parts, key=lambda entry: entry[0], reverse=True)
        entries: list[tuple[str, int]] = []
        found: dict[str, Listed] = {}
        last: tuple[str, int] | None = None
        for (ms, game_id), listed in islice(ordered, MAX_LOOKED_AT):
            if len(entries) == count:
                return Page(tuple(entries), cursor_after(*entries[-1]), found)
            last = (game_id.decode(), ms)
            if listed is not None and listed is not UNREADABLE:
                entries.append(last)
                found[last[0]] = listed
        cursor = cursor_after(*last) if last is not None and next(ordered, None) is not None else None
        return Page(tuple(entries), cursor, found)

    def _games(
        self, name: str, before_point: ListingPoint, batch_size: int, *, tidy: bool
    ) -> Iterator[tuple[ListingPoint, Listed | None]]:
        """Yield the games of a list behind a place, None for an expired game. With `tidy`, remove expired games."""
        newest, start = before_point[0], 0
        while True:
            batch = self._batch(name, newest, start, batch_size)
            expired = [game_id for (_, game_id), listed in batch if listed is None]
            if expired and tidy:
                self._redis.zrem(name, *expired)
            for point, listed in batch:
                if point < before_point:
                    yield point, listed
            if len(batch) < batch_size:
                return
            # Continue from the last place, not from an offset, because games move between two reads. Only a whole
            # batch of the same millisecond needs an offset.
            last_ms, _ = last = batch[-1][0]
            before_point = min(before_point, last)
            start = start + batch_size - (len(expired) if tidy else 0) if last_ms == newest else 0
            newest = last_ms

    def _batch(self, name: str, newest: int, start: int, size: int) -> list[tuple[ListingPoint, Listed | None]]:
        prefix = f"{name[: name.index('}') + 1]}:game:"  # the games of a list are in its bucket
        reply = self._list((name,), newest=newest, first=start, count=size, prefix=prefix)
        return [((int(ms), game_id), _read_listed(game_id.decode(), *fields)) for game_id, ms, *fields in reply]


def _read_listed(
    game_id: str, revision: bytes | None, visibility: bytes | None, facts: bytes | None, view: bytes | None
) -> Listed | None:
    if revision is None:
        return None
    try:
        return Listed(int(revision), (visibility or b"").decode(), facts or b"", unpack_object(view or b""))
    except UnreadableRecordError as damage:
        unreadable("game", game_id, damage)
        return UNREADABLE


def read_cursor(cursor: str) -> ListingPoint:
    """Return the place that a cursor names. Raises `ValueError`."""
    ms, dot, game_id = cursor.partition(".")
    if not dot or not ms.isdecimal() or not ms.isascii() or int(ms) > END[0] or not game_id.isascii():
        raise ValueError("not a cursor of this listing")
    return int(ms), game_id.encode()
