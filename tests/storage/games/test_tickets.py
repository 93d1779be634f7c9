"""Tickets are valid once, for their game and their time."""

from __future__ import annotations

from redis import Redis

from service.storage.base.connect import connect
from service.storage.games.store import Store
from service.storage.games.tickets import Tickets
from tests.patience import let_expire
from tests.storage.commits import new_game


def test_a_ticket_is_valid_once_for_its_game_and_time(client: Redis, store: Store) -> None:
    tickets, game, other = Tickets(client, 1), new_game(store), new_game(store)
    tickets.add(game, "digest", b"host seat:0", 60_000)
    assert tickets.redeem(other, "digest") is None
    assert tickets.redeem(game, "another") is None
    assert b"host seat:0" == tickets.redeem(game, "digest")
    assert tickets.redeem(game, "digest") is None
    tickets.add(game, "short", b"watch", 100_000)
    let_expire(client, 101)
    assert tickets.redeem(game, "short") is None


def test_tickets_work_on_a_cluster(cluster_url: str) -> None:
    with connect(cluster_url) as client:
        store, tickets = Store(client, 16), Tickets(client, 16)
        for _ in range(10):
            game = new_game(store)
            tickets.add(game, "digest", b"watch", 60_000)
            assert b"watch" == tickets.redeem(game, "digest")
