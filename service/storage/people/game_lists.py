"""The lists of a player's games.

Games are in the buckets of their own ids, so each bucket has a part of the player's lists, which the commits of games
write. An expired game leaves its id in these lists. Readers remove it, and a list expires with the longest-lived game
in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter

from redis import Redis

from service.storage.base.bucket_store import BucketStore
from service.storage.base.keys import Buckets
from service.storage.base.listing import Lists, Page
from service.storage.base.pipelining import ask_all, decode_all
from service.storage.base.transactions import Transaction

MAX_LEFT = 1000


class GameLists(BucketStore):
    """Reads the lists, and removes games from them."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        super().__init__(redis, buckets)
        self._lists = Lists(redis)

    def turns(self, player_id: str, count: int) -> list[str]:
        """Return the ids of up to `count` games that wait for the player's decision, longest waiting first."""
        names = (bucket.turns(player_id) for bucket in self._keys.all_buckets())
        parts = ask_all(self._redis, (("ZRANGE", name, 0, count - 1, "WITHSCORES") for name in names))
        entries = sorted((score, game_id) for part in parts for game_id, score in part)
        return [game_id.decode() for _, game_id in entries[:count]]

    def games(self, player_id: str, before: str | None, count: int) -> Page:
        """Return the player's games, most recently changed first. Raises `ValueError` for an invalid cursor."""
        return self._lists.page((bucket.games(player_id) for bucket in self._keys.all_buckets()), before, count)

    def changed_games(self, player_id: str, since_ms: int, count: int) -> list[tuple[int, str]]:
        """Return (unix ms, id) of the last `count` of the player's games that changed since then, oldest first.

        A game whose seat the player has handed over counts as changed at that moment.
        """
        lists = [name for bucket in self._keys.all_buckets() for name in (bucket.games, bucket.games_left)]
        last = ("+inf", since_ms, "BYSCORE", "REV", "LIMIT", 0, count, "WITHSCORES")
        parts = ask_all(self._redis, (("ZRANGE", name(player_id), *last) for name in lists))
        last_changes = dict(sorted((entry for part in parts for entry in part), key=itemgetter(1)))
        return sorted((int(ms), game_id.decode()) for game_id, ms in last_changes.items())[-count:]

    def record_left(self, player_id: str, game_id: str, now_ms: int, ttl_s: int) -> None:
        """Add a game that the player leaves to a list, because its log still contains the player."""
        name, change = self._keys.game(game_id).bucket.games_left(player_id), Transaction(self._redis)
        change.run("ZADD", name, now_ms, game_id)
        change.run("ZREMRANGEBYRANK", name, 0, -MAX_LEFT - 1)
        change.run("PEXPIRE", name, 1000 * ttl_s)
        change.commit()

    def game_ids(self, player_id: str) -> list[str]:
        """Return the ids of all games in which the player has, or had, a seat. Some may have expired."""
        lists = [name for bucket in self._keys.all_buckets() for name in (bucket.games, bucket.games_left)]
        parts = ask_all(self._redis, (("ZRANGE", name(player_id), 0, -1) for name in lists))
        return [game_id for part in parts for game_id in decode_all(part)]

    def delete_lists(self, player_id: str) -> None:
        """Delete all lists of the player's games."""
        buckets = self._keys.all_buckets()
        lists = [name for bucket in buckets for name in (bucket.games, bucket.games_left, bucket.turns)]
        ask_all(self._redis, (("DEL", name(player_id)) for name in lists))

    def remove_turns(self, player_id: str, game_ids: Iterable[str]) -> None:
        """Remove expired games from those that wait for the player."""
        for game_id in game_ids:
            self._redis.zrem(self._keys.game(game_id).bucket.turns(player_id), game_id)
