"""Deliveries: what is told to whom, how often it is tried, when it is given up; by a clock, without a network."""

from __future__ import annotations

from dataclasses import replace
from unittest import mock

import orjson
import pytest
import redis
from standardwebhooks import Webhook

from service.games.state.clocks import ClockRule
from service.games.state.moments import rfc3339
from service.storage.notifications.webhooks import DeliveryKey
from service.usecases.base.context import Caller, Context, open_context
from service.usecases.games import offering, playing, seating
from service.usecases.games.commands import Request
from service.usecases.notifications import dispatch, webhooks
from service.usecases.notifications.dispatch import BACKOFF_S, LEASE_S, MAX_FAILURES
from tests import keeping
from tests.usecases.games.test_usecases import AI, OPEN, PLAYER
from tests.usecases.hooked import (
    URL,
    ana,
    deliveries_to,
    forget_jobs,
    hook_of,
    jobs,
    outgoing,
    pinged,
    place,
    refused,
    taken,
    tried,
    types,
)
from tests.usecases.players import Time, ai_acts, decide, new_of, player, view

__all__ = ["ana", "outgoing"]  # fixtures


# ------------------------------------------------------------------------------------------------- what is told


def test_a_player_is_told_of_his_game_from_beginning_to_end(context: Context, ana: Caller) -> None:
    game, _ = new_of(context, ana, PLAYER, OPEN)
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


def test_a_delivery_tells_the_game_in_short_the_seat_and_when(context: Context, ana: Caller, time: Time) -> None:
    game, _ = new_of(context, ana, PLAYER, AI, visibility="private")
    told_of = deliveries_to(context, ana)
    payload = told_of[1]["payload"]
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


def test_a_webhook_is_told_only_what_it_wants(context: Context, ana: Caller) -> None:
    both = webhooks.create(context, ana, URL, ["game_over", "your_turn", "game_over"], None)["webhook"]
    assert ("game_over", "your_turn") == both["events"]
    webhooks.change(context, ana, both["id"], {"events": ["game_over"]})
    game, _ = new_of(context, ana, PLAYER, AI)
    playing.resign(context, Request(ana, game), None)
    keeping.tell_webhooks(context)
    assert ["game_over"] == [actual["type"] for actual in webhooks.delivered(context, ana, both["id"])]


def test_who_is_timed_out_is_told_and_a_rematch_too(context: Context, ana: Caller, time: Time) -> None:
    clock = ClockRule(turn_s=10, bank_s=0, on_timeout="lose", level="random")
    game, _ = new_of(context, ana, PLAYER, AI, clock=clock)
    time.pass_(11)
    keeping.wake_due(context)
    assert ["game_started", "seat_lost", "game_over"] == types(context, ana)
    offering.rematch(context, Request(ana, game), None)
    assert "rematch" == types(context, ana)[3]
    rematch = deliveries_to(context, ana)[3]["payload"]["data"]["game_id"]
    assert view(context, game)["rematch"] == rematch


def test_games_of_players_without_webhooks_leave_nothing_to_drain(context: Context, redis_client: redis.Redis) -> None:
    _, ben = player(context)
    new_of(context, ben, PLAYER, AI)
    assert [] == redis_client.keys("*outbox*")


def test_without_calls_nothing_is_told_and_nothing_drained(context: Context, ana: Caller) -> None:
    context.settings = replace(context.settings, outgoing="off")
    new_of(context, ana, PLAYER, AI)
    assert 0 == keeping.tell_webhooks(context)
    assert [] == context.outbox.entries(10)


def test_a_turn_that_was_taken_before_the_keeper_looks_is_not_told(context: Context, ana: Caller) -> None:
    game, _ = new_of(context, ana, PLAYER, AI)
    decide(context, game, ana)
    assert ["game_started"] == types(context, ana)


def test_two_keepers_that_drain_the_same_outbox_make_one_delivery(context: Context, ana: Caller) -> None:
    new_of(context, ana, PLAYER, AI)
    other = open_context(context.settings)
    entries = context.outbox.entries(10)
    assert 2 == dispatch.drain(context).done
    for entry in entries:  # the other has read them before
        assert 0 == dispatch._make_of(other, entry)
    assert ["game_started", "your_turn"] == types(context, ana)
    assert [] == other.outbox.entries(10)
    other.hub.close()


def test_an_outage_while_the_outbox_is_drained_loses_no_notice(
    context: Context, ana: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_of(context, ana, PLAYER, AI)
    with monkeypatch.context() as patched:
        patched.setattr(context.store, "load", mock.Mock(side_effect=redis.ConnectionError))
        with pytest.raises(redis.ConnectionError):
            dispatch.drain(context)
    assert dispatch.drain(context).done > 0


def test_a_notice_of_a_game_that_is_gone_is_forgotten(context: Context, ana: Caller, redis_client: redis.Redis) -> None:
    game, _ = new_of(context, ana, PLAYER, AI)
    redis_client.delete(context.store.keys.game(game).game)
    assert [] == types(context, ana)
    assert [] == context.outbox.entries(10)


def test_who_has_deleted_his_last_webhook_is_unhooked_with_the_next_notice(context: Context, ana: Caller) -> None:
    webhooks.delete(context, ana, hook_of(context, ana)["id"])
    new_of(context, ana, PLAYER, AI)
    assert 0 == dispatch.drain(context).done
    new_of(context, ana, PLAYER, AI)
    assert [] == context.outbox.entries(10)


def test_who_makes_a_webhook_while_he_is_unhooked_stays_hooked(
    context: Context, ana: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    webhooks.delete(context, ana, hook_of(context, ana)["id"])
    new_of(context, ana, PLAYER, AI)
    unhook = context.outbox.unhook

    def meanwhile(player_id: str) -> None:
        webhooks.create(context, ana, URL, None, None)
        unhook(player_id)

    with monkeypatch.context() as patched:
        patched.setattr(context.outbox, "unhook", meanwhile)
        dispatch._make_of(context, context.outbox.entries(1)[0])
    new_of(context, ana, PLAYER, AI)
    assert "your_turn" in types(context, ana)


# ------------------------------------------------------------------------------------------------- attempts


def test_what_is_posted_is_signed_and_a_success_is_the_end(context: Context, ana: Caller, time: Time) -> None:
    made = webhooks.create(context, ana, URL, None, None)
    delivery = webhooks.ping(context, ana, made["webhook"]["id"])
    at = DeliveryKey(ana.player_id or "", made["webhook"]["id"], delivery["id"])
    parcel = taken(context, at)
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


def test_what_fails_is_tried_again_later_and_later_with_the_same_id_and_body(
    context: Context, ana: Caller, time: Time
) -> None:
    at = pinged(context, ana)
    posted = []
    for pause in BACKOFF_S:
        parcel = taken(context, at)
        posted.append((parcel.headers["webhook-id"], parcel.body))
        done = tried(context, at, "status", 500)
        assert ("waiting", time.ms + 1000 * pause) == (done.status, done.next_at_ms)
        time.pass_(pause - 0.001)
        assert [] == context.webhooks.due(time.ms, 10)
        time.pass_(0.001)
        assert [at] == context.webhooks.due(time.ms, 10)
    done = tried(context, at, "late")
    assert ("failed", None) == (done.status, done.next_at_ms)
    assert 1 == len(set(posted))
    assert [*[("status", 500)] * 5, ("late", None)] == [(actual.error, actual.status) for actual in done.attempts]
    time.pass_(10_000)
    assert 0 == dispatch.send_due(context).done


def test_a_dialer_is_woken_once_for_each_attempt(context: Context, ana: Caller, time: Time) -> None:
    at = pinged(context, ana)
    assert [1, 0] == [dispatch.send_due(context).done for _ in range(2)]
    assert [f"{at.delivery}-0"] == jobs(context)
    forget_jobs(context)
    tried(context, at, "unreachable")
    assert 0 == dispatch.send_due(context).done
    time.pass_(BACKOFF_S[0])
    assert 1 == dispatch.send_due(context).done
    assert [f"{at.delivery}-1"] == jobs(context)


def test_a_delivery_whose_dialer_was_killed_is_tried_again_when_its_lease_is_over(
    context: Context, ana: Caller, time: Time
) -> None:
    at = pinged(context, ana)
    dispatch.send_due(context)
    assert dispatch.take(context, at) is not None  # and that dialer dies
    forget_jobs(context)
    time.pass_(LEASE_S - 0.001)
    assert 0 == dispatch.send_due(context).done
    time.pass_(0.001)
    assert 1 == dispatch.send_due(context).done
    assert "delivered" == tried(context, at).status


def test_an_attempt_that_is_reported_twice_counts_once(context: Context, ana: Caller, time: Time) -> None:
    at = pinged(context, ana)
    first, second = taken(context, at), taken(context, at)
    dispatch.report(context, first, "late", None, 7)
    dispatch.report(context, second, "unreachable", None, 8)
    (delivery,) = deliveries_to(context, ana)
    assert ["late"] == [attempt.error for attempt in delivery["attempts"]]
    assert 1 == hook_of(context, ana)["failures"]


def test_a_turn_that_was_taken_before_an_attempt_is_dropped(context: Context, ana: Caller) -> None:
    game, _ = new_of(context, ana, PLAYER, AI)
    started, turn = deliveries_to(context, ana)
    decide(context, game, ana)
    assert dispatch.take(context, place(context, ana, started)) is not None
    assert dispatch.take(context, place(context, ana, turn)) is None
    assert ["waiting", "dropped"] == [delivery["status"] for delivery in deliveries_to(context, ana)[:2]]


def test_a_turn_that_came_again_is_told_once(context: Context, ana: Caller, time: Time) -> None:
    game, _ = new_of(context, ana, PLAYER, AI)
    first = deliveries_to(context, ana)[1]
    time.pass_(1)
    decide(context, game, ana)
    ai_acts(context, game)
    second = deliveries_to(context, ana)[2]
    assert dispatch.take(context, place(context, ana, first)) is None
    assert dispatch.take(context, place(context, ana, second)) is not None


def test_a_turn_is_told_though_something_was_offered_meanwhile(context: Context, ana: Caller) -> None:
    """The log has grown, but the decision is still to be made."""
    game, _ = new_of(context, ana, PLAYER, OPEN)
    _, ben = player(context)
    seating.claim(context, ben, game, None, None, None)
    turn = deliveries_to(context, ana)[1]
    offering.pause(context, Request(ben, game), None, 60)
    assert dispatch.take(context, place(context, ana, turn)) is not None


@pytest.mark.parametrize("how", ["gone", "lost", "handed over", "paused"])
def test_a_turn_in_a_game_that_waits_for_the_player_no_longer_is_dropped(
    context: Context, ana: Caller, time: Time, redis_client: redis.Redis, how: str
) -> None:
    clock = ClockRule(turn_s=10, bank_s=0, on_timeout="ai", level="random")
    game, _ = new_of(context, ana, PLAYER, AI, clock=clock)
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
    at = place(context, ana, turn)
    assert dispatch.take(context, at) is None
    dropped = context.webhooks.delivery(at)
    assert dropped is not None
    assert "dropped" == dropped.status


# ------------------------------------------------------------------------------------------------- disabled


def test_twenty_failures_in_a_row_disable_a_webhook_and_drop_what_waits(
    context: Context, ana: Caller, time: Time
) -> None:
    waiting = pinged(context, ana)
    for number in range(MAX_FAILURES):
        assert (True, number) == tuple(hook_of(context, ana)[name] for name in ("enabled", "failures"))
        tried(context, pinged(context, ana), "status", 500)
    actual = hook_of(context, ana)
    assert (False, "failing", MAX_FAILURES) == tuple(
        actual[name] for name in ("enabled", "disabled_reason", "failures")
    )
    assert {"dropped"} == {delivery["status"] for delivery in deliveries_to(context, ana)}
    assert dispatch.take(context, waiting) is None
    new_of(context, ana, PLAYER, AI)
    assert {"ping"} == set(types(context, ana))
    assert [] == context.webhooks.due(time.ms + 10**9, 10)


def test_one_success_makes_up_for_all_failures_before(context: Context, ana: Caller) -> None:
    for _ in range(MAX_FAILURES - 1):
        tried(context, pinged(context, ana), "late")
    tried(context, pinged(context, ana))
    assert (True, 0) == tuple(hook_of(context, ana)[name] for name in ("enabled", "failures"))
    tried(context, pinged(context, ana), "late")
    assert (True, 1) == tuple(hook_of(context, ana)[name] for name in ("enabled", "failures"))


def test_an_endpoint_that_says_gone_is_disabled_at_once(context: Context, ana: Caller) -> None:
    waiting = pinged(context, ana)
    done = tried(context, pinged(context, ana), "status", 410)
    assert ("failed", None) == (done.status, done.next_at_ms)
    assert (False, "gone") == tuple(hook_of(context, ana)[name] for name in ("enabled", "disabled_reason"))
    assert "dropped" == getattr(context.webhooks.delivery(waiting), "status", None)


def test_its_owner_enables_it_again_and_failures_begin_anew(context: Context, ana: Caller) -> None:
    tried(context, pinged(context, ana), "status", 410)
    hook = hook_of(context, ana)["id"]
    enabled = webhooks.change(context, ana, hook, {"enabled": True})
    assert (True, None, 0) == tuple(enabled[name] for name in ("enabled", "disabled_reason", "failures"))
    assert "delivered" == tried(context, pinged(context, ana)).status


def test_its_owner_disables_it_and_what_waits_is_dropped(context: Context, ana: Caller) -> None:
    waiting = pinged(context, ana)
    hook = hook_of(context, ana)["id"]
    disabled = webhooks.change(context, ana, hook, {"enabled": False})
    assert (False, "owner") == tuple(disabled[name] for name in ("enabled", "disabled_reason"))
    assert "dropped" == getattr(context.webhooks.delivery(waiting), "status", None)
    assert "webhook/disabled" == refused(lambda: webhooks.ping(context, ana, hook))


def test_what_slips_in_while_a_webhook_is_disabled_is_dropped_when_its_time_comes(
    context: Context, ana: Caller
) -> None:
    hook = hook_of(context, ana)["id"]
    webhooks.change(context, ana, hook, {"enabled": False})
    at = "2026-01-01T00:00:00.000Z"
    dispatch.make(
        context, ana.player_id or "", hook, "d" * 16, "ping", at, {"player": ana.player_id}, hooks=context.webhooks
    )
    slipped = DeliveryKey(ana.player_id or "", hook, "d" * 16)
    assert 1 == dispatch.send_due(context).done
    assert dispatch.take(context, slipped) is None
    assert "dropped" == getattr(context.webhooks.delivery(slipped), "status", None)


def test_what_is_left_in_the_list_of_a_deleted_webhook_is_forgotten(
    context: Context, ana: Caller, redis_client: redis.Redis, time: Time
) -> None:
    at = pinged(context, ana)
    redis_client.delete(f"{{b00}}:webhooks:{at.player}:{at.webhook}")
    assert [at] == context.webhooks.due(time.ms, 10)
    assert 0 == dispatch.send_due(context).done
    assert [] == context.webhooks.due(time.ms + 10**9, 10)
    assert dispatch.take(context, at) is None


def test_a_report_on_what_was_deleted_meanwhile_changes_nothing(context: Context, ana: Caller) -> None:
    parcel = taken(context, pinged(context, ana))
    webhooks.delete(context, ana, hook_of(context, ana)["id"])
    dispatch.report(context, parcel, None, None, 7)
    assert [] == webhooks.listed(context, ana)
