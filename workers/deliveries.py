"""Calls of webhooks, made by `workers.dialing`."""

from __future__ import annotations

import time

from service.outgoing import outbound_http
from service.outgoing.outbound_http import DialError
from service.storage.notifications.webhooks import DeliveryKey
from service.usecases.base import outgoing
from service.usecases.notifications import dispatch
from service.usecases.notifications.dispatch import Parcel
from workers import calls, jobs

DEADLINE_S = outbound_http.DEADLINE_S


def deliver(player_id: str, webhook_id: str, delivery_id: str) -> None:
    """Post a delivery to its webhook, and report the outcome."""
    parcel = dispatch.take(jobs.context(), DeliveryKey(player_id, webhook_id, delivery_id))
    if parcel is not None:
        dispatch.report(jobs.context(), parcel, *post(parcel, "webhook"))


def post(parcel: Parcel, purpose: str) -> tuple[str | None, int | None, int]:
    """Post a delivery. Return code and HTTP status of a failure, or None, and the duration in milliseconds."""
    began, error, status = time.monotonic(), None, None
    try:
        with calls.record_call(purpose):
            allowed = outgoing.policy(jobs.context())
            outbound_http.call(parcel.url, parcel.headers, allowed, parcel.body, deadline_s=DEADLINE_S)
    except DialError as failure:
        error, status = failure.code, failure.status
    return error, status, round(1000 * (time.monotonic() - began))
