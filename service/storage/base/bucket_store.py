"""Base classes of the modules that read and write the keys of buckets."""

from __future__ import annotations

from redis import Redis

from service.storage.base.keys import Buckets, Keys


class BucketStore:
    """A Redis client and the names of its keys. Safe to share between threads and greenlets.

    Every method of a subclass may raise `redis.exceptions.RedisError`. Methods that write may also raise
    `DamagedRecordError`.
    """

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        self._redis = redis
        self._keys = Keys(buckets)


class MatchmakingStore(BucketStore):
    """A store of seeks, challenges, bots or competitions, which share one bucket."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        super().__init__(redis, buckets)
        self._bucket = self._keys.matchmaking_bucket
