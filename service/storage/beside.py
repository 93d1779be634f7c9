"""What stands beside a game and outside its log: messages between its people, and tickets.

Both live no longer than the game. Messages are numbered from 1 and only the last ones are kept; the hub tells each,
so that one can wait for them. A ticket is good once, and for a minute.
"""

from __future__ import annotations

from typing import Any, cast

from redis import Redis

from service.storage.keys import Keys
from service.storage.scripts import Script

MOST_MESSAGES = 200


class Beside:
    """Messages and tickets; every method may raise `redis.exceptions.RedisError`."""

    def __init__(self, redis: Redis, buckets: int) -> None:
        self._redis = redis
        self._keys = Keys(buckets)
        self._message = Script(redis, "message")

    def say(self, game_id: str, message: bytes) -> int | None:
        """Put a message down: its number; None if there is no such game."""
        keys = self._keys.game(game_id)
        found = self._message(keys=[keys.game, keys.messages, keys.bucket.hub], args=[game_id, MOST_MESSAGES, message])
        return None if found is None else int(found)

    def said(self, game_id: str, after: int, count: int) -> list[tuple[int, bytes]]:
        """The first `count` messages that are kept after number `after`."""
        entries = cast("Any", self._redis.xrange(self._keys.game(game_id).messages, f"{after + 1}-0", "+", count))
        return [(int(entry.partition(b"-")[0]), message[b"m"]) for entry, message in entries]

    def give_ticket(self, game_id: str, digest: str, roles: str, ttl_ms: int) -> None:
        """Whoever shows the ticket of this digest within so many milliseconds has these roles, once."""
        self._redis.set(self._keys.game(game_id).ticket(digest), roles, px=ttl_ms)

    def has_ticket(self, game_id: str, digest: str) -> bool:
        """Whether there is a ticket of this digest."""
        return bool(self._redis.exists(self._keys.game(game_id).ticket(digest)))

    def take_ticket(self, game_id: str, digest: str) -> str | None:
        """The roles of the ticket, which is spent by it; None if it is unknown, spent, or too old."""
        found = cast("bytes | None", self._redis.getdel(self._keys.game(game_id).ticket(digest)))
        return None if found is None else found.decode()
