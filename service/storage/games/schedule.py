"""The schedule of games: decisions and time limits that are due, and the leases of those who process them.

A commit adds what is due, or removes it. A lease moves a due time into the future and counts an attempt. It holds only
at the revision that it names, and does not prevent other decisions: the first commit wins.

Times are unix milliseconds by the caller's clock.
"""

from __future__ import annotations

from redis import Redis

from service.storage.base.due import longest_due
from service.storage.base.keys import Keys
from service.storage.base.transactions import Read, Transaction


class Schedule:
    """The due work of games. Safe to share between threads and greenlets.

    Every method may raise `redis.exceptions.RedisError`.
    """

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys

    def due(self, now_ms: int, count: int) -> list[str]:
        """Return the ids of up to `count` games whose decision is due, longest due first."""
        return longest_due(self._redis, [bucket.due for bucket in self._keys.all_buckets()], now_ms, count)

    def timeouts(self, now_ms: int, count: int) -> list[str]:
        """Return the ids of up to `count` games in which a time is up, longest first."""
        return longest_due(self._redis, [bucket.timeouts for bucket in self._keys.all_buckets()], now_ms, count)

    def forget_due(self, game_id: str) -> None:
        """Remove a game that has expired."""
        bucket = self._keys.game(game_id).bucket
        for name in (bucket.due, bucket.timeouts):
            self._redis.zrem(name, game_id)

    def put_off(self, game_id: str, until_ms: int) -> None:
        """Move what is due in a game to `until_ms`, at any revision."""
        bucket = self._keys.game(game_id).bucket
        for name in (bucket.due, bucket.timeouts):
            self._redis.zadd(name, {game_id: until_ms}, xx=True)

    def postpone(
        self,
        game_id: str,
        revision: int,
        until_ms: int,
        *,
        timed: bool = False,
        before: int | None = None,
        due_ms: int | None = None,
    ) -> bool:
        """Move the decision (or the time) to `until_ms`.

        Returns False if it is no longer due at that revision; or if somebody else has leased it: the number of attempts
        is not `before`, or it is due later than `due_ms`.
        """
        return self._move(game_id, revision, until_ms, 0, timed=timed, before=before, due_ms=due_ms) is not None

    def lease(self, game_id: str, revision: int, until_ms: int, before: int | None = None) -> int | None:
        """Lease the decision until `until_ms`. Return the number of attempts, including this one.

        Returns None if the decision is no longer due at that revision, or if the number of attempts was not `before`.
        """
        return self._move(game_id, revision, until_ms, 1, before=before)

    def renew(self, game_id: str, revision: int, until_ms: int) -> bool:
        """Prolong a lease without counting an attempt. Return False if the decision is no longer due."""
        return self.postpone(game_id, revision, until_ms)

    def hand_back(self, game_id: str, revision: int, until_ms: int) -> None:
        """Give up a lease and its attempt. The decision is due again at `until_ms`."""
        self._move(game_id, revision, until_ms, -1)

    def _move(
        self,
        game_id: str,
        revision: int,
        until_ms: int,
        attempts: int,
        *,
        timed: bool = False,
        before: int | None = None,
        due_ms: int | None = None,
    ) -> int | None:
        keys, change = self._keys.game(game_id), Transaction(self._redis)
        due = keys.bucket.timeouts if timed else keys.bucket.due
        change.require("over", Read("HGET", keys.game, "revision").equals(revision))
        change.require("over", Read("ZSCORE", due, game_id).differs(None))
        if before is not None:
            change.require("taken", Read("HGET", keys.game, "attempts").equals(before))
        if due_ms is not None:
            change.require("taken", Read("ZSCORE", due, game_id).is_below(due_ms + 1))
        change.run("ZADD", due, until_ms, game_id)
        if attempts:
            change.run("HINCRBY", keys.game, "attempts", attempts)
        else:
            change.run("HGET", keys.game, "attempts")
        outcome = change.commit()
        return int(outcome.replies[-1]) if outcome.is_done else None
