"""Dispatch of notices to the webhooks and devices of players, from the outbox to the last attempt.

A keeper drains the outboxes. Of each notice it makes a delivery for every webhook and device that wants it, under an id
that follows from notice and webhook: whoever drains the same notice again makes none. It wakes a dialer for each
delivery that is due, and postpones it by a lease. The dialer takes it, posts it, and reports the result (for devices,
see `push_messages`). If a dialer is killed before its report, the delivery is tried again when the lease is over. So
each notice is delivered at least once, and repetitions have the same id.

What is tried in vain is tried again, at longer and longer intervals. A webhook of which nothing but failure is heard
is disabled, until its owner enables it again. What waits for it is dropped.

Keepers work here too: nothing of this knows any rules.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import orjson

from service.games.state.moments import rfc3339
from service.games.state.seats import ACTIVE
from service.games.state.statuses import PLAYING
from service.outgoing import signing
from service.rulesets.wire import Json
from service.storage.base.keys import id_from
from service.storage.games.stored import Stored
from service.storage.notifications.outbox import Entry
from service.storage.notifications.webhooks import (
    DELIVERY_DELIVERED,
    DELIVERY_DROPPED,
    DELIVERY_FAILED,
    DELIVERY_WAITING,
    Attempt,
    DeliveryKey,
    StoredDelivery,
    StoredWebhook,
    Webhooks,
)
from service.storage.work.queue import DELIVER, PUSH, Woken
from service.usecases.base import game_facts
from service.usecases.base.batches import Look, logged
from service.usecases.base.context import Context
from service.usecases.views.summaries import summary_json

PING = "ping"
BACKOFF_S = (5, 30, 120, 600, 3600)  # after the first attempt, the second, …; after the last there is none
MAX_FAILURES = 20  # attempts in a row, of all deliveries to a webhook
LEASE_S = 30  # a dialer is given up after so long; a call takes 5 seconds
DELIVERIES_A_LOOK = 50  # notices of a bucket, and deliveries, a look
GONE_STATUS = 410
FAILING, GONE, OWNER = "failing", "gone", "owner"
REASONS = (FAILING, GONE, OWNER)


@dataclass(frozen=True)
class Parcel:
    """A delivery as it is posted. `number`: of the attempts before."""

    key: DeliveryKey
    number: int
    url: str
    headers: dict[str, str]
    body: bytes


# ------------------------------------------------------------------------------------------- the keeper's part


def drain(context: Context) -> Look:
    """Make deliveries of what stands in the outboxes; how many.

    An entry of which none can be made, because it or what it speaks of is damaged, is logged and dropped.
    """
    made, entries = 0, context.outbox.entries(DELIVERIES_A_LOOK)
    for entry in entries:
        with logged("a notice cannot be delivered", outbox=entry.key, entry=entry.id):
            made += _make_of(context, entry)
        context.outbox.forget(entry)
    return Look(made, len(entries) >= DELIVERIES_A_LOOK)


def _make_of(context: Context, entry: Entry) -> int:
    every = [(hooks, webhook) for hooks in context.every_hooks for webhook in hooks.of(entry.player)]
    if not every:
        _unhook(context, entry.player)
    notice = orjson.loads(entry.notice)
    wanting = [(hooks, webhook) for hooks, webhook in every if wants(webhook, notice["type"])]
    data = _data(context, notice) if wanting else None
    if data is None:
        return 0
    parts = (notice["type"], notice["timestamp"], data)
    made = [make(context, entry.player, one.id, _id(entry, one), *parts, hooks=hooks) for hooks, one in wanting]
    return len(made) - made.count(None)


def _data(context: Context, notice: Json) -> Json | None:
    """What a delivery of the notice tells; None where it is too late for that."""
    if "game_id" not in notice:
        return dict(notice["data"])
    stored = context.store.load(notice["game_id"])
    if stored is None or _has_moved_on(stored, notice["data"]):
        return None
    return {**notice["data"], "game": summary_json(stored.view)}


def _unhook(context: Context, player_id: str) -> None:
    """The player has no webhook and no device any more, unless they make one at this very moment."""
    context.outbox.unhook(player_id)
    if any(hooks.of(player_id) for hooks in context.every_hooks):
        context.outbox.hook(player_id, context.settings.player_ttl_s)


def wants(webhook: StoredWebhook, kind: str) -> bool:
    """Whether the webhook wants notices of this type."""
    return webhook.enabled and (webhook.events is None or kind in webhook.events)


def _id(entry: Entry, webhook: StoredWebhook) -> str:
    return id_from(f"{entry.key} {entry.id} {webhook.id}")


def make(
    context: Context,
    player_id: str,
    webhook_id: str,
    delivery_id: str,
    kind: str,
    at: str,
    data: Json,
    *,
    hooks: Webhooks,
) -> StoredDelivery | None:
    """A delivery, to be tried at once; None if it was made before, or the webhook is gone."""
    now = context.now_ms()
    payload = orjson.dumps({"type": kind, "timestamp": at, "data": data}).decode()
    delivery = StoredDelivery(delivery_id, kind, rfc3339(now), payload, next_at_ms=now)
    return delivery if hooks.add_delivery(player_id, webhook_id, delivery) else None


def send_due(context: Context) -> Look:
    """Wake a dialer for each delivery that is to be tried now; how many were sent.

    One that is damaged is logged, and looked at again when a dialer would be given up.
    """
    looks = [_send_due(context, hooks, job) for hooks, job in zip(context.every_hooks, (DELIVER, PUSH), strict=True)]
    return Look(sum(look.done for look in looks), any(look.more for look in looks))


def _send_due(context: Context, hooks: Webhooks, job: str) -> Look:
    sent, places = 0, hooks.due(context.now_ms(), DELIVERIES_A_LOOK)
    for key in places:
        hooks.postpone(key, context.now_ms() + 1000 * LEASE_S)
        with logged("a delivery cannot be made", delivery=key.delivery):
            delivery = hooks.delivery(key)
            if delivery is None:
                hooks.forget(key)
            else:
                sent += context.queue.deliver(*key, len(delivery.attempts), job) is Woken.SENT
    return Look(sent, len(places) >= DELIVERIES_A_LOOK)


# ------------------------------------------------------------------------------------------- the dialer's part


def take(context: Context, key: DeliveryKey) -> Parcel | None:
    """What is to be posted now; None if nothing is: it was done, it is too late for it, or nobody wants it any more."""
    found = waiting(context, key, context.webhooks)
    if found is None:
        return None
    delivery, webhook = found
    body = delivery.payload.encode()
    headers = signing.headers(webhook.secret, delivery.id, context.now_ms() // 1000, body)
    return Parcel(key, len(delivery.attempts), webhook.url, headers, body)


def waiting(context: Context, key: DeliveryKey, hooks: Webhooks) -> tuple[StoredDelivery, StoredWebhook] | None:
    """The delivery that is to be made now, and what it is made to; None if nothing is."""
    delivery, webhook = hooks.delivery(key), hooks.get(key.player, key.webhook)
    if delivery is None or webhook is None or delivery.status != DELIVERY_WAITING:
        return None
    if not webhook.enabled or _is_too_late(context, delivery):
        drop(key, hooks)
        return None
    return delivery, webhook


def report(context: Context, parcel: Parcel, error: str | None, status: int | None, took_ms: int) -> None:
    """What came of posting it: nothing wrong, or the dialer's code and perhaps the HTTP status."""
    webhook = note_attempt(context, parcel, error, status, took_ms, context.webhooks)
    if webhook is not None and not webhook.enabled:
        drop_waiting(context, parcel.key.player, parcel.key.webhook)


def note_attempt(
    context: Context, parcel: Parcel, error: str | None, status: int | None, took_ms: int, hooks: Webhooks
) -> StoredWebhook | None:
    """Write it down, and when it is tried again; the webhook after that, None where it was written down before."""
    now = context.now_ms()
    attempt = Attempt(rfc3339(now), error, status, took_ms)

    def after(delivery: StoredDelivery) -> StoredDelivery:
        if delivery.status != DELIVERY_WAITING or len(delivery.attempts) != parcel.number:
            return delivery  # reported before, or dropped meanwhile
        tried = replace(delivery, attempts=(*delivery.attempts, attempt))
        if error is None:
            return replace(tried, status=DELIVERY_DELIVERED, next_at_ms=None)
        if status == GONE_STATUS or parcel.number == len(BACKOFF_S):
            return replace(tried, status=DELIVERY_FAILED, next_at_ms=None)
        return replace(tried, next_at_ms=now + 1000 * BACKOFF_S[parcel.number])

    changed = hooks.change_delivery(parcel.key, after)
    if changed is None or attempt not in changed.attempts:
        return None
    player_id, webhook_id, _ = parcel.key
    return hooks.change(
        player_id, webhook_id, lambda old: replace(old, failures=0) if error is None else _failed(old, status)
    )


def _failed(webhook: StoredWebhook, status: int | None) -> StoredWebhook:
    """The webhook after one more attempt in vain."""
    counted = replace(webhook, failures=webhook.failures + 1)
    if webhook.enabled and status == GONE_STATUS:
        return disabled(counted, GONE)
    return disabled(counted, FAILING) if webhook.enabled and counted.failures >= MAX_FAILURES else counted


def disabled(webhook: StoredWebhook, reason: str) -> StoredWebhook:
    """The webhook as it is when nothing is delivered to it any more."""
    return replace(webhook, enabled=False, disabled_reason=reason)


def drop_waiting(context: Context, player_id: str, webhook_id: str) -> None:
    """What waits for the webhook is not delivered any more."""
    for delivery in context.webhooks.deliveries(player_id, webhook_id):
        if delivery.status == DELIVERY_WAITING:
            drop(DeliveryKey(player_id, webhook_id, delivery.id), context.webhooks)


def drop(key: DeliveryKey, hooks: Webhooks) -> None:
    """The delivery is not tried any more, if it still waits."""
    hooks.change_delivery(
        key,
        lambda old: replace(old, status=DELIVERY_DROPPED, next_at_ms=None) if old.status == DELIVERY_WAITING else old,
    )


def _is_too_late(context: Context, delivery: StoredDelivery) -> bool:
    """Whether its decision has been made, or has become void, meanwhile."""
    data = orjson.loads(delivery.payload)["data"]
    if "since" not in data:
        return False
    stored = context.store.load(data["game"]["id"])
    return stored is None or _has_moved_on(stored, data)


def _has_moved_on(stored: Stored, data: Json) -> bool:
    """Whether a notice says that a game waits since some moment, and it does so no longer."""
    if "since" not in data:
        return False
    state = orjson.loads(stored.state)
    seat = state["seats"][data["seat"]]
    waits = state["status"] == PLAYING and state["paused_until"] is None
    decides = game_facts.facts_of(stored).to_decide == data["seat"]
    is_theirs = seat["player"] == data["player"] and seat["status"] == ACTIVE
    return not (waits and decides and is_theirs and state["waiting_since"] == data["since"])
