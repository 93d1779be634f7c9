"""How much a caller has asked for, counted across all processes.

**A window begins with a caller's first request** and ends after its seconds; then the whole budget is there again.
So one integer that expires is all there is to keep, one exchange tells what is left and for how long, and what
the headers say ("so many within so many seconds") is exact. What it costs: around the end of a window twice the
quota may come at once. GCRA would smooth that, and would have nothing exact to say for "until it is reset"; a
sliding log keeps every request.

The library `limits` (5.8) was looked at first. Its fixed window takes three exchanges a request to tell count,
remainder and reset, its sliding ones two, and its clients are made from URLs of its own, so sentinels, time-outs
and the words in which a cluster says that it is away (see connect) would be there twice. Hence fourteen lines of Lua.

**Places** are what a caller holds at one time: open streams, unfinished games. Each is a lease, so a process that
is killed gives back what it held by doing nothing.

Every key is `{lim:<hash>}`, one a caller and budget, in a slot of its own, and expires by itself. Of an address
only a hash is stored. (It keeps addresses out of dumps and consoles; who tries all IPv4 addresses finds it.)
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, cast

from redis import Redis

from service.storage.base.pipelining import Question, ask
from service.storage.base.scripts import Script

LEASE_S = 60
"""A killed process' streams count for at most so long."""
MAX_REMEMBERED = 10_000
"""Callers whose keys a process remembers: hashing costs more than looking up."""


class Count(NamedTuple):
    """What a request left of its budget."""

    left: int
    """Requests; -1 for a request that is refused."""
    reset_ms: int
    """Until the whole budget is there again."""


@lru_cache(MAX_REMEMBERED)
def key_of(caller: str, budget: str) -> str:
    """Where a caller's use of a budget is kept."""
    digest = hashlib.sha256(f"{budget} {caller}".encode()).hexdigest()
    return f"{{lim:{digest[:32]}}}"


class Limits:
    """Counts requests and leases places; safe to share between threads and greenlets.

    Every method may raise `redis.exceptions.RedisError`.
    """

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._hit = Script(redis, "hit")
        self._lease = Script(redis, "lease")

    def hit(self, caller: str, budget: str, quota: int, window_s: int) -> Count:
        """Count a request; one exchange."""
        return ask(self._redis, self.question(caller, budget, quota, window_s))

    def question(self, caller: str, budget: str, quota: int, window_s: int) -> Question[Count]:
        """The same, to go along with another."""
        hit = self._hit.question((key_of(caller, budget),), quota=quota, window=1000 * window_s)
        return Question(hit.commands, lambda replies: Count(*hit.read(replies)))

    def hold(self, caller: str, budget: str, holder: str, places: int, lifetime_s: int = LEASE_S) -> bool:
        """Hold a place for so long, from now; False where all are taken. Who holds one already keeps it."""
        return bool(self._lease((key_of(caller, budget),), holder=holder, lifetime=1000 * lifetime_s, places=places))

    def release(self, caller: str, budget: str, *holders: str) -> None:
        """Give places back."""
        self._redis.zrem(key_of(caller, budget), *holders)

    def holders(self, caller: str, budget: str) -> list[str]:
        """Who holds a place, some perhaps no longer."""
        entries = cast("Any", self._redis.zrange(key_of(caller, budget), 0, -1))
        return [holder.decode() for holder in entries]


class OpenGames:
    """The unfinished games that a caller has created; a place each.

    Nobody tells when a game ends: they are looked at when the places are all taken, and not before. So a create
    costs one exchange, and ending a game none.
    """

    BUDGET = "open_games"

    def __init__(self, redis: Redis, most: int) -> None:
        self._limits = Limits(redis)
        self.most = most

    def open(
        self, caller: str, game_id: str, lifetime_s: int, unfinished: Callable[[Sequence[str]], Collection[str]]
    ) -> bool:
        """Take a place for a game about to be created; False where `most` are unfinished.

        `unfinished`: which of some games are. A game that is then not created after all gives its place back like
        one that has ended: it is none of the unfinished. Its place lasts for `lifetime_s` from its creation at the
        longest, even where the game lives on.
        """
        if self.most == 0 or self._limits.hold(caller, self.BUDGET, game_id, self.most, lifetime_s):
            return True
        held = self._limits.holders(caller, self.BUDGET)
        gone = set(held) - set(unfinished(held))
        if gone:
            self._limits.release(caller, self.BUDGET, *gone)
        return bool(gone) and self._limits.hold(caller, self.BUDGET, game_id, self.most, lifetime_s)
