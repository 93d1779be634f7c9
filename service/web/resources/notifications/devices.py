"""Devices of a player that receive notices by Web Push."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.usecases.notifications import devices
from service.web.api import STORE_CODES, Blueprint
from service.web.http.auth import caller, context
from service.web.http.responses import json_answer
from service.web.schemas.notifications import devices as device_schemas

blueprint = Blueprint("devices", __name__, url_prefix="/v1")


@blueprint.route("/push-key")
@blueprint.operation("getPushKey", *STORE_CODES, "outgoing/off")
@blueprint.response(200, device_schemas.PushKey, "The key.")
def get_push_key() -> Response:
    """Get the VAPID public key.

    Pass it to `PushManager.subscribe()` in the browser.
    """
    return json_answer(devices.subscription_key(context()))


@blueprint.route("/me/devices", methods=["POST"])
@blueprint.operation("subscribeDevice", "outgoing/off", "limit/devices", access="player")
@blueprint.response(201, device_schemas.Device, "The device.")
@blueprint.arguments(device_schemas.DeviceRequest)
@blueprint.repeatable()
def subscribe_device(body: dict[str, Any]) -> Response:
    """Register a device for Web Push.

    The device receives short notices of the same types as webhooks. Registering a device again updates its settings. A
    device is deleted when its push service reports it gone, or when the token that registered it ends.
    """
    subscription = body["subscription"]
    events = None if body["events"] is None else tuple(dict.fromkeys(body["events"]))
    new = devices.NewDevice(
        subscription["endpoint"], **subscription["keys"], events=events, language=body["language"], name=body["name"]
    )
    return json_answer(devices.subscribe(context(), caller(), new), 201)


@blueprint.route("/me/devices")
@blueprint.operation("listDevices", access="player")
@blueprint.response(200, device_schemas.DeviceList, "The devices.")
def list_devices() -> Response:
    """List your devices."""
    return json_answer({"devices": devices.list_devices(context(), caller())})


@blueprint.route("/me/devices/<device_id>", methods=["DELETE"])
@blueprint.operation("unsubscribeDevice", "device/not_found", access="player")
@blueprint.response(204, description="The device receives no further notices.")
def unsubscribe_device(device_id: str) -> None:
    """Delete a device."""
    devices.unsubscribe(context(), caller(), device_id)
