"""Push subscriptions of a player's devices. They receive the same notices as webhooks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from service.games.errors import GameError
from service.games.state.moments import rfc3339
from service.rulesets.wire import Json
from service.storage.base.keys import id_from
from service.storage.notifications.webhooks import MAX_DEVICES, StoredWebhook
from service.storage.people.players import StoredPlayer
from service.usecases.base import access, outgoing
from service.usecases.base.context import Caller, Context
from service.usecases.notifications import push_key, webhooks


@dataclass(frozen=True)
class NewDevice:
    """A push subscription from a browser. `events`: notice types to send, None: all."""

    endpoint: str
    p256dh: str
    auth: str
    events: tuple[str, ...] | None
    language: str
    name: str | None


def subscription_key(context: Context) -> Json:
    """Return the public key with which a device subscribes. Raises: outgoing/off."""
    outgoing.must_be_on(context)
    return {"public_key": push_key.public_key(context)}


def subscribe(context: Context, caller: Caller, new: NewDevice) -> Json:
    """Subscribe the device. A second subscription of the same device replaces the first.

    Raises: outgoing/off, limit/devices.
    """
    player = access.must_be_player(context, caller)
    outgoing.must_be_on(context)
    token = "" if player.token is None else player.token.id
    push: dict[str, Any] = {"p256dh": new.p256dh, "auth": new.auth, "language": new.language}
    device = StoredWebhook(
        id=id_from(f"device {player.id} {new.endpoint}"),
        url=new.endpoint,
        secret="",
        events=new.events,
        created_at=rfc3339(context.now_ms()),
        push={**push, "name": new.name, "token": token},
    )
    ttl_s = context.settings.player_ttl_s
    if not context.devices.add(player.id, device, ttl_s):
        raise GameError("limit/devices", limit=MAX_DEVICES)
    context.devices.change(player.id, device.id, lambda _: device)
    context.outbox.subscribe(player.id, ttl_s)
    return device_json(device)


def list_devices(context: Context, caller: Caller) -> list[Json]:
    """Return the caller's devices, oldest first."""
    return devices_json(context, access.must_be_player(context, caller))


def devices_json(context: Context, player: StoredPlayer) -> list[Json]:
    """Return the player's devices, oldest first."""
    return [device_json(device) for device in context.devices.get_all(player.id)]


def unsubscribe(context: Context, caller: Caller, device_id: str) -> None:
    """Delete the device. Raises: device/not_found."""
    player = access.must_be_player(context, caller)
    if not context.devices.delete(player.id, device_id):
        raise GameError("device/not_found")


def device_json(device: StoredWebhook) -> Json:
    """Return a device as JSON, without its endpoint and keys."""
    push = device.push or {}
    members = {name: getattr(device, name) for name in ("id", "events", "created_at", "failures")}
    members["failing_since"] = webhooks.failing_since(device)
    return {**members, "name": push["name"], "language": push["language"]}
