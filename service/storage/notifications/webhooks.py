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
from service.storage.base.connect import away
from service.storage.base.keys import Buckets, Keys
from service.storage.base.scripts import Script

MOST_WEBHOOKS, MOST_DEVICES = 5, 10
"""A player has at most so many."""
MOST_DELIVERIES, MOST_PUSHES = 100, 20
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
        self.most, self._most_deliveries = (MOST_DEVICES, MOST_PUSHES) if devices else (MOST_WEBHOOKS, MOST_DELIVERIES)
        self._add = Script(redis, "webhook")
        self._make = Script(redis, "delivery")
        self._change = Script(redis, "change")

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
        content = orjson.dumps(webhook)
        key = self._hooks(player_id)
        return bool(self._add(keys=[key], args=[webhook.id, content, self.most, ttl_s * 1000]))

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
        keys = [self._hooks(player_id)]
        return self._changed(keys, webhook_id, _webhook, change, lambda _: [])

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
        with away(self._redis):
            self._redis.delete(bucket.deliveries(player_id, webhook_id), bucket.latest(player_id, webhook_id))
        return bool(reply)

    # ---------------------------------------------------------------------------------------------- deliveries

    def add_delivery(self, player_id: str, webhook_id: str, delivery: StoredDelivery) -> bool:
        """Something to deliver when `next_at_ms` has come. False where it was added before, or the webhook is gone."""
        bucket = self._bucket(player_id)
        before = _name(DeliveryKey(player_id, webhook_id, ""))
        made = self._make(
            keys=[
                *(
                    self._hooks(player_id),
                    bucket.deliveries(player_id, webhook_id),
                    bucket.latest(player_id, webhook_id),
                ),
                self._due(bucket),
            ],
            args=[webhook_id, delivery.id, orjson.dumps(delivery), _due(delivery), self._most_deliveries, before],
        )
        return bool(made)

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
        keys = [bucket.deliveries(delivery_key.player, delivery_key.webhook), self._due(bucket)]
        return self._changed(
            keys, delivery_key.delivery, _delivery, change, lambda after: [_name(delivery_key), _due(after)]
        )

    def due(self, now_ms: int, count: int) -> list[DeliveryKey]:
        """Up to `count` deliveries that are to be tried, longest due first."""
        waiting: list[tuple[float, bytes]] = []
        for bucket in self._keys.every_bucket():
            names = self._redis.zrangebyscore(self._due(bucket), "-inf", now_ms, start=0, num=count, withscores=True)
            waiting += [(score, name) for name, score in cast("Any", names)]
        return [DeliveryKey(*name.decode().split(" ")) for _, name in sorted(waiting)[:count]]

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
        keys: list[str],
        field: str,
        read: Callable[[bytes], Record],
        change: Callable[[Record], Record],
        more: Callable[[Record], list[Any]],
    ) -> Record | None:
        """What is in the first key's field after a change, in which nobody has come between reading and writing."""
        while True:
            reply = cast("bytes | None", self._redis.hget(keys[0], field))
            if reply is None:
                return None
            changed = change(read(reply))
            if self._change(keys=keys, args=[field, reply, orjson.dumps(changed), *more(changed)]):
                return changed


def _name(delivery_key: DeliveryKey) -> str:
    return " ".join(delivery_key)


def _due(delivery: StoredDelivery) -> int | str:
    return "" if delivery.next_at_ms is None else delivery.next_at_ms


def _webhook(content: bytes) -> StoredWebhook:
    json = orjson.loads(content)
    return StoredWebhook(**{**json, "events": None if json["events"] is None else tuple(json["events"])})


def _delivery(content: bytes) -> StoredDelivery:
    json = orjson.loads(content)
    return StoredDelivery(**{**json, "attempts": tuple(Attempt(**attempt) for attempt in json["attempts"])})
