"""Long work is shared out fairly: between callers, short before long, and nothing of it is lost or done for ever."""

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
    """The next piece, done at once."""
    taken = backlog.take(now_ms() + MINUTE, short=short)
    if taken is None:
        return None
    backlog.drop([taken.name])
    return taken.name


def all_of(backlog: Backlog) -> list[str]:
    """Every piece, in the order in which they are done."""
    results = []
    while (name := take(backlog)) is not None:
        results.append(name)
    return results


def test_the_pieces_of_one_caller_come_in_order(backlog: Backlog) -> None:
    backlog.add("ana", names("a", 5), 1)
    assert names("a", 5) == all_of(backlog)
    assert (0, 0.0) == (backlog.waiting(), backlog.queued_s("ana"))


def test_who_comes_late_with_little_does_not_wait_for_who_came_first_with_much(backlog: Backlog) -> None:
    backlog.add("ana", names("game", 1_000), 40)
    assert ["game 0", "game 1"] == [take(backlog) for _ in range(2)]
    backlog.add("ben", ["analysis"], 0.1)
    assert "analysis" == take(backlog)


def test_a_callers_own_analysis_does_not_wait_for_their_tournament(backlog: Backlog) -> None:
    backlog.add("ana", names("game", 1_000), 40)
    take(backlog)
    backlog.add("ana", ["analysis"], 1)
    assert "analysis" == take(backlog)


def test_callers_who_have_work_waiting_get_equal_shares_of_the_time(backlog: Backlog) -> None:
    """However many pieces each has, however long they are, and whenever they came."""
    backlog.add("ana", names("ana", 500), 40)
    backlog.add("ben", names("ben", 500), 20)
    for _ in range(30):
        take(backlog)
    backlog.add("eve", names("eve", 500), 30)
    seconds = {"ana": 40, "ben": 20, "eve": 30}
    spent: Counter[str] = Counter()
    while sum(spent.values()) < 6_000:
        who = str(take(backlog)).split()[0]
        spent[who] += seconds[who]
    assert max(spent.values()) - min(spent.values()) <= sum(seconds.values())


def test_who_was_idle_has_saved_up_nothing(backlog: Backlog) -> None:
    backlog.add("ana", names("ana", 100), 10)
    for _ in range(90):
        take(backlog)
    backlog.add("ben", names("ben", 100), 10)
    first = [str(take(backlog)).split()[0] for _ in range(20)]
    assert 10 == first.count("ben")


def test_shares_are_equal_for_any_mixture(backlog: Backlog) -> None:
    """Two callers who never run dry differ by no more than a piece of each, at any moment."""
    rng, spent = random.Random(7), Counter({"a": 0, "b": 0})
    costs: dict[str, int] = {}
    waiting: Counter[str] = Counter()
    number = 0
    for _ in range(400):
        for who in "ab":
            while waiting[who] < 3:
                cost, number = rng.choice([13, 20, 60]), number + 1
                costs[f"{who} {number}"] = cost
                backlog.add(who, [f"{who} {number}"], cost)
                waiting[who] += 1
        name = str(take(backlog))
        waiting[name[0]] -= 1
        spent[name[0]] += costs[name]
        assert abs(spent["a"] - spent["b"]) <= 120


def test_short_pieces_can_be_taken_while_a_long_one_is_being_done(backlog: Backlog) -> None:
    backlog.add("ana", names("game", 2), 40)
    assert "game 0" == take(backlog)
    assert None is take(backlog, short=True)
    backlog.add("ben", ["analysis"], 10)
    assert (2, 1) == (backlog.waiting(), backlog.waiting(short=True))
    assert ["analysis", None] == [take(backlog, short=True) for _ in range(2)]


def test_a_caller_may_have_so_much_waiting_and_others_as_much(backlog: Backlog) -> None:
    backlog.add("ana", names("a", 9), 10, most_s=100)
    backlog.add("ana", ["the last that fits"], 10, most_s=100)
    with pytest.raises(BacklogFullError) as full:
        backlog.add("ana", ["one too many"], 0.1, most_s=100)
    assert 100 == full.value.waiting_s
    backlog.add("ben", names("b", 10), 10, most_s=100)
    assert (100, 100) == (backlog.queued_s("ana"), backlog.queued_s("ben"))
    take(backlog)
    take(backlog)
    backlog.add("ana", ["there is room again"], 10, most_s=100)


def test_what_is_more_than_may_wait_is_refused_as_a_whole(backlog: Backlog) -> None:
    with pytest.raises(BacklogFullError):
        backlog.add("ana", names("a", 11), 10, most_s=100)
    assert (0, 0.0) == (backlog.waiting(), backlog.queued_s("ana"))


def test_what_waits_already_is_neither_added_nor_counted_again(backlog: Backlog) -> None:
    for _ in range(2):
        backlog.add("ana", names("a", 3), 10, most_s=30)
    assert (30, names("a", 3)) == (backlog.queued_s("ana"), all_of(backlog))


def test_what_nobody_wants_any_more_is_not_done_and_not_counted(backlog: Backlog) -> None:
    backlog.add("ana", names("a", 4), 10)
    taken = backlog.take(now_ms() + MINUTE)
    assert 3 == backlog.drop(["a 0", "a 1", "a 3", "unknown"])
    assert taken is not None
    assert (["a 2"], 0, 0.0) == (all_of(backlog), backlog.being_done(), backlog.queued_s("ana"))


def test_a_piece_whose_lease_runs_out_waits_again_before_all_others(backlog: Backlog) -> None:
    backlog.add("ana", names("a", 3), 10)
    lost = backlog.take(now_ms() + MINUTE)
    assert lost is not None
    assert ([], 2) == (backlog.give_back(now_ms()), backlog.waiting())
    assert ([], 3) == (backlog.give_back(now_ms() + 2 * MINUTE), backlog.waiting())
    again = backlog.take(now_ms() + MINUTE)
    assert again is not None
    assert (lost.name, 2) == (again.name, again.attempt)


def test_a_lease_that_is_renewed_does_not_run_out(backlog: Backlog) -> None:
    backlog.add("ana", ["a"], 10)
    backlog.take(now_ms() + MINUTE)
    backlog.renew("a", now_ms() + 3 * MINUTE)
    assert ([], 1, 0) == (backlog.give_back(now_ms() + 2 * MINUTE), backlog.being_done(), backlog.waiting())
    backlog.drop(["a"])
    backlog.renew("a", now_ms() + 3 * MINUTE)
    assert 0 == backlog.being_done()


def test_a_piece_that_kills_whoever_takes_it_is_given_up(backlog: Backlog) -> None:
    backlog.add("ana", ["deadly", "harmless"], 10)
    given_up: list[str] = []
    for attempt in range(MAX_ATTEMPTS):
        assert [] == given_up
        taken = backlog.take(now_ms() + MINUTE)
        assert taken is not None
        assert ("deadly", attempt + 1) == (taken.name, taken.attempt)
        given_up = backlog.give_back(now_ms() + 2 * MINUTE)
    assert ["deadly"] == given_up
    backlog.drop(given_up)
    assert ["harmless"] == all_of(backlog)


def test_pieces_come_in_order_of_their_tags_whichever_list_they_are_in(backlog: Backlog, client: Redis) -> None:
    for number in range(20):
        backlog.add(f"caller {number}", [f"piece {number}"], 1 + 2 * number)
    order = [int(name.split()[1]) for name in all_of(backlog)]
    assert all(one < other for one, other in pairwise(order))


def test_nothing_of_it_lives_for_ever(backlog: Backlog, client: Redis) -> None:
    backlog.add("ana", names("a", 3), 10)
    backlog.take(now_ms() + MINUTE)
    lifetimes = [client.pttl(key) for key in client.scan_iter("{backlog:tests}:*")]
    assert 7 == len(lifetimes)
    assert all(0 < int(str(lifetime)) <= KEPT_MS for lifetime in lifetimes)
