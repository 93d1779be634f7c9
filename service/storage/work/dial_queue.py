"""Queues of outgoing calls, which are shared fairly between the owners of endpoints.

A call holds a slot while it is in flight. **An owner, or a host, gets another slot only while it holds fewer than are
free.** So a single owner can use half of all slots, ten owners together leave one of eleven free, and a stranger with
slow endpoints does not delay the calls of others. The owner that was served least is next, among those that may get a
slot (start-time fair queueing, Goyal 1997, with equal costs). Calls of one owner are in the order of arrival.

Games and deliveries store what is due. This queue decides only who is next, so calls may be lost or added again. If a
dialer dies, the leases of its calls run out, which frees their slots, and a keeper adds them again.

All keys share a hash tag, for the script.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from redis import Redis

from service.storage.base.pipelining import ask_all
from service.storage.base.scripts import Script

KEPT_CALLS_MS = 3_600_000
"""Lifetime of a queue after the last new call."""
DIAL_PARTS = ("calls", "waiting", "owners", "served", "counters", "leased")


class Call(NamedTuple):
    """An outgoing call. `name` identifies it and its attempt. `owner` and `host` have no spaces, and never coincide."""

    name: str
    owner: str
    host: str


class DialQueue:
    """One queue, by its name. Every method may raise `redis.exceptions.RedisError`."""

    def __init__(self, redis: Redis, name: str) -> None:
        self._redis = redis
        self.name = name
        self._script = Script(redis, "dial_queue")

    def _key(self, part: str) -> str:
        """Return the key of a part.

        calls: HASH, name of a waiting or leased call -> owner and host. waiting: ZSET in the order of its members:
        owner, number and name. owners: ZSET, owner with waiting calls -> tag of the next. served: ZSET, owner that was
        served lately -> tag. counters: HASH, `clock`, the tag of the last lease, and `added`. leased: ZSET, name ->
        unix ms when the lease ends.
        """
        return f"{{dial:{self.name}}}:{part}"

    def _run(self, function: str, **arguments: Any) -> Any:
        return self._script([self._key(part) for part in DIAL_PARTS], function=function, **arguments)

    def add(self, calls: Sequence[Call], now_ms: int) -> int:
        """Add calls that are neither waiting nor leased. Return how many were added."""
        return int(self._run("add", calls=[[*call] for call in calls], now=now_ms, lifetime=KEPT_CALLS_MS))

    def take(self, now_ms: int, until_ms: int, slots: int) -> str | None:
        """Lease the next call until `until_ms` and return its name, or None. `slots`: number of all slots."""
        reply = self._run("take", now=now_ms, until=until_ms, slots=slots)
        return None if reply is None else cast("str", reply.decode())

    def finish(self, name: str) -> None:
        """Remove a call and free its slot."""
        ask_all(self._redis, (("HDEL", self._key("calls"), name), ("ZREM", self._key("leased"), name)))

    def waiting(self) -> int:
        """Return the number of waiting calls."""
        return int(cast("Any", self._redis.zcard(self._key("waiting"))))
