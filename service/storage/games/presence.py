"""Who looks at each game now: a sorted set of viewers, each until a moment, which is moved on while they look.

A viewer is a text that `service/usecases/views/viewers.py` writes and reads. Who looks no longer is out of it soon,
whoever has died.
"""

from __future__ import annotations

from typing import Any, cast

from redis import Redis

from service.storage.base.keys import Buckets, Keys
from service.storage.base.scripts import Script


class Presence:
    """The viewers of every game; every method may raise `redis.exceptions.RedisError`."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        self._redis = redis
        self._keys = Keys(buckets)
        self._lease = Script(redis, "lease")

    def show(self, game_id: str, viewer: str, lifetime_s: float, most: int) -> bool:
        """The viewer is there for so long from now; False where so many others are."""
        return bool(self._lease((self._key(game_id),), holder=viewer, lifetime=round(1000 * lifetime_s), places=most))

    def leave(self, game_id: str, viewer: str) -> None:
        """The viewer is there no more."""
        self._redis.zrem(self._key(game_id), viewer)

    def viewers(self, game_id: str, now_ms: int) -> list[str]:
        """Who is there at this moment."""
        entries = cast("Any", self._redis.zrangebyscore(self._key(game_id), f"({now_ms}", "+inf"))
        return [entry.decode() for entry in entries]

    def _key(self, game_id: str) -> str:
        return self._keys.game(game_id).presence
