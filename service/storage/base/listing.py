"""Lists of games, newest change first, over all buckets: the public one, those of all games, those of a player.

A game moves to the front with every change, so a position counted from the front would skip and
repeat games while one pages. The cursor is a place in the order instead, (last change, id), the id
settling ties as Redis does: descending, too. Each bucket is in that order by itself; a page is the
best of all of them.

A game that expired leaves its name behind, since expiry knows nothing of sorted sets. Its name is
taken out when it is met, here or by the store's sweep. That may be done later: ids are never used
twice, so what is gone cannot come back in between.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import merge
from itertools import islice
from typing import NamedTuple

from redis import Redis

from service.storage.base.keys import Keys
from service.storage.base.packing import unpacked
from service.storage.base.pipelining import ask_all
from service.storage.base.scripts import Script

ListingPoint = tuple[int, bytes]
"""Unix ms of the last change, game id."""
SPARE = 8
"""Names read of each list beyond its part of a page."""
MAX_LOOKED_AT = 500
"""Names for one page: of many games that expired together some are left to the next page."""
END: ListingPoint = (2**53, b"")


class Listed(NamedTuple):
    """What a list tells of a game."""

    revision: int
    visibility: str
    facts: bytes
    view: bytes


@dataclass(frozen=True)
class Page:
    """Part of a list."""

    games: tuple[tuple[str, int], ...]
    """Game id and unix ms of its last change; fewer than asked for where many have expired."""
    cursor: str | None
    """Where the next page begins; None on the last."""
    found: Mapping[str, Listed] = field(default_factory=dict, compare=False)
    """What there is of each of these games."""
    prefix: str = ""
    """What the cursors of this list begin with."""

    def cursor_behind(self, place: tuple[str, int]) -> str:
        """Where the page begins that follows this one of its games."""
        return self.prefix + cursor_after(*place)


def cursor_after(game_id: str, ms: int) -> str:
    """Where the page begins that follows this game."""
    return f"{ms}.{game_id}"


def gone(redis: Redis, keys: Keys, ids: Sequence[bytes]) -> list[bytes]:
    """Those of `ids` that are no longer games."""
    exist = ask_all(redis, (("EXISTS", keys.game(game_id.decode()).game) for game_id in ids))
    return [game_id for game_id, exists in zip(ids, exist, strict=True) if not exists]


class Lists:
    """Reads lists, each in one exchange with the games on it."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._list = Script(redis, "list")

    def page(self, lists: Iterable[str], before: str | None, count: int, *, tidy: bool = True) -> Page:
        """The `count` (at least 1) games after the place `before` that still exist, of lists that are one a bucket.

        `tidy`: names of games that are gone are taken out; not where the sweep has to find them.

        Raises `ValueError` for a cursor that is none.
        """
        before_point, names = END if before is None else read_cursor(before), list(lists)
        batch = (count + 1) // len(names) + SPARE
        ordered = merge(
            *(self._games(name, before_point, batch, tidy=tidy) for name in names), key=_point, reverse=True
        )
        entries: list[tuple[str, int]] = []
        found: dict[str, Listed] = {}
        last: tuple[str, int] | None = None
        for (ms, game_id), listed in islice(ordered, MAX_LOOKED_AT):
            if len(entries) == count:
                return Page(tuple(entries), cursor_after(*entries[-1]), found)
            last = (game_id.decode(), ms)
            if listed is not None:
                entries.append(last)
                found[last[0]] = listed
        more = last is not None and next(ordered, None) is not None
        return Page(tuple(entries), cursor_after(*last) if more and last is not None else None, found)

    def _games(
        self, name: str, before_point: ListingPoint, batch_size: int, *, tidy: bool
    ) -> Iterator[tuple[ListingPoint, Listed | None]]:
        """A list's games after the place, descending, None for what is gone; takes that out."""
        newest, start = before_point[0], 0
        while True:
            batch = self._batch(name, newest, start, batch_size)
            dead = [game_id for (_, game_id), listed in batch if listed is None]
            if dead and tidy:
                self._redis.zrem(name, *dead)
            for point, listed in batch:
                if point < before_point:
                    yield point, listed
            if len(batch) < batch_size:
                return
            # Go on from the last place, not from a count: games leave and come while one reads. Only
            # where a whole batch shares one millisecond is there nothing but the count.
            last_ms, _ = last = batch[-1][0]
            before_point = min(before_point, last)
            start = start + batch_size - (len(dead) if tidy else 0) if last_ms == newest else 0
            newest = last_ms

    def _batch(self, name: str, newest: int, start: int, size: int) -> list[tuple[ListingPoint, Listed | None]]:
        prefix = f"{name[: name.index('}') + 1]}:game:"  # the games of a list lie in its bucket
        answer = self._list((name,), newest=newest, first=start, count=size, prefix=prefix)
        return [((int(ms), game_id), _listed(*fields)) for game_id, ms, *fields in answer]


def _point(entry: tuple[ListingPoint, object]) -> ListingPoint:
    return entry[0]


def _listed(revision: bytes | None, visibility: bytes | None, facts: bytes | None, view: bytes | None) -> Listed | None:
    return (
        None
        if revision is None
        else Listed(int(revision), (visibility or b"").decode(), facts or b"", unpacked(view or b""))
    )


def read_cursor(cursor: str) -> ListingPoint:
    """The place that a cursor tells. Raises `ValueError`."""
    ms, dot, game_id = cursor.partition(".")
    if not dot or not ms.isdecimal() or not ms.isascii() or int(ms) > END[0] or not game_id.isascii():
        raise ValueError("not a cursor of this listing")
    return int(ms), game_id.encode()
