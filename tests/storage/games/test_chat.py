"""Chat messages with increasing numbers. Only the last ones are stored."""

from __future__ import annotations

from redis import Redis

from service.storage.base.connect import connect
from service.storage.games.chat import MAX_MESSAGES, Chat
from service.storage.games.store import Store
from tests.storage.commits import commit_on, new_game
from tests.threads import run_at_once


def test_messages_are_numbered_from_one_and_read_after_a_number(client: Redis, store: Store) -> None:
    chat, game = Chat(client, 1), new_game(store)
    assert [] == chat.messages(game, 0, 10)
    assert [1, 2, 3] == [chat.append(game, b"message %d" % number) for number in (1, 2, 3)]
    assert [(2, b"message 2"), (3, b"message 3")] == chat.messages(game, 1, 10)
    assert [(1, b"message 1")] == chat.messages(game, 0, 1)
    assert [] == chat.messages(game, 3, 10)


def test_a_missing_game_stores_no_message(client: Redis) -> None:
    assert Chat(client, 1).append("nobody", b"hello") is None
    assert [] == client.keys("*")


def test_the_last_messages_are_stored_under_increasing_numbers(client: Redis, store: Store) -> None:
    chat, game = Chat(client, 1), new_game(store)
    for number in range(MAX_MESSAGES + 7):
        chat.append(game, b"%d" % number)
    kept = chat.messages(game, 0, 1000)
    assert (MAX_MESSAGES, 8, MAX_MESSAGES + 7) == (len(kept), kept[0][0], kept[-1][0])


def test_messages_and_commits_are_independent(client: Redis, store: Store) -> None:
    chat, game = Chat(client, 1), new_game(store)
    chat.append(game, b"one")
    store.commit(game, commit_on(1))
    assert 2 == chat.append(game, b"two")
    assert (2, 2, 2) == (store.revision(game), len(store.log(game)), len(chat.messages(game, 0, 10)))


def test_simultaneous_messages_have_distinct_numbers(client: Redis, store: Store) -> None:
    chat, game = Chat(client, 1), new_game(store)
    run_at_once(lambda _: chat.append(game, b"x"), range(20))
    assert list(range(1, 21)) == [number for number, _ in chat.messages(game, 0, 100)]


def test_messages_work_on_a_cluster(cluster_url: str) -> None:
    with connect(cluster_url) as client:
        store, chat = Store(client, 16), Chat(client, 16)
        for _ in range(10):
            game = new_game(store)
            assert 1 == chat.append(game, b"hello")
            assert [(1, b"hello")] == chat.messages(game, 0, 10)
            store.rotate(game, "host", "digest of a token")
            assert {"digest of a token": "host"} == store.holders(game)
