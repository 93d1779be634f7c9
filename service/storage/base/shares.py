"""Shares: how much of what all callers fill together belongs to one caller, and to one player.

A caller is an address or an application. Only a digest of it is stored.

**A shared list** is a sorted set of entries in one slot, such as the seeks that wait. The hash beside it contains the
holder of each entry. Only entries that are still in the list count, so the counts are right even if an entry expired.

**Unfinished games** are in many slots. Each takes a place of its callers and players, which is a lease. The end of a
game does not free its place. Only when all places are taken, the games are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from redis import Redis

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

    def __init__(self, redis: Redis, live: str, holders: str, least: int = -1) -> None:
        self._redis = redis
        self._live, self._holders, self._least = live, holders, least

    def require(
        self, change: Transaction, share: Share, *known: Condition, of_all: int, of_player: int = NO_LIMIT
    ) -> None:
        """Refuse the transaction if there are too many entries, unless one of the conditions `known` holds."""
        limits = ((PLAYER_FULL, share.player, of_player), (CALLER_FULL, share.caller, share.most or NO_LIMIT))
        for word, holder, most in limits:
            if most < NO_LIMIT:
                held = Read("HELD", self._holders, change.key(self._live), self._least, f"{holder} ")
                change.require(word, *known, held.is_below(most))
        change.require(LIST_FULL, *known, Read("ZCOUNT", self._live, f"({self._least}", "+inf").is_below(of_all))

    def add(self, change: Transaction, entry_id: str, share: Share, now_ms: int, lifetime_ms: int | None) -> None:
        """Let the transaction store the holder of a new entry, and forget those of ended entries.

        `lifetime_ms`: longest life of an entry, None for no limit.
        """
        ended = Read("ENDED", self._holders, change.key(self._live), self._least)
        change.run("HDEL", self._holders, item(), each=ended)
        change.run("HSET", self._holders, entry_id, f"{share.caller} {share.player} {now_ms}")
        if lifetime_ms is not None:
            change.run("OUTLIVE", self._holders, lifetime_ms)

    def remove(self, change: Transaction, entry_id: Argument, each: Read | None = None) -> None:
        """Let the transaction forget the holder of an entry that ends."""
        change.run("HDEL", self._holders, entry_id, each=each)

    def read(self) -> list[Entry]:
        """Return all live entries."""
        live = ("ZRANGEBYSCORE", self._live, f"({self._least}", "+inf")
        holders, names = ask_all(self._redis, (("HGETALL", self._holders), live))
        return [_entry(name.decode(), holders.get(name)) for name in names]


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
