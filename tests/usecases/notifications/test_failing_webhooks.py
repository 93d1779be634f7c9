"""Webhooks that fail: they rest, are disabled, and their owners are notified, with a simulated clock and no network."""

from __future__ import annotations

from redis import Redis

from service.games.state.moments import rfc3339
from service.storage.notifications.webhooks import DeliveryKey
from service.usecases.base.context import Caller, Context
from service.usecases.base.outgoing import FAILING_MS, MAX_FAILURES
from service.usecases.notifications import dispatch, webhooks
from tests.usecases.games.test_usecases import AI, PLAYER
from tests.usecases.players import Time, new_game_of, player
from tests.usecases.webhook_deliveries import (
    URL,
    ana,
    attempt,
    create_ping,
    deliveries_to,
    hook_of,
    jobs,
    outgoing,
    refusal_code,
    take_parcel,
    types,
)

__all__ = ["ana", "outgoing"]  # fixtures


def test_twenty_failures_in_a_row_in_a_day_disable_a_webhook_and_drop_its_deliveries(
    context: Context, ana: Caller, time: Time
) -> None:
    waiting, began = create_ping(context, ana), rfc3339(time.ms)
    for number in range(MAX_FAILURES):
        assert (True, number) == tuple(hook_of(context, ana)[name] for name in ("enabled", "failures"))
        attempt(context, create_ping(context, ana), "status", 500)
        assert began == hook_of(context, ana)["failing_since"]
        time.pass_(1 + FAILING_MS / 1000 / (MAX_FAILURES - 1))
    hook = hook_of(context, ana)
    assert (False, "failing", MAX_FAILURES) == tuple(hook[name] for name in ("enabled", "disabled_reason", "failures"))
    assert {"dropped"} == {delivery["status"] for delivery in deliveries_to(context, ana)}
    assert dispatch.take(context, waiting) is None
    new_game_of(context, ana, PLAYER, AI)
    assert {"ping"} == set(types(context, ana))
    assert [] == context.webhooks.due(time.ms + 10**9, 10)


def test_a_webhook_is_disabled_neither_by_many_failures_in_a_day_nor_by_few_in_a_week(
    context: Context, ana: Caller, time: Time
) -> None:
    for _ in range(MAX_FAILURES + 10):
        attempt(context, create_ping(context, ana), "late")
    assert hook_of(context, ana)["enabled"]
    attempt(context, create_ping(context, ana))
    for _ in range(7):
        attempt(context, create_ping(context, ana), "late")
        time.pass_(86_400)
    assert (True, 7) == tuple(hook_of(context, ana)[name] for name in ("enabled", "failures"))


def test_the_owner_of_a_disabled_webhook_is_notified_at_the_others(context: Context, ana: Caller, time: Time) -> None:
    broken = hook_of(context, ana)["id"]
    kept = webhooks.create(context, ana, URL, ["endpoint_disabled"], None)["webhook"]["id"]
    failing_since = rfc3339(time.ms)
    for _ in range(MAX_FAILURES):
        ping = DeliveryKey(ana.player_id or "", broken, webhooks.ping(context, ana, broken)["id"])
        attempt(context, ping, "unreachable")
        time.pass_(1 + FAILING_MS / 1000 / (MAX_FAILURES - 1))
    dispatch.drain(context)
    (delivery,) = webhooks.list_deliveries(context, ana, kept)
    endpoint = {"kind": "webhook", "id": broken, "reason": "failing", "failing_since": failing_since}
    assert {"player": ana.player_id, "endpoint": endpoint} == delivery["payload"]["data"]
    assert "endpoint_disabled" not in {one["type"] for one in webhooks.list_deliveries(context, ana, broken)}


def test_a_failing_webhook_rests_for_half_of_its_outage_and_then_gets_everything(
    context: Context, ana: Caller, time: Time
) -> None:
    first, second, third = (create_ping(context, ana) for _ in range(3))
    attempt(context, first, "late")
    time.pass_(60)
    attempt(context, second, "late")
    assert dispatch.take(context, third) is None
    assert 0 == dispatch.send_due(context).done
    time.pass_(29.999)
    assert 0 == dispatch.send_due(context).done
    time.pass_(0.001)
    assert 3 == dispatch.send_due(context).done
    attempt(context, third)
    assert [first, second] == sorted(context.webhooks.due(time.ms, 10), key=[first, second, third].index)
    assert (0, None) == tuple(hook_of(context, ana)[name] for name in ("failures", "failing_since"))


def test_a_new_delivery_is_queued_at_once_however_many_others_are_due(context: Context, ana: Caller) -> None:
    for _ in range(dispatch.DELIVERIES_PER_BATCH + 1):
        create_ping(context, ana)
    _, ben = player(context)
    webhooks.create(context, ben, URL.replace("bot", "other"), None, None)
    jobs(context)
    latest = create_ping(context, ben)
    assert [f"{latest.delivery}-0"] == jobs(context)


def test_one_success_resets_the_count_of_failures(context: Context, ana: Caller) -> None:
    for _ in range(MAX_FAILURES - 1):
        attempt(context, create_ping(context, ana), "late")
    attempt(context, create_ping(context, ana))
    assert (True, 0) == tuple(hook_of(context, ana)[name] for name in ("enabled", "failures"))
    attempt(context, create_ping(context, ana), "late")
    assert (True, 1) == tuple(hook_of(context, ana)[name] for name in ("enabled", "failures"))


def test_a_webhook_answering_410_is_disabled_at_once(context: Context, ana: Caller) -> None:
    waiting = create_ping(context, ana)
    done = attempt(context, create_ping(context, ana), "status", 410)
    assert ("failed", None) == (done.status, done.next_at_ms)
    assert (False, "gone") == tuple(hook_of(context, ana)[name] for name in ("enabled", "disabled_reason"))
    assert "dropped" == getattr(context.webhooks.delivery(waiting), "status", None)


def test_enabling_a_webhook_resets_its_failures(context: Context, ana: Caller) -> None:
    attempt(context, create_ping(context, ana), "status", 410)
    hook = hook_of(context, ana)["id"]
    enabled = webhooks.change(context, ana, hook, {"enabled": True})
    assert (True, None, 0) == tuple(enabled[name] for name in ("enabled", "disabled_reason", "failures"))
    assert "delivered" == attempt(context, create_ping(context, ana)).status


def test_disabling_a_webhook_drops_its_deliveries(context: Context, ana: Caller) -> None:
    waiting = create_ping(context, ana)
    hook = hook_of(context, ana)["id"]
    disabled = webhooks.change(context, ana, hook, {"enabled": False})
    assert (False, "owner") == tuple(disabled[name] for name in ("enabled", "disabled_reason"))
    assert "dropped" == getattr(context.webhooks.delivery(waiting), "status", None)
    assert "webhook/disabled" == refusal_code(lambda: webhooks.ping(context, ana, hook))


def test_a_delivery_to_a_disabled_webhook_is_dropped_when_due(context: Context, ana: Caller) -> None:
    hook = hook_of(context, ana)["id"]
    webhooks.change(context, ana, hook, {"enabled": False})
    late_key = DeliveryKey(ana.player_id or "", hook, "d" * 16)
    notice = {"type": "ping", "timestamp": "2026-01-01T00:00:00.000Z", "data": {"player": ana.player_id}}
    dispatch.create_delivery(context, late_key, notice, context.webhooks)
    assert 1 == dispatch.send_due(context).done
    assert dispatch.take(context, late_key) is None
    assert "dropped" == getattr(context.webhooks.delivery(late_key), "status", None)


def test_deliveries_of_deleted_webhooks_end(context: Context, ana: Caller, redis_client: Redis, time: Time) -> None:
    at = create_ping(context, ana)
    redis_client.delete(f"{{b00}}:webhooks:{at.player}:{at.webhook}")
    assert [at] == context.webhooks.due(time.ms, 10)
    assert 0 == dispatch.send_due(context).done
    assert [] == context.webhooks.due(time.ms + 10**9, 10)
    assert dispatch.take(context, at) is None


def test_a_report_on_a_deleted_webhook_changes_nothing(context: Context, ana: Caller) -> None:
    parcel = take_parcel(context, create_ping(context, ana))
    webhooks.delete(context, ana, hook_of(context, ana)["id"])
    dispatch.report(context, parcel, None, None, 7)
    assert [] == webhooks.list_webhooks(context, ana)
