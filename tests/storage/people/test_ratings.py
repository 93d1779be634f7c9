"""Ratings in the store: games apply once, changes add up, the history is bounded, and all expire with the player."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from redis import Redis

from service.storage.base.follow_ups import FollowUp, FollowUps
from service.storage.games.store import Store
from service.storage.people.players import Players
from service.storage.people.ratings import (
    COUNTED,
    DAY_MS,
    DAYS,
    GONE,
    LATE,
    MAX_OPPONENTS,
    PAUSE_MS,
    WINDOW_MS,
    Change,
    Ratings,
    Scale,
)
from tests.storage.commits import commit_on, new_game, now_ms
from tests.storage.stored_players import ANA, keep
from tests.threads import run_at_once

FIELD, NEW, CERTAIN = "azul:two", (25.0, 8.0), 4.0
SCALE = Scale(*NEW, CERTAIN, 0.1, 0.0)
WON, LOST = Change(FIELD, 1.5, 0.9, won=True), Change(FIELD, -1.5, 0.9, won=False)


@pytest.fixture
def ratings(client: Redis) -> Iterator[Ratings]:
    keep(Players(client, 1))
    return (yield Ratings(client, 1))


def test_a_repeated_game_changes_a_rating_once(ratings: Ratings) -> None:
    outcomes = run_at_once(lambda _: ratings.apply("ana", "game", now_ms(), WON, SCALE), range(16))
    assert [COUNTED] * 16 == outcomes
    (stored,) = ratings.get("ana").values()
    assert (26.5, 7.2, 1, 1) == pytest.approx(stored[:4])


def test_changes_of_simultaneous_games_add_up_in_any_order(client: Redis, ratings: Ratings) -> None:
    keep(Players(client, 1), replace(ANA, id="ben"))
    for name, changes in (("ana", (WON, LOST, WON)), ("ben", (LOST, WON, WON))):
        for number, change in enumerate(changes):
            ratings.apply(name, f"game {number}", now_ms(), change, SCALE)
    ana, ben = (rating[FIELD] for rating in map(ratings.get, ("ana", "ben")))
    assert ana[:4] == pytest.approx(ben[:4])
    assert (26.5, 8 * 0.9**3, 3, 2) == pytest.approx(ana[:4])


def test_a_rating_is_never_less_certain_than_a_new_rating(ratings: Ratings) -> None:
    ratings.apply("ana", "game", now_ms(), WON._replace(sigma=1.7), SCALE)
    assert 8.0 == ratings.get("ana")[FIELD].sigma


def test_the_best_rating_counts_only_certain_ratings(ratings: Ratings) -> None:
    seen = []
    for number, (mu, sigma) in enumerate([(9, 0.9), (-5, 0.5), (2, 1.0), (-1, 1.0), (4, 1.0)]):
        ratings.apply("ana", f"game {number}", now_ms(), Change(FIELD, mu, sigma, won=False), SCALE)
        seen.append(ratings.get("ana")[FIELD].best)
    assert [None, 29.0, 31.0, 31.0, 34.0] == seen


def test_each_kind_has_its_own_rating(ratings: Ratings) -> None:
    ratings.apply("ana", "one", now_ms(), WON, SCALE)
    ratings.apply("ana", "other", now_ms(), LOST._replace(field="azul:many"), SCALE)
    assert {FIELD: 26.5, "azul:many": 23.5} == {field: rating.mu for field, rating in ratings.get("ana").items()}
    assert [26.5, None] == [rating and rating.mu for rating in ratings.get_field(["ana", "nobody"], FIELD)]


def test_ratings_of_a_deleted_player_are_not_written(client: Redis, ratings: Ratings) -> None:
    before = set(client.keys())
    assert GONE == ratings.apply("ben", "game", now_ms(), WON, SCALE)
    assert before == set(client.keys())


def test_a_game_is_forgotten_only_after_its_window(client: Redis, ratings: Ratings) -> None:
    now = now_ms()
    assert COUNTED == ratings.apply("ana", "young", now - WINDOW_MS + 60_000, WON, SCALE)
    assert LATE == ratings.apply("ana", "old", now - WINDOW_MS - 60_000, WON, SCALE)
    names = Store(client, 1).keys.bucket(0).rated_games("ana")
    client.zadd(names, {"kept": now - 2 * WINDOW_MS + 60_000, "forgotten": now - 2 * WINDOW_MS - 60_000})
    assert COUNTED == ratings.apply("ana", "last", now, WON, SCALE)
    assert {b"young", b"kept", b"last"} == set(client.zrange(names, 0, -1))
    assert LATE == ratings.apply("ana", "forgotten", now - 2 * WINDOW_MS - 60_000, WON, SCALE)
    assert 2 == ratings.get("ana")[FIELD].games


def test_the_history_has_one_entry_a_day_for_the_last_366_days(client: Redis, ratings: Ratings) -> None:
    now = now_ms()
    for number in range(3):
        ratings.apply("ana", f"game {number}", now, WON, SCALE)
    (today,) = ratings.history("ana", FIELD)
    assert (29.5, 8 * 0.9**3) == pytest.approx(today[1:])
    key, number = Store(client, 1).keys.bucket(0).rating_days("ana", FIELD), now // DAY_MS
    client.delete(key)
    client.hset(key, mapping={str(number - ago): "20 5" for ago in range(1, DAYS + 3)})
    ratings.apply("ana", "one more", now, LOST, SCALE)
    days = ratings.history("ana", FIELD)
    assert DAYS == len(days)
    assert (today.day, 28.0) == days[-1][:2]
    assert sorted(day.day for day in days) == [day.day for day in days]
    assert number - DAYS + 1 == min(map(int, client.hkeys(key)))


def test_ratings_expire_with_their_player(client: Redis, ratings: Ratings) -> None:
    bucket = Store(client, 1).keys.bucket(0)
    names = [bucket.ratings("ana"), bucket.rated_games("ana"), bucket.rating_days("ana", FIELD)]
    names.append(bucket.rating_opponents("ana", FIELD))
    ratings.apply("ana", "game", now_ms(), WON._replace(opponents=(("ben", False),)), SCALE)
    assert {client.pexpiretime(bucket.player("ana"))} == {client.pexpiretime(name) for name in names}
    ratings.keep("ana", 9_000)
    assert all(200_000 < client.pttl(name) <= 9_000_000 for name in names)
    ratings.keep("nobody", 9_000)
    ratings.forget("ana")
    assert 0 == client.exists(*names)
    assert ({}, []) == (ratings.get("ana"), ratings.history("ana", FIELD))


def test_the_first_note_in_a_game_is_not_overwritten(client: Redis, ratings: Ratings) -> None:
    store = Store(client, 1)
    game_id = new_game(store, ttl_s=900)
    assert [None, None] == ratings.get_notes(game_id, "rating", "rating_applied")
    assert [b"first", b"first"] == [ratings.set_note(game_id, "rating", content) for content in (b"first", b"second")]
    assert 0 < client.pttl(store.keys.game(game_id).game) <= 900_000
    store.commit(game_id, commit_on(1))
    assert [b"first", None] == ratings.get_notes(game_id, "rating", "rating_applied")
    assert ratings.set_note("no-such-game", "rating", b"x") is None
    assert not client.exists(store.keys.game("no-such-game").game)


def test_recent_games_under_the_same_names_are_counted(client: Redis, ratings: Ratings) -> None:
    day = 20_000 * DAY_MS
    for number in (0, 1, 1, 0, 2):
        pair = ("ben", "ana") if number % 2 else ("ana", "ben")
        assert number == ratings.count_meeting(pair, f"game {number}", day + number, 7)
    assert 0 == ratings.count_meeting(("ana", "cleo"), "game 3", day + 3, 7)
    assert 2 == ratings.count_meeting(("ana", "ben"), "game 4", day + 7 * DAY_MS + 1, 7)
    assert 0 == ratings.count_meeting(("ana", "ben"), "game 5", day + 15 * DAY_MS, 7)
    (key,) = {key for key in client.scan_iter("*:meetings:*") if client.zcard(key) == 2}
    assert b"ana" not in key
    assert 6 * DAY_MS < client.pttl(key) <= 7 * DAY_MS


def test_uncertainty_grows_between_games_and_has_bounds(ratings: Ratings) -> None:
    now, scale = now_ms(), SCALE._replace(growth=1.0, least=3.0)
    for number, (days_ago, expected) in enumerate(((5, 4.0), (5, 3.0), (0, 3.741657), (0, 3.0))):
        factor = 0.5 if number != 2 else 1.0
        ratings.apply("ana", f"game {number}", now - days_ago * DAY_MS, WON._replace(sigma=factor), scale)
        assert expected == pytest.approx(ratings.get("ana")[FIELD].sigma), number
    ratings.apply("ben", "game", now, WON, scale)
    assert now == ratings.get("ana")[FIELD].played_ms
    growing = SCALE._replace(growth=1e6)
    ratings.apply("ana", "last", now + DAY_MS, WON._replace(sigma=1.0), growing)
    assert 8.0 == ratings.get("ana")[FIELD].sigma


def test_different_opponents_are_counted_and_those_who_were_established(client: Redis, ratings: Ratings) -> None:
    meetings = (("ben", False), ("cleo", True)), (("ben", True),), (("cleo", False), ("dora", False))
    seen = []
    for number, opponents in enumerate(meetings):
        ratings.apply("ana", f"game {number}", now_ms(), WON._replace(opponents=opponents), SCALE)
        seen.append(ratings.get("ana")[FIELD][-2:])
    assert [(2, 1), (2, 2), (3, 2)] == seen
    everybody = tuple((str(number), False) for number in range(2 * MAX_OPPONENTS))
    ratings.apply("ana", "many", now_ms(), WON._replace(opponents=everybody), SCALE)
    assert (MAX_OPPONENTS, 2) == ratings.get("ana")[FIELD][-2:]
    assert not [name for name in client.zrange(opponents_key(client), 0, -1) if b"cleo" in name]


def opponents_key(client: Redis) -> str:
    return Store(client, 1).keys.bucket(0).rating_opponents("ana", FIELD)


@pytest.mark.parametrize(
    ("stored", "best"), [("26.5 3 12 5", None), ("26.5 3 12 5 ", None), ("26.5 3 12 5 27.5", 27.5)]
)
def test_a_rating_of_an_earlier_version_is_read_and_changed(
    client: Redis, ratings: Ratings, stored: str, best: float | None
) -> None:
    client.hset(Store(client, 1).keys.bucket(0).ratings("ana"), FIELD, stored)
    assert (26.5, 3, 12, 5, best, None, 0, 0) == ratings.get("ana")[FIELD]
    now = now_ms()
    ratings.apply("ana", "game", now, WON, SCALE)
    assert (28.0, 3 * 0.9, 13, 6, 28.0, now, 0, 0) == pytest.approx(ratings.get("ana")[FIELD])


def test_a_player_is_paused_after_four_aborted_games_within_a_day(client: Redis, ratings: Ratings) -> None:
    def ends() -> list[int]:
        return ratings.paused_until(["ana", "ben"])

    for number, hours in enumerate((0, 20, 23, 25, 30)):
        for _ in range(2):
            ratings.record_abort("ana", f"game {number}", hours * PAUSE_MS)
        assert [31 * PAUSE_MS if hours == 30 else 0, 0] == ends()
    ratings.record_abort("ben", "game", 0)  # does not exist
    assert 1 == len([*client.scan_iter("*aborted_games*")])
    ratings.forget("ana")
    assert [0, 0] == ends()


def test_a_commit_and_its_follow_up_are_written_atomically(client: Redis, store: Store) -> None:
    follow_ups = FollowUps(client, 1)
    game_id = new_game(store)
    follow_up = FollowUp(game_id, "rating", {"x": 1})
    store.commit(
        game_id, commit_on(1, follow_up=(follow_up, 5), idempotency=("idem:k", b"r", 60), checkpoints={2: b"then"})
    )
    assert [] == follow_ups.take(4, 100, 10)
    assert [follow_up] == follow_ups.take(5, 100, 10)
    assert (b"r", b"then") == (store.replay_entry(game_id, "idem:k"), store.checkpoint(game_id, 2))
    follow_ups.remove(follow_up)
    assert [] == follow_ups.take(1000, 2000, 10)
    with pytest.raises(ValueError, match="commit"):
        store.commit(game_id, commit_on(2, fields={"rating": b"ours"}))
