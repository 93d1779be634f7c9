"""Webhooks as they are asked for and answered."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from service.outgoing.outbound_http import CODES
from service.storage.webhooks import DELIVERY_STATUSES
from service.usecases.automatic.deliveries import BACKOFF_S, MOST_FAILURES, REASONS
from service.web.api import Request, Schema
from service.web.schemas.calls import NOTICE_TYPES, Notice
from service.web.schemas.fields import choice, flag, text, when, whole
from service.web.schemas.names import NOTICE_TYPE
from service.web.schemas.request_fields import StrictBoolean, secret_field


def url_field(*, required: bool) -> fields.String:
    """What is called."""
    return fields.String(
        required=required,
        validate=validate.Length(1, 2_000),
        metadata={"description": "The https URL, at an allowed port. Its name may resolve to no private address."},
    )


def events_field(description: str, **options: Any) -> fields.List[str]:
    """A notice to a webhook."""
    return fields.List(
        fields.String(validate=validate.OneOf(NOTICE_TYPE)),
        allow_none=True,
        validate=validate.Length(1, len(NOTICE_TYPE)),
        metadata={"description": description},
        **options,
    )


class CreateWebhookRequest(Request):
    """A URL that is to get notices of what happens."""

    url = url_field(required=True)
    events = events_field(
        "The types of notices it is told; null or absent: all, those of later versions too.", load_default=None
    )
    secret = secret_field()


class ChangeWebhookRequest(Request):
    """What is to be otherwise; what is absent stays."""

    url = url_field(required=False)
    events = events_field("The types of notices it is told; null: all.")
    enabled = StrictBoolean(
        metadata={"description": "False: what waits for it is dropped. True: it begins anew, without failures."}
    )


class Webhook(Schema):
    """A URL that gets notices of what happens in its owner's games. Nobody else sees it."""

    id = text("96 random bits.")
    url = text("What is called.")
    events = fields.List(
        choice(NOTICE_TYPE, "A type of notice."),
        required=True,
        allow_none=True,
        metadata={"description": "The types of notices it is told; null: all."},
    )
    created_at = when("When it was created.")
    enabled = flag("Whether anything is delivered to it.")
    disabled_reason = choice(
        REASONS,
        f"`failing`: {MOST_FAILURES} attempts in a row have failed; `gone`: it answered 410; `owner`: its owner said "
        "so; null while it is enabled.",
        allow_none=True,
    )
    failures = whole("Attempts that have failed since the last that did not.")


class CreatedWebhook(Schema):
    """A new webhook and its secret, which is shown once."""

    webhook = fields.Nested(Webhook, required=True)
    secret = text("Signs every request to it.")


class WebhookList(Schema):
    """The caller's webhooks, oldest first."""

    webhooks = fields.List(fields.Nested(Webhook), required=True)


class Attempt(Schema):
    """What came of calling a webhook once."""

    at = when("When it ended.")
    error = choice(
        CODES,
        "Why it was in vain; null: it was delivered. The URL may not be called (`off`, `url`, `port`, `address`), "
        "there was no answer (`name`, `unreachable`, `tls`, `late`), or none of 2xx (`redirect`, `large`, `status`).",
        allow_none=True,
    )
    status = whole("The HTTP status that was answered, of `status`.", allow_none=True)
    took_ms = whole("How long it took.")


class Delivery(Schema):
    """A notice that was sent to a webhook, or will be."""

    id = text("The `webhook-id` of every attempt.")
    type = choice(NOTICE_TYPES, "The type of the notice.")
    created_at = when("When it was made.")
    status = choice(
        DELIVERY_STATUSES,
        f"`waiting`: it is tried at `next_at`; `failed`: {len(BACKOFF_S) + 1} attempts were in vain; `dropped`: the "
        "webhook was disabled, or a decision it tells of was made before.",
    )
    attempts = fields.List(fields.Nested(Attempt), required=True, metadata={"description": "The attempts, in order."})
    next_at = when("When it is tried next; null where it is not.", allow_none=True)
    payload = fields.Nested(Notice, required=True, metadata={"description": "The body."})


class DeliveryList(Schema):
    """A webhook's newest 100 deliveries, newest first."""

    deliveries = fields.List(fields.Nested(Delivery), required=True)
