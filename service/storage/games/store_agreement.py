"""What keepers agree on before they use a store: its version, and the numbers of buckets."""

from __future__ import annotations

from typing import Any, cast

from redis import Redis

from service.storage.base.connect import NewerStoreError
from service.storage.base.keys import Keys
from service.storage.base.pipelining import decode
from service.storage.base.transactions import Read, Transaction
from service.store_version import KEY, STORE_VERSION, describe_newer


def agree_on_version(redis: Redis) -> None:
    """Store our version of the store if it is higher. Raises NewerStoreError if a newer version was here."""
    change, stored = Transaction(redis), Read("GET", KEY)
    change.require("newer", stored.is_below(STORE_VERSION + 1))
    change.run("SET", KEY, STORE_VERSION, when=stored.is_below(STORE_VERSION))
    if not change.commit().is_done:
        raise NewerStoreError(describe_newer(redis.get(KEY)))


def agree_on_buckets(redis: Redis, keys: Keys) -> None:
    """Store the numbers of buckets. Raises `ValueError` if another keeper uses others, or more."""
    ours = ",".join(map(str, keys.counts))
    theirs = decode(redis.get(keys.growth))
    if theirs == ours:
        return
    if theirs:
        if not ours.startswith(f"{theirs},"):
            raise ValueError(f"the games are stored with BUCKETS={theirs}, not {ours}: set BUCKETS to append numbers")
        _copy_subscribers(redis, keys, int(theirs.rpartition(",")[2]))
    redis.set(keys.growth, ours)


def _copy_subscribers(redis: Redis, keys: Keys, old_count: int) -> None:
    """Copy the players who have webhooks or devices to the added buckets."""
    first, *others = keys.all_buckets()
    player_ids = cast("set[bytes]", redis.smembers(first.subscribers))
    ttl_ms: Any = redis.pttl(first.subscribers)
    for bucket in others[old_count - 1 :] if player_ids else ():
        redis.sadd(bucket.subscribers, *player_ids)
        redis.pexpire(bucket.subscribers, ttl_ms)
