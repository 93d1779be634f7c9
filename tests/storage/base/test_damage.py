"""What a script does when the store is damaged or full: it writes nothing, and says so."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import OutOfMemoryError

from service.storage.base.connect import OUT_OF_MEMORY, outage
from service.storage.base.follow_ups import FollowUp
from service.storage.base.keys import GameKeys, Keys
from service.storage.base.scripts import Damaged
from service.storage.games.archive_queue import Archivals, Taken
from service.storage.games.chat import Chat
from service.storage.games.records import Record
from service.storage.games.store import Store
from service.storage.games.stored import TURN
from service.storage.matchmaking.challenges import Challenges, StoredChallenge
from service.storage.matchmaking.competitions import CompetitionChange, Competitions, Listing
from service.storage.matchmaking.seeks import Pairing, Partner, Seeks, StoredSeek
from service.storage.notifications.outbox import Outbox
from service.storage.notifications.webhooks import StoredDelivery, StoredWebhook, Webhooks
from service.storage.people.players import Players
from service.storage.people.ratings import Change, Ratings, Scale
from service.storage.people.statistics import Statistics
from service.storage.work.tasks import Tasks
from tests.contents import everything
from tests.storage.commits import commit_on, new_game, now_ms
from tests.storage.stored_players import keep

PLAYER = "a-player-of-tests"
KEYS_OF_A_COMMIT = 13 + 2 + 1 + 2  # its own, the lists of a player, an idempotency record, what follows from it
DIGEST_OF_A_PAIR = hashlib.sha256(b"ana ben 0").hexdigest()
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
    """The keys that a commit was given, in order."""
    seen: list[str] = []
    real = store._commit

    def watching(keys: Any, **given: Any) -> Any:
        seen.extend(keys)
        return real(keys, **given)

    store._commit = watching  # type: ignore[assignment]
    store.commit(game_id, commit_on(1, **COMMIT))
    store._commit = real
    return seen


@pytest.mark.parametrize("number", range(KEYS_OF_A_COMMIT))
def test_a_commit_is_whole_or_not_at_all_whichever_key_is_damaged(client: Redis, store: Store, number: int) -> None:
    Outbox(client, 1).hook(PLAYER, 60)
    other = new_game(store)
    name = keys_of_commit(client, store, other)[number]
    assert KEYS_OF_A_COMMIT == len(keys_of_commit(client, store, new_game(store)))
    game_id = new_game(store)
    name = name.replace(other, game_id)
    client.delete(name)
    client.lpush(name, "none of the commit's keys is a list")
    before = everything(client)
    with pytest.raises(Damaged) as damaged:
        store.commit(game_id, commit_on(1, **COMMIT))
    assert name == damaged.value.key
    assert before == everything(client)


@pytest.fixture
def full(client: Redis) -> Iterator[Callable[[], object]]:
    """Fills the server's memory, until the test is over."""
    yield lambda: client.config_set("maxmemory", 1)
    client.config_set("maxmemory", 0)


def test_a_commit_to_a_full_memory_writes_nothing(client: Redis, store: Store, full: Callable[[], object]) -> None:
    game_id = new_game(store)
    before = everything(client)
    full()
    with pytest.raises(OutOfMemoryError) as refused:
        store.commit(game_id, commit_on(1, **COMMIT))
    assert OUT_OF_MEMORY == outage(refused.value)
    assert before == everything(client)
    assert 1 == store.revision(game_id)


def doors(client: Redis, store: Store) -> dict[str, tuple[Callable[[], object], list[str]]]:
    """Everything else that writes several keys as one, and its keys."""
    keys, bucket = Keys(1), Keys(1).bucket(0)
    game_id = new_game(store, due_at_ms=1)
    game = keys.game(game_id)
    tasks, webhooks = Tasks(client, 1), Webhooks(client, 1)
    task = tasks.put("analysis", b"{}", "", now_ms() + 60_000)
    hook = StoredWebhook("hook", "https://bot.example", "secret", None, "now")
    webhooks.add(PLAYER, hook, 60)
    delivery = StoredDelivery("one", "ping", "now", "{}", 1)
    kept = [bucket.webhooks(PLAYER), bucket.deliveries(PLAYER, "hook"), bucket.latest(PLAYER, "hook")]
    ratings, change = Ratings(client, 1), Change("azul:two", 1.0, 0.9, won=True)
    keep(Players(client, 1))
    own = [
        bucket.player("ana"),
        bucket.ratings("ana"),
        bucket.rated_games("ana"),
        bucket.rating_days("ana", "azul:two"),
    ]
    return {
        "statistics": (
            lambda: Statistics(client, 1).count("ana", game_id, now_ms(), ["azul:two"], won=True, score=1),
            [bucket.player("ana"), bucket.statistics("ana"), bucket.counted_games("ana")],
        ),
        "rating": (lambda: ratings.apply("ana", game_id, now_ms(), change, Scale(25.0, 8.0, 4.0)), own),
        "meeting": (lambda: ratings.meetings(("ana", "ben"), game_id, 0), [keys.meetings(DIGEST_OF_A_PAIR)]),
        "note": (lambda: ratings.note(game_id, "rating", b"{}"), [game.game]),
        "message": (lambda: Chat(client, 1).append(game_id, b"hello"), [game.game, game.messages, bucket.hub]),
        "token": (lambda: store.rotate(game_id, "host", "bb"), [game.game, game.tokens, bucket.to_archive]),
        "due": (lambda: store.lease(game_id, 1, 99), [game.game, bucket.due]),
        "refresh": (lambda: store.refresh(game_id, 1, {"tag": b"x"}, {1: b"y"}), [game.game, game.checkpoints]),
        "task": (lambda: tasks.add_part(task.id, 0, b"{}"), [keys.task(task.id), keys.parts(task.id), bucket.hub]),
        **of_strangers(client, store, game_id),
        **of_the_archive(client, game),
        "delivery": (lambda: webhooks.add_delivery(PLAYER, "hook", delivery), [*kept, bucket.deliveries_due]),
    }


def of_the_archive(client: Redis, game: GameKeys) -> dict[str, tuple[Callable[[], Any], list[str]]]:
    """Doors to what is archived."""
    archivals, other, bucket = Archivals(client, 1), Keys(1).game("another"), game.bucket
    own = [game.game, game.log, game.tokens, game.messages, game.checkpoints]
    record = Record(1, {"meta": b"{}"}, {"aa": "host"}, (b"{}",))
    return {
        "archived": (lambda: archivals.archived(Taken(game.game_id, 1), 1), [game.game, bucket.to_archive]),
        "restore": (lambda: archivals.restore("another", record, 60), [other.game, other.tokens, bucket.expiry]),
        "prolong": (lambda: archivals.prolong(game.game_id, 90_000), [*own, bucket.expiry]),
    }


def of_strangers(client: Redis, store: Store, game_id: str) -> dict[str, tuple[Callable[[], Any], list[str]]]:
    """Doors to seeks and challenges, and to what a game forgets of a player."""
    keys, bucket, now = Keys(1).game(game_id), Keys(1).bucket(0), now_ms()
    seeks, challenges = Seeks(client, 1), Challenges(client, 1)
    seek = StoredSeek("seek", "ana", None, {"seats": 2}, now, ends_at=now + 60_000)
    seeks.add(seek, now)
    pairing = Pairing("game", {}, (Partner("ana", None, None),))
    new, one = (StoredChallenge(name, "ana", "ben", {}, now, now + 60_000) for name in ("new", "one"))
    challenges.add(one, now, b"{}")
    lists = [bucket.challenges_sent("ana"), bucket.challenges_received("ben")]
    told = [bucket.challenges_told(player) for player in ("ana", "ben")]
    own = [*lists, *told, bucket.hub, bucket.outbox, bucket.hooked]
    of_seek = [bucket.seeks, bucket.seeks_ending, bucket.seeks_of("ana")]
    of_game = [keys.game, keys.log, keys.tokens, keys.messages, keys.checkpoints]
    pairings = [bucket.pairings, bucket.pairings_due]
    of_competition = [bucket.competition("cup"), bucket.entrants("cup"), bucket.contests("cup")]
    lists = [bucket.competitions_open, *map(bucket.competitions, ("coming", "running", "over"))]
    listing = Listing("coming", True, now, "ana")
    cup = CompetitionChange("cup", 0, listing, now, {"plan": b"{}"}, pairings=[pairing], entering=["ben"])
    competitions = Competitions(client, 1)
    return {
        "competition": (
            lambda: competitions.commit(cup, now),
            [
                *(*of_competition, bucket.hub, bucket.competitions_due, bucket.competition_games, *pairings, *lists),
                *(bucket.competitions_hosted("ana"), bucket.competitions_entered("ben")),
            ],
        ),
        "competition_due": (
            lambda: competitions.looked("cup", 1, now),
            [bucket.competition("cup"), bucket.competitions_due],
        ),
        "erase": (
            lambda: store.erase(game_id, "ana", 1, {"meta": b"{}"}, [b"{}"], [1]),
            [*of_game, bucket.games("ana"), bucket.turns("ana"), bucket.to_archive],
        ),
        "seek_add": (lambda: seeks.add(replace(seek, id="another"), now), of_seek),
        "seek_drop": (lambda: seeks.drop(seek), [*of_seek, bucket.hub]),
        "seek_pair": (
            lambda: seeks.pair([seek], pairing, now, now),
            [*of_seek, *pairings, bucket.hub],
        ),
        "challenge_add": (lambda: challenges.add(new, now, b"{}"), own),
        "challenge_change": (
            lambda: challenges.change(one, replace(one, status="accepted"), ("ben", b"{}"), (pairing, now)),
            [*own, *pairings],
        ),
    }


@pytest.mark.parametrize(
    ("door", "number"),
    [
        (door, number)
        for door, count in (
            ("message", 3),
            ("token", 3),
            ("archived", 2),
            ("restore", 3),
            ("prolong", 6),
            ("due", 2),
            ("refresh", 2),
            ("task", 3),
            ("delivery", 4),
            ("rating", 4),
            ("statistics", 3),
            ("note", 1),
            ("meeting", 1),
            ("erase", 8),
            ("seek_add", 3),
            ("seek_drop", 4),
            ("seek_pair", 6),
            ("challenge_add", 7),
            ("challenge_change", 9),
            ("competition", 14),
            ("competition_due", 2),
        )
        for number in range(count)
    ],
)
def test_every_other_script_is_whole_or_not_at_all(client: Redis, store: Store, door: str, number: int) -> None:
    act, names = doors(client, store)[door]
    client.delete(names[number])
    client.set(names[number], "something else")
    before = everything(client)
    with pytest.raises(Damaged) as damaged:
        act()
    assert names[number] == damaged.value.key
    assert before == everything(client)
