"""Schemas of webhooks and their deliveries."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from service.outgoing.outbound_http import CODES
from service.storage.notifications.webhooks import DELIVERY_STATUSES
from service.usecases.base.outgoing import MAX_FAILURES
from service.usecases.notifications.dispatch import BACKOFF_S, REASONS
from service.web.api import Request, Schema
from service.web.schemas.base.fields import array, choice, flag, instant, integer, nest, text
from service.web.schemas.base.names import NOTICE_TYPE
from service.web.schemas.base.request_fields import secret_field, url_field
from service.web.schemas.notifications.calls import NOTICE_TYPES, Notice

URL = "HTTPS URL on an allowed port, not at a private address."


def events_field(description: str, **options: Any) -> fields.List[str]:
    """Return the field for a set of notice types."""
    several = validate.Length(1, len(NOTICE_TYPE))
    return array(choice(NOTICE_TYPE), description, validate=several, allow_none=True, **options)


class CreateWebhookRequest(Request):
    """The webhook to create."""

    url = url_field(URL)
    events = events_field("Notice types to send. Null: all, including types added later.", load_default=None)
    secret = secret_field()


class ChangeWebhookRequest(Request):
    """Changes to a webhook. Omitted members stay unchanged."""

    url = url_field(URL, required=False)
    events = events_field("Notice types to send, or null for all.", required=False)
    enabled = flag("False drops pending deliveries. True enables the webhook and resets `failures`.", required=False)


class Webhook(Schema):
    """A URL that receives notices about its owner's games. Visible only to the owner."""

    id = text()
    url = text()
    events = array(choice(NOTICE_TYPE), "Notice types to send, or null for all.", allow_none=True)
    created_at = instant()
    enabled = flag("Whether notices are delivered.")
    disabled_reason = choice(
        REASONS,
        f"`failing`: all attempts of a day failed, at least {MAX_FAILURES}. `gone`: the URL responded with 410. "
        "`owner`: disabled by the owner. Null while enabled.",
        allow_none=True,
    )
    failures = integer("Consecutive failed attempts.")
    failing_since = instant("Time of the first of them, or null.", allow_none=True)
    old_secrets_end_at = instant("When the last of the old secrets stops signing, or null.", allow_none=True)


class CreatedWebhook(Schema):
    """A webhook and its new secret, which is shown only once."""

    webhook = nest(Webhook)
    secret = text("Signs every request to the webhook.")


class WebhookList(Schema):
    """The caller's webhooks, oldest first."""

    webhooks = array(Webhook)


class Attempt(Schema):
    """An attempt to deliver a notice."""

    at = instant("When the attempt ended.")
    error = choice(
        CODES,
        "Why the attempt failed, or null. The URL may not be called (`off`, `url`, `port`, `address`), there was no "
        "response (`name`, `unreachable`, `tls`, `late`), or not one of 2xx (`redirect`, `large`, `status`).",
        allow_none=True,
    )
    status = integer("HTTP status of the response if `error` is `status`; else null.", allow_none=True)
    took_ms = integer("Duration in milliseconds.")


class Delivery(Schema):
    """A notice to a webhook, with its attempts."""

    id = text("`webhook-id` of every attempt.")
    type = choice(NOTICE_TYPES)
    created_at = instant()
    status = choice(
        DELIVERY_STATUSES,
        f"`waiting`: the next attempt is at `next_at`. `failed`: {len(BACKOFF_S) + 1} attempts failed, or an attempt "
        "by `resendDelivery`. `dropped`: the webhook was disabled or the decision already made.",
    )
    attempts = array(Attempt)
    next_at = instant("Time of the next attempt, or null.", allow_none=True)
    payload = nest(Notice, "Request body.")


class DeliveryList(Schema):
    """A webhook's newest 100 deliveries, newest first."""

    deliveries = array(Delivery)
