"""Statistics of players: how many games, wins, and the like; each game is counted once, as ratings are applied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

from redis import Redis

from service.storage.base.keys import Buckets, Keys
from service.storage.base.pipelining import ask_all
from service.storage.base.scripts import Script
from service.storage.people.ratings import WINDOW_MS


class StoredStatistics(NamedTuple):
    """What is counted in one field. `streak`: the last games that were won in a row; `longest`: the most ever."""

    games: int
    wins: int
    best_score: int
    streak: int
    longest_streak: int


class Statistics:
    """Reads and counts. Every method may raise `redis.exceptions.RedisError`, those that write `Damaged`."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        self._redis = redis
        self._keys = Keys(buckets)
        self._count = Script(redis, "statistics")

    def count(
        self, player_id: str, game_id: str, ended_ms: int, fields: Sequence[str], *, won: bool, score: int
    ) -> str:
        """Count a game in these fields of a player, if that was not done before.

        Answers `ratings.COUNTED`, `GONE` or `LATE`.
        """
        home = self._keys.home(player_id)
        keys = [home.player(player_id), home.statistics(player_id), home.counted_games(player_id)]
        word = self._count(keys, game=game_id, ended=ended_ms, window=WINDOW_MS, won=won, score=score, fields=[*fields])
        return cast("bytes", word).decode()

    def of(self, player_id: str) -> dict[str, StoredStatistics]:
        """All that is counted of a player, by field."""
        reply = cast("dict[bytes, bytes]", self._redis.hgetall(self._keys.home(player_id).statistics(player_id)))
        return {
            field.decode(): StoredStatistics(*map(int, content.split())) for field, content in sorted(reply.items())
        }

    def keep(self, player_id: str, ttl_s: int) -> None:
        """They are kept for so long from now."""
        ask_all(self._redis, (("EXPIRE", name, ttl_s) for name in self._names(player_id)))

    def forget(self, player_id: str) -> None:
        """There are none of the player, who is gone."""
        ask_all(self._redis, (("DEL", name) for name in self._names(player_id)))

    def _names(self, player_id: str) -> list[str]:
        home = self._keys.home(player_id)
        return [home.statistics(player_id), home.counted_games(player_id)]
