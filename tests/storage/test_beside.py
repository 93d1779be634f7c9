"""What stands beside a game: messages under growing numbers, tickets that are good once."""

from __future__ import annotations

import threading
import time

from redis import Redis

from service.storage.beside import MOST_MESSAGES, Beside
from service.storage.connect import connect
from service.storage.store import Store
from tests.storage.commits import commit_on, new_game


def test_messages_are_numbered_from_one_and_read_after_a_number(client: Redis, store: Store) -> None:
    beside, game = Beside(client, 1), new_game(store)
    assert [] == beside.said(game, 0, 10)
    assert [1, 2, 3] == [beside.say(game, b"message %d" % number) for number in (1, 2, 3)]
    assert [(2, b"message 2"), (3, b"message 3")] == beside.said(game, 1, 10)
    assert [(1, b"message 1")] == beside.said(game, 0, 1)
    assert [] == beside.said(game, 3, 10)


def test_a_game_that_does_not_exist_takes_no_message(client: Redis) -> None:
    assert Beside(client, 1).say("nobody", b"hello") is None
    assert [] == client.keys("*")


def test_the_last_messages_are_kept_and_the_numbers_go_on(client: Redis, store: Store) -> None:
    beside, game = Beside(client, 1), new_game(store)
    for number in range(MOST_MESSAGES + 7):
        beside.say(game, b"%d" % number)
    kept = beside.said(game, 0, 1000)
    assert (MOST_MESSAGES, 8, MOST_MESSAGES + 7) == (len(kept), kept[0][0], kept[-1][0])


def test_messages_and_commits_do_not_touch_each_other(client: Redis, store: Store) -> None:
    beside, game = Beside(client, 1), new_game(store)
    beside.say(game, b"one")
    store.commit(game, commit_on(1))
    assert 2 == beside.say(game, b"two")
    assert (2, 2, 2) == (store.revision(game), len(store.log(game)), len(beside.said(game, 0, 10)))


def test_of_messages_put_down_at_once_each_has_its_number(client: Redis, store: Store) -> None:
    beside, game = Beside(client, 1), new_game(store)
    threads = [threading.Thread(target=beside.say, args=(game, b"x")) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(range(1, 21)) == [number for number, _ in beside.said(game, 0, 100)]


def test_a_ticket_is_good_once_for_its_game_and_for_its_time(client: Redis, store: Store) -> None:
    beside, game, other = Beside(client, 1), new_game(store), new_game(store)
    beside.give_ticket(game, "digest", "host seat:0", 60)
    assert beside.take_ticket(other, "digest") is None
    assert beside.take_ticket(game, "another") is None
    assert "host seat:0" == beside.take_ticket(game, "digest")
    assert beside.take_ticket(game, "digest") is None
    beside.give_ticket(game, "short", "watch", 1)
    time.sleep(1.1)
    assert beside.take_ticket(game, "short") is None


def test_messages_and_tickets_work_on_a_cluster(cluster_url: str) -> None:
    with connect(cluster_url) as client:
        store, beside = Store(client, 16), Beside(client, 16)
        for _ in range(10):
            game = new_game(store)
            assert 1 == beside.say(game, b"hello")
            assert [(1, b"hello")] == beside.said(game, 0, 10)
            beside.give_ticket(game, "digest", "watch", 60)
            assert "watch" == beside.take_ticket(game, "digest")
            store.rotate(game, "host", "digest of a token")
            assert {"digest of a token": "host"} == store.holders(game)
