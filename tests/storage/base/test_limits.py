"""Counters and places in a real Redis: exact, shared, and gone by themselves."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence

import pytest
from redis import Redis

from service.storage.base.connect import connect
from service.storage.base.limits import Limits, OpenGames, key_of
from tests.patience import let_expire

ANA, BEN = "192.0.2.1", "192.0.2.2"
HOUR_S = 3_600


@pytest.fixture
def limits(client: Redis) -> Limits:
    return Limits(client)


def expiries(client: Redis) -> list[int]:
    return [client.pttl(key) for key in client.scan_iter("{lim:*")]


def test_a_budget_is_used_up_one_by_one_and_whole_again_after_its_window(client: Redis, limits: Limits) -> None:
    assert [2, 1, 0, -1, -1] == [limits.hit(ANA, "reads", 3, HOUR_S).left for _ in range(5)]
    reset_ms = limits.hit(ANA, "reads", 3, HOUR_S).reset_ms
    assert 0 < reset_ms <= HOUR_S * 1_000
    let_expire(client, reset_ms / 1_000)
    assert (2, HOUR_S * 1_000) == limits.hit(ANA, "reads", 3, HOUR_S)


def test_what_is_refused_does_not_prolong_the_window_and_is_not_written(client: Redis, limits: Limits) -> None:
    limits.hit(ANA, "reads", 1, HOUR_S)
    client.pexpire(key_of(ANA, "reads"), 60_000)
    expires = client.pexpiretime(key_of(ANA, "reads"))
    assert [-1] * 3 == [limits.hit(ANA, "reads", 1, HOUR_S).left for _ in range(3)]
    assert expires == client.pexpiretime(key_of(ANA, "reads"))
    assert b"1" == client.get(key_of(ANA, "reads"))


def test_callers_and_budgets_are_counted_apart(limits: Limits) -> None:
    asked = [(ANA, "reads"), (ANA, "actions"), (BEN, "reads")]
    assert [4, 4, 4] == [limits.hit(caller, budget, 5, HOUR_S).left for caller, budget in asked]


def test_requests_at_one_time_are_each_counted_once(limits: Limits) -> None:
    actual: list[int] = []
    threads = [
        threading.Thread(target=lambda: actual.extend(limits.hit(ANA, "reads", 100, HOUR_S).left for _ in range(30)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Counter({**dict.fromkeys(range(100), 1), -1: 20}) == Counter(actual)


def test_every_key_expires_and_holds_no_address(client: Redis, limits: Limits) -> None:
    limits.hit(ANA, "reads", 5, 60)
    limits.hold(ANA, "streams held", "one", 5)
    OpenGames(client, 5).open(ANA, "game", HOUR_S, list)
    assert 3 == len(expiries(client))
    assert all(0 < left <= HOUR_S * 1_000 for left in expiries(client))
    assert [] == [key for key in client.scan_iter() if ANA.encode() in key]


def test_places_are_held_given_back_and_held_again(limits: Limits) -> None:
    assert [True, True, False] == [limits.hold(ANA, "streams held", holder, 2) for holder in "abc"]
    assert limits.hold(BEN, "streams held", "c", 2)
    assert limits.hold(ANA, "streams held", "a", 2)
    limits.release(ANA, "streams held", "b")
    assert limits.hold(ANA, "streams held", "c", 2)
    assert ["a", "c"] == limits.holders(ANA, "streams held")


def test_the_place_of_who_was_killed_is_free_when_its_lease_ends(client: Redis, limits: Limits) -> None:
    limits.hold(ANA, "streams held", "killed", 2, HOUR_S)
    limits.hold(ANA, "streams held", "alive", 2, HOUR_S)
    assert not limits.hold(ANA, "streams held", "next", 2)
    client.zincrby(key_of(ANA, "streams held"), -1_000 * HOUR_S, "killed")
    assert limits.hold(ANA, "streams held", "next", 2)
    assert ["alive", "next"] == sorted(limits.holders(ANA, "streams held"))


def test_a_short_lease_does_not_shorten_a_long_one(client: Redis, limits: Limits) -> None:
    limits.hold(ANA, "streams held", "long", 2, HOUR_S)
    limits.hold(ANA, "streams held", "short", 2, 1)
    assert client.pttl(key_of(ANA, "streams held")) > 1_000


def test_games_are_looked_at_only_when_the_places_are_all_taken(client: Redis) -> None:
    games = OpenGames(client, 3)
    looked: list[list[str]] = []

    def unfinished(held: Sequence[str]) -> list[str]:
        looked.append(sorted(held))
        return ["one", "three"]

    assert [True] * 3 == [games.open(ANA, name, HOUR_S, unfinished) for name in ("one", "two", "three")]
    assert [] == looked
    assert games.open(ANA, "four", HOUR_S, unfinished)
    assert [["one", "three", "two"]] == looked


def test_a_caller_whose_games_are_all_unfinished_opens_no_other(client: Redis) -> None:
    games = OpenGames(client, 2)
    assert [True, True, False] == [games.open(ANA, name, HOUR_S, list) for name in ("one", "two", "three")]
    assert games.open(BEN, "three", HOUR_S, list)


def test_no_limit_of_open_games_asks_nobody(client: Redis) -> None:
    assert OpenGames(client, 0).open(ANA, "one", HOUR_S, list)
    assert [] == expiries(client)


def test_all_of_it_runs_on_a_cluster(cluster_url: str) -> None:
    with connect(cluster_url) as client:
        limits, games = Limits(client), OpenGames(client, 1)
        for caller in (ANA, BEN):
            assert [1, 0, -1] == [limits.hit(caller, "reads", 2, HOUR_S).left for _ in range(3)]
            assert [True, False] == [games.open(caller, name, HOUR_S, list) for name in ("one", "two")]
            assert games.open(caller, "two", HOUR_S, lambda _: [])
