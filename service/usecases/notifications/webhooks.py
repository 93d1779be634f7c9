"""Webhooks of a player: URLs that get notices of what happens in their games."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson

from service.games.errors import GameError
from service.games.state.moments import rfc3339
from service.outgoing import signing
from service.rulesets.wire import Json
from service.storage.notifications.webhooks import MAX_WEBHOOKS, StoredDelivery, StoredWebhook
from service.usecases.base import access, outgoing
from service.usecases.base.context import Caller, Context
from service.usecases.notifications import dispatch
from service.usecases.notifications.dispatch import OWNER, PING


def create(context: Context, caller: Caller, url: str, events: list[str] | None, secret: str | None) -> Json:
    """A new webhook and its secret, which is shown once. outgoing/off, request/invalid, limit/webhooks."""
    player = access.must_be_player(context, caller)
    _must_be_callable(context, url)
    webhook = StoredWebhook(
        id=context.webhooks.new_id(),
        url=url,
        secret=secret or signing.new_secret(),
        events=_kept(events),
        created_at=rfc3339(context.now_ms()),
    )
    ttl_s = context.settings.player_ttl_s
    if not context.webhooks.add(player.id, webhook, ttl_s):
        raise GameError("limit/webhooks", limit=MAX_WEBHOOKS)
    context.outbox.hook(player.id, ttl_s)
    return {"webhook": _webhook_json(webhook), "secret": webhook.secret}


def listed(context: Context, caller: Caller) -> list[Json]:
    """The caller's webhooks, oldest first."""
    player = access.must_be_player(context, caller)
    return [_webhook_json(webhook) for webhook in context.webhooks.of(player.id)]


def look(context: Context, caller: Caller, webhook_id: str) -> Json:
    """One of the caller's webhooks. webhook/not_found."""
    return _webhook_json(_own(context, caller, webhook_id)[1])


def change(context: Context, caller: Caller, webhook_id: str, changes: dict[str, Any]) -> Json:
    """Change `url`, `events`, `enabled`, those that are named. webhook/not_found, outgoing/off, request/invalid.

    Whoever enables a webhook begins anew: no failures are counted against it.
    """
    player_id, found = _own(context, caller, webhook_id)
    if "url" in changes or changes.get("enabled"):
        _must_be_callable(context, changes.get("url", found.url))

    def changed(webhook: StoredWebhook) -> StoredWebhook:
        webhook = replace(webhook, url=changes.get("url", webhook.url))
        if "events" in changes:
            webhook = replace(webhook, events=_kept(changes["events"]))
        if changes.get("enabled", webhook.enabled) == webhook.enabled:
            return webhook
        if changes["enabled"]:
            return replace(webhook, enabled=True, disabled_reason=None, failures=0)
        return dispatch.disabled(webhook, OWNER)

    webhook = context.webhooks.change(player_id, webhook_id, changed)
    if webhook is None:
        raise GameError("webhook/not_found")
    if not webhook.enabled:
        dispatch.drop_waiting(context, player_id, webhook_id)
    return _webhook_json(webhook)


def delete(context: Context, caller: Caller, webhook_id: str) -> None:
    """Delete the webhook with its deliveries. webhook/not_found."""
    player_id, _ = _own(context, caller, webhook_id)
    context.webhooks.delete(player_id, webhook_id)


def delivered(context: Context, caller: Caller, webhook_id: str) -> list[Json]:
    """The webhook's latest deliveries, newest first. webhook/not_found."""
    player_id, _ = _own(context, caller, webhook_id)
    return [_delivery_json(delivery) for delivery in context.webhooks.deliveries(player_id, webhook_id)]


def ping(context: Context, caller: Caller, webhook_id: str) -> Json:
    """Deliver something that means nothing. webhook/not_found, webhook/disabled, outgoing/off."""
    player_id, webhook = _own(context, caller, webhook_id)
    _must_be_on(context)
    if not webhook.enabled:
        raise GameError("webhook/disabled")
    delivery_id, at = context.webhooks.new_id(), rfc3339(context.now_ms())
    delivery = dispatch.make(
        context, player_id, webhook_id, delivery_id, PING, at, {"player": player_id}, hooks=context.webhooks
    )
    if delivery is None:
        raise GameError("webhook/not_found")
    return _delivery_json(delivery)


def _own(context: Context, caller: Caller, webhook_id: str) -> tuple[str, StoredWebhook]:
    """(the caller's id, their webhook). webhook/not_found, for those of others too."""
    player = access.must_be_player(context, caller)
    webhook = context.webhooks.get(player.id, webhook_id)
    if webhook is None:
        raise GameError("webhook/not_found")
    return player.id, webhook


def _must_be_on(context: Context) -> None:
    """outgoing/off where this service calls nobody."""
    if not context.settings.calls:
        raise GameError("outgoing/off")


def _must_be_callable(context: Context, url: str) -> None:
    """outgoing/off, and request/invalid where the URL may not be called."""
    fault = outgoing.faults_of_url(context, url)
    if fault is not None:
        raise GameError("request/invalid", errors={"/url": fault})


def _kept(events: list[str] | None) -> tuple[str, ...] | None:
    """The types, each once, in their order."""
    return None if events is None else tuple(dict.fromkeys(events))


def _webhook_json(webhook: StoredWebhook) -> Json:
    """The webhook without its secret."""
    names = ("id", "url", "events", "created_at", "enabled", "disabled_reason", "failures")
    return {name: getattr(webhook, name) for name in names}


def _delivery_json(delivery: StoredDelivery) -> Json:
    next_at = None if delivery.next_at_ms is None else rfc3339(delivery.next_at_ms)
    return {
        "id": delivery.id,
        "type": delivery.type,
        "created_at": delivery.created_at,
        "status": delivery.status,
        "attempts": delivery.attempts,
        "next_at": next_at,
        "payload": orjson.loads(delivery.payload),
    }
