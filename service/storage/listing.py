"""Lists of games, newest change first, over all buckets: the public one, those of all games, those of a player.

A game moves to the front with every change, so a position counted from the front would skip and
repeat games while one pages. The cursor is a place in the order instead, (last change, id), the id
settling ties as Redis does: descending, too. Each bucket is in that order by itself; a page is the
best of all of them.

A game that expired leaves its name behind, since expiry knows nothing of sorted sets. Its name is
taken out when it is met, here or by the store's sweep. That needs no script: ids are never used
twice, so what is gone cannot come back in between.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import merge
from itertools import islice
from typing import cast

from redis import Redis

from service.storage.connect import away
from service.storage.keys import Keys

ListingPoint = tuple[int, bytes]
"""Unix ms of the last change, game id."""
SPARE = 8
"""Names read of each list beyond its part of a page."""
MOST_LOOKED_AT = 500
"""Names for one page: of many games that expired together some are left to the next page."""
END: ListingPoint = (2**53, b"")


@dataclass(frozen=True)
class Page:
    """Part of the listing."""

    games: tuple[tuple[str, int], ...]
    """Game id and unix ms of its last change; fewer than asked for where many have expired."""
    cursor: str | None
    """Where the next page begins; None on the last."""


def cursor_after(game_id: str, ms: int) -> str:
    """Where the page begins that follows this game."""
    return f"{ms}.{game_id}"


def page(redis: Redis, keys: Keys, lists: Iterable[str], before: str | None, count: int, *, tidy: bool = True) -> Page:
    """The `count` (at least 1) games after the place `before` that still exist, of lists that are one a bucket.

    `tidy`: names of games that are gone are taken out; not where the sweep has to find them.

    Raises `ValueError` for a cursor that is none.
    """
    before_point, names = END if before is None else _read(before), list(lists)
    batch = (count + 1) // len(names) + SPARE
    ordered = merge(*(_names(redis, keys, name, before_point, batch, tidy=tidy) for name in names), reverse=True)
    entries: list[tuple[str, int]] = []
    last: tuple[str, int] | None = None
    for ms, game_id, exists in islice(ordered, MOST_LOOKED_AT):
        if len(entries) == count:
            return Page(tuple(entries), cursor_after(*entries[-1]))
        last = (game_id.decode(), ms)
        if exists:
            entries.append(last)
    more = last is not None and next(ordered, None) is not None
    return Page(tuple(entries), cursor_after(*last) if more and last is not None else None)


def gone(redis: Redis, keys: Keys, ids: Sequence[bytes]) -> list[bytes]:
    """Those of `ids` that are no longer games."""
    pipeline = redis.pipeline(transaction=False)
    for game_id in ids:
        pipeline.exists(keys.game(game_id.decode()).game)
    with away(redis):
        exist = pipeline.execute()
    return [game_id for game_id, exists in zip(ids, exist, strict=True) if not exists]


def _names(
    redis: Redis, keys: Keys, name: str, before_point: ListingPoint, batch_size: int, *, tidy: bool
) -> Iterator[tuple[int, bytes, bool]]:
    """A list's games after `place`, descending, each with whether it still exists; takes out those that do not."""
    newest, start = before_point[0], 0
    while True:
        answer = redis.zrevrangebyscore(
            name, newest, "-inf", start=start, num=batch_size, withscores=True, score_cast_func=int
        )
        batch = cast("list[tuple[bytes, int]]", answer)
        dead = set(gone(redis, keys, [game_id for game_id, _ in batch]))
        if dead and tidy:
            redis.zrem(name, *dead)
        for game_id, ms in batch:
            if (ms, game_id) < before_point:
                yield ms, game_id, game_id not in dead
        if len(batch) < batch_size:
            return
        # Go on from the last place, not from a count: games leave and come while one reads. Only
        # where a whole batch shares one millisecond is there nothing but the count.
        last, last_ms = batch[-1]
        before_point = min(before_point, (last_ms, last))
        start = start + batch_size - (len(dead) if tidy else 0) if last_ms == newest else 0
        newest = last_ms


def _read(cursor: str) -> ListingPoint:
    ms, dot, game_id = cursor.partition(".")
    if not dot or not ms.isdecimal() or not ms.isascii() or int(ms) > END[0] or not game_id.isascii():
        raise ValueError("not a cursor of this listing")
    return int(ms), game_id.encode()
