"""Handles: the names that players are found by, each of one player at most.

A handle's key lies in the bucket of the handle, its player's in that of the player, so a change of handle is three
steps: the new one is claimed for a while, the player is changed together with a follow-up, and the follow-up confirms
the new one and gives the old one back. Whoever dies in between leaves a claim that runs out by itself, or a follow-up
that a keeper does.
"""

from __future__ import annotations

from typing import cast

from redis import Redis

from service.storage.keys import Keys
from service.storage.scripts import Script


class Handles:
    """Who has which handle, by its folded form; every method may raise `redis.exceptions.RedisError`, `Damaged`."""

    def __init__(self, redis: Redis, buckets: int) -> None:
        self._redis = redis
        self._keys = Keys(buckets)
        self._handle = Script(redis, "handle")

    def claim(self, folded: str, player_id: str, ttl_s: int) -> bool:
        """Have it be the player's for so long at least; False if it is another player's."""
        return bool(self._handle(keys=[self._keys.handle(folded)], args=[player_id, 1000 * ttl_s]))

    def give_back(self, folded: str, player_id: str) -> None:
        """It is not the player's any more."""
        self._handle(keys=[self._keys.handle(folded)], args=[player_id, 0])

    def owner(self, folded: str) -> str | None:
        """The id of the player who has it; None if nobody has."""
        reply = cast("bytes | None", self._redis.get(self._keys.handle(folded)))
        return None if reply is None else reply.decode()
