"""Calls of push services for devices, made by `workers.dialing`."""

from __future__ import annotations

from service.storage.notifications.webhooks import DeliveryKey
from service.usecases.notifications import push_messages
from workers import deliveries, jobs


def push(player_id: str, device_id: str, delivery_id: str) -> None:
    """Post a notice to a device's push service, and report the outcome."""
    parcel = push_messages.take(jobs.context(), DeliveryKey(player_id, device_id, delivery_id))
    if parcel is not None:
        push_messages.report(jobs.context(), parcel, *deliveries.post(parcel, "push"))
