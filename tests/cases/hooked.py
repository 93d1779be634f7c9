"""A player with a webhook, and what is delivered to it, for tests of both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from service.cases import Caller, Cases, deliveries, webhooks
from service.games.errors import GameError
from service.state.queue import HOOKS
from service.state.webhooks import Place
from tests import keeping
from tests.cases.people import Time, player

URL = "https://bot.example/azul"


@pytest.fixture(autouse=True)
def outgoing(cases: Cases) -> None:
    """The operator allows calls."""
    cases.settings = replace(cases.settings, outgoing="on")


@pytest.fixture
def ana(cases: Cases, time: Time) -> Caller:
    """A player with a webhook that is told everything; time stands still."""
    _, ana = player(cases, "Ana")
    webhooks.create(cases, ana, URL, None, None)
    return ana


def hook_of(cases: Cases, owner: Caller) -> dict[str, Any]:
    """The owner's only webhook."""
    (found,) = webhooks.listed(cases, owner)
    return found


def told(cases: Cases, owner: Caller) -> list[dict[str, Any]]:
    """The deliveries to the owner's only webhook, oldest first, after a keeper has looked."""
    keeping.tell_webhooks(cases)
    return webhooks.delivered(cases, owner, hook_of(cases, owner)["id"])[::-1]


def types(cases: Cases, owner: Caller) -> list[str]:
    return [delivery["type"] for delivery in told(cases, owner)]


def place(cases: Cases, owner: Caller, delivery: dict[str, Any]) -> Place:
    return Place(owner.player_id or "", hook_of(cases, owner)["id"], delivery["id"])


def pinged(cases: Cases, owner: Caller) -> Place:
    """A fresh delivery."""
    return place(cases, owner, webhooks.ping(cases, owner, hook_of(cases, owner)["id"]))


def tried(cases: Cases, at: Place, error: str | None = None, status: int | None = None) -> Any:
    """The delivery after another attempt, with that result."""
    parcel = deliveries.take(cases, at)
    assert parcel is not None
    deliveries.report(cases, parcel, error, status, 7)
    return cases.webhooks.delivery(at)


def jobs(cases: Cases) -> list[str]:
    """Names of the jobs that wait for a dialer."""
    return list(cases.queue.hooks.get_job_ids())


def refused(command: Callable[[], Any]) -> str:
    """The code of its refusal."""
    with pytest.raises(GameError) as error:
        command()
    return error.value.code


def forget_jobs(cases: Cases) -> None:
    cases.queue.redis.delete(*cases.queue.redis.keys("rq:job:*"), f"rq:queue:{HOOKS}")
