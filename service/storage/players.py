"""Players: who they are, and which games wait for them.

A player is an anonymous account: a name and one token, of which the digest is kept. Its key lies in the bucket of
its id; the games it plays lie wherever their own ids put them, so each bucket has its part of the player's lists,
written by the games' commits. A game that expired leaves its name in them; it is taken out when it is met, and a
list expires with the longest-lived game in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from redis import Redis

from service.storage.connect import away
from service.storage.exchange import Question, ask, good
from service.storage.keys import Keys
from service.storage.listing import Lists, Page


@dataclass(frozen=True)
class StoredPlayer:
    """A player as it is kept."""

    id: str
    name: str | None
    token_digest: str
    created_at: str
    ttl_s: int = field(default=0, compare=False)
    """How long it is still kept."""


class Players:
    """Reads and writes players; every method may raise `redis.exceptions.RedisError`."""

    def __init__(self, redis: Redis, buckets: int) -> None:
        self._redis = redis
        self._keys = Keys(buckets)
        self._lists = Lists(redis)

    def put(self, player: StoredPlayer, ttl_s: int) -> None:
        """Keep a player for so long."""
        key = self._keys.player(player.id)
        fields: dict[Any, Any] = {
            "name": player.name or "",
            "token": player.token_digest,
            "created_at": player.created_at,
        }
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.hset(key, mapping=fields)
        pipeline.expire(key, ttl_s)
        with away(self._redis):
            pipeline.execute()

    def get(self, player_id: str) -> StoredPlayer | None:
        """The player; None if there is none of this id."""
        return ask(self._redis, self.question(player_id))

    def question(self, player_id: str) -> Question[StoredPlayer | None]:
        """The same, to go along with another."""
        key = self._keys.player(player_id)

        def read(replies: list[Any]) -> StoredPlayer | None:
            entries, ttl_s = good(replies)
            name, token, created_at = ((part or b"").decode() for part in entries)
            return StoredPlayer(player_id, name or None, token, created_at, ttl_s) if token else None

        return Question((("HMGET", key, "name", "token", "created_at"), ("TTL", key)), read)

    def keep(self, player_id: str, ttl_s: int) -> None:
        """The player was here: it is kept for so long from now."""
        self._redis.expire(self._keys.player(player_id), ttl_s)

    def turns(self, player_id: str, count: int) -> list[str]:
        """Ids of games that wait for the player's decision, longest waiting first, at most so many."""
        entries: list[tuple[float, bytes]] = []
        pipeline = self._redis.pipeline(transaction=False)
        for bucket in self._keys.every_bucket():
            pipeline.zrange(bucket.turns(player_id), 0, count - 1, withscores=True)
        with away(self._redis):
            for part in pipeline.execute():
                entries += [(score, game_id) for game_id, score in part]
        return [game_id.decode() for _, game_id in sorted(entries)[:count]]

    def games(self, player_id: str, before: str | None, count: int) -> Page:
        """The player's games, last changed first. ValueError for a cursor that is none."""
        lists = [bucket.games(player_id) for bucket in self._keys.every_bucket()]
        return self._lists.page(lists, before, count)

    def forget(self, player_id: str, game_ids: Iterable[str]) -> None:
        """Games that have expired wait for nobody."""
        for game_id in game_ids:
            self._redis.zrem(self._keys.game(game_id).bucket.turns(player_id), game_id)
