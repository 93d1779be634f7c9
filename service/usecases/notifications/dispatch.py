"""Dispatch of notices to the webhooks and devices of players, from the outbox to the last attempt.

A keeper drains the outboxes. For each notice, it creates a delivery for every webhook and device that receives this
type. The delivery's id is derived from notice and webhook, so draining a notice again creates no duplicate. A new
delivery, or one whose next attempt is due, goes into the queue of outgoing calls and is postponed by a lease. A dialer
takes it, posts it, and reports the result (for devices, see `push_messages`). If the dialer is killed before its
report, the delivery is queued again after the lease. So each notice is delivered at least once, and repetitions have
the same id.

A failed attempt is repeated at growing intervals, and a failing webhook rests between attempts, see `outgoing`. A
webhook that has failed for at least a day is disabled until its owner enables it again, and its waiting deliveries are
dropped. A device is deleted. The owner gets a notice at the other webhooks and devices.

The owner can ask for one more attempt at a delivery that is not waiting (`resend`). It is not repeated if it fails.

Keepers import this module, so it must not load the rules.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import orjson

from service.games.errors import GameError
from service.games.state.moments import rfc3339
from service.games.state.seats import ACTIVE
from service.games.state.statuses import PLAYING
from service.outgoing import signing
from service.outgoing.outbound_http import authority_of
from service.rulesets.wire import Json
from service.storage.base.keys import id_from
from service.storage.games.stored_game import StoredGame
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
from service.storage.work.dial_queue import Call
from service.storage.work.queue import HOOKS
from service.usecases.base import game_facts, outgoing, profiles
from service.usecases.base.batches import BatchResult, log_errors
from service.usecases.base.context import Context
from service.usecases.base.outgoing import FAILING, GONE
from service.usecases.views.summaries import summary_json

PING = "ping"
BACKOFF_S = (5, 30, 120, 600, 3600)  # delay after each failed attempt; after the next one, the delivery has failed
MAX_DELIVERY_ATTEMPTS = 20  # with those that the owner asks for
LEASE_S = 30  # after this time, a delivery that was queued or taken is looked at again
DELIVERIES_PER_BATCH = 50  # size of a batch of deliveries, or of notices of a bucket
GONE_STATUS = 410
OWNER = "owner"
REASONS = (FAILING, GONE, OWNER)


@dataclass(frozen=True)
class Parcel:
    """A delivery ready to be posted. `number`: of earlier attempts."""

    key: DeliveryKey
    number: int
    url: str
    headers: dict[str, str]
    body: bytes


# ------------------------------------------------------------------------------------------- the keeper's part


def drain(context: Context) -> BatchResult:
    """Create the deliveries of notices in the outboxes. The result counts deliveries.

    An entry that fails, for example because stored data is damaged, is logged and dropped.
    """
    count, entries = 0, context.outbox.entries(DELIVERIES_PER_BATCH)
    for entry in entries:
        with log_errors("notice dropped after an error", outbox=entry.key, entry=entry.id):
            count += _create_deliveries(context, entry)
        context.outbox.remove(entry)
    return BatchResult(count, len(entries) >= DELIVERIES_PER_BATCH)


def _create_deliveries(context: Context, entry: Entry) -> int:
    targets = [(hooks, webhook) for hooks in context.all_hooks for webhook in hooks.get_all(entry.player)]
    if not targets:
        _unsubscribe(context, entry.player)
    notice = orjson.loads(entry.notice)
    receivers = [(hooks, webhook) for hooks, webhook in targets if is_wanted(webhook, notice["type"])]
    data = _data(context, notice) if receivers else None
    if data is None:
        return 0
    content = {"type": notice["type"], "timestamp": notice["timestamp"], "data": data}
    keys = [
        (hooks, DeliveryKey(entry.player, one.id, id_from(f"{entry.key} {entry.id} {one.id}")))
        for hooks, one in receivers
    ]
    return sum(create_delivery(context, key, content, hooks) is not None for hooks, key in keys)


def _data(context: Context, notice: Json) -> Json | None:
    """Return the data of the notice's deliveries, or None if the notice is outdated."""
    if "game_id" not in notice:
        return dict(notice["data"])
    stored = context.store.load(notice["game_id"])
    if stored is None or _has_moved_on(stored, notice["data"]):
        return None
    return {**notice["data"], "game": summary_json(stored.view)}


def _unsubscribe(context: Context, player_id: str) -> None:
    """Record that the player has no webhooks or devices, unless one is being created right now."""
    context.outbox.unsubscribe(player_id)
    if any(hooks.get_all(player_id) for hooks in context.all_hooks):
        context.outbox.subscribe(player_id, context.settings.player_ttl_s)


def is_wanted(webhook: StoredWebhook, kind: str) -> bool:
    """Return whether the webhook receives notices of this type."""
    return webhook.enabled and (webhook.events is None or kind in webhook.events)


def create_delivery(context: Context, key: DeliveryKey, notice: Json, hooks: Webhooks) -> StoredDelivery | None:
    """Return a new delivery that is due now, or None if it exists already or the webhook was deleted.

    `notice` has the members `type`, `timestamp` and `data`.
    """
    now = context.now_ms()
    delivery = StoredDelivery(key.delivery, notice["type"], rfc3339(now), orjson.dumps(notice).decode(), next_at_ms=now)
    webhook = hooks.get(key.player, key.webhook)
    if webhook is None or not hooks.add_delivery(key.player, key.webhook, delivery):
        return None
    _send_now(context, key, 0, webhook, hooks)
    return delivery


def resend(context: Context, key: DeliveryKey, webhook: StoredWebhook, request: str) -> StoredDelivery | None:
    """Return the delivery with one more attempt that is due now, or None if it is no longer stored.

    `request`: id of the owner's request; a repeated one asks for no other attempt. Raises: delivery/waiting,
    limit/attempts.
    """
    now, before = context.now_ms(), list[StoredDelivery]()

    def add(delivery: StoredDelivery) -> StoredDelivery:
        before[:] = [delivery]
        if delivery.request == request:
            return delivery
        if delivery.status == DELIVERY_WAITING:
            raise GameError("delivery/waiting")
        if len(delivery.attempts) >= MAX_DELIVERY_ATTEMPTS:
            raise GameError("limit/attempts", limit=MAX_DELIVERY_ATTEMPTS)
        return replace(delivery, status=DELIVERY_WAITING, next_at_ms=now, request=request)

    delivery = context.webhooks.change_delivery(key, add)
    if delivery is not None and delivery != before[0]:
        _send_now(context, key, len(delivery.attempts), webhook, context.webhooks)
    return delivery


def _send_now(context: Context, key: DeliveryKey, number: int, webhook: StoredWebhook, hooks: Webhooks) -> None:
    """Let a dialer make the delivery at once, however many others are due, unless the webhook rests."""
    if not _is_postponed(context, key, webhook, hooks):
        outgoing.add(context, HOOKS, [_call(context, key, number, webhook, hooks)])


def send_due(context: Context) -> BatchResult:
    """Let dialers make the deliveries that are due. The result counts them.

    A delivery that fails is logged, and retried after the lease.
    """
    results = [_send_due(context, hooks) for hooks in context.all_hooks]
    return BatchResult(sum(one.done for one in results), any(one.more for one in results))


def _send_due(context: Context, hooks: Webhooks) -> BatchResult:
    calls, places = list[Call](), hooks.due(context.now_ms(), DELIVERIES_PER_BATCH)
    for key in places:
        hooks.postpone(key, context.now_ms() + 1000 * LEASE_S)
        with log_errors("delivery failed", delivery=key.delivery):
            delivery, webhook = hooks.read(key)
            if delivery is None or webhook is None:
                hooks.forget(key)
            elif not _is_postponed(context, key, webhook, hooks):
                calls.append(_call(context, key, len(delivery.attempts), webhook, hooks))
    outgoing.add(context, HOOKS, calls)
    return BatchResult(len(calls), len(places) >= DELIVERIES_PER_BATCH)


def _call(context: Context, key: DeliveryKey, number: int, webhook: StoredWebhook, hooks: Webhooks) -> Call:
    kind = outgoing.PUSH if hooks is context.devices else outgoing.DELIVERY
    return Call(" ".join((kind, *key, str(number))), key.player, authority_of(webhook.url))


def _is_postponed(context: Context, key: DeliveryKey, webhook: StoredWebhook, hooks: Webhooks) -> bool:
    """Return whether the delivery waits because its webhook or device keeps failing."""
    if webhook.failing_since_ms is None or not webhook.enabled:
        return False
    until = outgoing.rests_until_ms(webhook.failing_since_ms, webhook.failed_at_ms, 1000 * BACKOFF_S[-1])
    if until > context.now_ms():
        hooks.postpone(key, until)
        return True
    return False


# ------------------------------------------------------------------------------------------- the dialer's part


def take(context: Context, key: DeliveryKey) -> Parcel | None:
    """Return the delivery to post now, or None if it was done, is outdated or is no longer wanted."""
    waiting = load_waiting(context, key, context.webhooks)
    if waiting is None:
        return None
    delivery, webhook = waiting
    body = delivery.payload.encode()
    now = context.now_ms()
    keys = signing.current_secrets(webhook.secret, webhook.old_secrets, now)
    headers = signing.headers(delivery.id, now // 1000, body, *keys)
    return Parcel(key, len(delivery.attempts), webhook.url, headers, body)


def load_waiting(context: Context, key: DeliveryKey, hooks: Webhooks) -> tuple[StoredDelivery, StoredWebhook] | None:
    """Return the delivery and its webhook or device, or None if it must not be made now."""
    delivery, webhook = hooks.read(key)
    if delivery is None or webhook is None or delivery.status != DELIVERY_WAITING:
        return None
    is_outdated = delivery.request is None and _is_too_late(context, delivery)
    if not webhook.enabled or is_outdated or profiles.is_banned(context, key.player):
        drop(key, hooks)
        return None
    return None if _is_postponed(context, key, webhook, hooks) else (delivery, webhook)


def report(context: Context, parcel: Parcel, error: str | None, status: int | None, took_ms: int) -> None:
    """Record the result of posting: `error` is None or the dialer's code; `status` is the HTTP status, if any."""
    webhook = record_attempt(context, parcel, error, status, took_ms, context.webhooks)
    if webhook is not None and not webhook.enabled:
        drop_waiting(context, parcel.key.player, parcel.key.webhook)


def record_attempt(
    context: Context, parcel: Parcel, error: str | None, status: int | None, took_ms: int, hooks: Webhooks
) -> StoredWebhook | None:
    """Record the attempt and schedule the next one. Return the changed webhook, or None if it was recorded before."""
    now = context.now_ms()
    attempt = Attempt(rfc3339(now), error, status, took_ms)

    def add_attempt(delivery: StoredDelivery) -> StoredDelivery:
        if delivery.status != DELIVERY_WAITING or len(delivery.attempts) != parcel.number:
            return delivery  # already reported, or dropped
        delivery = replace(delivery, attempts=(*delivery.attempts, attempt), next_at_ms=None)
        if error is None:
            return replace(delivery, status=DELIVERY_DELIVERED)
        if status == GONE_STATUS or parcel.number == len(BACKOFF_S) or delivery.request is not None:
            return replace(delivery, status=DELIVERY_FAILED)
        return replace(delivery, next_at_ms=now + 1000 * BACKOFF_S[parcel.number])

    changed = hooks.change_delivery(parcel.key, add_attempt)
    if changed is None or attempt not in changed.attempts:
        return None
    return _record_result(context, parcel.key, error, status, hooks)


def _record_result(
    context: Context, key: DeliveryKey, error: str | None, status: int | None, hooks: Webhooks
) -> StoredWebhook | None:
    """Count the result of an attempt. Notify the owner of a webhook or device that is now disabled."""
    now, before = context.now_ms(), list[StoredWebhook]()

    def count(webhook: StoredWebhook) -> StoredWebhook:
        before[:] = [webhook]
        return reset_failures(webhook) if error is None else _count_failure(webhook, status, now)

    webhook = hooks.change(key.player, key.webhook, count)
    if webhook is None:
        return None
    if error is None and before[0].failures:
        for delivery in hooks.deliveries(key.player, key.webhook):
            hooks.postpone(key._replace(delivery=delivery.id), now)  # it works again, so nothing has to wait
    if before[0].enabled and not webhook.enabled:
        kind = outgoing.DEVICE if hooks is context.devices else outgoing.WEBHOOK
        reason, since_ms = webhook.disabled_reason or FAILING, webhook.failing_since_ms or now
        outgoing.notify_owners(context, [key.player], kind, key.webhook, reason, since_ms)
    return webhook


def reset_failures(webhook: StoredWebhook) -> StoredWebhook:
    """Return the webhook without failures."""
    return replace(webhook, failures=0, failing_since_ms=None, failed_at_ms=0)


def _count_failure(webhook: StoredWebhook, status: int | None, now_ms: int) -> StoredWebhook:
    """Return the webhook after a failed attempt."""
    since_ms = now_ms if webhook.failing_since_ms is None else webhook.failing_since_ms
    webhook = replace(webhook, failures=webhook.failures + 1, failing_since_ms=since_ms, failed_at_ms=now_ms)
    if webhook.enabled and status == GONE_STATUS:
        return disable(webhook, GONE)
    is_over = webhook.enabled and outgoing.is_to_be_disabled(webhook.failures, since_ms, now_ms)
    return disable(webhook, FAILING) if is_over else webhook


def disable(webhook: StoredWebhook, reason: str) -> StoredWebhook:
    """Return the webhook, disabled."""
    return replace(webhook, enabled=False, disabled_reason=reason)


def drop_waiting(context: Context, player_id: str, webhook_id: str) -> None:
    """Drop the webhook's waiting deliveries."""
    for delivery in context.webhooks.deliveries(player_id, webhook_id):
        if delivery.status == DELIVERY_WAITING:
            drop(DeliveryKey(player_id, webhook_id, delivery.id), context.webhooks)


def drop(key: DeliveryKey, hooks: Webhooks) -> None:
    """Drop the delivery, if it is waiting."""
    hooks.change_delivery(
        key,
        lambda old: replace(old, status=DELIVERY_DROPPED, next_at_ms=None) if old.status == DELIVERY_WAITING else old,
    )


def _is_too_late(context: Context, delivery: StoredDelivery) -> bool:
    """Return whether the decision that the delivery is about was made or is no longer necessary."""
    data = orjson.loads(delivery.payload)["data"]
    if "since" not in data:
        return False
    stored = context.store.load(data["game"]["id"])
    return stored is None or _has_moved_on(stored, data)


def _has_moved_on(stored: StoredGame, data: Json) -> bool:
    """Return whether the notice says that a game waits for a decision, but it no longer does."""
    if "since" not in data:
        return False
    state = orjson.loads(stored.state)
    seat = state["seats"][data["seat"]]
    waits = state["status"] == PLAYING and state["paused_until"] is None
    decides = game_facts.facts_of(stored).to_decide == data["seat"]
    is_theirs = seat["player"] == data["player"] and seat["status"] == ACTIVE
    return not (waits and decides and is_theirs and state["waiting_since"] == data["since"])
