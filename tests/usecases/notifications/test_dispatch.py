"""Deliveries: their content and recipients, retries, and failure, with a simulated clock and no network."""

from __future__ import annotations

from dataclasses import replace
from unittest import mock

import orjson
import pytest
import redis
from redis import Redis
from standardwebhooks import Webhook

from service.games.state.clocks import ClockRule
from service.games.state.moments import rfc3339
from service.storage.notifications.webhooks import DeliveryKey
from service.usecases.base.context import Caller, Context, open_context
from service.usecases.games import offering, playing, seating
from service.usecases.games.commands import Request
from service.usecases.notifications import dispatch, webhooks
from service.usecases.notifications.dispatch import BACKOFF_S, LEASE_S
from tests import keeping
from tests.usecases.games.test_usecases import AI, OPEN, PLAYER
from tests.usecases.players import Time, ai_acts, decide, new_game_of, player, view
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
    take_parcel,
    types,
)

__all__ = ["ana", "outgoing"]  # fixtures


# ----------------------------------------------------------------------------------------------------- notices


def test_a_player_receives_every_notice_of_a_game(context: Context, ana: Caller) -> None:
    game, _ = new_game_of(context, ana, PLAYER, OPEN)
    assert [] == types(context, ana)
    _, ben = player(context)
    seating.claim(context, ben, game, None, None, None)
    assert ["game_started", "your_turn"] == types(context, ana)
    decide(context, game, ana)
    decide(context, game, ben)
    assert ["game_started", "your_turn", "your_turn"] == types(context, ana)
    offering.pause(context, Request(ben, game), None, 60)
    playing.resign(context, Request(ben, game), None)
    assert ["game_started", "your_turn", "your_turn", "offer", "game_over"] == types(context, ana)


def test_a_delivery_contains_game_summary_seat_and_time(context: Context, ana: Caller, time: Time) -> None:
    game, _ = new_game_of(context, ana, PLAYER, AI, visibility="private")
    deliveries = deliveries_to(context, ana)
    payload = deliveries[1]["payload"]
    data = payload["data"]
    assert ("your_turn", rfc3339(time.ms)) == (payload["type"], payload["timestamp"])
    assert rfc3339(time.ms) == data["since"]
    assert (ana.player_id, 0, game, "private", 0) == (
        data["player"],
        data["seat"],
        data["game"]["id"],
        data["game"]["visibility"],
        data["game"]["to_decide"],
    )
    assert not {"position", "seed", "seed_commitment", "outcome"} & set(data["game"])


def test_a_webhook_receives_only_its_events(context: Context, ana: Caller) -> None:
    both = webhooks.create(context, ana, URL, ["game_over", "your_turn", "game_over"], None)["webhook"]
    assert ("game_over", "your_turn") == both["events"]
    webhooks.change(context, ana, both["id"], {"events": ["game_over"]})
    game, _ = new_game_of(context, ana, PLAYER, AI)
    playing.resign(context, Request(ana, game), None)
    keeping.send_webhooks(context)
    assert ["game_over"] == [actual["type"] for actual in webhooks.list_deliveries(context, ana, both["id"])]


def test_timeouts_and_rematches_are_delivered(context: Context, ana: Caller, time: Time) -> None:
    clock = ClockRule(turn_s=10, bank_s=0, on_timeout="lose", level="random")
    game, _ = new_game_of(context, ana, PLAYER, AI, clock=clock)
    time.pass_(11)
    keeping.wake_due(context)
    assert ["game_started", "seat_lost", "game_over"] == types(context, ana)
    offering.rematch(context, Request(ana, game), None)
    assert "rematch" == types(context, ana)[3]
    rematch = deliveries_to(context, ana)[3]["payload"]["data"]["game_id"]
    assert view(context, game)["rematch"] == rematch


def test_games_of_players_without_webhooks_write_nothing_to_the_outbox(context: Context, redis_client: Redis) -> None:
    _, ben = player(context)
    new_game_of(context, ben, PLAYER, AI)
    assert [] == redis_client.keys("*outbox*")


def test_the_outbox_is_unused_while_outgoing_calls_are_off(context: Context, ana: Caller) -> None:
    context.settings = replace(context.settings, outgoing="off")
    new_game_of(context, ana, PLAYER, AI)
    assert 0 == keeping.send_webhooks(context)
    assert [] == context.outbox.entries(10)


def test_a_turn_decided_before_the_keeper_runs_is_not_delivered(context: Context, ana: Caller) -> None:
    game, _ = new_game_of(context, ana, PLAYER, AI)
    decide(context, game, ana)
    assert ["game_started"] == types(context, ana)


def test_two_keepers_that_drain_the_same_outbox_make_one_delivery(context: Context, ana: Caller) -> None:
    new_game_of(context, ana, PLAYER, AI)
    other = open_context(context.settings)
    entries = context.outbox.entries(10)
    assert 2 == dispatch.drain(context).done
    for entry in entries:  # the other keeper read them before
        assert 0 == dispatch._create_deliveries(other, entry)
    assert ["game_started", "your_turn"] == types(context, ana)
    assert [] == other.outbox.entries(10)
    other.hub.close()


def test_an_outage_while_the_outbox_is_drained_loses_no_notice(
    context: Context, ana: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_game_of(context, ana, PLAYER, AI)
    with monkeypatch.context() as patched:
        patched.setattr(context.store, "load", mock.Mock(side_effect=redis.ConnectionError))
        with pytest.raises(redis.ConnectionError):
            dispatch.drain(context)
    assert dispatch.drain(context).done > 0


def test_a_notice_of_a_deleted_game_is_dropped(context: Context, ana: Caller, redis_client: Redis) -> None:
    game, _ = new_game_of(context, ana, PLAYER, AI)
    redis_client.delete(context.store.keys.game(game).game)
    assert [] == types(context, ana)
    assert [] == context.outbox.entries(10)


def test_a_player_without_webhooks_is_unhooked_with_the_next_notice(context: Context, ana: Caller) -> None:
    webhooks.delete(context, ana, hook_of(context, ana)["id"])
    new_game_of(context, ana, PLAYER, AI)
    assert 0 == dispatch.drain(context).done
    new_game_of(context, ana, PLAYER, AI)
    assert [] == context.outbox.entries(10)


def test_a_player_who_creates_a_webhook_during_unhooking_stays_hooked(
    context: Context, ana: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    webhooks.delete(context, ana, hook_of(context, ana)["id"])
    new_game_of(context, ana, PLAYER, AI)
    unhook = context.outbox.unsubscribe

    def create_then_unhook(player_id: str) -> None:
        webhooks.create(context, ana, URL, None, None)
        unhook(player_id)

    with monkeypatch.context() as patched:
        patched.setattr(context.outbox, "unsubscribe", create_then_unhook)
        dispatch._create_deliveries(context, context.outbox.entries(1)[0])
    new_game_of(context, ana, PLAYER, AI)
    assert "your_turn" in types(context, ana)


# ------------------------------------------------------------------------------------------------- attempts


def test_a_request_is_signed_and_a_success_completes_the_delivery(context: Context, ana: Caller, time: Time) -> None:
    made = webhooks.create(context, ana, URL, None, None)
    delivery = webhooks.ping(context, ana, made["webhook"]["id"])
    at = DeliveryKey(ana.player_id or "", made["webhook"]["id"], delivery["id"])
    parcel = take_parcel(context, at)
    assert (URL, delivery["id"], str(time.ms // 1000)) == (
        parcel.url,
        parcel.headers["webhook-id"],
        parcel.headers["webhook-timestamp"],
    )
    assert delivery["payload"] == orjson.loads(parcel.body)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("time.time", lambda: time.ms / 1000)
        assert Webhook(made["secret"]).verify(parcel.body, parcel.headers) == delivery["payload"]
    dispatch.report(context, parcel, None, None, 7)
    done = context.webhooks.delivery(at)
    assert done is not None
    assert ("delivered", None, 1) == (done.status, done.next_at_ms, len(done.attempts))
    assert dispatch.take(context, at) is None
    assert 0 == dispatch.send_due(context).done


def test_failed_attempts_are_retried_with_growing_pauses_and_the_same_body(
    context: Context, ana: Caller, time: Time
) -> None:
    at = create_ping(context, ana)
    posted = []
    for pause in BACKOFF_S:
        parcel = take_parcel(context, at)
        posted.append((parcel.headers["webhook-id"], parcel.body))
        done = attempt(context, at, "status", 500)
        assert ("waiting", time.ms + 1000 * pause) == (done.status, done.next_at_ms)
        time.pass_(pause - 0.001)
        assert [] == context.webhooks.due(time.ms, 10)
        time.pass_(0.001)
        assert [at] == context.webhooks.due(time.ms, 10)
    done = attempt(context, at, "late")
    assert ("failed", None) == (done.status, done.next_at_ms)
    assert 1 == len(set(posted))
    assert [*[("status", 500)] * 5, ("late", None)] == [(actual.error, actual.status) for actual in done.attempts]
    time.pass_(10_000)
    assert 0 == dispatch.send_due(context).done


def test_a_dialer_is_woken_once_for_each_attempt(context: Context, ana: Caller, time: Time) -> None:
    at = create_ping(context, ana)
    assert [1, 0] == [dispatch.send_due(context).done for _ in range(2)]
    assert [f"{at.delivery}-0"] == jobs(context)
    attempt(context, at, "unreachable")
    assert 0 == dispatch.send_due(context).done
    time.pass_(BACKOFF_S[0])
    assert 1 == dispatch.send_due(context).done
    assert [f"{at.delivery}-1"] == jobs(context)


def test_a_delivery_whose_dialer_was_killed_is_retried_after_a_lease(context: Context, ana: Caller, time: Time) -> None:
    at = create_ping(context, ana)
    dispatch.send_due(context)
    assert dispatch.take(context, at) is not None  # this dialer dies
    time.pass_(LEASE_S - 0.001)
    assert 0 == dispatch.send_due(context).done
    time.pass_(0.001)
    assert 1 == dispatch.send_due(context).done
    assert "delivered" == attempt(context, at).status


def test_an_attempt_reported_twice_counts_once(context: Context, ana: Caller, time: Time) -> None:
    at = create_ping(context, ana)
    first, second = take_parcel(context, at), take_parcel(context, at)
    dispatch.report(context, first, "late", None, 7)
    dispatch.report(context, second, "unreachable", None, 8)
    (delivery,) = deliveries_to(context, ana)
    assert ["late"] == [attempt.error for attempt in delivery["attempts"]]
    assert 1 == hook_of(context, ana)["failures"]


def test_a_turn_decided_before_an_attempt_is_dropped(context: Context, ana: Caller) -> None:
    game, _ = new_game_of(context, ana, PLAYER, AI)
    started, turn = deliveries_to(context, ana)
    decide(context, game, ana)
    assert dispatch.take(context, delivery_key(context, ana, started)) is not None
    assert dispatch.take(context, delivery_key(context, ana, turn)) is None
    assert ["waiting", "dropped"] == [delivery["status"] for delivery in deliveries_to(context, ana)[:2]]


def test_a_repeated_turn_is_delivered_once(context: Context, ana: Caller, time: Time) -> None:
    game, _ = new_game_of(context, ana, PLAYER, AI)
    first = deliveries_to(context, ana)[1]
    time.pass_(1)
    decide(context, game, ana)
    ai_acts(context, game)
    second = deliveries_to(context, ana)[2]
    assert dispatch.take(context, delivery_key(context, ana, first)) is None
    assert dispatch.take(context, delivery_key(context, ana, second)) is not None


def test_a_turn_is_delivered_despite_a_later_offer(context: Context, ana: Caller) -> None:
    """The log has grown, but the decision is still open."""
    game, _ = new_game_of(context, ana, PLAYER, OPEN)
    _, ben = player(context)
    seating.claim(context, ben, game, None, None, None)
    turn = deliveries_to(context, ana)[1]
    offering.pause(context, Request(ben, game), None, 60)
    assert dispatch.take(context, delivery_key(context, ana, turn)) is not None


@pytest.mark.parametrize("how", ["gone", "lost", "handed over", "paused"])
def test_a_turn_that_no_longer_waits_for_the_player_is_dropped(
    context: Context, ana: Caller, time: Time, redis_client: Redis, how: str
) -> None:
    clock = ClockRule(turn_s=10, bank_s=0, on_timeout="ai", level="random")
    game, _ = new_game_of(context, ana, PLAYER, AI, clock=clock)
    turn = deliveries_to(context, ana)[1]
    if how == "gone":
        redis_client.delete(context.store.keys.game(game).game)
    elif how == "lost":
        time.pass_(11)
        keeping.wake_due(context)
    elif how == "handed over":
        seating.hand_over(context, ana, game, 0, None, None)
    else:
        offering.pause(context, Request(ana, game), None, 60)
    at = delivery_key(context, ana, turn)
    assert dispatch.take(context, at) is None
    dropped = context.webhooks.delivery(at)
    assert dropped is not None
    assert "dropped" == dropped.status
