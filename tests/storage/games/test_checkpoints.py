"""What a game was is found, by revision, while it goes on and when it is over; what is damaged counts as absent."""

from __future__ import annotations

from typing import cast

from redis import Redis

from service.storage.games.checkpoints import JOINED
from service.storage.games.store import Store
from tests.storage.commits import commit_on, new_game

THEN = {32: b"{}\n\x00\xff", 64: b"{}\n" + bytes(500), 96: b""}


def test_each_is_found_while_the_game_goes_on_and_when_it_is_over(client: Redis, store: Store) -> None:
    game_id = new_game(store)
    for revision, (number, content) in enumerate(THEN.items(), 1):
        store.commit(game_id, commit_on(revision, checkpoints={number: content}))
    assert [THEN[32], THEN[64], None] == [store.checkpoint(game_id, number) for number in (32, 64, 33)]
    store.commit(game_id, commit_on(4, checkpoints={128: b"last"}, ended=True))
    key = store.keys.game(game_id).checkpoints
    assert [JOINED.encode()] == client.hkeys(key)
    assert [THEN[32], THEN[64], b"last", None] == [store.checkpoint(game_id, number) for number in (32, 64, 128, 33)]
    store.commit(game_id, commit_on(5, checkpoints={160: b"after the end"}, ended=True))
    assert [JOINED.encode()] == client.hkeys(key)
    assert [THEN[64], b"after the end"] == [store.checkpoint(game_id, number) for number in (64, 160)]
    assert client.pexpiretime(key) == client.pexpiretime(store.keys.game(game_id).game)


def test_what_is_computed_again_comes_before_what_was_joined(store: Store) -> None:
    game_id = new_game(store, checkpoints={32: b"by other sources"}, ended=True)
    store.refresh(game_id, 1, {}, {32: b"by these"})
    assert b"by these" == store.checkpoint(game_id, 32)


def test_a_game_that_had_none_has_none_when_it_is_over(client: Redis, store: Store) -> None:
    game_id = new_game(store, ended=True)
    assert (None, 0) == (store.checkpoint(game_id, 32), client.exists(store.keys.game(game_id).checkpoints))


def test_one_that_is_damaged_is_none(client: Redis, store: Store) -> None:
    game_id = new_game(store, checkpoints=THEN)
    key = store.keys.game(game_id).checkpoints
    whole = cast("bytes", client.hget(key, "64"))
    client.hset(key, "64", whole[:-3])
    assert [THEN[32], None] == [store.checkpoint(game_id, number) for number in (32, 64)]
    store.commit(game_id, commit_on(1, ended=True))
    assert [THEN[32], None] == [store.checkpoint(game_id, number) for number in (32, 64)]
