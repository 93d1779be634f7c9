"""A player with a webhook, and what is delivered to it, for tests of both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from service.games.errors import GameError
from service.storage.notifications.webhooks import DeliveryKey
from service.storage.work.queue import HOOKS
from service.usecases.base.context import Caller, Context
from service.usecases.notifications import dispatch, webhooks
from service.usecases.notifications.dispatch import Parcel
from tests import keeping
from tests.usecases.players import Time, player

URL = "https://bot.example/azul"


@pytest.fixture(autouse=True)
def outgoing(context: Context) -> None:
    """The operator allows calls."""
    context.settings = replace(context.settings, outgoing="on")


@pytest.fixture
def ana(context: Context, time: Time) -> Caller:
    """A player with a webhook that is told everything; time stands still."""
    _, ana = player(context, "Ana")
    webhooks.create(context, ana, URL, None, None)
    return ana


def hook_of(context: Context, owner: Caller) -> dict[str, Any]:
    """The owner's only webhook."""
    (results,) = webhooks.listed(context, owner)
    return results


def deliveries_to(context: Context, owner: Caller) -> list[dict[str, Any]]:
    """The deliveries to the owner's only webhook, oldest first, after a keeper has looked."""
    keeping.tell_webhooks(context)
    return webhooks.delivered(context, owner, hook_of(context, owner)["id"])[::-1]


def types(context: Context, owner: Caller) -> list[str]:
    return [delivery["type"] for delivery in deliveries_to(context, owner)]


def place(context: Context, owner: Caller, delivery: dict[str, Any]) -> DeliveryKey:
    return DeliveryKey(owner.player_id or "", hook_of(context, owner)["id"], delivery["id"])


def pinged(context: Context, owner: Caller) -> DeliveryKey:
    """A fresh delivery."""
    return place(context, owner, webhooks.ping(context, owner, hook_of(context, owner)["id"]))


def taken(context: Context, at: DeliveryKey) -> Parcel:
    """What a dialer is to post now."""
    parcel = dispatch.take(context, at)
    assert parcel is not None
    return parcel


def tried(context: Context, at: DeliveryKey, error: str | None = None, status: int | None = None) -> Any:
    """The delivery after another attempt, with that result."""
    dispatch.report(context, taken(context, at), error, status, 7)
    return context.webhooks.delivery(at)


def jobs(context: Context) -> list[str]:
    """Names of the jobs that wait for a dialer."""
    return list(context.queue.hooks.get_job_ids())


def refused(command: Callable[[], Any]) -> str:
    """The code of its refusal."""
    with pytest.raises(GameError) as error:
        command()
    return error.value.code


def forget_jobs(context: Context) -> None:
    context.queue.redis.delete(*context.queue.redis.keys("rq:job:*"), f"rq:queue:{HOOKS}")
