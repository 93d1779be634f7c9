"""Players and their lists, written by commits of games, with one bucket and many, and on a cluster."""

from __future__ import annotations

from dataclasses import replace

import pytest
from redis import Redis

from service.storage.base.connect import connect
from service.storage.games.store import Store
from service.storage.games.stored_game import LEFT, SEATED, TURN
from service.storage.people.players import Players
from tests.patience import let_expire, redis_now_ms
from tests.storage.commits import commit_on, new_game, pass_a_millisecond
from tests.storage.stored_players import ANA, TOKEN, keep


def games_over_pages(players: Players, player: str, count: int) -> list[str]:
    results: list[str] = []
    cursor = None
    while True:
        page = players.games(player, cursor, count)
        results += [game_id for game_id, _ in page.games]
        cursor = page.cursor
        if cursor is None:
            return results


@pytest.mark.parametrize("name", ["Ana", None, "Ana Ä 🎲"])
def test_a_player_is_read_as_stored(client: Redis, name: str | None) -> None:
    players = Players(client, 16)
    player = keep(players, replace(ANA, name=name))
    assert player == players.get("ana", TOKEN.digest)
    assert replace(player, token=None) == players.get("ana")
    assert players.get("ben") is None


def test_requests_prolong_a_player(client: Redis) -> None:
    players = Players(client, 1)
    ana = keep(players, ttl_s=100)
    players.keep(ana, 200, "2026-02-01T00:00:00.000Z")
    players.keep(replace(ana, id="ben"), 200, "2026-02-01T00:00:00.000Z")
    let_expire(client, 120)
    used = TOKEN._replace(used_at="2026-02-01T00:00:00.000Z")
    assert replace(ana, token=used) == players.get("ana", TOKEN.digest)
    assert players.get("ben") is None
    let_expire(client, 100)
    assert players.get("ana") is None
    assert [] == client.keys("*")


@pytest.mark.parametrize("buckets", [1, 16])
def test_turns_of_all_buckets_come_longest_waiting_first(client: Redis, buckets: int) -> None:
    store, players = Store(client, buckets), Players(client, buckets)
    games = []
    for _ in range(9):
        games.append(new_game(store, players={"ana": TURN, "ben": SEATED}))
        pass_a_millisecond(client)
    assert (games, games[:4], []) == (players.turns("ana", 100), players.turns("ana", 4), players.turns("ben", 100))
    store.commit(games[3], commit_on(1, players={"ana": SEATED, "ben": TURN}))
    store.commit(games[5], commit_on(1, players={"ana": LEFT}))
    assert [game for game in games if game not in (games[3], games[5])] == players.turns("ana", 100)
    assert [games[3]] == players.turns("ben", 100)


@pytest.mark.parametrize("buckets", [1, 16])
def test_changed_games_come_oldest_first_with_those_that_the_player_left(client: Redis, buckets: int) -> None:
    store, players = Store(client, buckets), Players(client, buckets)
    games = []
    for _ in range(9):
        games.append(new_game(store, players={"ana": SEATED}))
        pass_a_millisecond(client)
    new_game(store, players={"ben": SEATED})
    changed = players.changed_games("ana", 0, 100)
    assert (games, sorted(changed)) == ([game for _, game in changed], changed)
    assert (changed[3:], changed[-2:]) == (
        players.changed_games("ana", changed[3][0], 100),
        players.changed_games("ana", changed[3][0], 2),
    )
    left, again = games[0], games[1]
    store.commit(again, commit_on(1, players={"ana": TURN}))
    store.commit(left, commit_on(1, players={"ana": LEFT}))
    now = redis_now_ms(client) + 1
    for game in (left, again):
        players.record_left("ana", game, now, 60)
    assert {left: now, again: now} == {game: ms for ms, game in players.changed_games("ana", changed[-1][0] + 1, 100)}


@pytest.mark.parametrize("buckets", [1, 16])
def test_games_are_listed_once_last_changed_first_in_pages_of_any_size(client: Redis, buckets: int) -> None:
    store, players = Store(client, buckets), Players(client, buckets)
    games = []
    for _ in range(9):
        games.append(new_game(store, players={"ana": SEATED}))
        pass_a_millisecond(client)
    new_game(store, players={"ben": SEATED})
    store.commit(games[4], commit_on(1, players={"ana": TURN}))
    expected = [games[4], *(game for game in reversed(games) if game != games[4])]
    assert [expected] * 3 == [games_over_pages(players, "ana", count) for count in (1, 4, 50)]


def test_a_game_that_a_player_left_is_in_neither_list(client: Redis, store: Store) -> None:
    players = Players(client, 1)
    game = new_game(store, players={"ana": TURN})
    store.commit(game, commit_on(1, players={"ana": LEFT, "ben": TURN}))
    assert ([], []) == (players.turns("ana", 10), games_over_pages(players, "ana", 10))
    assert ([game], [game]) == (players.turns("ben", 10), games_over_pages(players, "ben", 10))


def test_a_stale_commit_changes_no_list(client: Redis, store: Store) -> None:
    players = Players(client, 1)
    game = new_game(store, players={"ana": TURN})
    with pytest.raises(Exception, match="revision 1"):
        store.commit(game, commit_on(5, players={"ana": LEFT, "ben": TURN}))
    assert ([game], []) == (players.turns("ana", 10), players.turns("ben", 10))


def test_deleted_games_are_skipped_and_forgotten(client: Redis, store: Store) -> None:
    players = Players(client, 1)
    games = [new_game(store, players={"ana": TURN}) for _ in range(5)]
    client.delete(store.keys.game(games[2]).game)
    assert {*games} - {games[2]} == set(games_over_pages(players, "ana", 2))
    players.remove_turns("ana", [games[2]])
    assert {*games} - {games[2]} == set(players.turns("ana", 10))


@pytest.mark.parametrize("cursor", ["", "x", "12", "-1.ab", "²3.ab", "5.ä"])
def test_an_invalid_cursor_is_refused(client: Redis, cursor: str) -> None:
    with pytest.raises(ValueError, match="cursor"):
        Players(client, 1).games("ana", cursor, 10)


def test_players_and_their_lists_work_on_a_cluster(cluster_url: str) -> None:
    with connect(cluster_url) as client:
        store, players = Store(client, 16), Players(client, 16)
        ana = keep(players)
        players.keep(ana, 200, ana.created_at)
        assert ana == replace(players.get("ana", TOKEN.digest) or ana, token=TOKEN)
        games = {new_game(store, players={"ana": TURN, "ben": SEATED}) for _ in range(20)}
        assert games == set(players.turns("ana", 100)) == set(games_over_pages(players, "ben", 7))
        assert games == {game for _, game in players.changed_games("ben", 0, 100)}
        players.remove_turns("ana", games)
        assert [] == players.turns("ana", 100)
