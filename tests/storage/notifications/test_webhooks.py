"""Webhooks, deliveries and outboxes in Redis: with one bucket and many, on a cluster, and after a lost answer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from redis import Redis

from service.operate.redis.launcher import EmbeddedRedis
from service.storage.base.connect import connect
from service.storage.games.store import StaleRevisionError, Store
from service.storage.notifications.outbox import Outbox
from service.storage.notifications.webhooks import (
    DELIVERY_DELIVERED,
    MAX_DELIVERIES,
    MAX_WEBHOOKS,
    Attempt,
    DeliveryKey,
    StoredDelivery,
    StoredWebhook,
    Webhooks,
)
from tests.patience import let_expire
from tests.storage.commits import commit_on, new_game, now_ms
from tests.storage.lossy import LossyProxy
from tests.threads import run_at_once

AT = "2026-01-01T00:00:00.000Z"
HOOK = StoredWebhook("h" * 16, "https://bot.example/", "whsec_x", None, AT)
DELIVERY = StoredDelivery("d" * 16, "your_turn", AT, '{"type":"your_turn"}', next_at_ms=1000)
PLACE = DeliveryKey("ana", HOOK.id, DELIVERY.id)


@pytest.fixture
def webhooks(client: Redis) -> Webhooks:
    return Webhooks(client, 1)


@pytest.mark.parametrize("events", [None, ("your_turn", "game_over")])
def test_a_webhook_is_read_as_stored(client: Redis, events: tuple[str, ...] | None) -> None:
    webhooks = Webhooks(client, 16)
    hook = replace(HOOK, events=events)
    assert webhooks.add("ana", hook, 100)
    assert hook == webhooks.get("ana", hook.id)
    assert [hook] == webhooks.get_all("ana")
    assert webhooks.get("ben", hook.id) is None
    assert [] == webhooks.get_all("ben")


def test_a_player_has_five_webhooks_at_most(webhooks: Webhooks) -> None:
    ids = [webhooks.new_id() for _ in range(MAX_WEBHOOKS + 1)]
    were_added = [webhooks.add("ana", replace(HOOK, id=hook_id), 100) for hook_id in ids]
    assert [True] * MAX_WEBHOOKS + [False] == were_added
    assert webhooks.delete("ana", ids[0])
    assert not webhooks.delete("ana", ids[0])
    assert webhooks.add("ana", replace(HOOK, id=ids[-1]), 100)


def test_simultaneous_changes_are_all_stored(webhooks: Webhooks) -> None:
    webhooks.add("ana", HOOK, 100)

    def count(_: int) -> None:
        for _ in range(50):
            webhooks.change("ana", HOOK.id, lambda hook: replace(hook, failures=hook.failures + 1))

    run_at_once(count, range(4))
    assert [200] == [hook.failures for hook in webhooks.get_all("ana")]
    assert webhooks.change("ana", "n" * 16, lambda hook: hook) is None


def test_a_delivery_is_created_once_and_never_for_a_deleted_webhook(webhooks: Webhooks) -> None:
    assert not webhooks.add_delivery("ana", HOOK.id, DELIVERY)
    webhooks.add("ana", HOOK, 100)
    assert [True, False] == [webhooks.add_delivery("ana", HOOK.id, DELIVERY) for _ in range(2)]
    assert [DELIVERY] == webhooks.deliveries("ana", HOOK.id)
    assert DELIVERY == webhooks.delivery(PLACE)


def test_due_deliveries_of_all_buckets_come_longest_due_first(client: Redis) -> None:
    webhooks = Webhooks(client, 16)
    for number in range(20):
        webhooks.add(f"player_{number}", HOOK, 100)
        webhooks.add_delivery(f"player_{number}", HOOK.id, replace(DELIVERY, next_at_ms=1000 - number))
    actual = webhooks.due(995, 10)
    assert [f"player_{number}" for number in range(19, 9, -1)] == [place.player for place in actual]
    assert {(HOOK.id, DELIVERY.id)} == {(place.webhook, place.delivery) for place in actual}
    assert 15 == len(webhooks.due(995, 100))


def test_a_postponed_delivery_is_due_later_and_a_completed_one_never(webhooks: Webhooks) -> None:
    webhooks.add("ana", HOOK, 100)
    webhooks.add_delivery("ana", HOOK.id, DELIVERY)
    webhooks.postpone(PLACE, 5000)
    assert ([], [PLACE]) == (webhooks.due(4999, 10), webhooks.due(5000, 10))
    attempt = Attempt(AT, None, None, 12)
    done = replace(DELIVERY, status=DELIVERY_DELIVERED, next_at_ms=None, attempts=(attempt,))
    assert done == webhooks.change_delivery(PLACE, lambda _: done) == webhooks.delivery(PLACE)
    assert [] == webhooks.due(9999, 10)
    webhooks.postpone(PLACE, 5000)
    assert [] == webhooks.due(9999, 10)


def test_a_retried_delivery_is_due_at_its_next_attempt(webhooks: Webhooks) -> None:
    webhooks.add("ana", HOOK, 100)
    webhooks.add_delivery("ana", HOOK.id, DELIVERY)
    webhooks.change_delivery(PLACE, lambda delivery: replace(delivery, next_at_ms=7000))
    assert ([], [PLACE]) == (webhooks.due(6999, 10), webhooks.due(7000, 10))


def test_the_newest_hundred_deliveries_are_stored_newest_first(webhooks: Webhooks, client: Redis) -> None:
    webhooks.add("ana", HOOK, 100)
    ids = [f"{number:016d}" for number in range(MAX_DELIVERIES + 5)]
    for delivery_id in ids:
        webhooks.add_delivery("ana", HOOK.id, replace(DELIVERY, id=delivery_id))
    assert ids[:4:-1] == [delivery.id for delivery in webhooks.deliveries("ana", HOOK.id)]
    assert MAX_DELIVERIES == len(webhooks.due(9999, 1000))
    assert webhooks.delivery(DeliveryKey("ana", HOOK.id, ids[0])) is None


def test_deleting_a_webhook_deletes_its_deliveries(client: Redis, webhooks: Webhooks) -> None:
    webhooks.add("ana", HOOK, 100)
    webhooks.add_delivery("ana", HOOK.id, DELIVERY)
    webhooks.delete("ana", HOOK.id)
    assert [] == client.keys("*")


def test_webhooks_and_deliveries_expire_unless_their_player_is_seen(client: Redis, webhooks: Webhooks) -> None:
    webhooks.add("ana", HOOK, 100)
    assert webhooks.keep("ana", 200)
    assert not webhooks.keep("ben", 200)
    webhooks.add_delivery("ana", HOOK.id, DELIVERY)
    Outbox(client, 1).subscribe("ana", 200)
    let_expire(client, 120)
    assert 5 == len(client.keys("*"))
    let_expire(client, 100)
    assert [] == client.keys("*")


def test_a_recreated_due_list_expires(client: Redis, webhooks: Webhooks) -> None:
    """The list had been deleted because nothing was due."""
    webhooks.add("ana", HOOK, 9_000)
    webhooks.add_delivery("ana", HOOK.id, DELIVERY)
    webhooks.change_delivery(PLACE, lambda delivery: replace(delivery, next_at_ms=None))
    webhooks.change_delivery(PLACE, lambda delivery: replace(delivery, next_at_ms=7000))
    assert 200_000 < client.pttl("{b00}:deliveries_due") <= 9_000_000


def test_a_new_webhook_prolongs_the_others(client: Redis, webhooks: Webhooks) -> None:
    webhooks.add("ana", HOOK, 100)
    webhooks.add("ana", replace(HOOK, id="n" * 16), 9_000)
    assert 200_000 < client.pttl("{b00}:webhooks:ana") <= 9_000_000


def test_the_due_list_outlives_a_shorter_lived_webhook(client: Redis, webhooks: Webhooks) -> None:
    for player, ttl_s in (("ana", 9_000), ("ben", 100)):
        webhooks.add(player, HOOK, ttl_s)
        webhooks.add_delivery(player, HOOK.id, DELIVERY)
    assert 200_000 < client.pttl("{b00}:deliveries_due") <= 9_000_000


# ------------------------------------------------------------------------------------------------ outboxes


@pytest.mark.parametrize("buckets", [1, 16])
def test_a_commit_writes_notices_only_for_players_with_webhooks(client: Redis, buckets: int) -> None:
    store, outbox = Store(client, buckets), Outbox(client, buckets)
    outbox.subscribe("ana", 100)
    for number in range(9):
        new_game(store, notices=(("ana", b"%d" % number), ("ben", b"no")))
    actual = outbox.entries(10)
    assert {("ana", b"%d" % number) for number in range(9)} == {(entry.player, entry.notice) for entry in actual}
    outbox.remove(actual[0])
    assert actual[1:] == outbox.entries(10)
    outbox.unsubscribe("ana")
    new_game(store, notices=(("ana", b"late"),))
    assert actual[1:] == outbox.entries(10)


def test_the_oldest_entries_of_an_outbox_are_read_up_to_the_limit(client: Redis, store: Store) -> None:
    outbox = Outbox(client, 1)
    outbox.subscribe("ana", 100)
    for number in range(5):
        new_game(store, notices=(("ana", b"%d" % number),))
    assert [b"0", b"1", b"2"] == [entry.notice for entry in outbox.entries(3)]


def test_a_stale_commit_writes_no_notice(client: Redis, store: Store) -> None:
    outbox = Outbox(client, 1)
    outbox.subscribe("ana", 100)
    game = new_game(store)
    with pytest.raises(StaleRevisionError):
        store.commit(game, commit_on(2, notices=(("ana", b"no"),)))
    assert [] == outbox.entries(10)


def test_a_commit_with_a_lost_answer_writes_notices_once(valkey: EmbeddedRedis, client: Redis, store: Store) -> None:
    outbox = Outbox(client, 1)
    outbox.subscribe("ana", 100)
    game = new_game(store)
    with LossyProxy(valkey.port) as proxy, connect(proxy.url_of(valkey)) as lossy:
        lossy_store = Store(lossy, buckets=1)
        lossy_store.commit(game, commit_on(1))
        proxy.lose_next_answer()
        lossy_store.commit(game, commit_on(2, notices=(("ana", b"once"), ("ana", b"and this"))))
        assert proxy.lost == 1
    assert [b"once", b"and this"] == [entry.notice for entry in outbox.entries(10)]


def test_an_unread_outbox_expires_with_its_longest_lived_game(client: Redis, store: Store) -> None:
    Outbox(client, 1).subscribe("ana", 100)
    for ttl_s in (9_000, 100):
        new_game(store, ttl_s=ttl_s, notices=(("ana", b"x"),))
    assert 200_000 < client.pttl("{b00}:outbox") <= 9_000_000


def test_webhooks_deliveries_and_outboxes_work_on_a_cluster(cluster_url: str) -> None:
    with connect(cluster_url) as client:
        store, webhooks, outbox = Store(client, 16), Webhooks(client, 16), Outbox(client, 16)
        webhooks.add("ana", HOOK, 100)
        outbox.subscribe("ana", 100)
        for _ in range(20):
            new_game(store, notices=(("ana", b"x"),))
        assert 20 == len(outbox.entries(10))
        assert webhooks.add_delivery("ana", HOOK.id, DELIVERY)
        assert [PLACE] == webhooks.due(now_ms(), 10)
        webhooks.change_delivery(PLACE, lambda delivery: replace(delivery, next_at_ms=None))
        assert [] == webhooks.due(now_ms(), 10)
        outbox.unsubscribe("ana")
        assert webhooks.delete("ana", HOOK.id)
