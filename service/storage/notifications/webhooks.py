"""Webhooks of players, and what was, or is to be, delivered to them; and devices that get the same notices by push.

All of a player's webhooks and their deliveries lie in the bucket of their id and expire with them. **What is due stands
beside the delivery**, in a list of the bucket that the keepers look at, as they do for games: whoever tries a delivery
is woken for it and may die of it, and then it is due again.

Owner, keepers and dialers change the same records, each at any time. So a change is a function of the record as it
is, written only if it still is so, and tried again if not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar, cast

import orjson
from redis import Redis

from service.storage.base.bucket_keys import BucketKeys
from service.storage.base.due import longest_due
from service.storage.base.keys import Buckets, Keys
from service.storage.base.optimistic import LostRaceError, optimistic
from service.storage.base.pipelining import ask_all
from service.storage.base.transactions import Read, Transaction, item, reply

MAX_WEBHOOKS, MAX_DEVICES = 5, 10
"""A player has at most so many."""
MAX_DELIVERIES, MAX_PUSHES = 100, 20
"""Of a webhook, and of a device; the newest are kept."""
DELIVERY_WAITING, DELIVERY_DELIVERED, DELIVERY_FAILED, DELIVERY_DROPPED = "waiting", "delivered", "failed", "dropped"
DELIVERY_STATUSES = (DELIVERY_WAITING, DELIVERY_DELIVERED, DELIVERY_FAILED, DELIVERY_DROPPED)
Record = TypeVar("Record")


@dataclass(frozen=True)
class StoredWebhook:
    """A webhook as it is kept."""

    id: str
    url: str
    secret: str
    events: tuple[str, ...] | None
    """The types of notices it wants; None: all."""
    created_at: str
    enabled: bool = True
    disabled_reason: str | None = None
    failures: int = 0
    """Attempts that have failed since the last that did not."""
    push: dict[str, Any] | None = None
    """Of a device: p256dh, auth, language, name, and the id of the token that it was subscribed with."""


@dataclass(frozen=True)
class Attempt:
    """What came of calling it once."""

    at: str
    error: str | None
    """One of the dialer's codes; None: it was delivered."""
    status: int | None
    """The HTTP status of an answer that was a refusal."""
    took_ms: int


@dataclass(frozen=True)
class StoredDelivery:
    """A delivery, as it is stored."""

    id: str
    type: str
    created_at: str
    payload: str
    """The body, the same at every attempt."""
    next_at_ms: int | None
    """When it is tried next; None where it is no longer `WAITING`."""
    status: str = DELIVERY_WAITING
    attempts: tuple[Attempt, ...] = ()


class DeliveryKey(NamedTuple):
    """Where a delivery is found."""

    player: str
    webhook: str
    delivery: str


class Webhooks:
    """Reads and writes webhooks and deliveries; every method may raise `redis.exceptions.RedisError`.

    `devices`: they are devices, at which push services are called.
    """

    def __init__(self, redis: Redis, buckets: Buckets, *, devices: bool = False) -> None:
        self._redis = redis
        self._keys = Keys(buckets)
        self._are_devices = devices
        self.most, self._max_deliveries = (MAX_DEVICES, MAX_PUSHES) if devices else (MAX_WEBHOOKS, MAX_DELIVERIES)

    def _bucket(self, player_id: str) -> BucketKeys:
        return self._keys.home(player_id)

    def _hooks(self, player_id: str) -> str:
        bucket = self._bucket(player_id)
        return bucket.devices(player_id) if self._are_devices else bucket.webhooks(player_id)

    def _due(self, bucket: BucketKeys) -> str:
        return bucket.pushes_due if self._are_devices else bucket.deliveries_due

    def new_id(self) -> str:
        """For a webhook, or for a delivery that follows from no notice: 96 random bits."""
        return self._keys.new_id()

    # ------------------------------------------------------------------------------------------------ webhooks

    def add(self, player_id: str, webhook: StoredWebhook, ttl_s: int) -> bool:
        """Keep a new webhook for so long; False if the player has too many."""
        key, change = self._hooks(player_id), Transaction(self._redis)
        change.require("full", Read("HEXISTS", key, webhook.id).above(0), Read("HLEN", key).below(self.most))
        change.run("HSETNX", key, webhook.id, orjson.dumps(webhook))
        change.run("PEXPIRE", key, 1000 * ttl_s)
        return change.commit().is_done

    def keep(self, player_id: str, ttl_s: int) -> bool:
        """The player was here: their webhooks are kept for so long from now. False if they have none."""
        return bool(self._redis.expire(self._hooks(player_id), ttl_s))

    def of(self, player_id: str) -> list[StoredWebhook]:
        """The player's webhooks, oldest first."""
        reply = cast("dict[bytes, bytes]", self._redis.hgetall(self._hooks(player_id)))
        return sorted(map(_webhook, reply.values()), key=lambda webhook: (webhook.created_at, webhook.id))

    def get(self, player_id: str, webhook_id: str) -> StoredWebhook | None:
        """The webhook; None if the player has none of this id."""
        reply = cast("bytes | None", self._redis.hget(self._hooks(player_id), webhook_id))
        return None if reply is None else _webhook(reply)

    def change(
        self, player_id: str, webhook_id: str, change: Callable[[StoredWebhook], StoredWebhook]
    ) -> StoredWebhook | None:
        """The webhook after a change; None if there is none."""
        return self._changed(self._hooks(player_id), webhook_id, _webhook, change)

    def delete(self, player_id: str, webhook_id: str) -> bool:
        """The webhook and its deliveries are no more; False if there was none."""
        bucket = self._bucket(player_id)
        reply = self._redis.hdel(self._hooks(player_id), webhook_id)  # from now on nothing is added
        due = [
            _name(DeliveryKey(player_id, webhook_id, delivery_id))
            for delivery_id in self._latest(player_id, webhook_id)
        ]
        if due:
            self._redis.zrem(self._due(bucket), *due)
        ask_all(self._redis, [("DEL", bucket.deliveries(player_id, webhook_id), bucket.latest(player_id, webhook_id))])
        return bool(reply)

    # ---------------------------------------------------------------------------------------------- deliveries

    def add_delivery(self, player_id: str, webhook_id: str, delivery: StoredDelivery) -> bool:
        """Something to deliver when `next_at_ms` has come. False where it was added before, or the webhook is gone."""
        bucket, change = self._bucket(player_id), Transaction(self._redis)
        hooks, due = self._hooks(player_id), self._due(bucket)
        deliveries, latest = bucket.deliveries(player_id, webhook_id), bucket.latest(player_id, webhook_id)
        change.require("gone", Read("HEXISTS", hooks, webhook_id).above(0))
        change.require("known", Read("HEXISTS", deliveries, delivery.id).below(1))
        change.run("HSET", deliveries, delivery.id, orjson.dumps(delivery))
        change.run("LPUSH", latest, delivery.id)
        change.run("ZADD", due, delivery.next_at_ms, _name(DeliveryKey(player_id, webhook_id, delivery.id)))
        surplus = Read("LRANGE", latest, self._max_deliveries, -1)
        change.run("HDEL", deliveries, item(), each=surplus)
        change.run("ZREM", due, item(prefix=_name(DeliveryKey(player_id, webhook_id, ""))), each=surplus)
        change.run("LREM", latest, -1, item(), each=surplus)
        lifetime = reply(change.run("PTTL", hooks))
        change.run("PEXPIRE", deliveries, lifetime)
        change.run("PEXPIRE", latest, lifetime)
        change.run("OUTLIVE", due, lifetime)
        return change.commit().is_done

    def deliveries(self, player_id: str, webhook_id: str) -> list[StoredDelivery]:
        """What is known of the webhook's deliveries, newest first."""
        ids = self._latest(player_id, webhook_id)
        if not ids:
            return []
        reply = cast("Any", self._redis.hmget(self._bucket(player_id).deliveries(player_id, webhook_id), ids))
        return [_delivery(content) for content in reply if content is not None]

    def delivery(self, delivery_key: DeliveryKey) -> StoredDelivery | None:
        """The delivery; None if there is none."""
        key = self._bucket(delivery_key.player).deliveries(delivery_key.player, delivery_key.webhook)
        reply = cast("bytes | None", self._redis.hget(key, delivery_key.delivery))
        return None if reply is None else _delivery(reply)

    def change_delivery(
        self, delivery_key: DeliveryKey, change: Callable[[StoredDelivery], StoredDelivery]
    ) -> StoredDelivery | None:
        """The delivery after a change, due when it says; None if there is none."""
        bucket = self._bucket(delivery_key.player)
        key, due = bucket.deliveries(delivery_key.player, delivery_key.webhook), self._due(bucket)

        def move(writing: Transaction, after: StoredDelivery) -> None:
            if after.next_at_ms is None:
                writing.run("ZREM", due, _name(delivery_key))
            else:
                writing.run("ZADD", due, after.next_at_ms, _name(delivery_key))
                writing.run("OUTLIVE", due, reply(writing.run("PTTL", key)))

        return self._changed(key, delivery_key.delivery, _delivery, change, move)

    def due(self, now_ms: int, count: int) -> list[DeliveryKey]:
        """Up to `count` deliveries that are to be tried, longest due first."""
        names = [self._due(bucket) for bucket in self._keys.every_bucket()]
        return [DeliveryKey(*name.split(" ")) for name in longest_due(self._redis, names, now_ms, count)]

    def postpone(self, delivery_key: DeliveryKey, until_ms: int) -> None:
        """Look at it again then, if it is still to be tried."""
        self._redis.zadd(self._due(self._bucket(delivery_key.player)), {_name(delivery_key): until_ms}, xx=True)

    def forget(self, delivery_key: DeliveryKey) -> None:
        """A delivery that is no more is due no more."""
        self._redis.zrem(self._due(self._bucket(delivery_key.player)), _name(delivery_key))

    # ------------------------------------------------------------------------------------------------------

    def _latest(self, player_id: str, webhook_id: str) -> list[str]:
        reply = cast("list[bytes]", self._redis.lrange(self._bucket(player_id).latest(player_id, webhook_id), 0, -1))
        return [delivery_id.decode() for delivery_id in reply]

    def _changed(
        self,
        key: str,
        field: str,
        read: Callable[[bytes], Record],
        change: Callable[[Record], Record],
        also: Callable[[Transaction, Record], None] = lambda _, __: None,
    ) -> Record | None:
        """What is in the key's field after a change; None if nothing is. `also` adds to its transaction."""

        def attempt() -> Record | None:
            before = cast("bytes | None", self._redis.hget(key, field))
            if before is None:
                return None
            after, writing = change(read(before)), Transaction(self._redis)
            writing.require("changed", Read("HGET", key, field).equals(before))
            writing.run("HSET", key, field, orjson.dumps(after))
            also(writing, after)
            if not writing.commit().is_done:
                raise LostRaceError
            return after

        return optimistic(attempt)


def _name(delivery_key: DeliveryKey) -> str:
    return " ".join(delivery_key)


def _webhook(content: bytes) -> StoredWebhook:
    json = orjson.loads(content)
    return StoredWebhook(**{**json, "events": None if json["events"] is None else tuple(json["events"])})


def _delivery(content: bytes) -> StoredDelivery:
    json = orjson.loads(content)
    return StoredDelivery(**{**json, "attempts": tuple(Attempt(**attempt) for attempt in json["attempts"])})
