"""Shares: how much of what all callers fill together belongs to one caller, and to one player.

A caller is an address or an application. Only a digest of it is stored.

**A shared list** is a sorted set of entries in one slot, such as the seeks that wait. Each caller and player has a set
of their entries. Only entries that are still in the list count, so an entry leaves every count when it ends or expires,
however that happens. A hash contains the holder of each entry. It is read if the list is full.

**Unfinished games** are in many slots. Each takes a place of its callers and players, which is a lease. The end of a
game does not free its place. Only when all places are taken, the games are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from redis import Redis

from service.storage.base.bucket_keys import BucketKeys
from service.storage.base.limits import Limits, budget_key
from service.storage.base.pipelining import ask_all
from service.storage.base.transactions import Argument, Condition, Read, Transaction, item

NO_LIMIT = 1 << 30
CALLER_FULL, PLAYER_FULL, LIST_FULL = "caller", "own", "all"
"""Words of a transaction that is refused because a caller, a player or all callers have too many entries."""


class Entry(NamedTuple):
    """A live entry of a shared list. `caller`: empty if an older version wrote the entry. `since`: unix ms."""

    id: str
    caller: str
    player: str
    since: int


class Share(NamedTuple):
    """The holder of a new entry, and the maximum number of entries of its caller; 0 for no limit."""

    caller: str
    player: str
    most: int = 0


NO_SHARE = Share("", "")


class SharedList:
    """A list that all callers fill. Its live entries are those in the sorted set `live` with a score above `least`."""

    def __init__(self, redis: Redis, bucket: BucketKeys, name: str, live: str, least: int = -1) -> None:
        """`name`: distinguishes the lists of a bucket."""
        self._redis, self._bucket, self._name = redis, bucket, name
        self._holders, self._live, self._least = bucket.holders(name), live, least

    def require(
        self,
        change: Transaction,
        share: Share,
        *known: Condition,
        of_all: int,
        of_player: int = NO_LIMIT,
        list_of_player: str = "",
    ) -> None:
        """Refuse the transaction if there are too many entries, unless one of the conditions `known` holds.

        `list_of_player`: a set with all live entries of the player, and perhaps others.
        """
        limits = (
            (PLAYER_FULL, list_of_player, of_player),
            (CALLER_FULL, self._list_of(share.caller), share.most or NO_LIMIT),
        )
        for word, entries, most in limits:
            if most < NO_LIMIT:
                live = Read("LIVE", entries, change.key(self._live), self._least)
                change.require(word, *known, live.is_below(most))
        change.require(LIST_FULL, *known, Read("ZCOUNT", self._live, f"({self._least}", "+inf").is_below(of_all))

    def add(self, change: Transaction, entry_id: str, share: Share, now_ms: int, lifetime_ms: int) -> None:
        """Let the transaction store the holder of a new entry. `lifetime_ms`: longest usual life of an entry."""
        entries = self._list_of(share.caller)
        if share.most:  # otherwise a caller may have too many to check
            ended = Read("ENDED", entries, change.key(self._live), self._least)
            change.run("ZREM", entries, item(), each=ended)
        change.run("ZADD", entries, now_ms, entry_id)
        change.run("HSET", self._holders, entry_id, f"{share.caller} {share.player} {now_ms}")
        for name in (entries, self._holders):
            change.run("OUTLIVE", name, lifetime_ms)

    def remove(self, change: Transaction, entry_id: Argument, caller: str = "", each: Read | None = None) -> None:
        """Let the transaction forget the holder of an entry that ends. `caller`: if it is known."""
        change.run("HDEL", self._holders, entry_id, each=each)
        if caller:
            change.run("ZREM", self._list_of(caller), entry_id)

    def read(self) -> list[Entry]:
        """Return all live entries. Forget the holders of others."""
        live = ("ZRANGEBYSCORE", self._live, f"({self._least}", "+inf")
        holders, names = ask_all(self._redis, (("HGETALL", self._holders), live))
        ended = holders.keys() - {*names}
        if ended:
            self._redis.hdel(self._holders, *ended)
        return [_entry(name.decode(), holders.get(name)) for name in names]

    def _list_of(self, caller: str) -> str:
        return self._bucket.entries_of_caller(self._name, caller)


def _entry(name: str, holder: bytes | None) -> Entry:
    caller, player, since = ("", "", "0") if holder is None else holder.decode().split(" ")
    return Entry(name, caller, player, int(since))


class Place(NamedTuple):
    """The place of a game among the unfinished games of a caller or player."""

    holder: str
    game_id: str


class OpenGames:
    """The unfinished games of callers and players."""

    BUDGET = "open_games"

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._limits = Limits(redis)

    def take(self, places: Sequence[Place], most: int, lifetime_s: int) -> list[str]:
        """Take these places, for at most `lifetime_s`. Return the holders who have `most` others already."""
        taken = self._limits.hold_all(((*place, most) for place in places), self.BUDGET, lifetime_s)
        return [place.holder for place, is_taken in zip(places, taken, strict=True) if not is_taken]

    def release(self, places: Sequence[Place]) -> None:
        """Free these places."""
        ask_all(self._redis, (("ZREM", budget_key(holder, self.BUDGET), game_id) for holder, game_id in places))

    def games_of(self, holder: str, lifetime_s: int, now_ms: int) -> dict[str, int]:
        """Return the games with a place of the holder, and unix ms since when."""
        key: Any = budget_key(holder, self.BUDGET)
        reply: Any = self._redis.zrangebyscore(key, f"({now_ms}", "+inf", withscores=True)
        return {game_id.decode(): int(until) - 1000 * lifetime_s for game_id, until in reply}
