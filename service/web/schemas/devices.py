"""Devices that get notices by Web Push."""

from __future__ import annotations

from marshmallow import fields, validate

from service.rulesets.texts import LANGUAGES
from service.storage.webhooks import MOST_DEVICES
from service.usecases.automatic.deliveries import MOST_FAILURES
from service.web.api import Request, Schema
from service.web.schemas.fields import choice, text, when, whole
from service.web.schemas.names import NOTICE_TYPE, PUSH_LANGUAGE
from service.web.schemas.request_fields import person_name
from service.web.schemas.webhooks import events_field


class PushKey(Schema):
    """The key that devices subscribe with."""

    public_key = text(
        "A point of P-256, uncompressed, in base64url: the `applicationServerKey` of a browser's `subscribe`."
    )


class SubscriptionKeys(Request):
    """The keys of a push subscription."""

    p256dh = fields.String(
        required=True,
        validate=validate.Length(1, 100),
        metadata={"description": "The device's public key: a point of P-256, uncompressed, in base64url."},
    )
    auth = fields.String(
        required=True, validate=validate.Length(1, 40), metadata={"description": "Sixteen bytes in base64url."}
    )


class Subscription(Request):
    """A push subscription, as `PushSubscription.toJSON()` of a browser has it."""

    endpoint = fields.String(
        required=True,
        validate=validate.Length(1, 2_000),
        metadata={"description": "The https URL at the device's push service. It is shown to nobody."},
    )
    expirationTime = fields.Integer(  # noqa: N815 - a browser's name
        allow_none=True, load_default=None, metadata={"description": "Unix milliseconds; it is not looked at."}
    )
    keys = fields.Nested(SubscriptionKeys, required=True)


class DeviceRequest(Request):
    """A device that is to get notices."""

    subscription = fields.Nested(Subscription, required=True)
    events = events_field(
        "The types of notices it is told; null or absent: all, those of later versions too.", load_default=None
    )
    language = fields.String(
        load_default=LANGUAGES[0],
        validate=validate.OneOf(PUSH_LANGUAGE),
        metadata={"description": "The language of its texts."},
    )
    name = person_name("The device's name.")


class Device(Schema):
    """A device that gets notices. What reaches it is told to nobody."""

    id = text("The device's id.")
    name = text("The name its player gave it.", allow_none=True)
    language = choice(PUSH_LANGUAGE, "The language of its texts.")
    events = fields.List(
        choice(NOTICE_TYPE, "A type of notice."),
        required=True,
        allow_none=True,
        metadata={"description": "The types of notices it is told; null: all."},
    )
    created_at = when("When it was subscribed last.")
    failures = whole(f"Attempts that have failed in a row; after {MOST_FAILURES} it is forgotten.")


class DeviceList(Schema):
    """The player's devices."""

    devices = fields.List(
        fields.Nested(Device), required=True, metadata={"description": f"Oldest first, at most {MOST_DEVICES}."}
    )
