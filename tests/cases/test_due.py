"""A keeper looks after everything that is due, whatever is wrong with one game, and time comes first."""

from __future__ import annotations

import threading
from typing import Any

import orjson
import pytest
import redis

from service.cases import Caller, Cases, Idempotency, due, known, ledgers, playing, reading, turns
from service.games.clocks import ClockRule
from service.games.facts import Facts
from service.games.statuses import CALL, TIME, TURN
from service.state.queue import Queue
from tests import keeping
from tests.cases.people import Time
from tests.cases.test_cases import AI, PLAYER, act, first, lose_wake_ups, new, seat
from tests.patience import SOON_S
from tests.workers.processes import until

CLOCK = ClockRule(turn_s=10, bank_s=0, on_timeout="ai", level="random")
KEY = Idempotency("a key of more than 128 bits", "hash of the body")


def due_games(cases: Cases, count: int) -> list[str]:
    """Games that wait for an AI, whose wake-ups are lost."""
    found = []
    for _ in range(count):
        game, tokens = new(cases, PLAYER, AI)
        act(cases, game, seat(tokens, 0))
        found.append(game)
    lose_wake_ups(cases)
    return found


def queued(cases: Cases) -> set[str]:
    """The games for which a worker is to be woken."""
    return {job_id[:16] for job_id in cases.queue.rq.get_job_ids()}


DAMAGES: dict[str, Any] = {
    "facts that are no JSON": lambda client, key: client.hset(key, "facts", b"{"),
    "facts of another shape": lambda client, key: client.hset(key, "facts", b"[1]"),
    "attempts that are no number": lambda client, key: client.hset(key, "attempts", b"many"),
    "a key of another type": lambda client, key: (client.delete(key), client.set(key, "x")),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_game_is_put_off_and_the_others_go_on(
    cases: Cases, redis_client: redis.Redis, time: Time, damage: str
) -> None:
    bad, *good = due_games(cases, 3)
    DAMAGES[damage](redis_client, cases.store.keys.game(bad).game)
    back_off = due.BackOff()
    pauses = []
    time.pass_(1)
    for _ in range(4):
        due.wake_due(cases, back_off)
        again = redis_client.zscore(cases.store.keys.bucket(0).due, bad)
        pauses.append(int(float(str(again))) - time.ms)
        time.ms += pauses[-1]
    assert set(good) <= queued(cases)
    assert [1_000, 2_000, 4_000, 8_000] == pauses


def test_a_game_that_is_put_off_for_ever_is_looked_at_every_five_minutes() -> None:
    back_off = due.BackOff()
    assert 300_000 == [back_off.after("game") for _ in range(20)][-1]
    back_off.over("game")
    assert 1_000 == back_off.after("game")


def test_a_damaged_clock_is_put_off_and_the_others_are_kept(
    cases: Cases, redis_client: redis.Redis, time: Time
) -> None:
    games = [new(cases, PLAYER, PLAYER, clock=CLOCK)[0] for _ in range(2)]
    redis_client.hset(cases.store.keys.game(games[0]).game, "meta", b"no JSON")
    time.pass_(10)
    due.look(cases, due.BackOff())
    events = reading.history(cases, Caller(), games[1])["events"]
    assert "timeout" == events[-1]["kind"]


def test_a_game_that_has_expired_is_due_no_more(cases: Cases, redis_client: redis.Redis) -> None:
    (game,) = due_games(cases, 1)
    redis_client.delete(cases.store.keys.game(game).game)
    keeping.wake_due(cases)
    assert [] == cases.store.due(cases.now_ms() + 1, 10)


def test_time_is_looked_at_before_and_between_all_else(cases: Cases, time: Time) -> None:
    """However many AIs are due, one look keeps every clock, and wakes a part of them only."""
    due_games(cases, due.AT_ONCE + 5)
    clocked = [new(cases, PLAYER, PLAYER, clock=CLOCK)[0] for _ in range(due.AT_ONCE + 5)]
    time.pass_(10)
    more = due.look(cases, due.BackOff())
    assert {"timeout"} == {reading.history(cases, Caller(), game)["events"][-1]["kind"] for game in clocked}
    assert more
    assert due.AT_ONCE <= len(queued(cases)) < 2 * due.AT_ONCE + 10


def test_one_that_waits_in_the_queue_is_not_looked_at_every_second(cases: Cases, time: Time) -> None:
    """A backlog without workers must not keep the keepers busy."""
    due_games(cases, 1)
    time.pass_(1)
    assert 1 == keeping.wake_due(cases)
    time.pass_(1)
    assert 0 == keeping.wake_due(cases)
    time.pass_(1)
    assert [] == cases.store.due(cases.now_ms(), 10)


def test_an_action_is_answered_though_the_queue_is_damaged(cases: Cases, redis_client: redis.Redis) -> None:
    """What is due stands in the commit; the answer is the commit's."""
    game, tokens = new(cases, PLAYER, AI)
    redis_client.set(cases.queue.rq.key, "no list")
    written = act(cases, game, seat(tokens, 0))
    assert written.revision == reading.glance(cases, Caller(), game)[0]
    redis_client.delete(cases.queue.rq.key)
    assert 1 == until(lambda: keeping.wake_due(cases), SOON_S)


def test_an_action_is_answered_whatever_waking_raises(cases: Cases, monkeypatch: pytest.MonkeyPatch) -> None:
    game, tokens = new(cases, PLAYER, AI)

    def broken(*_: Any, **__: Any) -> None:
        raise ValueError("Execution not found in Redis")

    monkeypatch.setattr(Queue, "_enqueue", broken)
    written = act(cases, game, seat(tokens, 0))
    assert written.revision == reading.glance(cases, Caller(), game)[0]


def test_a_request_that_is_served_while_it_is_sent_again_has_one_answer(
    cases: Cases, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second has loaded the game before the first has committed, and finds the record of the first."""
    game, tokens = new(cases, PLAYER, PLAYER)
    action, revision = first(cases, game)
    caller, remembered, answers = seat(tokens, 0), cases.store.remembered, []

    def ask() -> Any:
        return playing.act(cases, caller, game, action, None, revision, KEY)

    def overtaken(*arguments: Any) -> Any:
        monkeypatch.undo()
        answers.append(ask())
        return remembered(*arguments)

    monkeypatch.setattr(cases.store, "remembered", overtaken)
    again = ask()
    assert (answers[0].revision, answers[0].events, answers[0].view) == (again.revision, again.events, again.view)
    assert (False, True) == (answers[0].replayed, again.replayed)


def test_of_many_requests_with_one_key_at_once_one_is_served_and_all_are_answered_alike(cases: Cases) -> None:
    game, tokens = new(cases, PLAYER, PLAYER)
    for number in range(10):
        action, revision = first(cases, game)
        caller, answers = seat(tokens, reading.legal(cases, Caller(), game)["seat"]), list[Any]()
        key = Idempotency(f"key {number}", "hash of the body")
        barrier = threading.Barrier(8)

        def ask(
            caller: Caller = caller, action: str = action, revision: int = revision, key: Idempotency = key
        ) -> None:
            barrier.wait()  # noqa: B023 - all threads of this round end before the next
            answers.append(playing.act(cases, caller, game, action, None, revision, key))  # noqa: B023

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [False] + 7 * [True] == sorted(answer.replayed for answer in answers)
        assert 1 == len({answer.view for answer in answers})


# -------------------------------------------------------------------------------------------- what is known


def facts(cases: Cases, game: str) -> Facts:
    (found,) = known.games(cases, [game])
    assert found is not None
    return found.facts


def test_what_is_due_is_known_without_the_view(cases: Cases, redis_client: redis.Redis) -> None:
    """The API's view may change: clocks, AIs and listings do not hang on it."""
    clocked, _ = new(cases, PLAYER, PLAYER, clock=CLOCK, visibility="public")
    waits, tokens = new(cases, PLAYER, AI)
    act(cases, waits, seat(tokens, 0))
    ended, tokens = new(cases, PLAYER, PLAYER)
    playing.resign(cases, seat(tokens, 0), ended, None, None)
    for game in (clocked, waits, ended):
        redis_client.hset(cases.store.keys.game(game).game, "view", b"a view of another form")
    assert (TIME, TURN, None) == tuple(facts(cases, game).due for game in (clocked, waits, ended))
    assert ("playing", 0) == (facts(cases, clocked).status, facts(cases, clocked).to_decide)
    assert "finished" == facts(cases, ended).status
    lose_wake_ups(cases)
    assert 1 == keeping.wake_due(cases)
    turn = turns.take(cases, waits, facts(cases, waits).revision, 1)
    assert turn is not None


def test_facts_of_a_process_that_did_not_know_them_are_made_of_its_view(
    cases: Cases, redis_client: redis.Redis
) -> None:
    """While a service is updated, a process of the version before may commit, and leave older facts behind."""
    game, tokens = new(cases, PLAYER, AI)
    key = cases.store.keys.game(game).game
    older: Any = redis_client.hget(key, "facts")
    act(cases, game, seat(tokens, 0))
    newer = facts(cases, game)
    redis_client.hset(key, "facts", older)
    assert newer == facts(cases, game)
    redis_client.hdel(key, "facts")
    assert newer == facts(cases, game)


def test_facts_out_of_a_view_are_those_of_the_game(cases: Cases) -> None:
    """Of every kind of game there is, as far as anything asks: what is due counts only where something is."""
    clocked, _ = new(cases, PLAYER, PLAYER, clock=CLOCK)
    games = [clocked, new(cases, AI, AI)[0], due_games(cases, 1)[0]]
    for game in games:
        loaded = ledgers.load(cases, game)
        told, asked = Facts.of_old_view(orjson.loads(loaded.stored.view)), Facts.of(loaded.game)
        assert asked == told


def test_a_position_for_newer_rules_is_not_read_out_of_the_view(
    cases: Cases, redis_client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.cases.test_offering import rebased

    game, tokens = new(cases, PLAYER, PLAYER)
    act(cases, game, seat(tokens, 0))
    before = ledgers.load(cases, game).game
    redis_client.hset(cases.store.keys.game(game).game, "view", b"a view of another form")
    rebased(cases, game, monkeypatch)
    base = ledgers.load(cases, game).game.base
    assert base is not None
    assert before.position is not None
    assert before.ruleset.view(before.position) == base.position


def test_a_called_seat_is_due_as_a_call() -> None:
    view = {
        "revision": 3,
        "ruleset": "azul",
        "variant": "grey",
        "status": "playing",
        "paused_until": None,
        "clock": None,
        "to_decide": 0,
        "updated_at": "2026-01-01T00:00:00.000Z",
        "seats": [{"kind": "http", "status": "active"}],
    }
    assert CALL == Facts.of_old_view(view).due
