"""Viewers of games, and of players: a sorted set of viewers with the times until which they count as present.

A viewer is a text of `service/usecases/views/viewers.py`. A viewer whose process dies disappears when its time is up.
"""

from __future__ import annotations

from redis import Redis

from service.storage.base.bucket_store import BucketStore
from service.storage.base.keys import Buckets
from service.storage.base.pipelining import Question, decode_all, raise_errors
from service.storage.base.scripts import Script

SEATS = "seats"
"""The kind of a viewer with seats, such as ``<connection> seats 0,1``."""


class Presence(BucketStore):
    """The viewers of every game, and the own streams of every player. Methods take the id of a game or player."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        super().__init__(redis, buckets)
        self._lease = Script(redis, "lease")

    def show(self, viewed: str, viewer: str, lifetime_s: float, places: int) -> bool:
        """Count a viewer as present for `lifetime_s` from now. Return False if there are `places` other viewers."""
        return bool(self._lease((self._key(viewed),), holder=viewer, lifetime=round(1000 * lifetime_s), places=places))

    def leave(self, viewed: str, viewer: str) -> None:
        """Remove a viewer."""
        self._redis.zrem(self._key(viewed), viewer)

    def viewers(self, viewed: str, now_ms: int) -> list[str]:
        """Return the viewers that are present at this moment."""
        return decode_all(self._redis.zrangebyscore(self._key(viewed), f"({now_ms}", "+inf"))

    def question(self, viewed: str, now_ms: int) -> Question[bool]:
        """Return the question whether a viewer is present at this moment, to send it together with others."""
        command = ("ZCOUNT", self._key(viewed), f"({now_ms}", "+inf")
        return Question((command,), lambda replies: bool(raise_errors(replies)[0]))

    def seats(self, game_id: str, now_ms: int) -> set[int]:
        """Return the numbers of the seats that are present at this moment."""
        parts = (viewer.split(" ") for viewer in self.viewers(game_id, now_ms))
        return {int(seat) for _, kind, *who in parts if kind == SEATS for seat in who[0].split(",")}

    def _key(self, viewed: str) -> str:
        return self._keys.home(viewed).presence(viewed)
