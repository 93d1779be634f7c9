"""The store and the hub on a real Redis Cluster, and the primary found through a sentinel."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from redis.exceptions import RedisError

from service.operate.redis.launcher import EmbeddedRedis
from service.storage.base.connect import connect, outage
from service.storage.base.follow_ups import FollowUp, FollowUps
from service.storage.games.hub import Hub
from service.storage.games.store import KeyTakenError, StaleRevisionError, Store
from service.storage.people.players import Players
from service.storage.people.ratings import Change, Ratings, Scale
from tests.e2e.stack import free_port
from tests.patience import HANG_S
from tests.storage.commits import commit_on, new_game, now_ms
from tests.storage.conftest import Spawn, start_cluster
from tests.storage.stored_players import ANA, keep
from tests.threads import run_at_once

BUCKETS = 16
SCALE = Scale(25.0, 8.0, 4.0, 2.0, 0.0)


def test_the_whole_store_runs_on_a_cluster(cluster_url: str) -> None:
    with connect(cluster_url) as client:
        store = Store(client, BUCKETS)
        first = store.new_game_id("d")
        store.create(first, commit_on(0, due_at_ms=0, listed=True, tokens={"aa": "host"}), ("d", b"answer", 60))
        with pytest.raises(KeyTakenError):
            store.create(store.new_game_id("d"), commit_on(0), ("d", b"again", 60))
        games = {first, *(new_game(store, due_at_ms=0, listed=True) for _ in range(40))}
        assert games == set(store.schedule.due(now_ms() + 1, 100))
        assert games == {game_id for game_id, _ in store.list_public(None, 100).games}
        assert {1} == {glance and glance.revision for glance in store.glances(games)}
        assert store.schedule.lease(first, 1, now_ms() + 60_000) == 1
        store.commit(first, commit_on(1, idempotency=("idem:k", b"r", 60), dropped_tokens=("aa",)))
        with pytest.raises(StaleRevisionError):
            store.commit(first, commit_on(1))
        assert len(store.log(first)) == 2
        store.commit(first, commit_on(2, *[b"event"] * 40, checkpoints={32: b"then"}))
        store.commit(first, commit_on(42, b"the end", ended=True))
        assert (43, b"the end") == store.log(first, 40)[-1]
        assert b"then" == store.checkpoint(first, 32)
        assert store.sweep(now_ms() + 10_000_000) == 0


def test_games_are_rated_and_followed_up_on_a_cluster(cluster_url: str) -> None:
    with connect(cluster_url) as client:
        store, players, ratings = Store(client, BUCKETS), Players(client, BUCKETS), Ratings(client, BUCKETS)
        follow_ups, change = FollowUps(client, BUCKETS), Change("azul:two", 1.0, 0.5, won=True)
        names = [f"player-{number}" for number in range(20)]
        for name in names:
            keep(players, replace(ANA, id=name))
        games = [new_game(store) for _ in names]
        for name, game_id in zip(names, games, strict=True):
            store.commit(game_id, commit_on(1, follow_up=(FollowUp(game_id, "rating"), 0)))
            assert b"it" == ratings.set_note(game_id, "rating", b"it")
            assert {"counted"} == {ratings.apply(name, game_id, now_ms(), change, SCALE) for _ in range(2)}
            assert 0 == ratings.count_meeting((name, "another"), game_id, now_ms(), 7)
        assert {1} == {stored.games for stored in ratings.get_field(names, "azul:two") if stored is not None}
        assert sorted(games) == sorted(one.owner for one in follow_ups.take(now_ms(), now_ms() + 60_000, 100))
        for name in names:
            ratings.keep(name, 100)
            ratings.forget(name)
        assert [None] * 20 == ratings.get_field(names, "azul:two")


def test_the_hub_wakes_waiters_of_every_bucket_on_a_cluster(cluster_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.storage.games.hub.BLOCK_MS", 100)  # the time in which the hub closes
    with connect(cluster_url) as client:
        store, hub = Store(client, BUCKETS), Hub(client, BUCKETS)
        games = [new_game(store) for _ in range(20)]
        woken: list[bool] = []
        waiters = [threading.Thread(target=lambda g=game_id: woken.append(hub.wait(g, 1, HANG_S))) for game_id in games]
        for waiter in waiters:
            waiter.start()
        for game_id in games:
            store.commit(game_id, commit_on(1))
        for waiter in waiters:
            waiter.join(HANG_S)
        hub.close()
        assert woken == [True] * 20


def test_an_unavailable_cluster_raises_a_redis_error_everywhere(spawn: Spawn) -> None:
    cluster_url = start_cluster(spawn)
    with connect(cluster_url) as client:
        store = Store(client, BUCKETS)
        game_id = new_game(store)
        with connect(cluster_url.replace("redis+cluster", "redis")) as node, contextlib.suppress(RedisError):
            node.shutdown(nosave=True)
        commands: list[Callable[[], object]] = [
            store.probe,
            lambda: store.commit(game_id, commit_on(1)),
            lambda: store.load(game_id),
            lambda: store.glances([game_id]),
            lambda: store.list_public(None, 5),
            lambda: store.schedule.lease(game_id, 1, 1),
        ]
        for command in commands * 2:
            with pytest.raises(RedisError):
                command()


def test_any_seed_of_a_cluster_that_can_be_reached_is_enough(cluster_url: str) -> None:
    seeds = [f"127.0.0.1:{free_port()}", cluster_url.rpartition("/")[2], "[::1]"]
    for order in (seeds, seeds[::-1]):
        with connect(f"redis+cluster://{','.join(order)}") as client:
            new_game(Store(client, BUCKETS))


def test_a_cluster_may_start_after_its_client(spawn: Spawn) -> None:
    port = free_port()
    with connect(f"redis+cluster://127.0.0.1:{port},127.0.0.1:{free_port()}") as client:
        store = Store(client, BUCKETS)
        for _ in range(2):
            for failed in run_at_once(lambda _: outage_of(store.probe), range(20)):
                assert "unreachable" == failed
        start_cluster(spawn, port)
        assert 1 == store.revision(new_game(store))


def outage_of(command: Callable[[], object]) -> str | None:
    """Return the outage with which a command fails."""
    with pytest.raises(RedisError) as failed:
        command()
    return outage(failed.value)


@pytest.fixture
def sentinels(spawn: Spawn, tmp_path: Path) -> tuple[int, int]:
    """Start a primary and a sentinel that calls it `games`. Return their ports."""
    primary = spawn(free_port())
    conf = tmp_path / "sentinel.conf"
    conf.write_text(f"sentinel monitor games 127.0.0.1 {primary} 1\n", encoding="utf-8")
    return primary, spawn(free_port(), str(conf), "--sentinel")


def test_a_sentinel_names_the_primary(sentinels: tuple[int, int]) -> None:
    primary, sentinel = sentinels
    with connect(f"redis+sentinel://127.0.0.1:1,127.0.0.1:{sentinel}/games/3") as client:
        game_id = new_game(Store(client, 1))
    with connect(f"redis://127.0.0.1:{primary}/3") as client:
        assert Store(client, 1).revision(game_id) == 1


def test_through_sentinels_many_readers_wait_for_a_connection(sentinels: tuple[int, int]) -> None:
    """Like with a single server, more readers than connections wait, and none is refused."""
    with connect(f"redis+sentinel://127.0.0.1:{sentinels[1]}/games") as client:
        store = Store(client, 1)
        game_id = new_game(store)
        assert None not in run_at_once(lambda _: store.glance(game_id), range(300))


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:6379",
        "http://secret@localhost",
        "redis+sentinel://localhost:26379",
        "redis+sentinel://:secret@localhost:x/games",
        "redis+sentinel://localhost/games/first",
        "redis+cluster://user:secret@localhost:7000,",
        "redis+cluster://:secret@localhost:7000,localhost:x",
        "redis+cluster://:secret@localhost:70000",
    ],
)
def test_an_invalid_url_is_refused_without_repeating_its_password(url: str) -> None:
    with pytest.raises(ValueError, match=r"(?i)redis|sentinel") as refused:
        connect(url)
    assert "secret" not in str(refused.value)


def test_a_unix_socket_is_reached_like_a_port(valkey: EmbeddedRedis, store: Store) -> None:
    game_id = new_game(store)
    with connect(valkey.socket_url) as client:
        assert 1 == Store(client, 1).revision(game_id)


def test_urls_with_tls_credentials_or_ipv6_are_parsed_without_connecting() -> None:
    for url in ("redis://:pw@localhost:1/2", "rediss://localhost:1"):
        connect(url).close()
    with connect("redis+sentinel://user:p%40ss@[::1]:5,b/games/2") as client:
        assert tuple(client.connection_pool.connection_kwargs[name] for name in ("username", "password", "db")) == (
            "user",
            "p@ss",
            2,
        )
