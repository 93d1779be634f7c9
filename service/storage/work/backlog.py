"""The backlog of long work, shared out fairly: analyses, tournaments, imports.

Every piece of work (one analysis, one game of a tournament) waits here under a name of its own, and whoever has time
takes the piece whose turn it is. That is decided by **self-clocked fair queueing** (Golestani 1994): a piece that comes
in gets a finish tag, `max(clock, tag of its flow's last piece) + cost`, and the smallest tag is next; the clock is the
tag of the piece that was taken last. So callers who all have work waiting get equal shares of the time, however much
each has, and one who comes with little to do waits for about one piece of each other. A caller has two flows, one for
short work and one for long, so nobody's analysis waits for their own tournament.

What a caller has waiting is counted by its cost, so that it can be capped. A piece that is taken is leased; when its
lease runs out it was lost with whoever had taken it, and waits again, at the front. Pieces that kill whoever takes
them are given up after `MAX_ATTEMPTS`.

This is what is to be done; the jobs on the queue are only wake-ups. All keys share a hash tag, for the scripts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from redis import Redis

from service.storage.base.scripts import Script

SHORT_S = 12.0
"""A piece that takes no longer is short: any decision's analysis is."""
MAX_ATTEMPTS = 3
KEPT_MS = 7 * 86_400_000
"""After so long without new work, what nobody has taken is forgotten."""
PARTS = ("pieces", "short", "long", "flows", "clock", "callers", "attempts", "taken")


@dataclass(frozen=True)
class Taken:
    """A piece that was taken. `attempt`: how often, this time included."""

    name: str
    attempt: int


class BacklogFullError(Exception):
    """The caller has too much waiting already; nothing was added."""

    def __init__(self, waiting_s: float) -> None:
        super().__init__(f"{waiting_s:.0f} s of work are waiting")
        self.waiting_s = waiting_s


class Backlog:
    """One backlog, by its name. Every method may raise `redis.exceptions.RedisError`."""

    def __init__(self, redis: Redis, name: str) -> None:
        self._redis = redis
        self.name = name
        self._script = Script(redis, "backlog")

    def _key(self, part: str) -> str:
        """pieces: HASH, name -> cost in ms and caller. short, long: ZSET, name of a waiting piece -> finish tag.
        flows: ZSET, caller and kind -> last finish tag. clock: STRING. callers: HASH, caller -> ms that wait or are
        being done. taken: ZSET, name -> unix ms when its lease ends. attempts: HASH, name -> how often it was taken.
        """
        return f"{{backlog:{self.name}}}:{part}"

    def _run(self, act: str, **given: Any) -> Any:
        keys = [self._key(part) for part in PARTS]
        return self._script(keys, act=act, lifetime=KEPT_MS, max_attempts=MAX_ATTEMPTS, **given)

    def add(self, caller: str, names: Sequence[str], cost_s: float, most_s: float = 0) -> None:
        """Put pieces in, each of which takes about so long. Raises `Full` where the caller would have more than
        `most_s` waiting (0: as much as they like).
        """
        cost, most = max(1, round(1000 * cost_s)), round(1000 * most_s)
        queued = self._run("add", caller=caller, most=most, cost=cost, is_short=cost_s <= SHORT_S, names=[*names])
        if queued is not None:
            raise BacklogFullError(queued / 1000)

    def take(self, until_ms: int, *, short: bool = False) -> Taken | None:
        """The piece whose turn it is, leased until then; None if none waits. `short`: of the short ones."""
        reply = self._run("take", until=until_ms, only_short=short)
        return None if reply is None else Taken(reply[0].decode(), int(reply[1]))

    def renew(self, name: str, until_ms: int) -> None:
        """Prolong a lease."""
        self._redis.zadd(self._key("taken"), {name: until_ms}, xx=True)

    def drop(self, names: Sequence[str]) -> int:
        """These are done, or not wanted any more: how many of them were there."""
        return int(self._run("drop", names=[*names]))

    def give_back(self, now_ms: int) -> list[str]:
        """Have those wait again whose lease has run out; the names of those that were tried too often."""
        return [name.decode() for name in self._run("give_back", now=now_ms)]

    def waiting(self, *, short: bool = False) -> int:
        """How many pieces wait. `short`: of the short ones."""
        parts = ("short",) if short else ("short", "long")
        return sum(int(cast("Any", self._redis.zcard(self._key(part)))) for part in parts)

    def being_done(self) -> int:
        """How many pieces are taken."""
        return int(cast("Any", self._redis.zcard(self._key("taken"))))

    def queued_s(self, caller: str) -> float:
        """Seconds of the caller's work that wait, or are being done."""
        reply = cast("bytes | None", self._redis.hget(self._key("callers"), caller))
        return int(reply or 0) / 1000
