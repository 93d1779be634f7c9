"""Lists of games at the boundaries of their batches: each game appears exactly once."""

from __future__ import annotations

import pytest
from redis import Redis

from service.storage.base.listing import MAX_LOOKED_AT, SPARE
from service.storage.games.store import Store
from tests.storage.base.test_lifetimes import all_pages
from tests.storage.commits import new_game

BATCH = 51 + SPARE  # names read at once for a page of 50
MANY = 2 * BATCH + 30


def create_list(client: Redis, store: Store, name: str, *, at_once: bool) -> list[str]:
    """Create many games in this list, with equal or different times. Return them in list order."""
    games = sorted((new_game(store, listed=True) for _ in range(MANY)), reverse=True)
    client.zadd(name, {game_id: 1000 if at_once else 1000 - number for number, game_id in enumerate(games)})
    return games


def lose(client: Redis, store: Store, games: list[str]) -> None:
    """Delete games as if they had expired."""
    for game_id in games:
        client.delete(store.keys.game(game_id).game)


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("count", [BATCH - 1, BATCH, BATCH + 1, MANY - 1, MANY])
def test_a_page_read_in_several_batches_contains_each_game_once(
    client: Redis, store: Store, count: int, *, at_once: bool
) -> None:
    games = create_list(client, store, store.keys.bucket(0).listing, at_once=at_once)
    assert games == all_pages(store.list_public, count)


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("gone", [slice(0, None, 3), slice(0, BATCH), slice(BATCH, 2 * BATCH), slice(BATCH - 1, None)])
def test_deleted_games_do_not_hide_later_games(client: Redis, store: Store, gone: slice, *, at_once: bool) -> None:
    games = create_list(client, store, store.keys.bucket(0).listing, at_once=at_once)
    lose(client, store, games[gone])
    left = [game_id for game_id in games if game_id not in set(games[gone])]
    assert left == all_pages(store.list_public, 50)


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("gone", [slice(0, None, 3), slice(0, BATCH), slice(BATCH, 2 * BATCH), slice(BATCH - 1, None)])
def test_the_list_of_all_games_skips_deleted_games_and_leaves_them_to_the_sweep(
    client: Redis, store: Store, gone: slice, *, at_once: bool
) -> None:
    name = store.keys.bucket(0).expiry
    games = create_list(client, store, name, at_once=at_once)
    lose(client, store, games[gone])
    left = [game_id for game_id in games if game_id not in set(games[gone])]
    assert (left, MANY) == (all_pages(store.list_all, 50), client.zcard(name))


def test_a_page_skips_a_limited_number_of_expired_games_and_returns_a_cursor(client: Redis, store: Store) -> None:
    """A reader does not wait for the cleanup. The next page continues behind the expired games."""
    games = [*create_list(client, store, store.keys.bucket(0).listing, at_once=False)]
    gone = [f"gone-{number:011d}" for number in range(MAX_LOOKED_AT + 100)]
    client.zadd(store.keys.bucket(0).listing, dict.fromkeys(gone, 10000))
    first = store.list_public(None, 50)
    assert () == first.games
    assert first.cursor is not None
    assert games[:50] == [game_id for game_id, _ in store.list_public(first.cursor, 50).games]
