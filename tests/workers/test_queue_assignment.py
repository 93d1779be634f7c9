"""Workers distribute themselves evenly over the servers of the queue."""

from __future__ import annotations

from collections import Counter

import pytest

from workers.processes.queue_assignment import least_served, should_leave


def test_worker_starts_at_the_server_with_the_fewest_workers() -> None:
    assert 1 == least_served({0: 2, 1: 1, 2: 3})
    assert {0, 2} == {least_served({0: 1, 1: 2, 2: 1}) for _ in range(100)}


def test_unresponsive_server_is_chosen_only_if_all_are_unresponsive() -> None:
    assert 2 == least_served({2: 7})
    assert 0 == least_served({})


@pytest.mark.parametrize("living", [{0: 3, 1: 3}, {0: 3, 1: 2}, {0: 1, 1: 5}, {0: 1}, {}, {1: 4}])
def test_workers_stay_at_a_server_without_a_surplus(living: dict[int, int]) -> None:
    assert not any(should_leave(0, living) for _ in range(100))


def test_surplus_workers_leave_a_server() -> None:
    left = sum(should_leave(0, {0: 10, 1: 0, 2: 2}) for _ in range(2_000)) / 2_000 * 10
    assert 5.3 < left < 6.7


def test_workers_that_check_at_the_same_time_distribute_quickly() -> None:
    places = [0] * 30
    for _ in range(40):
        living = {server: Counter(places)[server] for server in range(3)}
        places = [least_served(living) if should_leave(own, living) else own for own in places]
    assert max(Counter(places).values()) - min(Counter(places)[server] for server in range(3)) <= 6
