"""Base classes of the modules that read and write the keys of buckets."""

from __future__ import annotations

from redis import Redis

from service.storage.base.keys import Buckets, Keys
from service.storage.base.pipelining import ask_all


class BucketStore:
    """A Redis client and the names of its keys. Safe to share between threads and greenlets.

    Every method of a subclass may raise `redis.exceptions.RedisError`. Methods that write may also raise
    `DamagedRecordError`.
    """

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        self._redis = redis
        self._keys = Keys(buckets)


class PlayerStore(BucketStore):
    """A store of data about players, which live as long as the player."""

    def _names(self, player_id: str) -> list[str]:
        """Return the names of a player's keys."""
        raise NotImplementedError

    def keep(self, player_id: str, ttl_s: int) -> None:
        """Let the player's data live for `ttl_s` from now."""
        ask_all(self._redis, (("EXPIRE", name, ttl_s) for name in self._names(player_id)))

    def forget(self, player_id: str) -> None:
        """Delete the data of a deleted player. What they were added up to stays."""
        ask_all(self._redis, (("DEL", name) for name in self._names(player_id)))


class MatchmakingStore(BucketStore):
    """A store of seeks, challenges, bots or competitions, which share one bucket."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        super().__init__(redis, buckets)
        self._bucket = self._keys.matchmaking_bucket
