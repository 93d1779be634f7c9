"""One commit wins, and it is stored completely or not at all."""

from __future__ import annotations

import threading
from operator import attrgetter, itemgetter

import pytest
from redis import Redis

from service.operate.redis.launcher import EmbeddedRedis
from service.storage.base.connect import connect
from service.storage.games.store import GameExistsError, GameNotFoundError, KeyTakenError, StaleRevisionError, Store
from service.storage.games.stored_game import Commit, Glance
from tests.contents import redis_contents
from tests.patience import HANG_S
from tests.storage.commits import BIRTH, FIELDS, commit_on, new_game, now_ms
from tests.storage.lossy import LossyProxy
from tests.threads import run_at_once

RACES = 1000


def test_a_load_returns_the_committed_data(store: Store) -> None:
    game_id = new_game(store, ttl_s=60)
    stored = store.load(game_id)
    assert stored is not None
    assert (stored.revision, stored.attempts) == (1, 0)
    names = ("meta", "state", "snapshot", "view")
    assert itemgetter(*names)(BIRTH) == attrgetter(*names)(stored)
    assert (stored.tag, stored.visibility) == ("rules-1", "public")
    assert 55_000 < stored.expires_at_ms - now_ms() <= 61_000
    assert Glance(1, "public", BIRTH["view"]) == store.glance(game_id)


def test_several_events_of_one_commit_get_revisions_in_order(store: Store) -> None:
    game_id = new_game(store)
    store.commit(game_id, commit_on(1, b"action", b"draw", b"deal"))
    store.commit(game_id, commit_on(4, b"last"))
    whole = [(1, b"event 1"), (2, b"action"), (3, b"draw"), (4, b"deal"), (5, b"last")]
    assert whole == store.log(game_id)
    assert whole[1:3] == store.log(game_id, after=1, until=3)
    assert whole[2:4] == store.log(game_id, after=2, count=2)
    assert store.log(game_id, after=5) == []
    assert store.log(game_id, until=0) == []


def test_an_unknown_game_has_no_data(store: Store) -> None:
    assert store.load("nobody") is None
    assert store.glance("nobody") is None
    assert not store.roles("nobody", "00")
    assert store.replay_entry("nobody", "idem:00") is None
    assert store.create_replay("00") is None
    assert store.log("nobody") == []
    assert store.revision("nobody") == 0


def test_glances_are_in_the_requested_order(store: Store) -> None:
    first, second = new_game(store), new_game(store, fields=BIRTH | {"view": b"{2"})
    actual = store.glances([second, "nobody", first])
    assert [b"{2", None, BIRTH["view"]] == [glance and glance.view for glance in actual]
    assert store.glances([]) == []


def test_exactly_one_of_two_racing_commits_wins_a_thousand_times(valkey: EmbeddedRedis, store: Store) -> None:
    game_id = new_game(store)
    start = threading.Barrier(2)
    wins: list[list[tuple[int, bytes]]] = [[], []]
    losses: list[list[int]] = [[], []]

    def race(racer_number: int) -> None:
        with connect(valkey.url) as connection:
            racer_store = Store(connection, buckets=1)
            for revision in range(1, RACES + 1):
                event = b"racer %d at %d" % (racer_number, revision)
                start.wait(HANG_S)
                try:
                    racer_store.commit(game_id, commit_on(revision, event))
                    wins[racer_number].append((revision + 1, event))
                except StaleRevisionError as stale:
                    losses[racer_number].append(stale.current)

    run_at_once(race, (0, 1))
    assert RACES == len(wins[0]) + len(wins[1]) == len(losses[0]) + len(losses[1])
    assert sorted(wins[0] + wins[1]) == store.log(game_id, after=1)
    assert list(range(2, RACES + 2)) == sorted(losses[0] + losses[1])


def test_a_stale_commit_changes_no_byte_of_any_key(client: Redis, store: Store) -> None:
    game_id = new_game(store, due_at_ms=0, listed=True, tokens={"aa": "host"})
    store.commit(game_id, commit_on(1, due_at_ms=0, listed=True))
    before = redis_contents(client)
    loser = commit_on(
        1,
        b"late",
        fields=FIELDS | {"view": b"changed"},
        tokens={"bb": "seat:1"},
        dropped_tokens=("aa",),
        ttl_s=100,
        idempotency=("idem:1", b"late", 60),
    )
    with pytest.raises(StaleRevisionError) as refused:
        store.commit(game_id, loser)
    assert refused.value.current == 2
    assert before == redis_contents(client)
    assert client.pttl(store.keys.game(game_id).game) > 100_000


def test_a_commit_for_a_future_revision_is_stale(store: Store) -> None:
    game_id = new_game(store)
    with pytest.raises(StaleRevisionError) as refused:
        store.commit(game_id, commit_on(7))
    assert refused.value.current == 1


def test_a_commit_to_a_missing_game_raises_game_not_found(client: Redis, store: Store) -> None:
    with pytest.raises(GameNotFoundError):
        store.commit("nobody", commit_on(3))
    assert redis_contents(client) == {}


def test_a_create_refuses_a_used_id(client: Redis, store: Store) -> None:
    game_id = new_game(store)
    before = redis_contents(client)
    with pytest.raises(GameExistsError):
        store.create(game_id, commit_on(0, b"another"))
    assert before == redis_contents(client)


@pytest.mark.parametrize(
    "invalid_commit",
    [
        commit_on(0),
        commit_on(1, events=()),
        commit_on(1, ttl_s=0),
        commit_on(1, fields={"revision": b"9"}),
    ],
    ids=["expects no game", "no events", "no lifetime", "sets the revision"],
)
def test_an_invalid_commit_is_refused_before_it_is_sent(store: Store, invalid_commit: Commit) -> None:
    game_id = new_game(store)
    with pytest.raises(ValueError, match="commit"):
        store.commit(game_id, invalid_commit)
    assert store.revision(game_id) == 1


def test_the_replay_entry_is_checked_before_the_revision(client: Redis, store: Store) -> None:
    game_id = new_game(store)
    with_key = commit_on(1, idempotency=("idem:k", b"1..2", 60))
    store.commit(game_id, with_key)
    before = redis_contents(client)
    with pytest.raises(KeyTakenError) as stale_and_taken:
        store.commit(game_id, with_key)
    with pytest.raises(KeyTakenError) as right_and_taken:
        store.commit(game_id, commit_on(2, idempotency=("idem:k", b"other", 60)))
    assert b"1..2" == stale_and_taken.value.replay_entry == right_and_taken.value.replay_entry
    assert store.replay_entry(game_id, "idem:k") == b"1..2"
    assert before == redis_contents(client)


def test_a_replay_entry_never_outlives_its_game(client: Redis, store: Store) -> None:
    game_id = new_game(store, ttl_s=900, idempotency=("idem:k", b"r", 86_400))
    assert client.pttl(store.keys.game(game_id).subkey("idem:k")) <= 900_000


def test_a_repeated_create_returns_its_reply_and_creates_no_second_game(client: Redis, store: Store) -> None:
    first, second = store.new_game_id("digest"), store.new_game_id("digest")
    store.create(first, commit_on(0), ("digest", b"the answer", 600))
    with pytest.raises(KeyTakenError) as taken:
        store.create(second, commit_on(0), ("digest", b"another", 600))
    assert b"the answer" == taken.value.replay_entry == store.create_replay("digest")
    assert store.load(second) is None
    assert 590 < client.ttl(store.keys.bucket(0).create_replay("digest")) <= 600


def test_a_commit_with_a_lost_answer_succeeds_when_it_is_repeated(valkey: EmbeddedRedis, store: Store) -> None:
    game_id = new_game(store)
    with LossyProxy(valkey.port) as proxy, connect(proxy.url_of(valkey)) as lossy:
        lossy_store = Store(lossy, buckets=1)
        lossy_store.commit(game_id, commit_on(1))
        proxy.lose_next_answer()
        lossy_store.commit(game_id, commit_on(2, b"a", b"b", idempotency=("idem:k", b"r", 60)))
        assert proxy.lost == 1
    assert store.log(game_id, after=2) == [(3, b"a"), (4, b"b")]


def test_a_commit_with_a_lost_answer_succeeds_even_after_later_commits(valkey: EmbeddedRedis, store: Store) -> None:
    game_id = new_game(store)
    with LossyProxy(valkey.port) as proxy, connect(proxy.url_of(valkey)) as lossy:
        lossy_store = Store(lossy, buckets=1)
        proxy.lose_next_answer(on_loss=lambda: store.commit(game_id, commit_on(2, b"on top")))
        lossy_store.commit(game_id, commit_on(1, b"mine"))
        assert proxy.lost == 1
    assert store.log(game_id, after=1) == [(2, b"mine"), (3, b"on top")]


def test_a_create_with_a_lost_answer_succeeds_when_it_is_repeated(valkey: EmbeddedRedis, store: Store) -> None:
    with LossyProxy(valkey.port) as proxy, connect(proxy.url_of(valkey)) as lossy:
        lossy_store = Store(lossy, buckets=1)
        new_game(lossy_store)
        proxy.lose_next_answer()
        game_id = lossy_store.new_game_id("d")
        lossy_store.create(game_id, commit_on(0), ("d", b"answer", 600))
        assert proxy.lost == 1
    assert store.revision(game_id) == 1


def test_the_scripts_survive_a_script_flush(client: Redis, store: Store) -> None:
    game_id = new_game(store, due_at_ms=0)
    client.script_flush()
    store.commit(game_id, commit_on(1, due_at_ms=0))
    client.script_flush()
    assert store.schedule.lease(game_id, 2, now_ms() + 1000) == 1


def test_a_commit_survives_a_kill_of_the_server_with_schedule_and_expiry(valkey: EmbeddedRedis, store: Store) -> None:
    game_id = new_game(store, due_at_ms=0, listed=True, tokens={"aa": "host"})
    store.commit(game_id, commit_on(1, due_at_ms=0, listed=True, idempotency=("idem:k", b"r", 60)))
    before = store.load(game_id)
    valkey.kill9()
    valkey.restart()
    assert before == store.load(game_id)
    assert [game_id] == store.schedule.due(now_ms() + 1000, 10)
    assert store.roles(game_id, "aa") == "host"
    assert store.replay_entry(game_id, "idem:k") == b"r"
    store.commit(game_id, commit_on(2))


def test_tokens_have_their_roles_until_they_are_dropped(store: Store) -> None:
    game_id = new_game(store, tokens={"aa": "host", "bb": "seat:0", "cc": "invite"})
    other = new_game(store, tokens={"dd": "watch"})
    store.commit(game_id, commit_on(1, tokens={"ee": "seat:1"}, dropped_tokens=("cc",)))
    assert [store.roles(game_id, digest) for digest in ("aa", "bb", "cc", "dd", "ee")] == [
        "host",
        "seat:0",
        "",
        "",
        "seat:1",
    ]
    assert store.roles(other, "dd") == "watch"
