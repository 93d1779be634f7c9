"""The audit log of several buckets: one order, pages without gaps, and entries that this version cannot read."""

from __future__ import annotations

import itertools

import orjson
import pytest
from redis import Redis

from service.storage.base.follow_ups import OPERATOR, LogEntry
from service.storage.base.keys import Keys
from service.storage.people.moderation import Moderation

BUCKETS = 4


@pytest.fixture
def moderation(redis_client: Redis) -> Moderation:
    return Moderation(redis_client, BUCKETS)


def ids(moderation: Moderation, count: int) -> list[list[str]]:
    """Return the ids of the objects of all entries, by page."""
    pages, before = [], None
    while entries := moderation.log(before, count):
        pages.append([entry.object_id for entry in entries])
        before = entries[-1].id
    return pages


def test_entries_of_all_buckets_come_in_one_order(moderation: Moderation) -> None:
    objects = [f"object-{number}" for number in range(12)]
    assert 1 < len({Keys(BUCKETS).bucket_number(name) for name in objects})
    for name in objects:
        moderation.append(LogEntry(OPERATOR, "ban", "player", name, f"reason of {name}"))
    (newest,) = moderation.log(None, 1)
    assert (OPERATOR, "ban", "player") == (newest.actor, newest.act, newest.object_type)
    assert newest.reason == f"reason of {newest.object_id}"
    entries = moderation.log(None, 100)
    assert sorted(entry.at_ms for entry in entries) == [entry.at_ms for entry in reversed(entries)]
    assert sorted(objects) == sorted(entry.object_id for entry in entries)


@pytest.mark.parametrize("count", [1, 2, 3, 5, 100])
def test_pages_have_no_gaps_between_entries_of_the_same_moment(
    redis_client: Redis, moderation: Moderation, count: int
) -> None:
    content = {"actor": ["operator", None], "act": "ban", "object_type": "player", "reason": None}
    for bucket, entry_id in itertools.product(range(BUCKETS), ("5-0", "5-1", "7-0")):
        entry = {"e": orjson.dumps({**content, "object_id": f"{entry_id}-{bucket}"})}
        redis_client.xadd(Keys(BUCKETS).bucket(bucket).audit_log, entry, id=entry_id)  # type: ignore[arg-type]
    expected = [f"{entry_id}-{bucket}" for entry_id in ("7-0", "5-1", "5-0") for bucket in (3, 2, 1, 0)]
    pages = ids(moderation, count)
    assert expected == [name for page in pages for name in page]
    assert {count} >= {len(page) for page in pages[:-1]}


def test_an_entry_of_a_later_version_is_skipped_and_a_longer_one_is_read(
    redis_client: Redis, moderation: Moderation
) -> None:
    content = {"actor": ["a", "Kim", "more"], "act": "ban", "object_type": "player", "object_id": "x", "more": 1}
    for added in ({}, {"version": 2}):
        entry = {"e": orjson.dumps({**content, **added})}
        redis_client.xadd(Keys(BUCKETS).bucket(1).audit_log, entry)  # type: ignore[arg-type]
    assert [("Kim", "x", None)] == [
        (entry.actor.name, entry.object_id, entry.reason) for entry in moderation.log(None, 9)
    ]
