"""Leaderboards: players by their points, each board a sorted set of its own, so that a page of one is not a scan."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, cast

from redis import Redis

from service.storage.base.keys import Buckets, Keys
from service.storage.base.pipelining import Command, ask_all

MAX_PLACED = 100_000
"""Players on a board; beyond, the last ones fall off."""


class Placed(NamedTuple):
    """A player's place on a board, from 1; of equal points whoever's id comes last in the alphabet is before."""

    rank: int
    player: str
    points: int


class Leaderboards:
    """Reads and writes boards, by their names. Every method may raise `redis.exceptions.RedisError`."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        self._redis = redis
        self._keys = Keys(buckets)

    def place(self, boards: Iterable[str], player_id: str, points: int, ttl_s: int) -> None:
        """The player has so many points on these boards, which are kept for so long from now."""
        commands: list[Command] = []
        for name in map(self._keys.board, boards):
            commands.append(("ZADD", name, points, player_id))
            commands.append(("ZREMRANGEBYRANK", name, 0, -MAX_PLACED - 1))
            commands.append(("EXPIRE", name, ttl_s))
        ask_all(self._redis, commands)

    def remove(self, boards: Iterable[str], player_ids: Iterable[str]) -> None:
        """These players are on none of these boards."""
        ids = [*player_ids]
        ask_all(self._redis, (("ZREM", self._keys.board(board), *ids) for board in boards))

    def page(self, board: str, first: int, count: int) -> list[Placed]:
        """The places from `first` on, at most so many."""
        reply = self._redis.zrange(self._keys.board(board), first - 1, first + count - 2, desc=True, withscores=True)
        found = cast("list[tuple[bytes, float]]", reply)
        return [Placed(first + number, name.decode(), int(points)) for number, (name, points) in enumerate(found)]

    def rank(self, board: str, player_id: str) -> int | None:
        """The player's rank, from 1; None if they are not on the board."""
        reply = cast("int | None", self._redis.zrevrank(self._keys.board(board), player_id))
        return None if reply is None else reply + 1

    def size(self, board: str) -> int:
        """How many are on the board."""
        return self._redis.zcard(self._keys.board(board))
