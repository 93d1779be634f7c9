"""Statistics of players, such as games and wins. Each game is counted once, like ratings are applied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from redis import Redis

from service import record_reader
from service.storage.base.bucket_store import PlayerStore
from service.storage.base.keys import Buckets
from service.storage.base.pipelining import decode_fields
from service.storage.base.scripts import Script
from service.storage.people.ratings import WINDOW_MS


class StoredStatistics(NamedTuple):
    """The statistics of one field. `streak`: consecutive wins until now; `longest_streak`: the most ever."""

    games: int
    wins: int
    best_score: int
    streak: int
    longest_streak: int


class Statistics(PlayerStore):
    """Reads and updates statistics."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        super().__init__(redis, buckets)
        self._count = Script(redis, "statistics")

    def count(
        self, player_id: str, game_id: str, ended_ms: int, fields: Sequence[str], *, won: bool, score: int
    ) -> str:
        """Count a game in these fields of a player, unless it was counted before.

        Returns `ratings.COUNTED`, `GONE` or `LATE`.
        """
        home = self._keys.home(player_id)
        keys = [home.player(player_id), home.statistics(player_id), home.counted_games(player_id)]
        word = self._count(keys, game=game_id, ended=ended_ms, window=WINDOW_MS, won=won, score=score, fields=[*fields])
        return cast("bytes", word).decode()

    def get(self, player_id: str) -> dict[str, StoredStatistics]:
        """Return the statistics of a player by field."""
        reply = cast("Any", self._redis.hgetall(self._keys.home(player_id).statistics(player_id)))
        return dict(record_reader.read_all("statistics", decode_fields(reply).items(), _read_item))

    def _names(self, player_id: str) -> list[str]:
        home = self._keys.home(player_id)
        return [home.statistics(player_id), home.counted_games(player_id)]


def _read_item(field: str, content: bytes) -> tuple[str, StoredStatistics]:
    return field, StoredStatistics(*map(int, content.split()[: len(StoredStatistics._fields)]))
