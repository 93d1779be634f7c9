"""Counts of puzzles add up over all buckets, and a player's progress expires with the player."""

from __future__ import annotations

from dataclasses import replace

from redis import Redis

from service.storage.base.keys import Keys
from service.storage.people.players import Players
from service.storage.puzzles.puzzle_attempts import (
    Counts,
    FirstAttempt,
    NewAttempt,
    PuzzleAttempts,
    PuzzleRating,
    StoredAttempt,
    Streaks,
)
from tests.storage.stored_players import ANA, keep

BUCKETS = 4


def new_attempt(*, is_solved: bool, moved: float) -> NewAttempt:
    first = FirstAttempt(1, is_solved, (7, 2**63 - 1), 1500, 1510, 1)
    rating = PuzzleRating(25.5, 8.0, 1, int(is_solved), 1)
    stored = StoredAttempt(first, 1, is_solved)
    return NewAttempt("one", "azul", stored, Streaks(1, 1, 1, 20_000), rating, moved, day=20_000)


def test_counts_of_all_buckets_add_up(redis: Redis) -> None:
    players, attempts = Players(redis, BUCKETS), PuzzleAttempts(redis, BUCKETS)
    names = {Keys(BUCKETS).home(name).tag: name for name in map(str, range(99))}
    assert BUCKETS == len(names)
    for number, name in enumerate(names.values()):
        keep(players, replace(ANA, id=name))
        new = new_attempt(is_solved=number > 0, moved=-0.25)
        before = attempts.progress(name)
        assert (True, False) == (attempts.count(name, before, new), attempts.count(name, before, new))
    assert [Counts(4, 3, -1.0), Counts(0, 0)] == attempts.count_all(["one", "two"])
    assert (Counts(4, 3), Counts(0, 0)) == (attempts.count_day(20_000), attempts.count_day(20_001))


def test_progress_is_read_back_and_expires_like_the_player(client: Redis) -> None:
    attempts, new = PuzzleAttempts(client, 1), new_attempt(is_solved=True, moved=0.5)
    assert attempts.count("ana", attempts.progress("ana"), new) is None  # no such player
    keep(Players(client, 1))
    attempts.choose("ana", "azul:", "two")
    attempts.count("ana", attempts.progress("ana"), new)
    found = attempts.progress("ana")
    assert ({"azul": new.rating}, new.streaks, {"azul:": "two"}, {"one": new.attempt}) == found[:4]
    home = Keys(1).home("ana")
    names = (home.puzzle_progress("ana"), home.puzzle_attempts("ana"))
    assert [True, True] == [0 < client.pttl(name) <= 100_000 for name in names]
    attempts.keep("ana", 500)
    assert [True, True] == [client.pttl(name) > 100_000 for name in names]
    attempts.forget("ana")
    assert 0 == client.exists(*names)
    assert Counts(1, 1, 0.5) == attempts.count_all(["one"])[0]
