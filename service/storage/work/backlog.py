"""The backlog of long work, which is shared fairly: analyses, tournaments, imports.

Every piece of work (one analysis, one game of a tournament) waits here under its name. An idle worker takes the next
piece by **self-clocked fair queueing** (Golestani 1994): a new piece gets a finish tag, `max(clock, tag of the flow's
last piece) + cost`, and the smallest tag is next. The clock is the tag of the piece that was taken last. So callers
with waiting work get equal shares of the time, however much work each has. A caller with little work waits for about
one piece of each other caller. A caller has two flows, one for short and one for long work, so an analysis does not
wait for the caller's own tournament. Callers of one origin (address or application) share its part of the time.

The waiting work of a caller, and of all callers of an origin, is limited by its total cost. A worker leases a piece. If
the lease runs out, the worker has died, and the piece waits again, at the front. A piece that kills its workers is
given up after `MAX_ATTEMPTS`.

The backlog is authoritative, and jobs on the queue are only wake-ups. All keys share a hash tag, for the scripts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from redis import Redis

from service.storage.base.scripts import Script

SHORT_S = 12.0
"""Longest cost of short work, such as the analysis of any decision."""
MAX_ATTEMPTS = 3
ORIGIN_FACTOR = 4
"""How much more work the callers of an origin may have waiting than one caller."""
KEPT_MS = 7 * 86_400_000
"""Lifetime of the backlog after the last new piece."""
PARTS = ("pieces", "short", "long", "flows", "clock", "callers", "attempts", "taken")


@dataclass(frozen=True)
class Taken:
    """A leased piece. `attempt`: the number of leases, including this one."""

    name: str
    attempt: int


class BacklogFullError(Exception):
    """The caller or its origin has too much waiting work. Nothing was added."""

    def __init__(self, waiting_s: float, limit_s: float) -> None:
        super().__init__(f"the caller has {waiting_s:.0f} s of waiting work, of {limit_s:.0f} s")
        self.waiting_s, self.limit_s = waiting_s, limit_s


class Backlog:
    """One backlog, by its name. Every method may raise `redis.exceptions.RedisError`."""

    def __init__(self, redis: Redis, name: str) -> None:
        self._redis = redis
        self.name = name
        self._script = Script(redis, "backlog")

    def _key(self, part: str) -> str:
        """Return the key of a part.

        pieces: HASH, name -> cost in ms, caller and origin. short, long: ZSET, name of a waiting piece -> finish tag.
        flows: ZSET, origin, caller and kind -> last finish tag. clock: STRING. callers: HASH, caller or origin -> cost
        in ms of waiting and leased work. taken: ZSET, name -> unix ms when its lease ends. attempts: HASH, name ->
        number of leases.
        """
        return f"{{backlog:{self.name}}}:{part}"

    def _run(self, function: str, **arguments: Any) -> Any:
        keys = [self._key(part) for part in PARTS]
        return self._script(keys, function=function, lifetime=KEPT_MS, max_attempts=MAX_ATTEMPTS, **arguments)

    def add(
        self, caller: str, names: Sequence[str], cost_s: float, limit_s: float = 0, origin: str | None = None
    ) -> None:
        """Add pieces of `cost_s` each, unless they are known. `origin`: the caller itself by default.

        Raises `BacklogFullError` if the caller would have more than `limit_s` of waiting work, or all callers of an
        origin ORIGIN_FACTOR times as much; 0 for no limit.
        """
        origin = caller if origin is None else origin
        limits = {caller: limit_s} if origin == caller else {caller: limit_s, origin: ORIGIN_FACTOR * limit_s}
        refusal = self._run(
            "add",
            holders=[{"name": name, "limit": round(1000 * limit)} for name, limit in limits.items()],
            names_of_holders="\n".join(limits),
            origin=origin,
            cost=max(1, round(1000 * cost_s)),
            is_short=cost_s <= SHORT_S,
            names=[*names],
        )
        if refusal is not None:
            raise BacklogFullError(*(part / 1000 for part in refusal))

    def take(self, until_ms: int, *, short: bool = False) -> Taken | None:
        """Lease the next piece until `until_ms`. Return None if none waits. `short`: take only short work."""
        reply = self._run("take", until=until_ms, only_short=short)
        return None if reply is None else Taken(reply[0].decode(), int(reply[1]))

    def renew(self, name: str, until_ms: int) -> None:
        """Prolong a lease."""
        self._redis.zadd(self._key("taken"), {name: until_ms}, xx=True)

    def drop(self, names: Sequence[str]) -> int:
        """Remove finished or cancelled pieces. Return how many of them existed."""
        return int(self._run("drop", names=[*names]))

    def give_back(self, now_ms: int) -> list[str]:
        """Let pieces wait again whose lease has run out. Return the names of those with too many attempts."""
        return [name.decode() for name in self._run("give_back", now=now_ms)]

    def waiting(self, *, short: bool = False) -> int:
        """Return the number of waiting pieces. `short`: count only short work."""
        parts = ("short",) if short else ("short", "long")
        return sum(int(cast("Any", self._redis.zcard(self._key(part)))) for part in parts)

    def being_done(self) -> int:
        """Return the number of leased pieces."""
        return int(cast("Any", self._redis.zcard(self._key("taken"))))

    def queued_s(self, caller: str) -> float:
        """Return the cost in seconds of the caller's waiting and leased work."""
        reply = cast("bytes | None", self._redis.hget(self._key("callers"), caller))
        return int(reply or 0) / 1000
