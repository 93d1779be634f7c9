"""The key by which push services know the service, where the operator has set none."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from redis import Redis

from service.storage.base.keys import Buckets, Keys


class PushKeys:
    """Reads and makes it. Every method may raise `redis.exceptions.RedisError`."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        self._redis = redis
        self._name = Keys(buckets).bucket(0).push_key

    def kept(self, make: Callable[[], str]) -> str:
        """The key, the same for all processes; whoever asks first makes it."""
        found = self._redis.get(self._name)
        if found is None:
            self._redis.set(self._name, make(), nx=True)
            found = self._redis.get(self._name)
        return cast("bytes", found).decode()
