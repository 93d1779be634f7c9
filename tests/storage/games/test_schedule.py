"""Commits store due work. Leases move it, and only at their revision."""

from __future__ import annotations

from redis import Redis

from service.storage.games.store import Store
from tests.storage.commits import commit_on, new_game, now_ms

MINUTE = 60_000


def attempts(store: Store, game_id: str) -> int:
    stored = store.load(game_id)
    assert stored is not None
    return stored.attempts


def test_a_decision_of_an_ai_is_due_from_its_commit_to_the_next(store: Store) -> None:
    game_id = new_game(store, due_at_ms=0)
    assert [game_id] == store.schedule.due(now_ms() + 1, 10)
    assert store.schedule.due(now_ms() - MINUTE, 10) == []
    store.commit(game_id, commit_on(1, due_at_ms=None))
    assert store.schedule.due(now_ms() + MINUTE, 10) == []


def test_the_longest_due_decisions_come_first_up_to_the_limit(store: Store) -> None:
    games = [new_game(store, due_at_ms=0) for _ in range(3)]
    for place, game_id in enumerate(games):
        store.schedule.postpone(game_id, 1, 1000 - place)
    assert games[:0:-1] == store.schedule.due(now_ms(), 2)


def test_the_longest_due_decisions_of_all_buckets_come_first(client: Redis) -> None:
    store = Store(client, 16)
    games = [new_game(store, due_at_ms=1000 - place) for place in range(20)]
    assert games[:9:-1] == store.schedule.due(now_ms(), 10)


def test_a_lease_hides_a_decision_until_it_expires_and_counts_an_attempt(store: Store) -> None:
    game_id = new_game(store, due_at_ms=0)
    until = now_ms() + MINUTE
    assert store.schedule.lease(game_id, 1, until) == 1
    assert store.schedule.due(until - 1, 10) == []
    assert [game_id] == store.schedule.due(until, 10)
    assert store.schedule.lease(game_id, 1, until + MINUTE) == 2
    assert attempts(store, game_id) == 2


def test_a_lease_for_a_used_attempt_is_refused(store: Store) -> None:
    game_id = new_game(store, due_at_ms=0)
    until = now_ms() + MINUTE
    assert store.schedule.lease(game_id, 1, until, 0) == 1
    for before in (0, 2):
        assert store.schedule.lease(game_id, 1, until + MINUTE, before) is None
    assert [game_id] == store.schedule.due(until, 10)
    assert store.schedule.lease(game_id, 1, until + MINUTE, 1) == 2


def test_renewing_and_postponing_move_the_due_time_and_count_no_attempt(store: Store) -> None:
    game_id = new_game(store, due_at_ms=0)
    until = now_ms() + MINUTE
    store.schedule.lease(game_id, 1, until)
    assert store.schedule.renew(game_id, 1, until + 5)
    assert store.schedule.due(until + 4, 10) == []
    assert store.schedule.postpone(game_id, 1, until - 5)
    assert [game_id] == store.schedule.due(until - 5, 10)
    assert attempts(store, game_id) == 1


def test_a_lease_on_another_revision_is_refused_and_changes_no_due_time(store: Store) -> None:
    game_id = new_game(store, due_at_ms=0)
    store.commit(game_id, commit_on(1, due_at_ms=0))
    for revision in (1, 3):
        assert store.schedule.lease(game_id, revision, now_ms() + MINUTE) is None
        assert not store.schedule.renew(game_id, revision, now_ms() + MINUTE)
        assert not store.schedule.postpone(game_id, revision, now_ms() + MINUTE)
    assert [game_id] == store.schedule.due(now_ms() + 1, 10)
    assert attempts(store, game_id) == 0


def test_a_game_that_waits_for_a_player_cannot_be_leased(store: Store) -> None:
    game_id = new_game(store, due_at_ms=None)
    assert store.schedule.lease(game_id, 1, now_ms() + MINUTE) is None
    assert not store.schedule.postpone(game_id, 1, now_ms() + MINUTE)
    assert store.schedule.due(now_ms() + 2 * MINUTE, 10) == []


def test_each_commit_resets_the_attempts(store: Store) -> None:
    game_id = new_game(store, due_at_ms=0)
    store.schedule.lease(game_id, 1, now_ms())
    store.commit(game_id, commit_on(1, due_at_ms=0))
    assert attempts(store, game_id) == 0
    assert store.schedule.lease(game_id, 2, now_ms()) == 1


def test_a_lease_does_not_keep_a_game_from_expiring(client: Redis, store: Store) -> None:
    game_id = new_game(store, due_at_ms=0, ttl_s=900)
    store.schedule.lease(game_id, 1, now_ms())
    assert 0 < client.pttl(store.keys.game(game_id).game) <= 900_000
