"""Checkpoints are found by revision during and after the game. A damaged checkpoint counts as missing."""

from __future__ import annotations

from typing import cast

from redis import Redis

from service.storage.games.checkpoints import JOINED
from service.storage.games.store import Store
from tests.storage.commits import commit_on, new_game

CHECKPOINTS = {32: b"{}\n\x00\xff", 64: b"{}\n" + bytes(500), 96: b""}


def test_checkpoints_are_found_during_and_after_the_game(client: Redis, store: Store) -> None:
    game_id = new_game(store)
    for revision, (number, content) in enumerate(CHECKPOINTS.items(), 1):
        store.commit(game_id, commit_on(revision, checkpoints={number: content}))
    assert [CHECKPOINTS[32], CHECKPOINTS[64], None] == [store.checkpoint(game_id, number) for number in (32, 64, 33)]
    store.commit(game_id, commit_on(4, checkpoints={128: b"last"}, ended=True))
    key = store.keys.game(game_id).checkpoints
    assert [JOINED.encode()] == client.hkeys(key)
    assert [CHECKPOINTS[32], CHECKPOINTS[64], b"last", None] == [
        store.checkpoint(game_id, number) for number in (32, 64, 128, 33)
    ]
    store.commit(game_id, commit_on(5, checkpoints={160: b"after the end"}, ended=True))
    assert [JOINED.encode()] == client.hkeys(key)
    assert [CHECKPOINTS[64], b"after the end"] == [store.checkpoint(game_id, number) for number in (64, 160)]
    assert client.pexpiretime(key) == client.pexpiretime(store.keys.game(game_id).game)


def test_a_recomputed_checkpoint_overrides_the_stored_checkpoint(store: Store) -> None:
    game_id = new_game(store, checkpoints={32: b"by other sources"}, ended=True)
    store.refresh(game_id, 1, {}, {32: b"by these"})
    assert b"by these" == store.checkpoint(game_id, 32)


def test_a_game_without_checkpoints_has_none_after_its_end(client: Redis, store: Store) -> None:
    game_id = new_game(store, ended=True)
    assert (None, 0) == (store.checkpoint(game_id, 32), client.exists(store.keys.game(game_id).checkpoints))


def test_a_damaged_checkpoint_is_missing(client: Redis, store: Store) -> None:
    game_id = new_game(store, checkpoints=CHECKPOINTS)
    key = store.keys.game(game_id).checkpoints
    frame = cast("bytes", client.hget(key, "64"))
    client.hset(key, "64", frame[:-3])
    assert [CHECKPOINTS[32], None] == [store.checkpoint(game_id, number) for number in (32, 64)]
    store.commit(game_id, commit_on(1, ended=True))
    assert [CHECKPOINTS[32], None] == [store.checkpoint(game_id, number) for number in (32, 64)]
