"""Transactions: commands run if all conditions hold, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest
from redis import Redis

from service.operate.redis.launcher import EmbeddedRedis
from service.storage.base.connect import connect
from service.storage.base.keys import Keys
from service.storage.base.scripts import DamagedRecordError
from service.storage.base.transactions import Condition, Outcome, Read, Transaction, exists, item, reply, time_from_now
from tests.contents import redis_contents
from tests.patience import redis_now_ms
from tests.storage.lossy import LossyProxy
from tests.usecases.waiting import has_lifetime

HASH, ZSET, LIST, OTHER = (f"{{b00}}:{name}" for name in ("hash", "zset", "list", "other"))


@pytest.fixture
def filled_client(client: Redis) -> Redis:
    client.hset(HASH, mapping={"one": "1", "two": "2", "twelve": "2"})
    client.zadd(ZSET, {"a": 10, "b": 20})
    client.zadd(OTHER, {"b": 0, "c": 0})
    return client


def test_commands_run_in_order_and_reply(redis: Redis) -> None:
    change = Transaction(redis)
    count = change.run("HINCRBY", HASH, "count", 7)
    change.run("SET", OTHER, reply(count, prefix="<", suffix=">"))
    change.run("ZADD", ZSET, time_from_now(60_000), b"\xff\x00")
    before = redis_now_ms(redis)
    outcome = change.commit()
    assert Outcome("done", [7, b"OK", 1]) == outcome
    assert b"<7>" == redis.get(OTHER)
    score = redis.zscore(ZSET, b"\xff\x00")
    assert score is not None
    assert before <= score - 60_000 <= redis_now_ms(redis)


def test_the_first_failed_requirement_refuses_the_transaction(filled_client: Redis) -> None:
    before = redis_contents(filled_client)
    change = Transaction(filled_client)
    change.require("gone", exists(HASH))
    change.require("other", Read("HGET", HASH, "one").equals(2), Read("HGET", HASH, "two").equals(1))
    change.require("last", exists(LIST))
    change.run("DEL", HASH)
    assert Outcome("other", []) == change.commit()
    assert before == redis_contents(filled_client)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (Read("HGET", HASH, "one").equals(1), True),
        (Read("HGET", HASH, "one").equals("2"), False),
        (Read("HGET", HASH, "none").equals(None), True),
        (Read("HGET", HASH, "none").equals("false"), False),
        (Read("HGET", HASH, "one").equals(None), False),
        (Read("HGET", HASH, "one").differs(b"1"), False),
        (Read("HGET", HASH, "none").differs(b"1"), True),
        (Read("HGET", HASH, "one").differs(None), True),
        (Read("ZSCORE", ZSET, "a").is_below(11), True),
        (Read("ZSCORE", ZSET, "a").is_below(10), False),
        (Read("ZSCORE", ZSET, "a").is_above(9), True),
        (Read("ZSCORE", ZSET, "a").is_above(10), False),
        (Read("ZSCORE", ZSET, "none").is_below(1), True),
        (Read("ZSCORE", ZSET, "none").is_above(0), False),
        (Read("ZSCORE", ZSET, "a").is_below(time_from_now(0)), True),
        (Read("HLEN", HASH).is_below(4), True),
        (Read("FIELDS_WITH", HASH, "tw").is_below(3), True),
        (Read("FIELDS_WITH", HASH, "tw").is_above(1), True),
        (Read("FIELDS_OF", HASH, "2").is_above(1), True),
        (Read("FIELDS_OF", HASH, "2").is_below(3), True),
        (exists(HASH), True),
        (exists(LIST), False),
    ],
)
def test_conditions_decide_about_transactions_and_commands(
    filled_client: Redis, condition: Condition, *, holds: bool
) -> None:
    change = Transaction(filled_client)
    change.require("refused", condition)
    assert holds == change.commit().is_done
    change = Transaction(filled_client)
    change.run("SET", LIST, 1, when=condition)
    assert [b"OK" if holds else None] == change.commit().replies


@pytest.mark.parametrize("kind", ["set", "zset"])
def test_members_of_a_set_are_live_if_their_score_in_another_is_above_the_least(
    filled_client: Redis, kind: str
) -> None:
    entries = "{b00}:entries"
    for number, member in enumerate("abcd"):
        filled_client.zadd(OTHER, {member: number})
        filled_client.zadd(entries, {member: 0}) if kind == "zset" else filled_client.sadd(entries, member)
    filled_client.zrem(OTHER, "d")
    for limit in (2, 3):
        change = Transaction(filled_client)
        change.require("many", Read("LIVE", entries, change.key(OTHER), 0).is_below(limit))
        change.run("HSET", HASH, item(), "ended", each=Read("ENDED", entries, change.key(OTHER), 0))
        assert (limit == 3) == change.commit().is_done
    assert {b"a", b"d"} == {name for name, content in filled_client.hgetall(HASH).items() if content == b"ended"}


def test_a_step_runs_for_each_item(filled_client: Redis) -> None:
    filled_client.rpush(LIST, *"abcd")
    change = Transaction(filled_client)
    last = Read("LRANGE", LIST, 2, -1)
    change.run("HSET", HASH, item(prefix="of "), item(), each=last)
    change.run("LREM", LIST, 1, item(), each=last)
    assert change.commit().is_done
    assert [b"a", b"b"] == filled_client.lrange(LIST, 0, -1)
    assert {b"of c": b"c", b"of d": b"d"}.items() <= filled_client.hgetall(HASH).items()


@pytest.mark.parametrize(("lifetime_s", "expected_s"), [(1, 3_600), (7_200, 7_200)])
def test_a_lifetime_is_extended_and_never_shortened(filled_client: Redis, lifetime_s: int, expected_s: int) -> None:
    since_ms = redis_now_ms(filled_client)
    filled_client.expire(HASH, 3_600)
    change = Transaction(filled_client)
    change.run("OUTLIVE", HASH, 1000 * lifetime_s)
    change.commit()
    assert has_lifetime(filled_client, HASH, expected_s, since_ms)


def test_a_version_is_the_time_and_always_grows(client: Redis) -> None:
    def next_version() -> int:
        change = Transaction(client)
        version = change.run("VERSION", ZSET)
        change.run("ZADD", ZSET, reply(version), "a")
        return int(change.commit().replies[0])

    before = redis_now_ms(client)
    first = next_version()
    assert before <= first <= redis_now_ms(client)
    client.zadd(ZSET, {"a": first + 86_400_000})
    assert first + 86_400_001 == next_version()


def test_only_players_with_webhooks_get_notices(client: Redis) -> None:
    bucket = Keys(1).bucket(0)
    client.sadd(bucket.subscribers, "ana")
    since_ms = redis_now_ms(client)
    for player in ("ana", "ben"):
        change = Transaction(client)
        change.notify(bucket, player, b"{}", 60_000)
        change.commit()
    assert [{b"p": b"ana", b"n": b"{}"}] == [entry for _, entry in cast("Any", client.xrange(bucket.outbox))]
    assert has_lifetime(client, bucket.outbox, 60, since_ms)


def expect_and_delete(change: Transaction) -> None:
    change.expect("hash", ZSET)
    change.run("DEL", ZSET)


@pytest.mark.parametrize(
    "add",
    [
        lambda change: change.run("HSET", ZSET, "a", 1),
        lambda change: change.require("no", Read("HGET", ZSET, "a").equals(None)),
        lambda change: change.run("SET", LIST, 1, when=Read("HGET", ZSET, "a").equals(None)),
        lambda change: change.run("SET", LIST, 1, each=Read("SMEMBERS", ZSET)),
        expect_and_delete,
    ],
)
def test_a_key_of_another_type_is_detected_before_any_write(
    filled_client: Redis, add: Callable[[Transaction], object]
) -> None:
    before = redis_contents(filled_client)
    change = Transaction(filled_client)
    change.run("HSET", HASH, "new", 1)
    add(change)
    with pytest.raises(DamagedRecordError) as damaged:
        change.commit()
    assert ZSET == damaged.value.key
    assert before == redis_contents(filled_client)


def test_an_idempotent_transaction_survives_a_lost_answer(valkey: EmbeddedRedis, client: Redis) -> None:
    with LossyProxy(valkey.port) as proxy, connect(proxy.url_of(valkey)) as lossy:
        change = Transaction(lossy)
        change.require("taken", Read("GET", OTHER).equals(None), Read("GET", OTHER).equals("me"))
        change.run("SET", OTHER, "me")
        proxy.lose_next_answer()
        assert change.commit().is_done
        assert 1 == proxy.lost
