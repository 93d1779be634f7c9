"""Figures of each day in UTC: new games, players, and how long seeks waited. Days are counted since 1970.

They are for people who run the service. A process that dies may lose a count, and numbers of players are estimates of
HyperLogLog, with a standard error of 0.8 %.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from service.storage.base.bucket_store import BucketStore
from service.storage.base.pipelining import Command, ask_all

KEPT_S = 100 * 86_400
FIRST_DAY = date(1970, 1, 1)
GAMES, WAIT = "games:", "wait:"
"""Prefixes of fields."""


class DayFigures(NamedTuple):
    """The figures of a day. `games`: by field without prefix; `waits`: number of seeks by the bound of their wait."""

    day: date
    new_players: int
    active_players: int
    returning_players: int
    games: dict[str, int]
    waits: dict[int, int]


class Figures(BucketStore):
    """Counts and reads figures."""

    def count(self, now_ms: int, fields: Sequence[str]) -> None:
        """Count one for each of these fields on the day of a time."""
        name = self._keys.bucket(0).figures(_day_of(now_ms))
        ask_all(self._redis, [*(("HINCRBY", name, field, 1) for field in fields), ("EXPIRE", name, KEPT_S)])

    def add_players(self, now_ms: int, active: Iterable[str], returning: Iterable[str]) -> None:
        """Add players who were active on the day of a time. `returning`: those of them who were created earlier."""
        bucket, day = self._keys.bucket(0), _day_of(now_ms)
        commands: list[Command] = []
        for name, ids in ((bucket.active_players(day), [*active]), (bucket.returning_players(day), [*returning])):
            commands += [("PFADD", name, *ids), ("EXPIRE", name, KEPT_S)] if ids else []
        ask_all(self._redis, commands)

    def read(self, last_ms: int, count: int) -> list[DayFigures]:
        """Return the figures of the `count` days up to that of a time, oldest first, in one round trip."""
        bucket, buckets = self._keys.bucket(0), [*self._keys.all_buckets()]
        last = _day_of(last_ms)
        days, commands = range(last - count + 1, last + 1), list[Command]()
        for day in days:
            commands += [("HGETALL", bucket.figures(day)), ("PFCOUNT", bucket.active_players(day))]
            commands += [("PFCOUNT", bucket.returning_players(day))]
            first, following = (FIRST_DAY + timedelta(days=number) for number in (day, day + 1))
            commands += [
                ("ZLEXCOUNT", one.player_index, f"[created_at:{first}", f"(created_at:{following}") for one in buckets
            ]
        replies, size = ask_all(self._redis, commands), 3 + len(buckets)
        return [_day_figures(day, *replies[size * at : size * (at + 1)]) for at, day in enumerate(days)]


def _day_of(unix_ms: int) -> int:
    return unix_ms // 86_400_000


def _day_figures(day: int, fields: dict[bytes, bytes], active: int, returning: int, *created: int) -> DayFigures:
    counts = {name.decode(): int(content) for name, content in fields.items()}
    games = {name.removeprefix(GAMES): count for name, count in counts.items() if name.startswith(GAMES)}
    waits = {int(name.removeprefix(WAIT)): count for name, count in counts.items() if name.startswith(WAIT)}
    return DayFigures(FIRST_DAY + timedelta(days=day), sum(created), active, returning, games, waits)
