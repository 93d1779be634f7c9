"""Webhooks of a player."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.usecases.notifications import webhooks
from service.web.api import Blueprint
from service.web.http.auth import caller, context
from service.web.http.preconditions import issuer
from service.web.http.responses import json_answer, with_location
from service.web.schemas.base import requests
from service.web.schemas.base.endpoint_requests import RotateSecretRequest
from service.web.schemas.notifications import webhooks as webhook_schemas

blueprint = Blueprint("webhooks", __name__, url_prefix="/v1/me/webhooks")


@blueprint.route("", methods=["POST"])
@blueprint.operation("createWebhook", "outgoing/off", "limit/webhooks", access="player")
@blueprint.response(201, webhook_schemas.CreatedWebhook, "The webhook and its secret.", headers=("Location",))
@blueprint.arguments(webhook_schemas.CreateWebhookRequest)
@blueprint.repeatable()
def create_webhook(body: dict[str, Any]) -> Response:
    """Create a webhook.

    The service sends a POST to the URL when something happens in your games. A player can have 5 webhooks. The response
    contains the signing secret.
    """
    created = webhooks.create(context(), caller(), body["url"], body["events"], body["secret"], issuer())
    return with_location(created, 201, f"/v1/me/webhooks/{created['webhook']['id']}")


@blueprint.route("")
@blueprint.operation("listWebhooks", access="player")
@blueprint.response(200, webhook_schemas.WebhookList, "The webhooks.")
def list_webhooks() -> Response:
    """List your webhooks."""
    return json_answer({"webhooks": webhooks.list_webhooks(context(), caller())})


@blueprint.route("/<webhook_id>")
@blueprint.operation("getWebhook", "webhook/not_found", access="player")
@blueprint.response(200, webhook_schemas.Webhook, "The webhook.")
def get_webhook(webhook_id: str) -> Response:
    """Get a webhook."""
    return json_answer(webhooks.get(context(), caller(), webhook_id))


@blueprint.route("/<webhook_id>", methods=["PATCH"])
@blueprint.operation("changeWebhook", "webhook/not_found", "outgoing/off", access="player")
@blueprint.response(200, webhook_schemas.Webhook, "The updated webhook.")
@blueprint.arguments(webhook_schemas.ChangeWebhookRequest)
def change_webhook(body: dict[str, Any], webhook_id: str) -> Response:
    """Update a webhook.

    Change its URL or event types, or enable or disable it.
    """
    return json_answer(webhooks.change(context(), caller(), webhook_id, body))


@blueprint.route("/<webhook_id>", methods=["DELETE"])
@blueprint.operation("deleteWebhook", "webhook/not_found", access="player")
@blueprint.response(204, description="The webhook is deleted.")
def delete_webhook(webhook_id: str) -> None:
    """Delete a webhook.

    Also deletes its deliveries.
    """
    webhooks.delete(context(), caller(), webhook_id)


@blueprint.route("/<webhook_id>/secret", methods=["POST"])
@blueprint.operation("rotateWebhookSecret", "webhook/not_found", access="player")
@blueprint.response(201, webhook_schemas.CreatedWebhook, "The webhook and its new secret.")
@blueprint.arguments(RotateSecretRequest, required=False)
@blueprint.repeatable()
def rotate_webhook_secret(body: dict[str, Any], webhook_id: str) -> Response:
    """Rotate the secret of a webhook.

    Requests are signed with the new secret, and for `overlap_s` with the old ones, too. So receivers can change without
    losing a notice. A further rotation does not prolong old secrets, but ends them earlier if its `overlap_s` is
    shorter. If there are more than 4 old secrets, the oldest end.
    """
    return json_answer(webhooks.rotate_secret(context(), caller(), webhook_id, **body, issuer=issuer()), 201)


@blueprint.route("/<webhook_id>/old-secrets", methods=["DELETE"])
@blueprint.operation("endOldWebhookSecrets", "webhook/not_found", access="player")
@blueprint.response(204, description="Only the current secret signs.")
def end_old_webhook_secrets(webhook_id: str) -> None:
    """End the old secrets of a webhook at once."""
    webhooks.end_old_secrets(context(), caller(), webhook_id)


@blueprint.route("/<webhook_id>/deliveries")
@blueprint.operation("listDeliveries", "webhook/not_found", access="player")
@blueprint.response(200, webhook_schemas.DeliveryList, "The deliveries.")
def list_deliveries(webhook_id: str) -> Response:
    """List the deliveries of a webhook.

    Newest first, with every attempt. Includes pending deliveries.
    """
    return json_answer({"deliveries": webhooks.list_deliveries(context(), caller(), webhook_id)})


@blueprint.route("/<webhook_id>/deliveries/<delivery_id>/attempts", methods=["POST"])
@blueprint.operation(
    "resendDelivery",
    *("webhook/not_found", "webhook/disabled", "outgoing/off", "delivery/not_found", "delivery/waiting"),
    access="player",
)
@blueprint.response(202, webhook_schemas.Delivery, "The pending delivery.", headers=("Location",))
@blueprint.arguments(requests.NothingRequest, required=False)
@blueprint.repeatable()
def resend_delivery(_body: dict[str, Any], webhook_id: str, delivery_id: str) -> Response:
    """Send a delivery again.

    Makes one more attempt at a delivery that was `delivered`, `failed` or `dropped`, with the same `webhook-id` and
    body, and a new timestamp and signature. The attempt is not repeated if it fails. Also sends a `your_turn` after
    the game has moved on.
    """
    delivery = webhooks.resend(context(), caller(), webhook_id, delivery_id, issuer())
    return with_location(delivery, 202, f"/v1/me/webhooks/{webhook_id}/deliveries")


@blueprint.route("/<webhook_id>/ping", methods=["POST"])
@blueprint.operation("pingWebhook", "webhook/not_found", "webhook/disabled", "outgoing/off", access="player")
@blueprint.response(202, webhook_schemas.Delivery, "The pending delivery.", headers=("Location",))
@blueprint.arguments(requests.NothingRequest, required=False)
def ping_webhook(_body: dict[str, Any], webhook_id: str) -> Response:
    """Send a test delivery to a webhook.

    Use it to check that your URL is reachable. Ignores `Idempotency-Key`: every request sends a delivery.
    """
    delivery = webhooks.ping(context(), caller(), webhook_id)
    return with_location(delivery, 202, f"/v1/me/webhooks/{webhook_id}/deliveries")
