"""Lists of games at the borders of what is read at once: nothing is told twice, and nothing left out."""

from __future__ import annotations

import pytest
from redis import Redis

from service.storage.base.listing import MAX_LOOKED_AT, SPARE
from service.storage.games.store import Store
from tests.storage.base.test_lifetimes import everyone
from tests.storage.commits import new_game

BATCH = 51 + SPARE  # names read at once for a page of 50
MANY = 2 * BATCH + 30


def made(client: Redis, store: Store, name: str, *, at_once: bool) -> list[str]:
    """Many games, as a list of that name has them from first to last: of one millisecond, or of one each."""
    games = sorted((new_game(store, listed=True) for _ in range(MANY)), reverse=True)
    client.zadd(name, {game_id: 1000 if at_once else 1000 - number for number, game_id in enumerate(games)})
    return games


def lose(client: Redis, store: Store, games: list[str]) -> None:
    """These expire."""
    for game_id in games:
        client.delete(store.keys.game(game_id).game)


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("count", [BATCH - 1, BATCH, BATCH + 1, MANY - 1, MANY])
def test_a_page_that_is_read_in_several_parts_holds_each_game_once(
    client: Redis, store: Store, count: int, *, at_once: bool
) -> None:
    games = made(client, store, store.keys.bucket(0).listing, at_once=at_once)
    assert games == everyone(store.listing, count)


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("gone", [slice(0, None, 3), slice(0, BATCH), slice(BATCH, 2 * BATCH), slice(BATCH - 1, None)])
def test_games_that_are_gone_hide_none_that_comes_after_them(
    client: Redis, store: Store, gone: slice, *, at_once: bool
) -> None:
    games = made(client, store, store.keys.bucket(0).listing, at_once=at_once)
    lose(client, store, games[gone])
    left = [game_id for game_id in games if game_id not in set(games[gone])]
    assert left == everyone(store.listing, 50)


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("gone", [slice(0, None, 3), slice(0, BATCH), slice(BATCH, 2 * BATCH), slice(BATCH - 1, None)])
def test_the_list_of_all_games_tells_those_that_are_left_and_leaves_the_others_to_the_sweep(
    client: Redis, store: Store, gone: slice, *, at_once: bool
) -> None:
    name = store.keys.bucket(0).expiry
    games = made(client, store, name, at_once=at_once)
    lose(client, store, games[gone])
    left = [game_id for game_id in games if game_id not in set(games[gone])]
    assert (left, MANY) == (everyone(store.every_game, 50), client.zcard(name))


def test_of_many_that_have_expired_a_page_passes_over_so_many_and_tells_where_to_go_on(
    client: Redis, store: Store
) -> None:
    """Who lists waits for no clearing away: the next page goes on behind them."""
    games = [*made(client, store, store.keys.bucket(0).listing, at_once=False)]
    gone = [f"gone-{number:011d}" for number in range(MAX_LOOKED_AT + 100)]
    client.zadd(store.keys.bucket(0).listing, dict.fromkeys(gone, 10000))
    first = store.listing(None, 50)
    assert () == first.games
    assert first.cursor is not None
    assert games[:50] == [game_id for game_id, _ in store.listing(first.cursor, 50).games]
