"""Devices of a player: push subscriptions, which get the notices that webhooks get."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from service.games.errors import GameError
from service.games.state.moments import rfc3339
from service.outgoing import web_push
from service.rulesets.wire import Json
from service.storage.base.keys import id_from
from service.storage.notifications.webhooks import MAX_DEVICES, StoredWebhook
from service.usecases.base import access, outgoing
from service.usecases.base.context import Caller, Context
from service.usecases.notifications import push_key


@dataclass(frozen=True)
class NewDevice:
    """A subscription as a browser has it. `events`: which notices it gets, None: all."""

    endpoint: str
    p256dh: str
    auth: str
    events: tuple[str, ...] | None
    language: str
    name: str | None


def key(context: Context) -> Json:
    """What a device subscribes with."""
    return {"public_key": push_key.public_key(context)}


def subscribe(context: Context, caller: Caller, new: NewDevice) -> Json:
    """Have the device get notices; one that is subscribed already gets them as this says.

    outgoing/off, request/invalid, limit/devices.
    """
    player = access.must_be_player(context, caller)
    _check(context, new)
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
    context.outbox.hook(player.id, ttl_s)
    return device_json(device)


def _check(context: Context, new: NewDevice) -> None:
    faults = {f"/keys/{name}": fault for name, fault in web_push.check_device(new.p256dh, new.auth).items()}
    if (fault := outgoing.faults_of_url(context, new.endpoint)) is not None:
        faults["/endpoint"] = fault
    if faults:
        errors = {f"/subscription{pointer}": fault for pointer, fault in faults.items()}
        raise GameError("request/invalid", errors=errors)


def listed(context: Context, caller: Caller) -> list[Json]:
    """The caller's devices, oldest first."""
    player = access.must_be_player(context, caller)
    return [device_json(device) for device in context.devices.of(player.id)]


def unsubscribe(context: Context, caller: Caller, device_id: str) -> None:
    """The device gets nothing any more. device/not_found."""
    player = access.must_be_player(context, caller)
    if not context.devices.delete(player.id, device_id):
        raise GameError("device/not_found")


def device_json(device: StoredWebhook) -> Json:
    """A device as it is told: without what reaches it."""
    push = device.push or {}
    names = ("id", "events", "created_at", "failures")
    return {**{name: getattr(device, name) for name in names}, "name": push["name"], "language": push["language"]}
