"""Expiry leaves no key behind, and listings forget deleted games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from redis import Redis

from service.storage.base.listing import Page
from service.storage.games.chat import Chat
from service.storage.games.store import SWEEP_BATCH, Store
from service.storage.games.stored_game import LEFT, SEATED, TURN
from service.storage.people.players import Players
from tests.patience import let_expire
from tests.storage.commits import commit_on, new_game, now_ms, pass_a_millisecond
from tests.storage.stored_players import ANA, keep


def all_pages(listing: Callable[[str | None, int], Page], count: int) -> list[str]:
    """Return the games of a listing over all pages."""
    results, cursor = [], None
    while True:
        page = listing(cursor, count)
        results += [game_id for game_id, _ in page.games]
        cursor = page.cursor
        if cursor is None:
            return results


def test_an_expired_game_leaves_only_its_entries_in_the_hub(client: Redis, store: Store) -> None:
    gone = store.new_game_id("d")
    birth = commit_on(0, due_at_ms=0, listed=True, ttl_s=100, tokens={"aa": "host"}, idempotency=("idem:k", b"r", 60))
    store.create(gone, birth, ("d", b"answer", 600))
    stays = new_game(store, due_at_ms=0, listed=True)
    assert store.sweep(now_ms() + 99_000) == 0
    let_expire(client, 101)
    assert store.sweep(now_ms() + 101_000) == 1
    shared, kept = store.keys.bucket(0), store.keys.game(stays)
    left = {shared.hub, shared.due, shared.listing, shared.expiry, kept.game}
    assert left == {key.decode() for key in client.scan_iter()}
    for index in (shared.due, shared.listing, shared.expiry):
        assert [stays.encode()] == client.zrange(index, 0, -1)
    assert store.sweep(now_ms()) == 0


def test_a_sweep_with_a_fast_clock_keeps_every_living_game(store: Store) -> None:
    game_id = new_game(store, due_at_ms=0, ttl_s=100)
    assert store.sweep(now_ms() + 3_600_000) == 0
    assert [game_id] == store.schedule.due(now_ms() + 1, 10)


def sweep(client: Redis, store: Store, lives: Sequence[bool]) -> tuple[int, set[str]]:
    """Expire some games and sweep. Return the number of forgotten games, and those that the store still knows."""
    games = [new_game(store, due_at_ms=0, listed=True) for _ in lives]
    shared = store.keys.bucket(0)
    client.zadd(shared.expiry, {game_id: number for number, game_id in enumerate(games)})
    gone = [game_id for game_id, is_alive in zip(games, lives, strict=True) if not is_alive]
    for game_id in gone:
        client.delete(store.keys.game(game_id).game)
    forgotten = store.sweep(now_ms())
    left: list[Any] = [client.zrange(index, 0, -1) for index in (shared.due, shared.listing, shared.expiry)]
    return forgotten, {game_id for game_id in gone if game_id.encode() in {listed for part in left for listed in part}}


@pytest.mark.parametrize("count", [SWEEP_BATCH - 1, SWEEP_BATCH, SWEEP_BATCH + 1, 2 * SWEEP_BATCH + 1])
def test_one_sweep_forgets_all_expired_games(client: Redis, store: Store, count: int) -> None:
    assert (count, set()) == sweep(client, store, [False] * count)


@pytest.mark.parametrize(
    "lives",
    [
        [number % 3 == 0 for number in range(2 * SWEEP_BATCH + 9)],
        [True] * (SWEEP_BATCH + 9) + [False] * 9,
        [False] * 9 + [True] * (SWEEP_BATCH + 9) + [False] * 9,
        [True] * SWEEP_BATCH,
    ],
    ids=["every third lives", "a whole batch lives", "a whole batch lives between", "all live"],
)
def test_a_sweep_skips_living_games_and_finds_all_expired_ones(client: Redis, store: Store, lives: list[bool]) -> None:
    """A keeper with a fast clock examines games that have not expired."""
    assert (lives.count(False), set()) == sweep(client, store, lives)


def test_every_commit_prolongs_all_keys_of_the_game(client: Redis, store: Store) -> None:
    game_id = new_game(store, ttl_s=100, tokens={"aa": "host"})
    store.commit(game_id, commit_on(1, ttl_s=9_000))
    keys = store.keys.game(game_id)
    lifetimes = {client.pexpiretime(name) for name in (keys.game, keys.tokens)}
    stored = store.load(game_id)
    assert stored is not None
    assert {stored.expires_at_ms} == lifetimes
    assert stored.expires_at_ms > now_ms() + 200_000


@pytest.mark.parametrize("buckets", [1, 16])
def test_the_listing_contains_each_game_once_last_changed_first(client: Redis, buckets: int) -> None:
    store = Store(client, buckets)
    games = [new_game(store, listed=True) for _ in range(25)]
    new_game(store, listed=False)
    changed = games.pop(3)
    pass_a_millisecond(client)
    store.commit(changed, commit_on(1, listed=True))
    actual = all_pages(store.list_public, count=4)
    assert changed == actual[0]
    assert sorted([changed, *games]) == sorted(actual)
    changes = [ms for _, ms in store.list_public(None, 100).games]
    assert sorted(changes, reverse=True) == changes


def test_games_changed_in_the_same_millisecond_are_listed_once_each(client: Redis, store: Store) -> None:
    games = [new_game(store, listed=True) for _ in range(230)]
    client.zadd(store.keys.bucket(0).listing, dict.fromkeys(games, 1000))
    assert sorted(games, reverse=True) == all_pages(store.list_public, count=7)


def test_the_listing_skips_and_forgets_deleted_games(client: Redis, store: Store) -> None:
    games = [new_game(store, listed=True) for _ in range(5)]
    client.delete(store.keys.game(games[2]).game)
    page = store.list_public(None, 5)
    assert {*games} - {games[2]} == {game_id for game_id, _ in page.games}
    assert page.cursor is None
    assert client.zscore(store.keys.bucket(0).listing, games[2]) is None


def test_a_game_made_private_leaves_the_listing(store: Store) -> None:
    game_id = new_game(store, listed=True)
    store.commit(game_id, commit_on(1, listed=False))
    assert store.list_public(None, 10).games == ()


@pytest.mark.parametrize("cursor", ["", "x", "12", "-1.ab", "1e3.ab", "²3.ab", "99999999999999999999.ab", "5.ä"])
def test_an_invalid_cursor_is_refused(store: Store, cursor: str) -> None:
    with pytest.raises(ValueError, match="cursor"):
        store.list_public(cursor, 10)


@pytest.mark.parametrize("buckets", [1, 16])
def test_expiry_removes_lists_and_messages_and_keeps_players(client: Redis, buckets: int) -> None:
    store, players, chat = Store(client, buckets), Players(client, buckets), Chat(client, buckets)
    for name in ("ana", "ben"):
        keep(players, replace(ANA, id=name), ttl_s=9_000)
    own = set(client.scan_iter())
    for _ in range(6):
        game = new_game(store, ttl_s=100, listed=True, due_at_ms=0, players={"ana": TURN, "ben": SEATED})
        chat.append(game, b"hello")
        store.commit(game, commit_on(1, ttl_s=100, listed=True, players={"ana": LEFT, "ben": TURN}))
        store.rotate(game, "host", "digest of a token")
    let_expire(client, 101)
    assert 6 == store.sweep(now_ms() + 101_000)
    assert own == {key for key in client.scan_iter() if not key.endswith(b":hub")}


def test_a_players_lists_outlive_a_shorter_lived_game(client: Redis, store: Store) -> None:
    new_game(store, ttl_s=9_000, players={"ana": TURN})
    new_game(store, ttl_s=100, players={"ana": TURN})
    shared = store.keys.bucket(0)
    for name in (shared.games("ana"), shared.turns("ana")):
        assert 200_000 < client.pttl(name) <= 9_000_000


def test_a_longer_lived_game_prolongs_a_players_lists(client: Redis, store: Store) -> None:
    game = new_game(store, ttl_s=100, players={"ana": TURN})
    store.commit(game, commit_on(1, ttl_s=9_000, players={"ana": TURN}))
    shared = store.keys.bucket(0)
    for name in (shared.games("ana"), shared.turns("ana")):
        assert 200_000 < client.pttl(name) <= 9_000_000


def test_messages_and_tokens_live_as_long_as_the_game_and_do_not_prolong_it(client: Redis, store: Store) -> None:
    game = new_game(store, ttl_s=100)
    keys = store.keys.game(game)
    before = client.pexpiretime(keys.game)
    Chat(client, 1).append(game, b"hello")
    store.rotate(game, "watch", "digest of a token")
    assert {before} == {client.pexpiretime(name) for name in (keys.game, keys.messages, keys.tokens)}
    store.commit(game, commit_on(1, ttl_s=9_000))
    assert 1 == len({client.pexpiretime(name) for name in (keys.game, keys.messages, keys.tokens)})
