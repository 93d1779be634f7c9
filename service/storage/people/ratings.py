"""Ratings of players, and the rating changes of games, each applied once.

A player and a game are in different slots. So the rating changes of all players are first noted in the game, once. Then
a script applies each change to its player and remembers the game. If a player ends several games at the same time, all
are computed from the same rating. A change adds to mu and multiplies sigma, so changes combine in any order.

A game is applied within `WINDOW_MS` of its end, or never. The script remembers an applied game for twice that time.
Both are measured with the server's clock. So a forgotten game is too old to be applied, and no game is applied twice.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple, cast

from redis import Redis

from service import record_reader
from service.storage.base.bucket_store import BucketStore
from service.storage.base.keys import Buckets
from service.storage.base.pipelining import Command, ask_all, decode_all, decode_fields
from service.storage.base.scripts import Script
from service.storage.base.transactions import Read, Transaction, exists, reply

DAY_MS = 86_400_000
WINDOW_MS = 7 * DAY_MS
DAYS = 366
MAX_ABORTED = 3
"""Games a day that a player can leave before everybody has decided. Each further one is followed by a pause."""
PAUSE_MS = 3_600_000
ABSENT = ("-", "-", "0", "0")
"""The best mu, the last game and the numbers of opponents in ratings of earlier versions."""
MAX_OPPONENTS = 50
"""Opponents that are remembered to count how many are different."""
EPOCH = date(1970, 1, 1)
COUNTED, GONE, LATE, OVERTAKEN = "counted", "gone", "late", "overtaken"


class StoredRating(NamedTuple):
    """A player's rating of one kind. `best`: the highest mu since sigma was small enough.

    `played_ms`: end of the last game; None in a rating of an earlier version. `opponents`, `established`: number of
    different opponents, and of those who were established when they met; at most `MAX_OPPONENTS`.
    """

    mu: float
    sigma: float
    games: int
    wins: int
    best: float | None
    played_ms: int | None = None
    opponents: int = 0
    established: int = 0

    def to_text(self) -> str:
        """Return the stored form."""
        best = "-" if self.best is None else f"{self.best:.17g}"
        played = "-" if self.played_ms is None else self.played_ms
        counts = f"{self.games} {self.wins} {best} {played} {self.opponents} {self.established}"
        return f"{self.mu:.17g} {self.sigma:.17g} {counts}"


class Change(NamedTuple):
    """The effect of a game on one rating of a player."""

    field: str
    mu: float
    """Added."""
    sigma: float
    """Multiplied."""
    won: bool
    opponents: tuple[tuple[str, bool], ...] = ()
    """Ids of the other players, and whether they are established."""


class Scale(NamedTuple):
    """Mu and sigma of a player without games, and bounds of sigma.

    `certain`: the largest sigma at which the best mu counts. `least`: the smallest sigma. `growth`: added to the
    variance each day.
    """

    mu: float
    sigma: float
    certain: float
    least: float
    growth: float


class DayOfRating(NamedTuple):
    """A rating at the end of a day (UTC) on which it changed."""

    day: str
    mu: float
    sigma: float


class Rebuilt(NamedTuple):
    """A rating that was computed again, or None without games, and its history from a day on, in days since 1970.

    `days`: mu and sigma by day. `opponents`: ids of opponents to add, and whether they are established. `removed`,
    `restored`: ids of games that it no longer contains, or contains again.
    """

    rating: StoredRating | None
    first_day: int
    days: Mapping[int, tuple[float, float]]
    opponents: Mapping[str, bool]
    removed: Collection[str]
    restored: Collection[str]


class Ratings(BucketStore):
    """Reads and changes ratings."""

    def __init__(self, redis: Redis, buckets: Buckets) -> None:
        super().__init__(redis, buckets)
        self._rating = Script(redis, "rating")

    # ------------------------------------------------------------------------------------------------- players

    def get(self, player_id: str) -> dict[str, StoredRating]:
        """Return all ratings of a player by field."""
        return self.get_many([player_id])[0]

    def get_many(self, player_ids: Sequence[str]) -> list[dict[str, StoredRating]]:
        """Return all ratings of each player by field."""
        names = (self._keys.home(player_id).ratings(player_id) for player_id in player_ids)
        replies = ask_all(self._redis, (("HGETALL", name) for name in names))
        return [dict(record_reader.read_all("rating", decode_fields(reply).items(), _read_item)) for reply in replies]

    def get_field(self, player_ids: Sequence[str], field: str) -> list[StoredRating | None]:
        """Return one rating of each player, None for a player without games of this kind."""
        names = (self._keys.home(player_id).ratings(player_id) for player_id in player_ids)
        replies = ask_all(self._redis, (("HGET", name, field) for name in names))
        return [
            record_reader.read("rating", f"{field} of {player_id}", reply, _read)
            for player_id, reply in zip(player_ids, replies, strict=True)
        ]

    def history(self, player_id: str, field: str) -> list[DayOfRating]:
        """Return the player's rating by day, oldest first, for the last `DAYS` days on which it changed."""
        key = self._keys.home(player_id).rating_days(player_id, field)
        reply = cast("dict[bytes, bytes]", self._redis.hgetall(key))
        days = sorted((EPOCH + timedelta(days=int(day)), content) for day, content in reply.items())
        return [DayOfRating(day.isoformat(), *map(float, content.split())) for day, content in days]

    def apply(self, player_id: str, game_id: str, ended_ms: int, change: Change, scale: Scale) -> str:
        """Apply the effect of a game on a player's rating, unless it was applied before.

        Returns `COUNTED`, also if it was applied before; `GONE` if there is no such player; `LATE` if the game ended
        too long ago.
        """
        home = self._keys.home(player_id)
        names = [home.player(player_id), home.ratings(player_id), home.rated_games(player_id)]
        word = self._rating(
            [*names, home.rating_days(player_id, change.field), home.rating_opponents(player_id, change.field)],
            game=game_id,
            ended=ended_ms,
            window=WINDOW_MS,
            days=DAYS,
            most=MAX_OPPONENTS,
            change={"field": change.field, "mu": change.mu, "sigma": change.sigma, "won": int(change.won)},
            opponents=[(_digest(opponent), int(is_established)) for opponent, is_established in change.opponents],
            scale=scale._asdict(),
        )
        return cast("bytes", word).decode()

    def read_field(self, player_id: str, field: str) -> tuple[bytes | None, StoredRating | None, set[str]]:
        """Return one rating as stored and as read, and the ids of all games removed from the player's ratings."""
        home = self._keys.home(player_id)
        commands = (("HGET", home.ratings(player_id), field), ("SMEMBERS", home.removed_games(player_id)))
        stored, removed = ask_all(self._redis, commands)
        found = record_reader.read("rating", f"{field} of {player_id}", stored, _read)
        return stored, found, {*decode_all([*removed])}

    def rebuild(self, player_id: str, field: str, stored: bytes | None, rebuilt: Rebuilt) -> str:
        """Replace a rating and the end of its history, if it is `stored`. Return `APPLIED`, `GONE` or `OVERTAKEN`."""
        home, change = self._keys.home(player_id), Transaction(self._redis)
        player, ratings, removed = home.player(player_id), home.ratings(player_id), home.removed_games(player_id)
        days, opponents = home.rating_days(player_id, field), home.rating_opponents(player_id, field)
        change.require(GONE, exists(player))
        change.require(OVERTAKEN, Read("HGET", ratings, field).equals(stored))
        if rebuilt.rating is None:
            change.run("HDEL", ratings, field)
            change.run("DEL", opponents)
        else:
            change.run("HSET", ratings, field, rebuilt.rating.to_text())
        first_day = rebuilt.first_day if rebuilt.rating is not None else 0
        change.remove("HDEL", days, [day for day in decode_all(self._redis.hkeys(days)) if int(day) >= first_day])
        change.hset(days, {day: f"{mu:.17g} {sigma:.17g}" for day, (mu, sigma) in rebuilt.days.items()})
        for opponent, is_established in rebuilt.opponents.items():
            change.run("ZADD", opponents, "GT", int(is_established), _digest(opponent))
        change.remove("SREM", removed, rebuilt.restored)
        change.remove("SADD", removed, rebuilt.removed)
        lifetime, expires = change.run("PTTL", player), Read("PTTL", player).is_above(0)
        for name in (ratings, days, opponents, removed):
            change.run("PEXPIRE", name, reply(lifetime), when=expires)
        return change.commit().word

    def keep(self, player_id: str, ttl_s: int) -> None:
        """Let the player's ratings live for `ttl_s` from now."""
        home, fields = self._keys.home(player_id), self._fields(player_id)
        if not fields:
            return
        names = (home.ratings(player_id), home.rated_games(player_id), *self._days(player_id, fields))
        names = (*names, home.removed_games(player_id))
        ask_all(self._redis, (("EXPIRE", name, ttl_s) for name in names))

    def forget(self, player_id: str) -> None:
        """Delete the ratings of a deleted player."""
        home, fields = self._keys.home(player_id), self._fields(player_id)
        names = (*self._days(player_id, fields), home.aborted_games(player_id), home.rated_games(player_id))
        names = (*names, home.removed_games(player_id), home.ratings(player_id))
        ask_all(self._redis, (("DEL", name) for name in names))  # ratings last: their fields name the histories

    def _fields(self, player_id: str) -> list[str]:
        return decode_all(self._redis.hkeys(self._keys.home(player_id).ratings(player_id)))

    def _days(self, player_id: str, fields: Iterable[str]) -> list[str]:
        home = self._keys.home(player_id)
        keys = (home.rating_days, home.rating_opponents)
        return [key(player_id, field) for field in fields for key in keys]

    def record_abort(self, player_id: str, game_id: str, ended_ms: int) -> None:
        """Record that the player left a rated game so early that it was aborted. Repeating it changes nothing."""
        home = self._keys.home(player_id)
        aborted, change = home.aborted_games(player_id), Transaction(self._redis)
        change.require(GONE, exists(home.player(player_id)))
        change.run("ZADD", aborted, ended_ms, game_id)
        change.run("ZREMRANGEBYRANK", aborted, 0, -MAX_ABORTED - 2)
        change.run("PEXPIRE", aborted, DAY_MS + PAUSE_MS)
        change.commit()

    def paused_until(self, player_ids: Sequence[str]) -> list[int]:
        """Return the unix ms until which each player gets no rated game, 0 for a player who was never paused."""
        names = (self._keys.home(player_id).aborted_games(player_id) for player_id in player_ids)
        aborted = [("ZRANGE", name, 0, -1, "WITHSCORES") for name in names]
        replies = ask_all(self._redis, [*aborted, *self._exclusions(player_ids)])
        ends = [_pause_end([int(ended_ms) for _, ended_ms in reply]) for reply in replies[: len(aborted)]]
        return [max(end, int(reply or 0)) for end, reply in zip(ends, replies[len(aborted) :], strict=True)]

    def excluded_until(self, player_ids: Sequence[str]) -> list[int]:
        """Return the unix ms until which moderators exclude each player from rated games, 0 for the others."""
        return [int(reply or 0) for reply in ask_all(self._redis, self._exclusions(player_ids))]

    def _exclusions(self, player_ids: Iterable[str]) -> list[Command]:
        return [("HGET", self._keys.player(player_id), "unrated_until") for player_id in player_ids]

    # --------------------------------------------------------------------------------------------------- games

    def set_note(self, game_id: str, field: str, content: bytes) -> bytes | None:
        """Set a field of a game unless it is set. Return its content, or None if there is no such game."""
        game, change = self._keys.game(game_id).game, Transaction(self._redis)
        change.require("gone", exists(game))
        change.run("HSETNX", game, field, content)
        change.run("HGET", game, field)
        outcome = change.commit()
        return outcome.replies[-1] if outcome.is_done else None

    def get_notes(self, game_id: str, *fields: str) -> list[bytes | None]:
        """Return the contents of these fields of a game."""
        return self.notes_of([game_id], *fields)[0]

    def notes_of(self, game_ids: Iterable[str], *fields: str) -> list[list[bytes | None]]:
        """Return the contents of these fields of each game."""
        return ask_all(self._redis, [("HMGET", self._keys.game(game_id).game, *fields) for game_id in game_ids])

    def mark(self, game_id: str, field: str, *, is_set: bool) -> None:
        """Set or delete a mark of a game, which is then archived again. Does nothing if there is no such game."""
        keys, change = self._keys.game(game_id), Transaction(self._redis)
        to_archive = keys.bucket.to_archive
        change.require(GONE, exists(keys.game))
        if is_set:
            change.run("HSET", keys.game, field, b"1")
        else:
            change.run("HDEL", keys.game, field)
        is_archived = Read("HEXISTS", keys.game, "archived").is_above(0)
        change.run("ZADD", to_archive, "XX", 0, game_id)
        change.run("ZADD", to_archive, 0, game_id, when=is_archived)
        change.commit()

    def count_meeting(self, names: Iterable[str], game_id: str, ended_ms: int, days: int) -> int:
        """Count a rated game under these names. Return how many others ended in the `days` before it."""
        key = self._keys.meetings(_digest(" ".join(sorted(names))))
        change = Transaction(self._redis)
        change.run("ZREMRANGEBYSCORE", key, "-inf", ended_ms - 2 * days * DAY_MS)
        change.run("ZADD", key, ended_ms, game_id)
        change.run("PEXPIRE", key, days * DAY_MS)
        change.run("ZCOUNT", key, ended_ms - days * DAY_MS, ended_ms)
        return int(change.commit().replies[-1]) - 1


def _pause_end(aborted_ms: Sequence[int]) -> int:
    """Return until when the player of these aborted games is paused. `aborted_ms`: ascending, at most one too many."""
    too_many = len(aborted_ms) > MAX_ABORTED and aborted_ms[-1] - aborted_ms[0] < DAY_MS
    return aborted_ms[-1] + PAUSE_MS if too_many else 0


def _read_item(field: str, content: bytes) -> tuple[str, StoredRating]:
    return field, _read(field, content)


def _read(_: str, content: bytes) -> StoredRating:
    mu, sigma, games, wins, *more = content.decode().split()
    best, played, opponents, established, *_newer = (*more, *ABSENT[len(more) :])
    return StoredRating(
        *(float(mu), float(sigma), int(games), int(wins), None if best == "-" else float(best)),
        *(None if played == "-" else int(played), int(opponents), int(established)),
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
