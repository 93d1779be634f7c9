"""Ratings of players, and what games do to them, each once.

A player and a game lie in different slots. So what a game brings everybody is noted in the game, once, and then applied
to each player, by a script that remembers which games it has applied. Games that a player ends at one time are computed
from the same rating; each is a change of mu and a factor of sigma, so they add up in whatever order they come.

A game is applied within `WINDOW_MS` of its end, or never; the script forgets an applied game when twice that has
passed, and judges both by the server's clock. So what is forgotten is too old to be applied, and no game is applied
twice.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import NamedTuple, cast

from redis import Redis

from service.storage.base.keys import Buckets, Keys
from service.storage.base.pipelining import ask_all
from service.storage.base.scripts import Script
from service.storage.base.transactions import Transaction, exists, reply

DAY_MS = 86_400_000
WINDOW_MS = 7 * DAY_MS
DAYS = 366
MEETINGS_TTL_MS = 2 * DAY_MS
EPOCH = date(1970, 1, 1)
COUNTED, GONE, LATE = "counted", "gone", "late"


class StoredRating(NamedTuple):
    """A player's rating of one kind. `best`: the highest mu since it was certain."""

    mu: float
    sigma: float
    games: int
    wins: int
    best: float | None


class Change(NamedTuple):
    """What a game brings one player: their rating's `field`, how it changes, whether they won."""

    field: str
    mu: float
    """Added."""
    sigma: float
    """Multiplied by."""
    won: bool


class Scale(NamedTuple):
    """Mu and sigma of who has not played, and the sigma from which on downwards the best counts."""

    mu: float
    sigma: float
    certain: float


class DayOfRating(NamedTuple):
    """A rating at the end of a day on which it changed (UTC)."""

    day: str
    mu: float
    sigma: float


class Ratings:
    """Reads and changes ratings. Every method may raise `redis.exceptions.RedisError`, those that write `Damaged`."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        self._redis = redis
        self._keys = Keys(buckets)
        self._rating = Script(redis, "rating")

    # ------------------------------------------------------------------------------------------------- players

    def of(self, player_id: str) -> dict[str, StoredRating]:
        """All ratings of a player, by field."""
        reply = cast("dict[bytes, bytes]", self._redis.hgetall(self._keys.home(player_id).ratings(player_id)))
        return {field.decode(): _read(content) for field, content in sorted(reply.items())}

    def of_all(self, player_ids: Sequence[str]) -> list[dict[str, StoredRating]]:
        """All ratings of these players, by field."""
        names = (self._keys.home(player_id).ratings(player_id) for player_id in player_ids)
        replies = ask_all(self._redis, (("HGETALL", name) for name in names))
        return [{field.decode(): _read(content) for field, content in reply.items()} for reply in replies]

    def every(self, player_ids: Sequence[str], field: str) -> list[StoredRating | None]:
        """The ratings of these players of one kind, None for one who has not played."""
        names = (self._keys.home(player_id).ratings(player_id) for player_id in player_ids)
        replies = ask_all(self._redis, (("HGET", name, field) for name in names))
        return [None if reply is None else _read(reply) for reply in replies]

    def history(self, player_id: str, field: str) -> list[DayOfRating]:
        """The player's rating by day, oldest first, of the last `DAYS` days on which it changed."""
        key = self._keys.home(player_id).rating_days(player_id, field)
        reply = cast("dict[bytes, bytes]", self._redis.hgetall(key))
        days = sorted((int(day), content) for day, content in reply.items())
        return [
            DayOfRating((EPOCH + timedelta(days=day)).isoformat(), *map(float, content.split()))
            for day, content in days
        ]

    def apply(self, player_id: str, game_id: str, ended_ms: int, change: Change, scale: Scale) -> str:
        """Change the player's rating by what the game brought, if that was not done before.

        `COUNTED`, also where it had been; `GONE`: there is no such player; `LATE`: the game ended too long ago.
        """
        home = self._keys.home(player_id)
        names = [home.player(player_id), home.ratings(player_id), home.rated_games(player_id)]
        word = self._rating(
            [*names, home.rating_days(player_id, change.field)],
            game=game_id,
            ended=ended_ms,
            window=WINDOW_MS,
            days=DAYS,
            change={**change._asdict(), "won": int(change.won)},
            scale=scale._asdict(),
        )
        return cast("bytes", word).decode()

    def keep(self, player_id: str, ttl_s: int) -> None:
        """They are kept for so long from now."""
        home, fields = self._keys.home(player_id), self._fields(player_id)
        if not fields:
            return
        names = (home.ratings(player_id), home.rated_games(player_id), *self._days(player_id, fields))
        ask_all(self._redis, (("EXPIRE", name, ttl_s) for name in names))

    def forget(self, player_id: str) -> None:
        """There are none of the player, who is gone."""
        home, fields = self._keys.home(player_id), self._fields(player_id)
        names = (*self._days(player_id, fields), home.rated_games(player_id), home.ratings(player_id))
        ask_all(self._redis, (("DEL", name) for name in names))  # the ratings last: they tell which histories there are

    def _fields(self, player_id: str) -> list[str]:
        reply = self._redis.hkeys(self._keys.home(player_id).ratings(player_id))
        return [field.decode() for field in cast("list[bytes]", reply)]

    def _days(self, player_id: str, fields: Iterable[str]) -> list[str]:
        return [self._keys.home(player_id).rating_days(player_id, field) for field in fields]

    # --------------------------------------------------------------------------------------------------- games

    def note(self, game_id: str, field: str, content: bytes) -> bytes | None:
        """Note something in a game, once: what stands there, of whoever was first; None if there is no such game."""
        game, change = self._keys.game(game_id).game, Transaction(self._redis)
        change.require("gone", exists(game))
        change.run("HSETNX", game, field, content)
        change.run("HGET", game, field)
        outcome = change.commit()
        return outcome.replies[-1] if outcome.is_done else None

    def noted(self, game_id: str, *fields: str) -> list[bytes | None]:
        """What stands in these fields of a game."""
        return cast("list[bytes | None]", self._redis.hmget(self._keys.game(game_id).game, fields))

    def meetings(self, pair: tuple[str, str], game_id: str, ended_ms: int) -> int:
        """How many rated games that the two ended on one day (UTC) were counted before this one, which is then, too."""
        text = " ".join([*sorted(pair), str(ended_ms // DAY_MS)])
        key = self._keys.meetings(hashlib.sha256(text.encode()).hexdigest())
        change = Transaction(self._redis)
        change.run("ZADD", key, "NX", reply(change.run("ZCARD", key)), game_id)
        change.run("PEXPIRE", key, MEETINGS_TTL_MS)
        change.run("ZSCORE", key, game_id)
        return int(change.commit().replies[-1])


def _read(content: bytes) -> StoredRating:
    mu, sigma, games, wins, *best = content.decode().split()
    return StoredRating(float(mu), float(sigma), int(games), int(wins), float(best[0]) if best else None)
