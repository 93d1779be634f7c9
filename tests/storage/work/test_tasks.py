"""Long work in Redis: each part is written once, and nothing is written for deleted work."""

from __future__ import annotations

import pytest
from redis import Redis

from service.storage.work.tasks import Tasks
from tests.storage.commits import now_ms


@pytest.fixture
def tasks(client: Redis) -> Tasks:
    return Tasks(client, buckets=1)


def new_task(tasks: Tasks, lifetime_s: int = 60) -> str:
    return tasks.create("tournament", b"{}", "", now_ms() + 1000 * lifetime_s).id


def test_a_part_reported_twice_keeps_its_first_content(tasks: Tasks) -> None:
    task = new_task(tasks)
    for part in (b"first", b"second"):
        tasks.add_part(task, 7, part)
    assert {7: b"first"} == tasks.parts(task)


def test_a_part_reported_twice_counts_once(tasks: Tasks) -> None:
    task = new_task(tasks)
    assert [1, 1, 2] == [tasks.add_part(task, number, b"{}") for number in (7, 7, 3)]
