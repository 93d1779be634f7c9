"""The hub wakes all waiters cheaply and misses nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import RedisError

from service.operate.redis.launcher import EmbeddedRedis
from service.storage.base.connect import connect
from service.storage.games.chat import Chat
from service.storage.games.hub import Hub, _Bucket
from service.storage.games.store import Store
from service.storage.games.stored_game import SEATED, TURN
from service.storage.people.players import Players
from tests.patience import HANG_S, wait_until
from tests.storage.commits import commit_on, new_game

WAITERS = 100


@pytest.fixture(autouse=True)
def _short_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten reads, because a hub closes when its readers return. Keep idle readers alive."""
    monkeypatch.setattr("service.storage.games.hub.BLOCK_MS", 100)
    monkeypatch.setattr("service.storage.games.hub.IDLE_S", HANG_S)


@pytest.fixture
def hub(client: Redis) -> Iterator[Hub]:
    hub = Hub(client, buckets=1)
    yield hub
    hub.close()


@pytest.fixture
def questions(client: Redis, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the keys that have been read through this client. Other clients may use the server."""
    keys, read = list[str](), client.hget

    def count(key: str, field: str) -> Any:
        found = read(key, field)
        keys.append(key)
        return found

    monkeypatch.setattr(client, "hget", count)
    return keys


def in_thread(wait: Callable[[], bool]) -> tuple[threading.Thread, list[bool]]:
    answers: list[bool] = []
    thread = threading.Thread(target=lambda: answers.append(wait()))
    thread.start()
    return thread, answers


def waiting(hub: Hub, game_id: str, revision: int) -> tuple[threading.Thread, list[bool]]:
    return in_thread(lambda: hub.wait(game_id, revision, HANG_S))


def waiters(hub: Hub) -> int:
    return sum(len(each) for bucket in hub._buckets for each in [*bucket._waiters.values()])


def blocked_readers(client: Redis) -> int:
    return sum("b" in line["flags"] for line in client.client_list())


def test_a_wait_for_an_existing_revision_ends_at_once(store: Store, hub: Hub) -> None:
    assert hub.wait(new_game(store), 0, 0.0)


def test_a_wait_for_an_unchanged_game_times_out(store: Store, hub: Hub) -> None:
    assert not hub.wait(new_game(store), 1, 0.05)


def test_a_wait_for_an_unknown_game_times_out(hub: Hub) -> None:
    assert not hub.wait("nobody", 0, 0.05)


def test_a_wait_for_a_known_game_does_not_ask_the_store(store: Store, hub: Hub, questions: list[str]) -> None:
    """Afterwards a commit still wakes, and an older revision is known."""
    game = new_game(store)
    thread, answers = waiting(hub, game, 1)
    wait_until(lambda: len(questions) == 2)  # on its own, and when the reader of this hub has its place
    store.commit(game, commit_on(1))
    thread.join(HANG_S)
    question_count = len(questions)
    assert not hub.wait(game, 2, 0.05)
    assert hub.wait(game, 1, HANG_S)
    thread, second_answers = waiting(hub, game, 2)
    wait_until(lambda: waiters(hub) == 1)
    assert question_count == len(questions)
    store.commit(game, commit_on(2))
    thread.join(HANG_S)
    assert ([True], [True]) == (answers, second_answers)


def test_a_hundred_waiters_on_one_connection_wake_together(client: Redis, store: Store, hub: Hub) -> None:
    mine, other = new_game(store), new_game(store)
    threads = [waiting(hub, mine, 1) for _ in range(WAITERS)]
    stranger, unwoken = waiting(hub, other, 1)
    wait_until(lambda: waiters(hub) == WAITERS + 1)
    wait_until(lambda: blocked_readers(client) == 1)
    store.commit(mine, commit_on(1))
    for thread, _ in threads:
        thread.join(HANG_S)
    assert [answers for _, answers in threads] == [[True]] * WAITERS
    assert unwoken == []
    hub.close()
    stranger.join(HANG_S)
    assert unwoken == [False]


def test_no_commit_is_missed_however_commits_and_waits_interleave(store: Store, hub: Hub) -> None:
    """A writer runs ahead without pauses. A waiter for each next revision reaches the last."""
    game_id, last = new_game(store), 400

    def write() -> None:
        for revision in range(1, last):
            store.commit(game_id, commit_on(revision))

    writer = threading.Thread(target=write)
    writer.start()
    assert all(hub.wait(game_id, revision, HANG_S) for revision in range(1, last))
    writer.join(HANG_S)


def test_a_watcher_is_woken_by_each_change_of_the_players_games_in_any_bucket(client: Redis) -> None:
    """One that is behind is woken once. Games of others do not wake it."""
    store, hub = Store(client, 16), Hub(client, 16)
    games = [new_game(store, players={"ana": SEATED, "ben": TURN}) for _ in range(20)]
    with hub.watching("ana") as of_ana, hub.watching("cleo") as of_cleo:
        assert 2 * 16 + 2 == waiters(hub)  # the challenges of both, too
        wait_until(lambda: blocked_readers(client) == 16)
        for game in games:
            while of_ana(0):
                pass
            thread, answers = in_thread(lambda: of_ana(HANG_S))
            store.commit(game, commit_on(1, players={"ana": SEATED, "ben": TURN}))
            thread.join(HANG_S)
            assert [True] == answers
        while of_cleo(0):  # readers wake everybody when they start
            pass
        store.commit(games[0], commit_on(2, players={"ana": SEATED, "ben": TURN}))
        assert (True, False) == (of_ana(HANG_S), of_cleo(0))
        thread, answers = in_thread(lambda: of_cleo(HANG_S))
        wait_until(lambda: hub._waiting)
        hub.close()
        thread.join(HANG_S)
        assert ([False], False) == (answers, of_ana(0))
    assert 0 == waiters(hub)


def test_a_hub_survives_killed_connections_and_misses_no_commit(
    client: Redis, redis_client: Redis, store: Store, hub: Hub
) -> None:
    game_id = new_game(store)
    for revision in range(1, 6):
        thread, answers = waiting(hub, game_id, revision)
        wait_until(lambda: blocked_readers(redis_client) == 1)
        redis_client.client_kill_filter(_type="normal", skipme=True)
        store.commit(game_id, commit_on(revision))
        thread.join(HANG_S)
        assert answers == [True]


def test_a_hub_continues_after_a_restart_of_the_server(
    valkey: EmbeddedRedis,
    client: Redis,
    store: Store,
    hub: Hub,
    questions: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    failed = threading.Semaphore(0)
    monkeypatch.setattr(_Bucket, "_forget", lambda _bucket: failed.release())
    game_id = new_game(store)
    question_count = len(questions)
    thread, answers = waiting(hub, game_id, 1)
    wait_until(
        lambda: blocked_readers(client) == 1 and len(questions) == question_count + 2
    )  # on its own, and after the nudge
    valkey.kill9()
    assert failed.acquire(timeout=HANG_S)
    valkey.restart()
    store.commit(game_id, commit_on(1))
    thread.join(HANG_S)
    assert answers == [True]


def test_a_bucket_without_waiters_is_not_read(
    client: Redis, store: Store, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    idle_checks, is_idle = list[bool](), _Bucket._is_idle

    def check_idle(bucket: _Bucket) -> bool:
        idle_checks.append(is_idle(bucket))
        return idle_checks[-1]

    monkeypatch.setattr(_Bucket, "_is_idle", check_idle)
    monkeypatch.setattr("service.storage.games.hub.IDLE_S", 0.001)
    game_id = new_game(store)
    assert not hub.wait(game_id, 1, 0.05)
    wait_until(lambda: hub._buckets[0]._thread is None)
    store.commit(game_id, commit_on(1))
    assert hub.wait(game_id, 1, 0.0)
    thread, answers = waiting(hub, game_id, 2)
    wait_until(lambda: waiters(hub) == 1)
    before = len(idle_checks)
    wait_until(lambda: len(idle_checks) > before + 1)  # without the waiter its thread would have ended
    store.commit(game_id, commit_on(2))
    thread.join(HANG_S)
    assert [True] == answers


def test_a_wait_without_redis_raises() -> None:
    with connect("redis://127.0.0.1:1/0") as nowhere:
        hub = Hub(nowhere, 1)
        with pytest.raises(RedisError):
            hub.wait("game", 1, HANG_S)
        hub.close()


def test_a_hub_works_in_a_forked_child(client: Redis, store: Store, hub: Hub) -> None:
    game_id = new_game(store)
    hub.wait(game_id, 1, 0.05)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = 0 if hub.wait(game_id, 1, HANG_S) else 1
        finally:
            os._exit(status)
    wait_until(lambda: blocked_readers(client) == 2, "parent and child both read")
    store.commit(game_id, commit_on(1))
    assert os.waitpid(child, 0)[1] == 0


GREENLETS = """
from gevent import monkey; monkey.patch_all()
import sys, gevent
from service.storage.base.connect import connect
from service.storage.games.hub import Hub
from service.storage.games.store import Store
from tests.patience import HANG_S, wait_until
from tests.storage.commits import commit_on, new_game
client = connect(sys.argv[1])
store, hub = Store(client, 1), Hub(client, 1)
game = new_game(store)
waiters = [gevent.spawn(hub.wait, game, 1, HANG_S) for _ in range(300)]
blocked = lambda: sum("b" in line["flags"] for line in client.client_list())
wait_until(lambda: hub._buckets[0]._waiters.get(game.encode()) and len(hub._buckets[0]._waiters[game.encode()]) == 300)
wait_until(lambda: blocked() == 1)
store.commit(game, commit_on(1))
gevent.joinall(waiters, timeout=HANG_S)
wait_until(lambda: blocked() == 1)
print([waiter.value for waiter in waiters].count(True), len(client.client_list()) <= 70)
"""


def test_three_hundred_greenlets_wait_on_one_reader_and_a_bounded_pool(valkey: EmbeddedRedis, client: Redis) -> None:
    command = [sys.executable, "-c", GREENLETS, valkey.url]
    result = subprocess.run(command, capture_output=True, text=True, timeout=HANG_S, check=False)
    assert result.stdout.strip() == "300 True", result.stderr


def assert_wakes(hub: Hub, wait: Callable[[], bool], act: Callable[[], object]) -> None:
    """Check that a wait ends and returns true as soon as the event happens."""
    thread, answers = in_thread(wait)
    wait_until(lambda: waiters(hub))
    assert not answers
    act()
    thread.join(HANG_S)
    assert answers == [True]


@pytest.mark.parametrize("buckets", [1, 16])
def test_a_turn_in_any_bucket_ends_a_wait(client: Redis, buckets: int) -> None:
    store, players, hub = Store(client, buckets), Players(client, buckets), Hub(client, buckets)
    for number in range(6):
        game, player = new_game(store), f"player {number}"
        assert_wakes(
            hub,
            lambda p=player: hub.wait_for_turn(p, lambda: bool(players.turns(p, 1)), HANG_S),  # type: ignore[misc]
            lambda g=game, p=player: store.commit(g, commit_on(1, players={p: TURN})),  # type: ignore[misc]
        )
    hub.close()


@pytest.mark.parametrize("buckets", [1, 16])
def test_a_message_ends_a_wait(client: Redis, buckets: int) -> None:
    store, chat, hub = Store(client, buckets), Chat(client, buckets), Hub(client, buckets)
    for _ in range(6):
        game = new_game(store)
        chat.append(game, b"one")
        assert_wakes(
            hub,
            lambda g=game: hub.wait_for_message(g, 1, HANG_S),  # type: ignore[misc]
            lambda g=game: chat.append(g, b"two"),  # type: ignore[misc]
        )
    hub.close()


def test_waits_for_an_existing_turn_or_message_end_at_once(client: Redis, store: Store, hub: Hub) -> None:
    game = new_game(store, players={"ana": TURN})
    Chat(client, 1).append(game, b"one")
    assert hub.wait_for_turn("ana", lambda: True, 0.0)
    assert hub.wait_for_message(game, 0, 0.0)


def test_waits_for_a_turn_or_message_ignore_other_events(client: Redis, store: Store, hub: Hub) -> None:
    """A seat is not a turn, a commit not a message, and another player's turn is theirs."""
    game, other = new_game(store), new_game(store)
    players = Players(client, 1)
    threads = [
        in_thread(lambda: hub.wait_for_turn("ana", lambda: bool(players.turns("ana", 1)), HANG_S)),
        in_thread(lambda: hub.wait_for_message(game, 0, HANG_S)),
    ]
    last, _ = waiting(hub, other, 1)
    wait_until(lambda: waiters(hub) == 3)
    store.commit(game, commit_on(1, players={"ana": SEATED, "ben": TURN}))
    store.commit(other, commit_on(1))
    last.join(HANG_S)  # the reader has passed the first commit
    assert [[], []] == [answers for _, answers in threads]
    hub.close()
    for thread, answers in threads:
        thread.join(HANG_S)
        assert [False] == answers


def test_a_turn_decided_before_the_wait_does_not_end_it(client: Redis, store: Store, hub: Hub) -> None:
    players = Players(client, 1)
    game = new_game(store, players={"ana": TURN})
    assert hub.wait_for_turn("ana", lambda: bool(players.turns("ana", 1)), 0.0)
    store.commit(game, commit_on(1, players={"ana": SEATED}))
    assert not hub.wait_for_turn("ana", lambda: bool(players.turns("ana", 1)), 0.05)


def test_closing_ends_all_waits(store: Store, hub: Hub) -> None:
    game = new_game(store)
    threads = [
        waiting(hub, game, 1),
        in_thread(lambda: hub.wait_for_turn("ana", lambda: False, HANG_S)),
        in_thread(lambda: hub.wait_for_message(game, 0, HANG_S)),
    ]
    wait_until(lambda: waiters(hub) == 3)
    hub.close()
    for thread, answers in threads:
        thread.join(HANG_S)
        assert [False] == answers
    assert {} == hub._buckets[0]._waiters


def test_a_late_interrupt_does_not_end_a_later_block_of_the_same_thread(hub: Hub) -> None:
    with hub.interruptible() as interrupt:
        interrupt()
        assert hub.is_interrupted
        assert not hub.wait("unknown", 0, HANG_S)
    with hub.interruptible():
        interrupt()
        assert not hub.is_interrupted
