"""Webhooks of a player: URLs that receive notices about their games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import orjson

from service.games.errors import GameError
from service.games.state.moments import rfc3339
from service.outgoing import signing
from service.rulesets.wire import Json
from service.storage.notifications.webhooks import MAX_WEBHOOKS, DeliveryKey, StoredDelivery, StoredWebhook
from service.storage.people.players import StoredPlayer
from service.usecases.base import access, outgoing
from service.usecases.base.context import Caller, Context
from service.usecases.games.tokens import RANDOM, Issuer
from service.usecases.notifications import dispatch
from service.usecases.notifications.dispatch import OWNER, PING


def create(
    context: Context,
    caller: Caller,
    url: str,
    events: list[str] | None,
    secret: str | None,
    issuer: Issuer = RANDOM,
) -> Json:
    """Create a webhook. Its secret is returned once. Raises: outgoing/off, request/invalid, limit/webhooks."""
    player = access.must_be_player(context, caller)
    _must_be_callable(context, url)
    webhook = StoredWebhook(
        id=issuer.id_in(context),
        url=url,
        secret=secret or signing.new_secret(),
        events=_deduplicate(events),
        created_at=rfc3339(context.now_ms()),
    )
    ttl_s = context.settings.player_ttl_s
    if not context.webhooks.add(player.id, webhook, ttl_s):
        raise GameError("limit/webhooks", limit=MAX_WEBHOOKS)
    if issuer.is_repeated:  # an interrupted request may have created it
        webhook = context.webhooks.get(player.id, webhook.id) or webhook
    context.outbox.subscribe(player.id, ttl_s)
    return {"webhook": _webhook_json(context, webhook), "secret": webhook.secret}


def list_webhooks(context: Context, caller: Caller) -> list[Json]:
    """Return the caller's webhooks, oldest first."""
    return webhooks_json(context, access.must_be_player(context, caller))


def webhooks_json(context: Context, player: StoredPlayer) -> list[Json]:
    """Return the player's webhooks, oldest first."""
    return [_webhook_json(context, webhook) for webhook in context.webhooks.get_all(player.id)]


def get(context: Context, caller: Caller, webhook_id: str) -> Json:
    """Return one of the caller's webhooks. Raises: webhook/not_found."""
    return _webhook_json(context, _load(context, caller, webhook_id)[1])


def change(context: Context, caller: Caller, webhook_id: str, changes: dict[str, Any]) -> Json:
    """Change the given fields of `url`, `events` and `enabled`. Enabling resets the count of failures.

    Raises: webhook/not_found, outgoing/off, request/invalid.
    """
    player_id, before = _load(context, caller, webhook_id)
    if "url" in changes or changes.get("enabled"):
        _must_be_callable(context, changes.get("url", before.url))

    def update(webhook: StoredWebhook) -> StoredWebhook:
        webhook = replace(webhook, url=changes.get("url", webhook.url))
        if "events" in changes:
            webhook = replace(webhook, events=_deduplicate(changes["events"]))
        if changes.get("enabled", webhook.enabled) == webhook.enabled:
            return webhook
        if changes["enabled"]:
            return replace(dispatch.reset_failures(webhook), enabled=True, disabled_reason=None)
        return dispatch.disable(webhook, OWNER)

    webhook = _change(context, player_id, webhook_id, update)
    if not webhook.enabled:
        dispatch.drop_waiting(context, player_id, webhook_id)
    return _webhook_json(context, webhook)


def delete(context: Context, caller: Caller, webhook_id: str) -> None:
    """Delete the webhook and its deliveries. Raises: webhook/not_found."""
    player_id, _ = _load(context, caller, webhook_id)
    context.webhooks.delete(player_id, webhook_id)


def rotate_secret(
    context: Context, caller: Caller, webhook_id: str, secret: str | None, overlap_s: int, issuer: Issuer = RANDOM
) -> Json:
    """Replace the secret. It is returned once. Old secrets sign for at most `overlap_s` more.

    Raises: webhook/not_found, request/invalid.
    """
    player_id, _ = _load(context, caller, webhook_id)
    new, request, now = secret or signing.new_secret(), issuer.id_in(context), context.now_ms()

    def update(webhook: StoredWebhook) -> StoredWebhook:
        if webhook.secret_request == request:  # an interrupted request has rotated it
            return webhook
        outgoing.must_be_new(new, webhook.secret)
        old = signing.replace_secret(webhook.secret, webhook.old_secrets, new, now, overlap_s)
        return replace(webhook, secret=new, old_secrets=old, secret_request=request)

    webhook = _change(context, player_id, webhook_id, update)
    return {"webhook": _webhook_json(context, webhook), "secret": webhook.secret}


def end_old_secrets(context: Context, caller: Caller, webhook_id: str) -> None:
    """Let only the current secret sign from now on. Raises: webhook/not_found."""
    player_id, _ = _load(context, caller, webhook_id)
    _change(context, player_id, webhook_id, lambda webhook: replace(webhook, old_secrets=()))


def _change(
    context: Context, player_id: str, webhook_id: str, update: Callable[[StoredWebhook], StoredWebhook]
) -> StoredWebhook:
    """Change the webhook and return it. Raises: webhook/not_found."""
    webhook = context.webhooks.change(player_id, webhook_id, update)
    if webhook is None:
        raise GameError("webhook/not_found")
    return webhook


def list_deliveries(context: Context, caller: Caller, webhook_id: str) -> list[Json]:
    """Return the webhook's latest deliveries, newest first. Raises: webhook/not_found."""
    player_id, _ = _load(context, caller, webhook_id)
    return [_delivery_json(delivery) for delivery in context.webhooks.deliveries(player_id, webhook_id)]


def ping(context: Context, caller: Caller, webhook_id: str) -> Json:
    """Deliver a test notice. Raises: webhook/not_found, webhook/disabled, outgoing/off."""
    player_id, _ = _load_enabled(context, caller, webhook_id)
    key = DeliveryKey(player_id, webhook_id, context.webhooks.new_id())
    notice = {"type": PING, "timestamp": rfc3339(context.now_ms()), "data": {"player": player_id}}
    delivery = dispatch.create_delivery(context, key, notice, context.webhooks)
    if delivery is None:
        raise GameError("webhook/not_found")
    return _delivery_json(delivery)


def resend(context: Context, caller: Caller, webhook_id: str, delivery_id: str, issuer: Issuer = RANDOM) -> Json:
    """Attempt a delivery that is not waiting once more, and return it.

    Raises: webhook/not_found, outgoing/off, webhook/disabled, delivery/not_found, delivery/waiting, limit/attempts.
    """
    player_id, webhook = _load_enabled(context, caller, webhook_id)
    key = DeliveryKey(player_id, webhook_id, delivery_id)
    delivery = dispatch.resend(context, key, webhook, issuer.id_in(context))
    if delivery is None:
        raise GameError("delivery/not_found")
    return _delivery_json(delivery)


def _load(context: Context, caller: Caller, webhook_id: str) -> tuple[str, StoredWebhook]:
    """Return the caller's id and their webhook. Raises: webhook/not_found, also for other players' webhooks."""
    player = access.must_be_player(context, caller)
    webhook = context.webhooks.get(player.id, webhook_id)
    if webhook is None:
        raise GameError("webhook/not_found")
    return player.id, webhook


def _load_enabled(context: Context, caller: Caller, webhook_id: str) -> tuple[str, StoredWebhook]:
    """Return the caller's id and their webhook. Raises: webhook/not_found, outgoing/off, webhook/disabled."""
    player_id, webhook = _load(context, caller, webhook_id)
    outgoing.must_be_on(context)
    if not webhook.enabled:
        raise GameError("webhook/disabled")
    return player_id, webhook


def _must_be_callable(context: Context, url: str) -> None:
    """Raise outgoing/off or request/invalid if the URL must not be called."""
    outgoing.must_be_on(context)
    error = outgoing.url_error(context, url)
    if error is not None:
        raise GameError("request/invalid", errors={"/url": error})


def _deduplicate(events: list[str] | None) -> tuple[str, ...] | None:
    return None if events is None else tuple(dict.fromkeys(events))


def failing_since(webhook: StoredWebhook) -> str | None:
    """Return the time of the first failure in a row, or None."""
    return None if webhook.failing_since_ms is None else rfc3339(webhook.failing_since_ms)


def _webhook_json(context: Context, webhook: StoredWebhook) -> Json:
    """Return the webhook as JSON, without its secrets."""
    names = ("id", "url", "events", "created_at", "enabled", "disabled_reason", "failures")
    ends = [ends_at for _, ends_at in webhook.old_secrets if ends_at > context.now_ms()]
    times = {"failing_since": failing_since(webhook), "old_secrets_end_at": rfc3339(max(ends)) if ends else None}
    return {**{name: getattr(webhook, name) for name in names}, **times}


def _delivery_json(delivery: StoredDelivery) -> Json:
    members = {name: getattr(delivery, name) for name in ("id", "type", "created_at", "status", "attempts")}
    next_at = None if delivery.next_at_ms is None else rfc3339(delivery.next_at_ms)
    return {**members, "next_at": next_at, "payload": orjson.loads(delivery.payload)}
