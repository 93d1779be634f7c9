"""Rate limits and limited places of callers, counted across all processes.

**A window begins with a caller's first request** and ends after its seconds, which restores the whole quota. So the
state is one expiring integer, one round trip returns the remaining requests and time, and the response headers ("N
requests in N seconds") are exact. The disadvantage: around the end of a window, twice the quota can arrive at once.
GCRA would smooth that, but has no exact reset time. A sliding log stores every request.

The library `limits` (5.8) needs three round trips a request for count, remainder and reset with a fixed window, and two
with a sliding one. It creates clients from URLs of its own, so sentinels, timeouts and the outages of a cluster (see
connect) would need a second implementation. Fourteen lines of Lua replace it.

**Places** are what a caller holds at one time, such as open streams. Each place is a lease, so the places of a killed
process become free by themselves.

Every key is `{lim:<hash>}`, one for each caller and budget, in its own slot, and expires. Only a hash of an address is
stored. That keeps addresses out of dumps and consoles, but all IPv4 addresses can be tried.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from redis import Redis

from service.storage.base.pipelining import Question, ask, decode_all
from service.storage.base.scripts import Script

LEASE_S = 60
"""Streams of a killed process count for at most this time."""
MAX_REMEMBERED = 10_000
"""Callers whose keys a process caches, because hashing costs more than a lookup."""


class Count(NamedTuple):
    """The state of a budget after a request."""

    left: int
    """Remaining requests; -1 for a request that is refused."""
    reset_ms: int
    """Milliseconds until the window ends."""


@lru_cache(MAX_REMEMBERED)
def budget_key(caller: str, budget: str) -> str:
    """Return the key of a caller's use of a budget."""
    digest = hashlib.sha256(f"{budget} {caller}".encode()).hexdigest()
    return f"{{lim:{digest[:32]}}}"


class Limits:
    """Counts requests and leases places. Safe to share between threads and greenlets.

    Every method may raise `redis.exceptions.RedisError`.
    """

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._hit = Script(redis, "hit")
        self._lease = Script(redis, "lease")

    def hit(self, caller: str, budget: str, quota: int, window_s: int) -> Count:
        """Count a request, in one round trip."""
        return ask(self._redis, self.question(caller, budget, quota, window_s))

    def question(self, caller: str, budget: str, quota: int, window_s: int) -> Question[Count]:
        """Return the question that counts a request, to send it together with others."""
        hit = self._hit.question((budget_key(caller, budget),), quota=quota, window=1000 * window_s)
        return Question(hit.commands, lambda replies: Count(*hit.read(replies)))

    def hold(self, caller: str, budget: str, holder: str, places: int, lifetime_s: int = LEASE_S) -> bool:
        """Lease a place, or prolong the holder's lease. Return False if all places are taken."""
        return self.hold_all([(caller, holder, places)], budget, lifetime_s)[0]

    def hold_all(self, places: Iterable[tuple[str, str, int]], budget: str, lifetime_s: int) -> list[bool]:
        """Lease several places in one round trip. Each is a caller, a holder and the number of the caller's places."""
        leases = [
            self._lease.question(
                (budget_key(caller, budget),), holder=holder, lifetime=1000 * lifetime_s, places=places_of_caller
            )
            for caller, holder, places_of_caller in places
        ]
        if leases:
            ask(self._redis, *leases)
        return [bool(lease.answer) for lease in leases]

    def release(self, caller: str, budget: str, *holders: str) -> None:
        """Free the places of these holders."""
        self._redis.zrem(budget_key(caller, budget), *holders)

    def holders(self, caller: str, budget: str) -> list[str]:
        """Return the holders of places. Some leases may have expired."""
        return decode_all(self._redis.zrange(budget_key(caller, budget), 0, -1))
