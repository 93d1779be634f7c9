"""Webhooks over HTTP with a delivery that has succeeded."""

from __future__ import annotations

from typing import Any

from service.storage.notifications.webhooks import DeliveryKey
from service.usecases.base.context import Context
from service.usecases.notifications import dispatch
from tests.web.client import body_of
from tests.web.players import Person

URL = "https://bot.example/azul?key=hush"


def deliver_ping(context: Context, owner: Person, **webhook: Any) -> dict[str, str]:
    """Return the ids of a new `webhook` and of its `delivery`."""
    made = body_of(owner.client.post("/v1/me/webhooks", {"url": URL, **webhook}), 201)["webhook"]["id"]
    delivery = body_of(owner.client.post(f"/v1/me/webhooks/{made}/ping"), 202)["id"]
    parcel = dispatch.take(context, DeliveryKey(owner.id, made, delivery))
    assert parcel is not None
    dispatch.report(context, parcel, None, None, 7)
    return {"webhook": made, "delivery": delivery}
