"""Outgoing calls are shared fairly: slots by owner and host, turns by owner, in the order of claims."""

from __future__ import annotations

from collections import Counter

import pytest
from redis import Redis

from service.storage.work.dial_queue import Call, DialQueue

NOW, LEASE = 1_000_000, 10_000


@pytest.fixture
def queue(client: Redis) -> DialQueue:
    return DialQueue(client, "tests")


def add(
    queue: DialQueue, owner: str, count: int, host: str | None = None, name: str = "call", now_ms: int = NOW
) -> int:
    """Add calls of an owner, each to a host of its own unless there is a `host`."""
    calls = (f"{name} {owner} {number}" for number in range(count))
    return queue.add([Call(one, owner, host or f"{owner}-{one.rpartition(' ')[2]}:443") for one in calls], now_ms)


def take(queue: DialQueue, slots: int, now_ms: int = NOW) -> str | None:
    return queue.take(now_ms, now_ms + LEASE, slots)


def take_all(queue: DialQueue, slots: int) -> Counter[str]:
    """Take calls until none may be taken. Return how many of each owner were taken."""
    taken = Counter[str]()
    while (name := take(queue, slots)) is not None:
        taken[name.split()[1]] += 1
    return taken


def finish_in_turn(queue: DialQueue, count: int) -> list[str]:
    """Take and finish calls one by one. Return their owners."""
    owners = []
    for _ in range(count):
        name = take(queue, slots=8)
        assert name is not None
        queue.finish(name)
        owners.append(name.split()[1])
    return owners


def test_calls_of_one_owner_come_in_order(queue: DialQueue) -> None:
    assert 12 == add(queue, "ana", 12)
    assert [f"call ana {number}" for number in range(12)] == [take(queue, 100) for _ in range(12)]
    assert take(queue, 100) is None


def test_a_known_call_is_added_once_until_it_is_finished(queue: DialQueue) -> None:
    assert [1, 0] == [add(queue, "ana", 1) for _ in range(2)]
    name = take(queue, 8)
    assert (0, 0) == (add(queue, "ana", 1), queue.waiting())
    queue.finish(name or "")
    assert (1, 1) == (add(queue, "ana", 1), queue.waiting())


def test_owners_are_served_in_turn_however_many_calls_each_has(queue: DialQueue) -> None:
    add(queue, "ana", 50)
    add(queue, "ben", 2)
    add(queue, "cem", 50)
    assert Counter(ana=4, ben=2, cem=4) == Counter(finish_in_turn(queue, 10))
    add(queue, "dora", 1)
    assert "dora" in finish_in_turn(queue, 2)


def test_an_owner_who_returns_is_not_served_before_others(queue: DialQueue) -> None:
    add(queue, "zoe", 10)
    for _ in range(3):
        add(queue, "ana", 1)
        assert ["ana", "zoe"] == sorted(finish_in_turn(queue, 2))


def test_an_owner_gets_no_credit_for_the_time_it_was_blocked(queue: DialQueue) -> None:
    add(queue, "ana", 50)
    held = [take(queue, 8) for _ in range(4)]
    add(queue, "ben", 50)
    assert ["ben"] * 10 == finish_in_turn(queue, 10)
    for name in held:
        queue.finish(name or "")
    assert 4 <= Counter(finish_in_turn(queue, 10))["ben"] <= 6


@pytest.mark.parametrize(
    ("owners", "slots", "each", "left"), [(1, 64, 32, 32), (1, 1, 1, 0), (10, 64, 5, 5), (63, 64, 1, 1)]
)
def test_owners_leave_slots_free_for_others(queue: DialQueue, owners: int, slots: int, each: int, left: int) -> None:
    for number in range(owners):
        add(queue, f"owner{number}", 40)
    taken = take_all(queue, slots)
    assert (owners, slots - left) == (len(taken), taken.total())
    assert {each, each + 1} >= {*taken.values()}
    add(queue, "victim", 1)
    assert (left > 0) == (take(queue, slots) == "call victim 0")


def test_a_host_with_many_owners_leaves_half_of_the_slots_free(queue: DialQueue) -> None:
    for number in range(100):
        add(queue, f"owner{number}", 3, host="slow.example:443")
    assert 32 == take_all(queue, 64).total()
    add(queue, "victim", 1)
    assert "call victim 0" == take(queue, 64)


def test_an_owner_reaches_other_hosts_while_one_is_busy(queue: DialQueue) -> None:
    add(queue, "ana", 8, host="push.example:443")
    assert 4 == take_all(queue, 8).total()
    add(queue, "ben", 5, host="push.example:443")
    add(queue, "ben", 1, host="quick.example:443", name="late")
    assert "late ben 0" == take(queue, 8)


def test_an_owner_behind_hundreds_of_blocked_owners_is_served(queue: DialQueue) -> None:
    for number in range(250):
        add(queue, f"owner{number}", 1, host="slow.example:443")
    take_all(queue, 4)
    add(queue, "victim", 1)
    assert "call victim 0" == take(queue, 4)


def test_a_finished_call_frees_its_slot_for_a_waiting_one(queue: DialQueue) -> None:
    add(queue, "ana", 3)
    first = take(queue, 2)
    assert take(queue, 2) is None
    queue.finish(first or "")
    assert "call ana 1" == take(queue, 2)


def test_the_slots_of_a_dead_dialer_are_free_after_the_lease_and_its_calls_can_be_added_again(queue: DialQueue) -> None:
    add(queue, "ana", 2)
    assert "call ana 0" == take(queue, 1)
    assert take(queue, 1, NOW + LEASE - 1) is None
    assert [0, 1] == [add(queue, "ana", 1, now_ms=NOW + LEASE - number) for number in (1, 0)]
    assert "call ana 1" == take(queue, 1, NOW + LEASE)


def test_the_queue_forgets_owners_without_calls(client: Redis, queue: DialQueue) -> None:
    for number in range(20):
        add(queue, f"owner{number}", 1)
    finish_in_turn(queue, 20)
    add(queue, "ana", 2)
    finish_in_turn(queue, 2)
    assert ([], [b"ana"]) == (client.keys("*owners"), client.zrange("{dial:tests}:served", 0, -1))
    assert (set(), 0) == (set(client.hkeys("{dial:tests}:calls")), queue.waiting())
