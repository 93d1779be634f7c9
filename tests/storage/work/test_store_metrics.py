"""Metrics of the stores, and the number of commands they need."""

from __future__ import annotations

from redis import Redis

from service.operate.redis.launcher import EmbeddedRedis
from service.storage.base.connect import connect
from service.storage.base.keys import Keys
from service.storage.games.store import Store
from service.storage.work import store_metrics
from service.storage.work.queue import CALLS, TURNS, Queue
from service.storage.work.store_metrics import DUE, QUEUES, Waiting
from tests.storage.commits import new_game, now_ms
from tests.storage.jobs import age

NOTHING = Waiting(0, 0.0)
BUCKETS = 16


def commands(client: Redis) -> int:
    """Return the number of commands that the server has executed, without this one."""
    return int(client.info("stats")["total_commands_processed"])


def test_due_work_of_all_buckets_is_counted_with_the_age_of_the_oldest(client: Redis) -> None:
    store, now = Store(client, BUCKETS), now_ms()
    for age_ms in (1_000, 30_000, 2_000):
        new_game(store, due_at_ms=now - age_ms)
    new_game(store, due_at_ms=now + 60_000)
    new_game(store, due_at_ms=now - 5_000, timed=True)
    actual = store_metrics.due(client, store.keys, now)
    expected = {**dict.fromkeys(DUE, NOTHING), "decision": Waiting(3, 30.0), "time": Waiting(1, 5.0)}
    assert expected == actual


def test_work_not_yet_due_has_no_age(client: Redis) -> None:
    store, now = Store(client, BUCKETS), now_ms()
    new_game(store, due_at_ms=now + 60_000)
    assert dict.fromkeys(DUE, NOTHING) == store_metrics.due(client, store.keys, now)


def test_due_work_is_counted_on_a_cluster(cluster_url: str) -> None:
    with connect(cluster_url) as client:
        store, now = Store(client, BUCKETS), now_ms()
        for _ in range(40):
            new_game(store, due_at_ms=now - 1_000)
        assert Waiting(40, 1.0) == store_metrics.due(client, store.keys, now)["decision"]


def test_each_queue_has_a_length_and_the_age_of_its_first_job(valkey: EmbeddedRedis, client: Redis) -> None:
    queue = Queue(valkey.url)
    assert dict.fromkeys(QUEUES, NOTHING) == store_metrics.queues(queue.servers)
    for revision in (1, 2):
        queue.wake("game", revision, 0, 0)
    queue.wake_dialer(CALLS)
    age(queue, "game-1-0-0", 9_000)
    age(queue, "dial-calls", 1_000)
    actual = store_metrics.queues(queue.servers)
    assert {TURNS: 2, CALLS: 1} == {name: one.count for name, one in actual.items() if one.count}
    assert actual[TURNS].oldest_s >= 9_000 > actual[CALLS].oldest_s >= 1_000


def test_live_processes_are_counted_by_kind(valkey: EmbeddedRedis, client: Redis) -> None:
    queue = Queue(valkey.url)
    for name in ("a", "b"):
        queue.beat("worker", name, 30)
    assert {"worker": 2, "keeper": 0} == store_metrics.count_heartbeats(queue.servers, ("worker", "keeper"))


def test_a_server_has_latency_and_memory(client: Redis) -> None:
    client.config_set("maxmemory", 64_000_000)
    actual = store_metrics.server(client)
    client.config_set("maxmemory", 0)
    assert 0 < actual.ping_s
    assert actual.used_bytes is not None
    assert actual.used_bytes > 100_000
    assert 64_000_000 == actual.most_bytes
    assert 0 == store_metrics.server(client).most_bytes


def test_a_server_that_hides_its_memory_is_available(valkey: EmbeddedRedis, client: Redis) -> None:
    password = client.connection_pool.connection_kwargs["password"]
    client.acl_setuser("reader", enabled=True, passwords=[f"+{password}"], keys=["*"], commands=["+@all", "-info"])
    try:
        with connect(valkey.url.replace("://:", "://reader:")) as reader:
            actual = store_metrics.server(reader)
    finally:
        client.acl_deluser("reader")
    assert (None, None) == (actual.used_bytes, actual.most_bytes)


def test_a_cluster_has_the_sum_of_its_primaries(cluster_url: str) -> None:
    with connect(cluster_url) as client:
        actual = store_metrics.server(client)
    assert actual.ping_s > 0
    assert actual.used_bytes is not None
    assert actual.used_bytes > 100_000


def test_a_scrape_needs_a_constant_number_of_commands(valkey: EmbeddedRedis, client: Redis) -> None:
    queue, store = Queue(valkey.url), Store(client, BUCKETS)

    def count_commands() -> int:
        before = commands(client)
        store_metrics.due(client, Keys(BUCKETS), now_ms())
        store_metrics.queues(queue.servers)
        store_metrics.server(client)
        store_metrics.count_heartbeats(queue.servers, ("worker", "keeper"))
        return commands(client) - before

    count_commands()  # opens the connections
    empty = count_commands()
    for number in range(200):
        new_game(store, due_at_ms=0)
        queue.wake(f"game-{number}", 1, 0, 0)
    assert empty == count_commands()
    assert empty <= 2 * len(DUE) * BUCKETS + 3 * len(QUEUES) + 10
