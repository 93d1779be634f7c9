"""Leaderboards: players by points. Each is a sorted set, so that a page needs no scan."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, cast

from service.storage.base.bucket_store import BucketStore
from service.storage.base.pipelining import Command, ask_all

MAX_PLACED = 100_000
"""Players on a leaderboard. Those with the fewest points are removed."""


class Placed(NamedTuple):
    """A player's place on a leaderboard. Ranks begin at 1. Equal points are ordered by descending id."""

    rank: int
    player: str
    points: int


class Leaderboards(BucketStore):
    """Reads and writes leaderboards by name."""

    def place(self, boards: Iterable[str], player_id: str, points: int, ttl_s: int) -> None:
        """Set a player's points on these leaderboards, which then live for `ttl_s`."""
        commands: list[Command] = []
        for name in map(self._keys.board, boards):
            commands.append(("ZADD", name, points, player_id))
            commands.append(("ZREMRANGEBYRANK", name, 0, -MAX_PLACED - 1))
            commands.append(("EXPIRE", name, ttl_s))
        ask_all(self._redis, commands)

    def remove(self, boards: Iterable[str], player_ids: Iterable[str]) -> None:
        """Remove these players from these leaderboards."""
        ids = [*player_ids]
        ask_all(self._redis, (("ZREM", self._keys.board(board), *ids) for board in boards))

    def page(self, board: str, first: int, count: int) -> list[Placed]:
        """Return up to `count` places from rank `first`."""
        reply = self._redis.zrange(self._keys.board(board), first - 1, first + count - 2, desc=True, withscores=True)
        entries = enumerate(cast("list[tuple[bytes, float]]", reply), first)
        return [Placed(rank, player.decode(), int(points)) for rank, (player, points) in entries]

    def rank(self, board: str, player_id: str) -> int | None:
        """Return the player's rank, or None if the player is not on the leaderboard."""
        reply = cast("int | None", self._redis.zrevrank(self._keys.board(board), player_id))
        return None if reply is None else reply + 1

    def size(self, board: str) -> int:
        """Return the number of players on the leaderboard."""
        return self._redis.zcard(self._keys.board(board))
