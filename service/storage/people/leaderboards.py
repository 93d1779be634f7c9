"""Leaderboards: players by points. Each is a sorted set, so that a page needs no scan.

Beside it are a sorted set of the ranked players only, and one of the last games. The latter serves to remove players
who no longer play.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, cast

from service.storage.base.bucket_store import BucketStore
from service.storage.base.pipelining import ask_all
from service.storage.base.transactions import Transaction

MAX_PLACED = 100_000
"""Players on a leaderboard. Those with the fewest points are removed."""
MAX_REMOVED = 1_000
"""Players who no longer play that a request removes at most."""
RANKED, PLAYED = ":ranked", ":played"
BOARD_PARTS = ("", RANKED, PLAYED)


class Place(NamedTuple):
    """What a leaderboard stores of a player. `played_ms`: end of the last game."""

    player: str
    points: int
    played_ms: int
    is_ranked: bool


class Placed(NamedTuple):
    """A player's place on a leaderboard. Ranks begin at 1; equal points share a rank."""

    rank: int
    player: str
    points: int
    is_ranked: bool


class Leaderboards(BucketStore):
    """Reads and writes leaderboards by name."""

    def place(self, board: str, place: Place, ttl_s: int) -> None:
        """Set a player's place on the leaderboard, which then lives for `ttl_s`."""
        everybody, ranked, played = (self._keys.board(board, part) for part in BOARD_PARTS)
        change = Transaction(self._redis)
        change.run("ZADD", everybody, place.points, place.player)
        if place.is_ranked:
            change.run("ZADD", ranked, place.points, place.player)
        else:
            change.run("ZREM", ranked, place.player)
        change.run("ZADD", played, place.played_ms, place.player)
        for key in (everybody, ranked):
            change.run("ZREMRANGEBYRANK", key, 0, -MAX_PLACED - 1)
        for key in (everybody, ranked, played):
            change.run("PEXPIRE", key, 1000 * ttl_s)
        change.commit()

    def remove(self, boards: Iterable[str], player_ids: Iterable[str]) -> None:
        """Remove these players from these leaderboards."""
        ids = [*player_ids]
        keys = [self._keys.board(board, part) for board in boards for part in BOARD_PARTS]
        ask_all(self._redis, (("ZREM", key, *ids) for key in keys))

    def remove_idle(self, board: str, before_ms: int) -> None:
        """Remove players whose last game ended before this time."""
        played = self._keys.board(board, PLAYED)
        if idle := self._redis.zrangebyscore(played, "-inf", f"({before_ms}", start=0, num=MAX_REMOVED):
            self.remove([board], (player.decode() for player in cast("list[bytes]", idle)))

    def page(self, board: str, first: int, count: int, *, ranked_only: bool) -> list[Placed]:
        """Return up to `count` players from the position `first`, the most points first."""
        key, ranked = self._keys.board(board, RANKED if ranked_only else ""), self._keys.board(board, RANKED)
        reply = self._redis.zrange(key, first - 1, first + count - 2, desc=True, withscores=True)
        entries = cast("list[tuple[bytes, float]]", reply)
        if not entries:
            return []
        are_ranked = (("ZSCORE", ranked, name) for name, _ in entries)
        better, *ranked_scores = ask_all(self._redis, (("ZCOUNT", key, f"({entries[0][1]}", "+inf"), *are_ranked))
        placed, rank, points = list[Placed](), better + 1, entries[0][1]
        for position, ((name, score), ranked_score) in enumerate(zip(entries, ranked_scores, strict=True), first):
            rank, points = (rank, points) if score == points else (position, score)
            placed.append(Placed(rank, name.decode(), int(score), ranked_score is not None))
        return placed

    def position(self, board: str, player_id: str, *, ranked_only: bool) -> int | None:
        """Return the player's position, from 1, or None if the player is not on the leaderboard."""
        reply = self._redis.zrevrank(self._keys.board(board, RANKED if ranked_only else ""), player_id)
        return None if reply is None else cast("int", reply) + 1

    def size(self, board: str, *, ranked_only: bool) -> int:
        """Return the number of players on the leaderboard."""
        return self._redis.zcard(self._keys.board(board, RANKED if ranked_only else ""))

    def count_ranked(self, board: str) -> int:
        """Return the number of ranked players on the leaderboard."""
        return self.size(board, ranked_only=True)
