"""Scripts on a damaged or full store write nothing and raise an error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import OutOfMemoryError

from service.storage.base.connect import OUT_OF_MEMORY, outage
from service.storage.base.follow_ups import FollowUp
from service.storage.base.keys import Keys
from service.storage.base.scripts import DamagedRecordError
from service.storage.games.archive_queue import ArchiveQueue
from service.storage.games.store import Store
from service.storage.games.stored_game import TURN
from service.storage.matchmaking.competitions import CompetitionChange, Competitions, Listing
from service.storage.matchmaking.seeks import Seeks, StoredSeek
from service.storage.notifications.outbox import Outbox
from service.storage.people.players import Players
from service.storage.people.ratings import Change, Ratings, Scale
from service.storage.people.statistics import Statistics
from tests.contents import redis_contents
from tests.storage.commits import commit_on, new_game, now_ms
from tests.storage.stored_players import keep

PLAYER = "a-player-of-tests"
KEYS_OF_A_COMMIT = 13 + 2 + 1 + 2  # its own, the lists of a player, a replay entry, the follow-up
COMMIT = {
    "tokens": {"aa": "seat:1"},
    "players": {PLAYER: TURN},
    "idempotency": ("idem:k", b"record", 60),
    "notices": ((PLAYER, b"{}"),),
    "checkpoints": {2: b"then"},
    "due_at_ms": 1,
    "listed": True,
    "follow_up": (FollowUp("a-game-of-tests", "rating"), 1),
}


def keys_of_commit(client: Redis, store: Store, game_id: str) -> list[str]:
    """Return the keys that a commit was given, in order."""
    seen: list[str] = []
    real = store._commit

    def record_keys(keys: Any, **arguments: Any) -> Any:
        seen.extend(keys)
        return real(keys, **arguments)

    store._commit = record_keys  # type: ignore[assignment]
    store.commit(game_id, commit_on(1, **COMMIT))
    store._commit = real
    return seen


@pytest.mark.parametrize("number", range(KEYS_OF_A_COMMIT))
def test_a_commit_with_any_damaged_key_writes_nothing(client: Redis, store: Store, number: int) -> None:
    Outbox(client, 1).subscribe(PLAYER, 60)
    other = new_game(store)
    name = keys_of_commit(client, store, other)[number]
    assert KEYS_OF_A_COMMIT == len(keys_of_commit(client, store, new_game(store)))
    game_id = new_game(store)
    name = name.replace(other, game_id)
    client.delete(name)
    client.lpush(name, "none of the commit's keys is a list")
    before = redis_contents(client)
    with pytest.raises(DamagedRecordError) as damaged:
        store.commit(game_id, commit_on(1, **COMMIT))
    assert name == damaged.value.key
    assert before == redis_contents(client)


@pytest.fixture
def fill_memory(client: Redis) -> Iterator[Callable[[], object]]:
    """Return a function that fills the server's memory until the end of the test."""
    yield lambda: client.config_set("maxmemory", 1)
    client.config_set("maxmemory", 0)


def test_a_commit_to_full_memory_writes_nothing(client: Redis, store: Store, fill_memory: Callable[[], object]) -> None:
    game_id = new_game(store)
    before = redis_contents(client)
    fill_memory()
    with pytest.raises(OutOfMemoryError) as caught:
        store.commit(game_id, commit_on(1, **COMMIT))
    assert OUT_OF_MEMORY == outage(caught.value)
    assert before == redis_contents(client)
    assert 1 == store.revision(game_id)


def changes_with_keys(client: Redis, store: Store) -> dict[str, tuple[Callable[[], object], list[str]]]:
    """Return other scripts, and transactions that expect types which no command implies, with their keys."""
    keys, bucket, now = Keys(1), Keys(1).bucket(0), now_ms()
    game_id = new_game(store, due_at_ms=1)
    game = keys.game(game_id)
    ratings, change = Ratings(client, 1), Change("azul:two", 1.0, 0.9, won=True)
    keep(Players(client, 1))
    rated = [bucket.ratings("ana"), bucket.rated_games("ana"), bucket.rating_days("ana", "azul:two")]
    archivals, competitions = ArchiveQueue(client, 1), Competitions(client, 1)
    game_keys = [game.game, game.log, game.tokens, game.messages, game.checkpoints]
    cup = CompetitionChange("cup", 0, Listing("coming", True, now), now, {"plan": b"{}"})
    seek = StoredSeek("a-seek-of-tests", "ana", None, {}, now, ends_at=now + 60_000)
    return {
        "statistics": (
            lambda: Statistics(client, 1).count("ana", game_id, now, ["azul:two"], won=True, score=1),
            [bucket.player("ana"), bucket.statistics("ana"), bucket.counted_games("ana")],
        ),
        "rating": (
            lambda: ratings.apply("ana", game_id, now, change, Scale(25.0, 8.0, 4.0, 2.0, 0.0)),
            [bucket.player("ana"), *rated],
        ),
        "prolong": (lambda: archivals.prolong(game_id, 90_000), [*game_keys, bucket.expiry]),
        "erase": (
            lambda: store.erase(game_id, "ana", 1, {"meta": b"{}"}, [b"{}"], []),
            [*game_keys, bucket.games("ana"), bucket.turns("ana"), bucket.to_archive],
        ),
        "competition": (
            lambda: competitions.commit(cup, now),
            [bucket.competition("cup"), bucket.entrants("cup"), bucket.contests("cup"), bucket.competitions_due],
        ),
        "seek": (
            lambda: Seeks(client, 1).add(seek, now),
            [bucket.paired_seek(seek.id), bucket.seeks, bucket.seeks_ending, bucket.seeks_of("ana")],
        ),
    }


@pytest.mark.parametrize(
    ("name", "number"),
    [
        (name, number)
        for name, count in (
            ("statistics", 3),
            ("rating", 4),
            ("prolong", 6),
            ("erase", 8),
            ("competition", 4),
            ("seek", 4),
        )
        for number in range(count)
    ],
)
def test_other_changes_with_any_damaged_key_write_nothing(client: Redis, store: Store, name: str, number: int) -> None:
    act, names = changes_with_keys(client, store)[name]
    client.delete(names[number])
    client.rpush(names[number], "none of these keys is a list")
    before = redis_contents(client)
    with pytest.raises(DamagedRecordError) as damaged:
        act()
    assert names[number] == damaged.value.key
    assert before == redis_contents(client)
