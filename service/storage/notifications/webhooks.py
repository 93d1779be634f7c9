"""Webhooks of players and their deliveries, and devices that get the same notices by push.

The webhooks and deliveries of a player are in the bucket of the player's id and expire with the player. **Due
deliveries are also in a sorted set of the bucket**, which keepers read like the due games. If a dialer dies during an
attempt, the delivery becomes due again.

Owners, keepers and dialers change the same records at any time. So a change is a function of the current record. It is
written only if the record is still the same, and otherwise repeated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar, cast

import orjson
from redis import Redis

from service import record_reader, stored_json
from service.storage.base.bucket_keys import BucketKeys
from service.storage.base.bucket_store import BucketStore
from service.storage.base.due import longest_due
from service.storage.base.keys import Buckets
from service.storage.base.optimistic import LostRaceError, optimistic
from service.storage.base.pipelining import ask_all, decode_all, decode_fields
from service.storage.base.transactions import Read, Transaction, item, reply

MAX_WEBHOOKS, MAX_DEVICES = 5, 10
"""Maximum numbers of a player."""
MAX_DELIVERIES, MAX_PUSHES = 100, 20
"""Stored deliveries of a webhook, and of a device. The oldest are deleted."""
DELIVERY_WAITING, DELIVERY_DELIVERED, DELIVERY_FAILED, DELIVERY_DROPPED = "waiting", "delivered", "failed", "dropped"
DELIVERY_STATUSES = (DELIVERY_WAITING, DELIVERY_DELIVERED, DELIVERY_FAILED, DELIVERY_DROPPED)
Record = TypeVar("Record")

WEBHOOK, DELIVERY = "webhook", "delivery"


@dataclass(frozen=True)
class StoredWebhook:
    """A webhook or device."""

    id: str
    url: str
    secret: str
    events: tuple[str, ...] | None
    """Types of notices; None for all."""
    created_at: str
    enabled: bool = True
    disabled_reason: str | None = None
    failures: int = 0
    """Consecutive failed attempts."""
    failing_since_ms: int | None = None
    """Unix ms of the first of them; None if the last attempt succeeded."""
    failed_at_ms: int = 0
    """Unix ms of the last of them."""
    push: dict[str, Any] | None = None
    """For a device: p256dh, auth, language, name, and the id of the token with which it subscribed."""
    old_secrets: tuple[tuple[str, int], ...] = ()
    """Replaced secrets that sign, too, newest first, and unix ms until which they do."""
    secret_request: str | None = None
    """Id of the request that has rotated the secret last."""


@dataclass(frozen=True)
class Attempt:
    """The result of one call."""

    at: str
    error: str | None
    """A code of the dialer; None if the delivery succeeded."""
    status: int | None
    """The HTTP status of a response that was a refusal."""
    took_ms: int


@dataclass(frozen=True)
class StoredDelivery:
    """A delivery of one notice."""

    id: str
    type: str
    created_at: str
    payload: str
    """The body, the same at every attempt."""
    next_at_ms: int | None
    """Time of the next attempt; None unless the status is `DELIVERY_WAITING`."""
    status: str = DELIVERY_WAITING
    attempts: tuple[Attempt, ...] = ()
    request: str | None = None
    """Id of the owner's request for the last attempt, made or waiting; None if the service decided on it."""


class DeliveryKey(NamedTuple):
    """The ids that locate a delivery."""

    player: str
    webhook: str
    delivery: str


class Webhooks(BucketStore):
    """Reads and writes webhooks and their deliveries."""

    def __init__(self, redis: Redis, buckets: Buckets, *, devices: bool = False) -> None:
        """`devices`: store devices, which are called through push services, instead of webhooks."""
        super().__init__(redis, buckets)
        self._are_devices = devices
        self.limit, self._max_deliveries = (MAX_DEVICES, MAX_PUSHES) if devices else (MAX_WEBHOOKS, MAX_DELIVERIES)

    def _hooks(self, player_id: str) -> str:
        bucket = self._keys.home(player_id)
        return bucket.devices(player_id) if self._are_devices else bucket.webhooks(player_id)

    def _due(self, bucket: BucketKeys) -> str:
        return bucket.pushes_due if self._are_devices else bucket.deliveries_due

    def new_id(self) -> str:
        """Return a new id of 96 random bits, for a webhook or for a delivery without a notice."""
        return self._keys.new_id()

    # ------------------------------------------------------------------------------------------------ webhooks

    def add(self, player_id: str, webhook: StoredWebhook, ttl_s: int) -> bool:
        """Store a new webhook for `ttl_s`. Return False if the player has too many."""
        key, change = self._hooks(player_id), Transaction(self._redis)
        change.require("full", Read("HEXISTS", key, webhook.id).is_above(0), Read("HLEN", key).is_below(self.limit))
        change.run("HSETNX", key, webhook.id, orjson.dumps(webhook))
        change.run("PEXPIRE", key, 1000 * ttl_s)
        return change.commit().is_done

    def keep(self, player_id: str, ttl_s: int) -> bool:
        """Let the player's webhooks live for `ttl_s` from now. Return False if there are none."""
        return bool(self._redis.expire(self._hooks(player_id), ttl_s))

    def get_all(self, player_id: str) -> list[StoredWebhook]:
        """Return the player's webhooks, oldest first."""
        reply = decode_fields(cast("Any", self._redis.hgetall(self._hooks(player_id))))
        webhooks = record_reader.read_all(WEBHOOK, reply.items(), _webhook)
        return sorted(webhooks, key=lambda webhook: (webhook.created_at, webhook.id))

    def get(self, player_id: str, webhook_id: str) -> StoredWebhook | None:
        """Return the webhook, or None if the player has none of this id."""
        reply = cast("bytes | None", self._redis.hget(self._hooks(player_id), webhook_id))
        return record_reader.read(WEBHOOK, webhook_id, reply, _webhook)

    def change(
        self, player_id: str, webhook_id: str, change: Callable[[StoredWebhook], StoredWebhook]
    ) -> StoredWebhook | None:
        """Change a webhook. Return the changed webhook, or None if there is none."""
        return self._change(self._hooks(player_id), webhook_id, _webhook, change)

    def delete(self, player_id: str, webhook_id: str) -> bool:
        """Delete a webhook and its deliveries. Return False if there is none."""
        bucket = self._keys.home(player_id)
        reply = self._redis.hdel(self._hooks(player_id), webhook_id)  # first, so that no delivery is added any more
        ids = self._delivery_ids(player_id, webhook_id)
        due = [_name(DeliveryKey(player_id, webhook_id, delivery_id)) for delivery_id in ids]
        if due:
            self._redis.zrem(self._due(bucket), *due)
        names = (bucket.deliveries(player_id, webhook_id), bucket.delivery_ids(player_id, webhook_id))
        ask_all(self._redis, [("DEL", *names)])
        return bool(reply)

    # ---------------------------------------------------------------------------------------------- deliveries

    def add_delivery(self, player_id: str, webhook_id: str, delivery: StoredDelivery) -> bool:
        """Add a delivery, due at its `next_at_ms`. Return False if it was added before, or the webhook was deleted."""
        bucket, change = self._keys.home(player_id), Transaction(self._redis)
        hooks, due = self._hooks(player_id), self._due(bucket)
        deliveries, ids = bucket.deliveries(player_id, webhook_id), bucket.delivery_ids(player_id, webhook_id)
        change.require("gone", Read("HEXISTS", hooks, webhook_id).is_above(0))
        change.require("known", Read("HEXISTS", deliveries, delivery.id).is_below(1))
        change.run("HSET", deliveries, delivery.id, orjson.dumps(delivery))
        change.run("LPUSH", ids, delivery.id)
        change.run("ZADD", due, delivery.next_at_ms, _name(DeliveryKey(player_id, webhook_id, delivery.id)))
        surplus = Read("LRANGE", ids, self._max_deliveries, -1)
        change.run("HDEL", deliveries, item(), each=surplus)
        change.run("ZREM", due, item(prefix=_name(DeliveryKey(player_id, webhook_id, ""))), each=surplus)
        change.run("LREM", ids, -1, item(), each=surplus)
        lifetime = reply(change.run("PTTL", hooks))
        change.run("PEXPIRE", deliveries, lifetime)
        change.run("PEXPIRE", ids, lifetime)
        change.run("OUTLIVE", due, lifetime)
        return change.commit().is_done

    def deliveries(self, player_id: str, webhook_id: str) -> list[StoredDelivery]:
        """Return the stored deliveries of the webhook, newest first."""
        ids = self._delivery_ids(player_id, webhook_id)
        if not ids:
            return []
        reply = cast("Any", self._redis.hmget(self._keys.home(player_id).deliveries(player_id, webhook_id), ids))
        return record_reader.read_all(DELIVERY, zip(ids, reply, strict=True), _delivery)

    def delivery(self, delivery_key: DeliveryKey) -> StoredDelivery | None:
        """Return the delivery, or None if there is none."""
        key = self._keys.home(delivery_key.player).deliveries(delivery_key.player, delivery_key.webhook)
        reply = cast("bytes | None", self._redis.hget(key, delivery_key.delivery))
        return record_reader.read(DELIVERY, delivery_key.delivery, reply, _delivery)

    def read(self, delivery_key: DeliveryKey) -> tuple[StoredDelivery | None, StoredWebhook | None]:
        """Return the delivery and its webhook, None for one that does not exist."""
        player_id, webhook_id, delivery_id = delivery_key
        deliveries = self._keys.home(player_id).deliveries(player_id, webhook_id)
        commands = (("HGET", deliveries, delivery_id), ("HGET", self._hooks(player_id), webhook_id))
        delivery, webhook = ask_all(self._redis, commands)
        return (
            record_reader.read(DELIVERY, delivery_id, delivery, _delivery),
            record_reader.read(WEBHOOK, webhook_id, webhook, _webhook),
        )

    def change_delivery(
        self, delivery_key: DeliveryKey, change: Callable[[StoredDelivery], StoredDelivery]
    ) -> StoredDelivery | None:
        """Change a delivery and its due time. Return the changed delivery, or None if there is none."""
        bucket = self._keys.home(delivery_key.player)
        key, due = bucket.deliveries(delivery_key.player, delivery_key.webhook), self._due(bucket)

        def move(writing: Transaction, after: StoredDelivery) -> None:
            if after.next_at_ms is None:
                writing.run("ZREM", due, _name(delivery_key))
            else:
                writing.run("ZADD", due, after.next_at_ms, _name(delivery_key))
                writing.run("OUTLIVE", due, reply(writing.run("PTTL", key)))

        return self._change(key, delivery_key.delivery, _delivery, change, move)

    def due(self, now_ms: int, count: int) -> list[DeliveryKey]:
        """Return up to `count` due deliveries, longest due first."""
        names = [self._due(bucket) for bucket in self._keys.all_buckets()]
        return [DeliveryKey(*name.split(" ")) for name in longest_due(self._redis, names, now_ms, count)]

    def postpone(self, delivery_key: DeliveryKey, until_ms: int) -> None:
        """Make a delivery due at `until_ms`, if it is still due."""
        self._redis.zadd(self._due(self._keys.home(delivery_key.player)), {_name(delivery_key): until_ms}, xx=True)

    def forget(self, delivery_key: DeliveryKey) -> None:
        """Remove a deleted delivery from the due ones."""
        self._redis.zrem(self._due(self._keys.home(delivery_key.player)), _name(delivery_key))

    # ------------------------------------------------------------------------------------------------------

    def _delivery_ids(self, player_id: str, webhook_id: str) -> list[str]:
        name = self._keys.home(player_id).delivery_ids(player_id, webhook_id)
        return decode_all(cast("list[bytes]", self._redis.lrange(name, 0, -1)))

    def _change(
        self,
        key: str,
        field: str,
        load: Callable[[str, bytes], Record],
        change: Callable[[Record], Record],
        also: Callable[[Transaction, Record], None] = lambda _, __: None,
    ) -> Record | None:
        """Change the record in a field. Return the changed record, or None if there is none.

        `also` adds steps to the transaction.
        """

        def attempt() -> Record | None:
            before = cast("bytes | None", self._redis.hget(key, field))
            record = record_reader.read(WEBHOOK, field, before, load)
            if record is None:
                return None
            after, writing = change(record), Transaction(self._redis)
            writing.require("changed", Read("HGET", key, field).equals(before))
            writing.run("HSET", key, field, orjson.dumps(after))
            also(writing, after)
            if not writing.commit().is_done:
                raise LostRaceError
            return after

        return optimistic(attempt)


def _name(delivery_key: DeliveryKey) -> str:
    return " ".join(delivery_key)


def _webhook(_: str, content: bytes) -> StoredWebhook:
    json = stored_json.select_known(StoredWebhook, orjson.loads(content))
    events = None if json["events"] is None else tuple(json["events"])
    old_secrets = tuple((secret, ends_at) for secret, ends_at in json.get("old_secrets", ()))
    return StoredWebhook(**{**json, "events": events, "old_secrets": old_secrets})


def _delivery(_: str, content: bytes) -> StoredDelivery:
    json = stored_json.select_known(StoredDelivery, orjson.loads(content))
    attempts = tuple(Attempt(**stored_json.select_known(Attempt, attempt)) for attempt in json["attempts"])
    return StoredDelivery(**{**json, "attempts": attempts})
