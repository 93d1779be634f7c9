"""Reading a log returns the written events in every stored form: tail, chunks, and the stream of older versions."""

from __future__ import annotations

from typing import cast

import pytest
from redis import Redis

from service.operate.redis.launcher import EmbeddedRedis
from service.storage.base.connect import connect
from service.storage.games.game_log import CHUNK, ENDED_CHUNKS, TAIL, chunk_field
from service.storage.games.store import StaleRevisionError, Store
from tests.storage.commits import commit_on, new_game
from tests.storage.lossy import LossyProxy
from tests.storage.older import make_older

Numbered = list[tuple[int, bytes]]


def grow_log(store: Store, game_id: str, to: int, step: int = 1, **changes: object) -> Numbered:
    """Commit events, `step` at a time, up to revision `to`. Return the whole log."""
    revision = store.revision(game_id)
    while revision < to:
        events = [b'{"number":%d}' % number for number in range(revision + 1, min(to, revision + step) + 1)]
        store.commit(game_id, commit_on(revision, *events, **changes))
        revision += len(events)
    return [(1, b"event 1"), *((number, b'{"number":%d}' % number) for number in range(2, to + 1))]


def fields(client: Redis, store: Store, game_id: str) -> set[str]:
    """Return the fields of the game that contain parts of the log."""
    names = {name.decode() for name in cast("list[bytes]", client.hkeys(store.keys.game(game_id).game))}
    return {name for name in names if name.startswith("log:")}


def tail(client: Redis, store: Store, game_id: str) -> int:
    """Return the size of the tail in bytes."""
    return len(client.hget(store.keys.game(game_id).game, TAIL) or b"")


@pytest.mark.parametrize("step", [1, 2, 3, 31, 32, 33, 100])
def test_every_part_of_a_log_is_read(store: Store, step: int) -> None:
    game_id, last = new_game(store), 3 * CHUNK + 5
    whole = grow_log(store, game_id, last, step)
    assert whole == store.log(game_id)
    for after in range(0, last + 2, 7):
        assert whole[after:] == store.log(game_id, after)
        for until in range(0, last + 5, 11):
            assert whole[after:until] == store.log(game_id, after, until)
        assert whole[after : after + 5] == store.log(game_id, after, count=5)
        assert whole[after : after + 5][: max(0, 40 - after)] == store.log(game_id, after, 40, 5)


def test_a_chunk_is_packed_when_it_is_full(client: Redis, store: Store) -> None:
    game_id = new_game(store)
    grow_log(store, game_id, CHUNK - 1)
    assert set() == fields(client, store, game_id)
    before = tail(client, store, game_id)
    grow_log(store, game_id, CHUNK)
    assert ({chunk_field(0)}, 0) == (fields(client, store, game_id), tail(client, store, game_id))
    chunk = client.hget(store.keys.game(game_id).game, chunk_field(0))
    assert chunk is not None
    assert len(chunk) < before / 2
    grow_log(store, game_id, 2 * CHUNK + 2, 3)
    assert {chunk_field(0), chunk_field(1)} == fields(client, store, game_id)


def test_the_log_of_a_finished_game_is_packed_into_one_chunk(client: Redis, store: Store) -> None:
    game_id = new_game(store)
    grow_log(store, game_id, 2 * CHUNK + 4)
    whole = grow_log(store, game_id, 2 * CHUNK + 5, ended=True)
    assert ({chunk_field(0)}, 0) == (fields(client, store, game_id), tail(client, store, game_id))
    assert whole == store.log(game_id)
    for after in range(0, len(whole), 3):
        assert whole[after : after + 9] == store.log(game_id, after, after + 9)
    whole = grow_log(store, game_id, 3 * CHUNK + 1, 2, ended=True)
    assert ({chunk_field(0)}, whole) == (fields(client, store, game_id), store.log(game_id))


def test_a_very_long_log_is_packed_in_parts(client: Redis, store: Store) -> None:
    game_id, size = new_game(store), CHUNK * ENDED_CHUNKS
    grow_log(store, game_id, 2 * size + 3, 50)
    whole = grow_log(store, game_id, 2 * size + 4, ended=True)
    assert {chunk_field(number * ENDED_CHUNKS) for number in range(3)} == fields(client, store, game_id)
    assert whole == store.log(game_id)
    for after in (0, 1, size - 2, size - 1, size, size + 1, 2 * size - 1, 2 * size + 3):
        assert whole[after : after + 6] == store.log(game_id, after, after + 6)


@pytest.mark.parametrize("ended", [False, True])
@pytest.mark.parametrize("length", [1, 5, CHUNK, CHUNK + 1, 3 * CHUNK - 1])
def test_a_stream_of_an_older_version_is_read_and_continued(
    client: Redis, store: Store, length: int, *, ended: bool
) -> None:
    game_id = new_game(store, checkpoints={32: b"then"})
    whole, keys = grow_log(store, game_id, length), store.keys.game(game_id)
    make_older(client, keys)
    client.hset(keys.game, "position", b"of an older version")
    assert whole == store.log(game_id)
    assert whole[2:4] == store.log(game_id, 2, 4)
    assert whole[1:] == store.log(game_id, 1)
    whole = grow_log(store, game_id, length + 2, ended=ended)
    assert (0, None) == (client.exists(keys.log), client.hget(keys.game, "position"))
    assert whole == store.log(game_id)
    assert b"then" == store.checkpoint(game_id, 32)


def test_a_stale_commit_does_not_change_the_stream_of_an_older_version(client: Redis, store: Store) -> None:
    game_id = new_game(store)
    whole, keys = grow_log(store, game_id, 40), store.keys.game(game_id)
    make_older(client, keys)
    for stale in (3, CHUNK - 1, 39, 41):
        for ended in (False, True):
            with pytest.raises(StaleRevisionError):
                store.commit(game_id, commit_on(stale, b"{}", ended=ended))
    assert 40 == client.xlen(keys.log)
    assert whole == store.log(game_id)


@pytest.mark.parametrize(("expected", "ended"), [(CHUNK - 1, False), (CHUNK, True), (CHUNK - 1, True), (5, False)])
def test_a_packing_commit_with_a_lost_answer_is_recognised(
    valkey: EmbeddedRedis, store: Store, expected: int, *, ended: bool
) -> None:
    game_id = new_game(store)
    whole = grow_log(store, game_id, expected)
    with LossyProxy(valkey.port) as proxy, connect(proxy.url_of(valkey)) as lossy:
        lossy_store = Store(lossy, buckets=1)

        def on_top() -> None:
            for offset in range(3):
                store.commit(game_id, commit_on(expected + 1 + offset, b"on top", ended=ended))

        proxy.lose_next_answer(on_top)
        lossy_store.commit(game_id, commit_on(expected, b"mine", ended=ended))
        assert 1 == proxy.lost
    own = [(expected + 1, b"mine"), *((expected + 2 + offset, b"on top") for offset in range(3))]
    assert [*whole, *own] == store.log(game_id)


def test_an_erasure_rewrites_logs_of_every_form(client: Redis, store: Store) -> None:
    for older in (False, True):
        for ended in (False, True):
            game_id = new_game(store)
            whole = grow_log(store, game_id, 70, ended=ended)
            if older:
                make_older(client, store.keys.game(game_id))
            erased_events = [event.replace(b"number", b"n") for _, event in whole]
            store.erase(game_id, "ana", 70, {"meta": b"{}"}, erased_events, [])
            assert [*enumerate(erased_events, 1)] == store.log(game_id)
            assert 0 == client.exists(store.keys.game(game_id).log)
            grow_log(store, game_id, 100)
            assert erased_events == [event for _, event in store.log(game_id, 0, 70)]


def test_an_event_of_several_lines_is_refused(store: Store) -> None:
    game_id = new_game(store)
    with pytest.raises(ValueError, match="line"):
        store.commit(game_id, commit_on(1, b"two\nlines"))
    assert 1 == store.revision(game_id)
