"""Attempts of players at puzzles, the puzzle ratings of players, and what all attempts add up to.

One transaction in the player's bucket counts an attempt completely: for the player, for the puzzle and for the day.
Each bucket therefore has a part of the counts of a puzzle, which `count_all` and `count_day` add up. A change of a
puzzle's rating is a number that is added, so changes combine in any order.

The caller computes an attempt from a `Progress` that it has read. If another attempt was counted since, nothing is
written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from service import record_reader
from service.storage.base.bucket_store import PlayerStore
from service.storage.base.pipelining import ask_all, decode_fields
from service.storage.base.transactions import APPLIED, Read, Transaction, exists, reply

RATING, NEXT, STREAKS = "rating:", "next:", "streaks"
"""Prefixes of fields of a player's progress, and a field."""
COUNT_NAMES = ("attempts", "solved", "moved")
PER_MU = 1_000_000
"""Changes of a puzzle's rating are stored as whole numbers of this part of mu."""
DAY_TTL_MS = 3 * 86_400_000


class PuzzleRating(NamedTuple):
    """A player's puzzle rating of one ruleset. `attempts`, `solved`: numbers of puzzles; `at_ms`: the last of them."""

    mu: float
    sigma: float
    attempts: int
    solved: int
    at_ms: int


class Streaks(NamedTuple):
    """Numbers of puzzles solved in a row, now and at most, and of daily puzzles solved in a row.

    `day`: of the last attempt at a daily puzzle, in days since 1970; 0 before the first.
    """

    current: int = 0
    best: int = 0
    daily: int = 0
    day: int = 0


class FirstAttempt(NamedTuple):
    """The attempt at a puzzle that counts: its answers as actions, and the player's points and streak."""

    at_ms: int
    is_solved: bool
    answers: tuple[int, ...]
    before: int
    after: int
    streak: int


class StoredAttempt(NamedTuple):
    """The first attempt at a puzzle, and the time and result of the last one."""

    first: FirstAttempt
    last_ms: int
    is_solved: bool

    def to_bytes(self) -> bytes:
        """Return the stored form."""
        return orjson.dumps([[*self.first], self.last_ms, self.is_solved])


class Progress(NamedTuple):
    """A player's puzzle ratings by ruleset, streaks, and puzzles to solve by filters.

    `attempts`: by puzzle id. `fields`: the stored forms.
    """

    ratings: Mapping[str, PuzzleRating]
    streaks: Streaks
    chosen: Mapping[str, str]
    attempts: Mapping[str, StoredAttempt]
    fields: Mapping[str, bytes]


class Counts(NamedTuple):
    """How many players tried a puzzle and how many solved it. `moved`: the change of its rating, in mu."""

    attempts: int
    solved: int
    moved: float = 0.0


class NewAttempt(NamedTuple):
    """An attempt to store. `rating`: the player's new rating; None if the attempt is not their first at the puzzle.

    `moved`: the change of the puzzle's rating, in mu. `day`: days since 1970 if it counts for the daily puzzle.
    """

    puzzle_id: str
    ruleset: str
    attempt: StoredAttempt
    streaks: Streaks
    rating: PuzzleRating | None = None
    moved: float = 0.0
    day: int | None = None


class PuzzleAttempts(PlayerStore):
    """Reads and stores attempts."""

    def progress(self, player_id: str) -> Progress:
        """Return the progress of a player. Attempts that cannot be read are missing."""
        home = self._keys.home(player_id)
        names = (home.puzzle_progress(player_id), home.puzzle_attempts(player_id))
        fields, attempts = map(decode_fields, ask_all(self._redis, (("HGETALL", name) for name in names)))
        ratings = _select(fields, RATING)
        streaks = record_reader.read("puzzle streaks", player_id, fields.get(STREAKS), _read_streaks)
        return Progress(
            dict(record_reader.read_all("puzzle rating", ratings.items(), _read_rating)),
            streaks or Streaks(),
            {filters: content.decode() for filters, content in _select(fields, NEXT).items()},
            dict(record_reader.read_all("puzzle attempt", attempts.items(), _read_attempt)),
            {**fields, **attempts},
        )

    def choose(self, player_id: str, filters: str, puzzle_id: str) -> None:
        """Store which puzzle a player is to solve next, by the filters of their choice."""
        home, change = self._keys.home(player_id), Transaction(self._redis)
        change.require("gone", exists(home.player(player_id)))
        change.run("HSET", home.puzzle_progress(player_id), f"{NEXT}{filters}", puzzle_id)
        self._let_live(change, player_id)
        change.commit()

    def count(self, player_id: str, before: Progress, new: NewAttempt) -> bool | None:
        """Store an attempt that was computed from the progress `before`.

        Return False if that has changed, None if there is no such player.
        """
        home, change = self._keys.home(player_id), Transaction(self._redis)
        progress, attempts = home.puzzle_progress(player_id), home.puzzle_attempts(player_id)
        rating, counts = f"{RATING}{new.ruleset}", home.puzzle_counts
        change.require("gone", exists(home.player(player_id)))
        for name, field in ((attempts, new.puzzle_id), (progress, rating), (progress, STREAKS)):
            change.require("changed", Read("HGET", name, field).equals(before.fields.get(field)))
        change.run("HSET", attempts, new.puzzle_id, new.attempt.to_bytes())
        change.run("HSET", progress, STREAKS, orjson.dumps([*new.streaks]))
        if new.rating is not None:
            change.run("HSET", progress, rating, orjson.dumps([*new.rating]))
            parts = (1, int(new.attempt.first.is_solved), round(PER_MU * new.moved))
            for name, added in zip(COUNT_NAMES, parts, strict=True):
                change.run("HINCRBY", counts, f"{new.puzzle_id}:{name}", added)
        if new.day is not None:
            day = home.daily_puzzle(new.day)
            for name, added in zip(COUNT_NAMES, (1, int(new.attempt.is_solved)), strict=False):
                change.run("HINCRBY", day, name, added)
            change.run("PEXPIRE", day, DAY_TTL_MS)
        self._let_live(change, player_id)
        return {APPLIED: True, "changed": False}.get(change.commit().word)

    def _let_live(self, change: Transaction, player_id: str) -> None:
        """Let the progress live as long as the player."""
        home = self._keys.home(player_id)
        lifetime = change.run("PTTL", player := home.player(player_id))
        for name in self._names(player_id):
            change.run("PEXPIRE", name, reply(lifetime), when=Read("PTTL", player).is_above(0))

    def count_all(self, puzzle_ids: Sequence[str]) -> list[Counts]:
        """Return the counts of these puzzles."""
        fields = [f"{puzzle_id}:{name}" for puzzle_id in puzzle_ids for name in COUNT_NAMES]
        if not fields:
            return []
        commands = (("HMGET", bucket.puzzle_counts, *fields) for bucket in self._keys.all_buckets())
        sums = [sum(int(part or 0) for part in parts) for parts in zip(*ask_all(self._redis, commands), strict=True)]
        width = len(COUNT_NAMES)
        return [Counts(sums[start], sums[start + 1], sums[start + 2] / PER_MU) for start in range(0, len(sums), width)]

    def count_day(self, day: int) -> Counts:
        """Return how many players tried the daily puzzle of a day, in days since 1970, on that day."""
        names = COUNT_NAMES[:2]
        commands = (("HMGET", bucket.daily_puzzle(day), *names) for bucket in self._keys.all_buckets())
        parts = ask_all(self._redis, commands)
        return Counts(*(sum(int(part or 0) for part in column) for column in zip(*parts, strict=True)))

    def _names(self, player_id: str) -> list[str]:
        home = self._keys.home(player_id)
        return [home.puzzle_progress(player_id), home.puzzle_attempts(player_id)]


def _select(fields: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    return {name.removeprefix(prefix): content for name, content in fields.items() if name.startswith(prefix)}


def _read_rating(ruleset: str, content: bytes) -> tuple[str, PuzzleRating]:
    return ruleset, PuzzleRating(*orjson.loads(content)[: len(PuzzleRating._fields)])


def _read_streaks(_: str, content: bytes) -> Streaks:
    return Streaks(*orjson.loads(content)[: len(Streaks._fields)])


def _read_attempt(puzzle_id: str, content: bytes) -> tuple[str, StoredAttempt]:
    first, last_ms, is_solved, *_ = orjson.loads(content)
    at_ms, first_solved, answers, before, after, streak, *_ = first
    return puzzle_id, StoredAttempt(
        FirstAttempt(at_ms, first_solved, tuple(answers), before, after, streak), last_ms, is_solved
    )
