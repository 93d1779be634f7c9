"""Schemas of devices that receive notices by Web Push."""

from __future__ import annotations

from marshmallow import fields, validate

from service.outgoing import web_push
from service.rulesets.texts import LANGUAGES
from service.storage.notifications.webhooks import MAX_DEVICES
from service.usecases.base.outgoing import MAX_FAILURES
from service.web.api import Request, Schema
from service.web.schemas.base.checked_requests import CheckedRequest, Faults, Members
from service.web.schemas.base.fields import MAX_REVISION, array, choice, instant, integer, nest, text
from service.web.schemas.base.names import NOTICE_TYPE, PUSH_LANGUAGE
from service.web.schemas.base.request_fields import optional_name, url_field
from service.web.schemas.notifications.webhooks import events_field


class PushKey(Schema):
    """Public key for push subscriptions."""

    public_key = text(
        "Uncompressed P-256 point in base64url: the `applicationServerKey` for `PushManager.subscribe()`."
    )


class SubscriptionKeys(CheckedRequest):
    """Keys of a push subscription."""

    p256dh = text("Public key of the device: an uncompressed P-256 point in base64url.", 100)
    auth = text("16 bytes in base64url.", 40)

    def contradictions(self, members: Members) -> Faults:
        """Return errors in the content of the keys."""
        errors = web_push.device_key_errors(members.valid.get("p256dh", ""), members.valid.get("auth", ""))
        return {f"/{name}": text for name, text in errors.items() if name in members.valid}


class Subscription(Request):
    """A push subscription, as returned by `PushSubscription.toJSON()`."""

    endpoint = url_field("HTTPS URL of the push service. Never shown.")
    expirationTime = fields.Integer(  # noqa: N815 - a browser's name
        allow_none=True,
        load_default=None,
        validate=validate.Range(0, MAX_REVISION),
        metadata={"description": "Ignored."},
    )
    keys = nest(SubscriptionKeys)


class DeviceRequest(Request):
    """The device to subscribe."""

    subscription = nest(Subscription)
    events = events_field("Notice types to send. Null: all, including types added later.", load_default=None)
    language = choice(PUSH_LANGUAGE, "Language of the notices.", load_default=LANGUAGES[0])
    name = optional_name("Name of the device.")


class Device(Schema):
    """A subscribed device. Its subscription is never shown."""

    id = text()
    name = text("Name given by the player, or null.", allow_none=True)
    language = choice(PUSH_LANGUAGE)
    events = array(choice(NOTICE_TYPE), "Notice types to send, or null for all.", allow_none=True)
    created_at = instant("Time of the last subscription.")
    failures = integer(
        f"Consecutive failed attempts. The device is deleted if all attempts of a day fail, at least {MAX_FAILURES}."
    )
    failing_since = instant("Time of the first of them, or null.", allow_none=True)


class DeviceList(Schema):
    """The player's devices."""

    devices = array(Device, f"Oldest first, at most {MAX_DEVICES}.")
