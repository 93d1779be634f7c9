"""A player with a webhook and its deliveries, for tests of both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from unittest import mock

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from service.games.errors import GameError
from service.storage.notifications.webhooks import DeliveryKey
from service.storage.work.queue import HOOKS
from service.usecases.base.context import Caller, Context
from service.usecases.games.endpoints import SignedRequest
from service.usecases.notifications import dispatch, webhooks
from service.usecases.notifications.dispatch import Parcel
from tests import keeping
from tests.usecases.players import Time, player

URL = "https://bot.example/azul"


@pytest.fixture(autouse=True)
def outgoing(context: Context) -> None:
    """Allow outgoing calls."""
    context.settings = replace(context.settings, outgoing="on")


@pytest.fixture
def ana(context: Context, time: Time) -> Caller:
    """Create a player with a webhook for all kinds of notices, and stop the clock."""
    _, ana = player(context, "Ana")
    webhooks.create(context, ana, URL, None, None)
    return ana


def hook_of(context: Context, owner: Caller) -> dict[str, Any]:
    """Return the owner's only webhook."""
    (results,) = webhooks.list_webhooks(context, owner)
    return results


def deliveries_to(context: Context, owner: Caller) -> list[dict[str, Any]]:
    """Run a keeper and return the deliveries to the owner's only webhook, oldest first."""
    keeping.send_webhooks(context)
    return webhooks.list_deliveries(context, owner, hook_of(context, owner)["id"])[::-1]


def types(context: Context, owner: Caller) -> list[str]:
    return [delivery["type"] for delivery in deliveries_to(context, owner)]


def delivery_key(context: Context, owner: Caller, delivery: dict[str, Any]) -> DeliveryKey:
    return DeliveryKey(owner.player_id or "", hook_of(context, owner)["id"], delivery["id"])


def create_ping(context: Context, owner: Caller) -> DeliveryKey:
    """Create a delivery."""
    return delivery_key(context, owner, webhooks.ping(context, owner, hook_of(context, owner)["id"]))


def take_parcel(context: Context, key: DeliveryKey) -> Parcel:
    """Take the next attempt of a delivery."""
    parcel = dispatch.take(context, key)
    assert parcel is not None
    return parcel


def verify(secret: str, request: Parcel | SignedRequest, time: Time) -> None:
    """Verify the request with the library of the standard at the test's time. Raises WebhookVerificationError."""
    clock = mock.Mock(wraps=datetime, **{"now.return_value": datetime.fromtimestamp(time.ms / 1000, UTC)})
    with mock.patch("standardwebhooks.webhooks.datetime", clock):
        Webhook(secret).verify(request.body, request.headers)


def is_verified(secret: str, request: Parcel | SignedRequest, time: Time) -> bool:
    """Return whether the library of the standard accepts the request with this secret."""
    try:
        verify(secret, request, time)
    except WebhookVerificationError:
        return False
    return True


def attempt(context: Context, key: DeliveryKey, error: str | None = None, status: int | None = None) -> Any:
    """Report an attempt with this result and return the delivery."""
    dispatch.report(context, take_parcel(context, key), error, status, 7)
    return context.webhooks.delivery(key)


def jobs(context: Context) -> list[str]:
    """Take all deliveries that wait for a dialer, and return delivery and attempt of each."""
    queue, names = context.dial_queues[HOOKS], list[str]()
    while (name := queue.take(context.now_ms(), context.now_ms() + 1, 1_000)) is not None:
        queue.finish(name)
        names.append("-".join(name.split()[-2:]))
    return names


def refusal_code(command: Callable[[], Any]) -> str:
    """Return the code of the refusal."""
    with pytest.raises(GameError) as error:
        command()
    return error.value.code
