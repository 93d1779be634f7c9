"""Counters and places in a real Redis: exact, shared, and expiring."""

from __future__ import annotations

from collections import Counter

import pytest
from redis import Redis

from service.storage.base.connect import connect
from service.storage.base.limits import Limits, budget_key
from service.storage.base.shares import OpenGames, Place
from tests.patience import let_expire, redis_now_ms
from tests.threads import run_at_once

ANA, BEN = "192.0.2.1", "192.0.2.2"
HOUR_S = 3_600


@pytest.fixture
def limits(client: Redis) -> Limits:
    return Limits(client)


def expiries(client: Redis) -> list[int]:
    return [client.pttl(key) for key in client.scan_iter("{lim:*")]


def test_a_budget_is_used_up_and_restored_after_its_window(client: Redis, limits: Limits) -> None:
    assert [2, 1, 0, -1, -1] == [limits.hit(ANA, "reads", 3, HOUR_S).left for _ in range(5)]
    reset_ms = limits.hit(ANA, "reads", 3, HOUR_S).reset_ms
    assert 0 < reset_ms <= HOUR_S * 1_000
    let_expire(client, reset_ms / 1_000)
    assert (2, HOUR_S * 1_000) == limits.hit(ANA, "reads", 3, HOUR_S)


def test_a_refused_request_does_not_prolong_the_window(client: Redis, limits: Limits) -> None:
    limits.hit(ANA, "reads", 1, HOUR_S)
    client.pexpire(budget_key(ANA, "reads"), 60_000)
    expires = client.pexpiretime(budget_key(ANA, "reads"))
    assert [-1] * 3 == [limits.hit(ANA, "reads", 1, HOUR_S).left for _ in range(3)]
    assert expires == client.pexpiretime(budget_key(ANA, "reads"))
    assert b"1" == client.get(budget_key(ANA, "reads"))


def test_callers_and_budgets_are_counted_separately(limits: Limits) -> None:
    requests = [(ANA, "reads"), (ANA, "actions"), (BEN, "reads")]
    assert [4, 4, 4] == [limits.hit(caller, budget, 5, HOUR_S).left for caller, budget in requests]


def test_simultaneous_requests_are_each_counted_once(limits: Limits) -> None:
    actual = run_at_once(lambda _: limits.hit(ANA, "reads", 100, HOUR_S).left, range(120))
    assert Counter({**dict.fromkeys(range(100), 1), -1: 20}) == Counter(actual)


def test_every_key_expires_and_holds_no_address(client: Redis, limits: Limits) -> None:
    limits.hit(ANA, "reads", 5, 60)
    limits.hold(ANA, "streams held", "one", 5)
    OpenGames(client).take([Place(ANA, "game")], 5, HOUR_S)
    assert 3 == len(expiries(client))
    assert all(0 < left <= HOUR_S * 1_000 for left in expiries(client))
    assert [] == [key for key in client.scan_iter() if ANA.encode() in key]


def test_a_place_beyond_the_limit_is_refused_until_another_is_released(limits: Limits) -> None:
    assert [True, True, False] == [limits.hold(ANA, "streams held", holder, 2) for holder in "abc"]
    assert limits.hold(BEN, "streams held", "c", 2)
    assert limits.hold(ANA, "streams held", "a", 2)
    limits.release(ANA, "streams held", "b")
    assert limits.hold(ANA, "streams held", "c", 2)
    assert ["a", "c"] == limits.holders(ANA, "streams held")


def test_the_place_of_a_killed_process_is_freed_with_its_lease(client: Redis, limits: Limits) -> None:
    limits.hold(ANA, "streams held", "killed", 2, HOUR_S)
    limits.hold(ANA, "streams held", "alive", 2, HOUR_S)
    assert not limits.hold(ANA, "streams held", "next", 2)
    client.zincrby(budget_key(ANA, "streams held"), -1_000 * HOUR_S, "killed")
    assert limits.hold(ANA, "streams held", "next", 2)
    assert ["alive", "next"] == sorted(limits.holders(ANA, "streams held"))


def test_a_short_lease_does_not_shorten_a_long_one(client: Redis, limits: Limits) -> None:
    limits.hold(ANA, "streams held", "long", 2, HOUR_S)
    limits.hold(ANA, "streams held", "short", 2, 1)
    assert client.pttl(budget_key(ANA, "streams held")) > 1_000


def test_each_holder_of_a_game_needs_a_free_place(client: Redis) -> None:
    games = OpenGames(client)
    assert [] == games.take([Place(ANA, "one"), Place(BEN, "one")], 1, HOUR_S)
    assert [] == games.take([Place(ANA, "one")], 1, HOUR_S)
    assert [ANA] == games.take([Place(ANA, "two"), Place("Cleo", "two")], 1, HOUR_S)
    held = games.games_of(ANA, HOUR_S, redis_now_ms(client))
    assert ["one"] == [*held]
    assert held["one"] <= redis_now_ms(client)
    games.release([Place(ANA, "one")])
    assert [] == games.take([Place(ANA, "two")], 1, HOUR_S)


def test_limits_work_on_a_cluster(cluster_url: str) -> None:
    with connect(cluster_url) as client:
        limits, games = Limits(client), OpenGames(client)
        for caller in (ANA, BEN):
            assert [1, 0, -1] == [limits.hit(caller, "reads", 2, HOUR_S).left for _ in range(3)]
            assert [[], [caller]] == [games.take([Place(caller, name)], 1, HOUR_S) for name in ("one", "two")]
        assert [] == games.take([Place(name, "three") for name in (ANA, BEN)], 2, HOUR_S)
