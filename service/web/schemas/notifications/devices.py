"""Schemas of devices that receive notices by Web Push."""

from __future__ import annotations

from marshmallow import fields, validate

from service.rulesets.texts import LANGUAGES
from service.storage.notifications.webhooks import MOST_DEVICES
from service.usecases.notifications.deliveries import MOST_FAILURES
from service.web.api import Request, Schema
from service.web.schemas.base.fields import MOST_REVISION, choice, text, when, whole
from service.web.schemas.base.names import NOTICE_TYPE, PUSH_LANGUAGE
from service.web.schemas.base.request_fields import person_name
from service.web.schemas.notifications.webhooks import events_field


class PushKey(Schema):
    """Public key for push subscriptions."""

    public_key = text(
        "Uncompressed P-256 point in base64url: the `applicationServerKey` for `PushManager.subscribe()`."
    )


class SubscriptionKeys(Request):
    """Keys of a push subscription."""

    p256dh = fields.String(
        required=True,
        validate=validate.Length(1, 100),
        metadata={"description": "Public key of the device: an uncompressed P-256 point in base64url."},
    )
    auth = fields.String(
        required=True, validate=validate.Length(1, 40), metadata={"description": "16 bytes in base64url."}
    )


class Subscription(Request):
    """A push subscription, as returned by `PushSubscription.toJSON()`."""

    endpoint = fields.String(
        required=True,
        validate=validate.Length(1, 2_000),
        metadata={"description": "HTTPS URL of the push service. Never shown."},
    )
    expirationTime = fields.Integer(  # noqa: N815 - a browser's name
        strict=True,
        allow_none=True,
        load_default=None,
        validate=validate.Range(0, MOST_REVISION),
        metadata={"description": "Ignored."},
    )
    keys = fields.Nested(SubscriptionKeys, required=True)


class DeviceRequest(Request):
    """The device to subscribe."""

    subscription = fields.Nested(Subscription, required=True)
    events = events_field("Notice types to send. Null: all, including types added later.", load_default=None)
    language = fields.String(
        load_default=LANGUAGES[0],
        validate=validate.OneOf(PUSH_LANGUAGE),
        metadata={"description": "Language of the notices."},
    )
    name = person_name("Name of the device.")


class Device(Schema):
    """A subscribed device. Its subscription is never shown."""

    id = text()
    name = text("Name given by the player, or null.", allow_none=True)
    language = choice(PUSH_LANGUAGE)
    events = fields.List(
        choice(NOTICE_TYPE),
        required=True,
        allow_none=True,
        metadata={"description": "Notice types to send, or null for all."},
    )
    created_at = when("Time of the last subscription.")
    failures = whole(f"Consecutive failed attempts. After {MOST_FAILURES}, the device is deleted.")


class DeviceList(Schema):
    """The player's devices."""

    devices = fields.List(
        fields.Nested(Device), required=True, metadata={"description": f"Oldest first, at most {MOST_DEVICES}."}
    )
