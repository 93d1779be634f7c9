"""Deliveries that their owner sends again, with a simulated clock and no network."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from service.storage.notifications.webhooks import MAX_DELIVERIES, DeliveryKey, StoredDelivery
from service.usecases.base.context import Caller, Context
from service.usecases.notifications import dispatch, webhooks
from service.usecases.notifications.dispatch import BACKOFF_S, MAX_DELIVERY_ATTEMPTS
from tests.usecases.games.test_usecases import AI, PLAYER
from tests.usecases.players import Time, decide, new_game_of, player
from tests.usecases.webhook_deliveries import (
    URL,
    ana,
    attempt,
    create_ping,
    deliveries_to,
    delivery_key,
    hook_of,
    jobs,
    outgoing,
    refusal_code,
    take_parcel,
    verify,
)

__all__ = ["ana", "outgoing"]  # fixtures


def resend(context: Context, owner: Caller, key: DeliveryKey) -> StoredDelivery:
    """Send the delivery again and return it."""
    webhooks.resend(context, owner, key.webhook, key.delivery)
    delivery = context.webhooks.delivery(key)
    assert delivery is not None
    return delivery


def arrive(context: Context, ana: Caller, _: Time) -> DeliveryKey:
    key = create_ping(context, ana)
    attempt(context, key)
    return key


def give_up(context: Context, ana: Caller, time: Time) -> DeliveryKey:
    key = create_ping(context, ana)
    for pause in (*BACKOFF_S, 0):
        attempt(context, key, "status", 500)
        time.pass_(pause)
    return key


def drop(context: Context, ana: Caller, _: Time) -> DeliveryKey:
    key = create_ping(context, ana)
    for enabled in (False, True):
        webhooks.change(context, ana, key.webhook, {"enabled": enabled})
    return key


@pytest.mark.parametrize(
    ("end", "status", "number"), [(arrive, "delivered", 1), (give_up, "failed", 6), (drop, "dropped", 0)]
)
def test_a_delivery_is_sent_again_with_its_id_and_body_and_a_new_signature(
    context: Context, time: Time, end: Callable[..., DeliveryKey], status: str, number: int
) -> None:
    _, ana = player(context)
    made = webhooks.create(context, ana, URL, None, None)
    key = end(context, ana, time)
    before = context.webhooks.delivery(key)
    assert before is not None
    assert (status, number) == (before.status, len(before.attempts))
    jobs(context)
    time.pass_(10_000)
    again = resend(context, ana, key)
    assert ("waiting", time.ms, number) == (again.status, again.next_at_ms, len(again.attempts))
    assert [f"{key.delivery}-{number}"] == jobs(context)
    parcel = take_parcel(context, key)
    assert (key.delivery, str(time.ms // 1000)) == (
        parcel.headers["webhook-id"],
        parcel.headers["webhook-timestamp"],
    )
    assert before.payload.encode() == parcel.body
    verify(made["secret"], parcel, time)
    done = attempt(context, key)
    assert ("delivered", None, number + 1) == (done.status, done.next_at_ms, len(done.attempts))
    assert before.attempts == done.attempts[:number]


@pytest.mark.parametrize("end", [arrive, give_up, drop])
def test_an_attempt_that_the_owner_asked_for_is_not_repeated(
    context: Context, ana: Caller, time: Time, end: Callable[..., DeliveryKey]
) -> None:
    key = end(context, ana, time)
    time.pass_(10_000)
    resend(context, ana, key)
    done = attempt(context, key, "status", 500)
    assert ("failed", None, 500) == (done.status, done.next_at_ms, done.attempts[-1].status)
    assert [] == context.webhooks.due(time.ms + 10**9, 10)


def test_an_attempt_whose_dialer_was_killed_is_made_later(context: Context, ana: Caller, time: Time) -> None:
    key = arrive(context, ana, time)
    resend(context, ana, key)
    jobs(context)  # the dialer dies with it
    assert 1 == dispatch.send_due(context).done
    assert [f"{key.delivery}-1"] == jobs(context)


def test_a_turn_that_is_over_is_sent_again_because_the_owner_asked(context: Context, ana: Caller) -> None:
    game, _ = new_game_of(context, ana, PLAYER, AI)
    key = delivery_key(context, ana, deliveries_to(context, ana)[1])
    decide(context, game, ana)
    assert dispatch.take(context, key) is None  # it is dropped
    payload = resend(context, ana, key).payload
    assert payload.encode() == take_parcel(context, key).body


def test_a_waiting_delivery_is_refused(context: Context, ana: Caller, time: Time) -> None:
    key = create_ping(context, ana)
    assert "delivery/waiting" == refusal_code(lambda: resend(context, ana, key))
    attempt(context, key, "late")
    assert "delivery/waiting" == refusal_code(lambda: resend(context, ana, key))
    time.pass_(BACKOFF_S[0])
    attempt(context, key)
    resend(context, ana, key)
    assert "delivery/waiting" == refusal_code(lambda: resend(context, ana, key))


def test_a_delivery_has_twenty_attempts_at_most(context: Context, ana: Caller, time: Time) -> None:
    key = arrive(context, ana, time)
    for _ in range(MAX_DELIVERY_ATTEMPTS - 1):
        resend(context, ana, key)
        attempt(context, key)
    assert "limit/attempts" == refusal_code(lambda: resend(context, ana, key))
    delivery = context.webhooks.delivery(key)
    assert delivery is not None
    assert ("delivered", MAX_DELIVERY_ATTEMPTS) == (delivery.status, len(delivery.attempts))


def test_an_unknown_delivery_and_one_that_is_no_longer_kept_are_refused(
    context: Context, ana: Caller, time: Time
) -> None:
    key = arrive(context, ana, time)
    other = webhooks.create(context, ana, URL, None, None)["webhook"]["id"]
    for wrong in (key._replace(delivery="A" * 16), key._replace(webhook=other)):
        assert "delivery/not_found" == refusal_code(lambda wrong=wrong: resend(context, ana, wrong))  # type: ignore[misc]
    for _ in range(MAX_DELIVERIES):
        webhooks.ping(context, ana, key.webhook)
    assert "delivery/not_found" == refusal_code(lambda: resend(context, ana, key))


def test_a_delivery_of_a_disabled_webhook_and_without_outgoing_calls_is_refused(
    context: Context, ana: Caller, time: Time
) -> None:
    key = arrive(context, ana, time)
    webhooks.change(context, ana, key.webhook, {"enabled": False})
    assert "webhook/disabled" == refusal_code(lambda: resend(context, ana, key))
    context.settings = replace(context.settings, outgoing="off")
    assert "outgoing/off" == refusal_code(lambda: resend(context, ana, key))
    delivery = context.webhooks.delivery(key)
    assert delivery is not None
    assert ("delivered", 1) == (delivery.status, len(delivery.attempts))


def test_a_delivery_to_a_failing_webhook_waits_until_it_has_rested(context: Context, ana: Caller, time: Time) -> None:
    key = arrive(context, ana, time)
    for _ in range(2):
        attempt(context, create_ping(context, ana), "late")
        time.pass_(60)
    assert hook_of(context, ana)["failing_since"] is not None
    time.pass_(-59)
    jobs(context)
    resend(context, ana, key)
    assert [] == jobs(context)
    time.pass_(29)
    dispatch.send_due(context)
    assert f"{key.delivery}-1" in jobs(context)
