"""Long work is shared fairly between callers, short before long, and no piece is lost or retried forever."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest
from redis import Redis

from service.storage.work.backlog import KEPT_MS, MAX_ATTEMPTS, Backlog, BacklogFullError
from tests.storage.commits import now_ms

MINUTE = 60_000


@pytest.fixture
def backlog(client: Redis) -> Backlog:
    return Backlog(client, "tests")


def names(kind: str, count: int) -> list[str]:
    return [f"{kind} {number}" for number in range(count)]


def take(backlog: Backlog, *, short: bool = False) -> str | None:
    """Take the next piece and complete it."""
    lease = backlog.take(now_ms() + MINUTE, short=short)
    if lease is None:
        return None
    backlog.drop([lease.name])
    return lease.name


def all_of(backlog: Backlog) -> list[str]:
    """Return all pieces in order of execution."""
    results = []
    while (name := take(backlog)) is not None:
        results.append(name)
    return results


def test_the_pieces_of_one_caller_come_in_order(backlog: Backlog) -> None:
    backlog.add("ana", names("a", 5), 1)
    assert names("a", 5) == all_of(backlog)
    assert (0, 0.0) == (backlog.waiting(), backlog.queued_s("ana"))


def test_a_small_task_does_not_wait_for_a_large_earlier_task(backlog: Backlog) -> None:
    backlog.add("ana", names("game", 1_000), 40)
    assert ["game 0", "game 1"] == [take(backlog) for _ in range(2)]
    backlog.add("ben", ["analysis"], 0.1)
    assert "analysis" == take(backlog)


def test_an_analysis_does_not_wait_for_the_callers_tournament(backlog: Backlog) -> None:
    backlog.add("ana", names("game", 1_000), 40)
    take(backlog)
    backlog.add("ana", ["analysis"], 1)
    assert "analysis" == take(backlog)


def test_callers_get_equal_shares_of_the_time(backlog: Backlog) -> None:
    """Neither the number nor the length nor the arrival of their pieces matters."""
    backlog.add("ana", names("ana", 500), 40)
    backlog.add("ben", names("ben", 500), 20)
    for _ in range(30):
        take(backlog)
    backlog.add("eve", names("eve", 500), 30)
    seconds = {"ana": 40, "ben": 20, "eve": 30}
    spent: Counter[str] = Counter()
    while sum(spent.values()) < 6_000:
        caller = str(take(backlog)).split()[0]
        spent[caller] += seconds[caller]
    assert max(spent.values()) - min(spent.values()) <= sum(seconds.values())


def test_an_idle_caller_does_not_accumulate_a_larger_share(backlog: Backlog) -> None:
    backlog.add("ana", names("ana", 100), 10)
    for _ in range(90):
        take(backlog)
    backlog.add("ben", names("ben", 100), 10)
    first = [str(take(backlog)).split()[0] for _ in range(20)]
    assert 10 == first.count("ben")


def test_shares_are_equal_for_any_mixture(backlog: Backlog) -> None:
    """Two busy callers never differ by more than one piece of each."""
    rng, spent = random.Random(7), Counter({"a": 0, "b": 0})
    costs: dict[str, int] = {}
    waiting: Counter[str] = Counter()
    number = 0
    for _ in range(400):
        for caller in "ab":
            while waiting[caller] < 3:
                cost, number = rng.choice([13, 20, 60]), number + 1
                costs[f"{caller} {number}"] = cost
                backlog.add(caller, [f"{caller} {number}"], cost)
                waiting[caller] += 1
        name = str(take(backlog))
        waiting[name[0]] -= 1
        spent[name[0]] += costs[name]
        assert abs(spent["a"] - spent["b"]) <= 120


def test_short_pieces_can_be_taken_during_a_long_one(backlog: Backlog) -> None:
    backlog.add("ana", names("game", 2), 40)
    assert "game 0" == take(backlog)
    assert None is take(backlog, short=True)
    backlog.add("ben", ["analysis"], 10)
    assert (2, 1) == (backlog.waiting(), backlog.waiting(short=True))
    assert ["analysis", None] == [take(backlog, short=True) for _ in range(2)]


def test_each_caller_queues_a_limited_amount_of_work(backlog: Backlog) -> None:
    backlog.add("ana", names("a", 9), 10, limit_s=100)
    backlog.add("ana", ["the last that fits"], 10, limit_s=100)
    with pytest.raises(BacklogFullError) as full:
        backlog.add("ana", ["one too many"], 0.1, limit_s=100)
    assert 100 == full.value.waiting_s
    backlog.add("ben", names("b", 10), 10, limit_s=100)
    assert (100, 100) == (backlog.queued_s("ana"), backlog.queued_s("ben"))
    take(backlog)
    take(backlog)
    backlog.add("ana", ["there is room again"], 10, limit_s=100)


def test_work_beyond_the_limit_is_refused_as_a_whole(backlog: Backlog) -> None:
    with pytest.raises(BacklogFullError):
        backlog.add("ana", names("a", 11), 10, limit_s=100)
    assert (0, 0.0) == (backlog.waiting(), backlog.queued_s("ana"))


def test_waiting_work_is_not_added_again(backlog: Backlog) -> None:
    for _ in range(2):
        backlog.add("ana", names("a", 3), 10, limit_s=30)
    assert (30, names("a", 3)) == (backlog.queued_s("ana"), all_of(backlog))


def test_dropped_work_is_neither_done_nor_counted(backlog: Backlog) -> None:
    backlog.add("ana", names("a", 4), 10)
    lease = backlog.take(now_ms() + MINUTE)
    assert 3 == backlog.drop(["a 0", "a 1", "a 3", "unknown"])
    assert lease is not None
    assert (["a 2"], 0, 0.0) == (all_of(backlog), backlog.being_done(), backlog.queued_s("ana"))


def test_a_piece_with_an_expired_lease_is_next(backlog: Backlog) -> None:
    backlog.add("ana", names("a", 3), 10)
    lost = backlog.take(now_ms() + MINUTE)
    assert lost is not None
    assert ([], 2) == (backlog.give_back(now_ms()), backlog.waiting())
    assert ([], 3) == (backlog.give_back(now_ms() + 2 * MINUTE), backlog.waiting())
    again = backlog.take(now_ms() + MINUTE)
    assert again is not None
    assert (lost.name, 2) == (again.name, again.attempt)


def test_a_renewed_lease_does_not_expire(backlog: Backlog) -> None:
    backlog.add("ana", ["a"], 10)
    backlog.take(now_ms() + MINUTE)
    backlog.renew("a", now_ms() + 3 * MINUTE)
    assert ([], 1, 0) == (backlog.give_back(now_ms() + 2 * MINUTE), backlog.being_done(), backlog.waiting())
    backlog.drop(["a"])
    backlog.renew("a", now_ms() + 3 * MINUTE)
    assert 0 == backlog.being_done()


def test_a_piece_that_kills_its_workers_is_abandoned_after_the_last_attempt(backlog: Backlog) -> None:
    backlog.add("ana", ["deadly", "harmless"], 10)
    given_up: list[str] = []
    for attempt in range(MAX_ATTEMPTS):
        assert [] == given_up
        lease = backlog.take(now_ms() + MINUTE)
        assert lease is not None
        assert ("deadly", attempt + 1) == (lease.name, lease.attempt)
        given_up = backlog.give_back(now_ms() + 2 * MINUTE)
    assert ["deadly"] == given_up
    backlog.drop(given_up)
    assert ["harmless"] == all_of(backlog)


def test_pieces_of_all_lists_come_in_order_of_their_tags(backlog: Backlog, client: Redis) -> None:
    for number in range(20):
        backlog.add(f"caller {number}", [f"piece {number}"], 1 + 2 * number)
    order = [int(name.split()[1]) for name in all_of(backlog)]
    assert all(one < other for one, other in pairwise(order))


def test_all_keys_of_the_backlog_expire(backlog: Backlog, client: Redis) -> None:
    backlog.add("ana", names("a", 3), 10)
    backlog.take(now_ms() + MINUTE)
    lifetimes = [client.pttl(key) for key in client.scan_iter("{backlog:tests}:*")]
    assert 7 == len(lifetimes)
    assert all(0 < int(str(lifetime)) <= KEPT_MS for lifetime in lifetimes)
