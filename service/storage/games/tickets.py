"""Tickets: each gives its bearer roles at one game, once, within a time that is set when it is stored."""

from __future__ import annotations

from typing import cast

from redis import Redis

from service.storage.base.keys import Buckets, Keys


class Tickets:
    """The tickets of every game, by digest; every method may raise `redis.exceptions.RedisError`."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        self._redis = redis
        self._keys = Keys(buckets)

    def add(self, game_id: str, digest: str, roles: str, ttl_ms: int) -> None:
        """Store a ticket that gives these roles (separated by spaces) for so many milliseconds."""
        self._redis.set(self._keys.game(game_id).ticket(digest), roles, px=ttl_ms)

    def exists(self, game_id: str, digest: str) -> bool:
        """Whether there is a ticket of this digest."""
        return bool(self._redis.exists(self._keys.game(game_id).ticket(digest)))

    def redeem(self, game_id: str, digest: str) -> str | None:
        """The roles of the ticket, which is spent by it; None if it is unknown, spent, or too old."""
        roles = cast("bytes | None", self._redis.getdel(self._keys.game(game_id).ticket(digest)))
        return None if roles is None else roles.decode()
