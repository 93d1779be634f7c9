"""A keeper processes everything due, whatever is wrong with one game, and timeouts come first."""

from __future__ import annotations

from functools import partial
from typing import Any

import orjson
import pytest
from redis import Redis

from service.games.facts import Facts
from service.games.state.clocks import ClockRule
from service.games.state.statuses import CALL, TIME, TURN
from service.storage.work.queue import Queue
from service.usecases.base import game_facts, repository
from service.usecases.base.context import Caller, Context, Idempotency
from service.usecases.games import playing, turns
from service.usecases.games.commands import Request
from service.usecases.keeping import duties
from service.usecases.views import reading
from tests import keeping
from tests.usecases.games.test_usecases import AI, PLAYER, act, first_action, lose_wake_ups, new_game, seat
from tests.usecases.players import Time, elapse
from tests.usecases.waiting import run_together

CLOCK = ClockRule(turn_s=10, bank_s=0, on_timeout="ai", level="random")
KEY = Idempotency("a key of more than 128 bits", "hash of the body")


def due_games(context: Context, count: int) -> list[str]:
    """Create games that wait for an AI, without wake-ups."""
    results = []
    for _ in range(count):
        game, tokens = new_game(context, PLAYER, AI)
        act(context, game, seat(tokens, 0))
        results.append(game)
    lose_wake_ups(context)
    return results


def queued_games(context: Context) -> set[str]:
    """Return the games for which a worker will be woken."""
    return {job_id[:16] for job_id in context.queue.turns[0].get_job_ids()}


DAMAGES: dict[str, Any] = {
    "facts and a view that are no JSON": lambda client, key: client.hset(key, mapping={"facts": b"{", "view": b"{"}),
    "attempts that are no number": lambda client, key: client.hset(key, "attempts", b"many"),
    "a key of another type": lambda client, key: (client.delete(key), client.set(key, "x")),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_game_is_postponed_and_the_others_continue(
    context: Context, redis_client: Redis, time: Time, damage: str
) -> None:
    damaged_game, *intact_games = due_games(context, 3)
    DAMAGES[damage](redis_client, context.store.keys.game(damaged_game).game)
    back_off = duties.BackOff()
    pauses = []
    elapse(time, redis_client, 1)
    for _ in range(4):
        duties.wake_due(context, back_off)
        again = redis_client.zscore(context.store.keys.bucket(0).due, damaged_game)
        pauses.append(int(float(str(again))) - time.ms)
        time.ms += pauses[-1]
    assert set(intact_games) <= queued_games(context)
    assert [1_000, 2_000, 4_000, 8_000] == pauses


@pytest.mark.parametrize("facts", [b"{", b"[1]", b""])
def test_damaged_facts_of_a_game_are_computed_from_its_view(
    context: Context, redis_client: Redis, time: Time, facts: bytes
) -> None:
    (game,) = due_games(context, 1)
    redis_client.hset(context.store.keys.game(game).game, "facts", facts)
    elapse(time, redis_client, 1)
    duties.wake_due(context, duties.BackOff())
    assert {game} == queued_games(context)


def test_a_postponed_game_is_retried_every_five_minutes_at_least() -> None:
    back_off = duties.BackOff()
    assert 300_000 == [back_off.next_delay_ms("game") for _ in range(20)][-1]
    back_off.reset("game")
    assert 1_000 == back_off.next_delay_ms("game")


def test_a_damaged_clock_is_postponed_and_others_are_handled(context: Context, redis_client: Redis, time: Time) -> None:
    games = [new_game(context, PLAYER, PLAYER, clock=CLOCK)[0] for _ in range(2)]
    redis_client.hset(context.store.keys.game(games[0]).game, "meta", b"no JSON")
    time.pass_(10)
    duties.run_due(context, duties.BackOff())
    events = reading.history(context, Caller(), games[1])["events"]
    assert "timeout" == events[-1]["kind"]


@pytest.mark.parametrize("is_loaded_first", [True, False])
def test_a_keeper_that_is_overtaken_does_not_shorten_a_lease(
    context: Context, redis_client: Redis, time: Time, monkeypatch: pytest.MonkeyPatch, *, is_loaded_first: bool
) -> None:
    """Another process leases the decision after the keeper has listed it as due, or has also loaded the game."""
    (game,) = due_games(context, 1)
    elapse(time, redis_client, 1)
    load, lease_end = context.store.load, time.ms + 60_000

    def load_and_lease(game_id: str) -> Any:
        stored = load(game_id)
        assert stored is not None
        assert 1 == context.store.schedule.lease(game_id, stored.revision, lease_end, before=0)
        return stored if is_loaded_first else load(game_id)

    monkeypatch.setattr(context.store, "load", load_and_lease)
    assert 0 == keeping.wake_due(context)
    assert lease_end == redis_client.zscore(context.store.keys.bucket(0).due, game)


def test_an_expired_game_is_no_longer_due(context: Context, redis_client: Redis) -> None:
    (game,) = due_games(context, 1)
    redis_client.delete(context.store.keys.game(game).game)
    keeping.wake_due(context)
    assert [] == context.store.schedule.due(context.now_ms() + 1, 10)


def test_timeouts_come_before_and_between_all_other_work(context: Context, redis_client: Redis, time: Time) -> None:
    """However many AIs are due, one pass handles every clock and wakes only some of the AIs."""
    due_games(context, duties.GAMES_PER_BATCH + 5)
    clocked = [new_game(context, PLAYER, PLAYER, clock=CLOCK)[0] for _ in range(duties.GAMES_PER_BATCH + 5)]
    elapse(time, redis_client, 10)
    more = duties.run_due(context, duties.BackOff())
    assert {"timeout"} == {reading.history(context, Caller(), game)["events"][-1]["kind"] for game in clocked}
    assert more
    assert duties.GAMES_PER_BATCH <= len(queued_games(context)) < 2 * duties.GAMES_PER_BATCH + 10


def test_a_queued_game_is_not_checked_every_second(context: Context, redis_client: Redis, time: Time) -> None:
    """A backlog without workers must not keep the keepers busy."""
    due_games(context, 1)
    elapse(time, redis_client, 1)
    assert 1 == keeping.wake_due(context)
    elapse(time, redis_client, 1)
    assert 0 == keeping.wake_due(context)
    elapse(time, redis_client, 1)
    assert [] == context.store.schedule.due(context.now_ms(), 10)


def test_an_action_succeeds_though_the_queue_is_damaged(
    context: Context, redis_client: Redis, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Due work is part of the commit, and the answer is that of the commit."""
    monkeypatch.setattr("service.storage.work.queue.STARTING_S", 0)  # a job that is in no queue is lost at once
    game, tokens = new_game(context, PLAYER, AI)
    redis_client.set(context.queue.turns[0].key, "no list")
    written = act(context, game, seat(tokens, 0))
    assert written.revision == reading.glance(context, Caller(), game)[0]
    redis_client.delete(context.queue.turns[0].key)
    elapse(time, redis_client, 2)
    assert 1 == keeping.wake_due(context)


def test_an_action_succeeds_even_if_waking_raises(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    game, tokens = new_game(context, PLAYER, AI)

    def fail_to_enqueue(*_: Any, **__: Any) -> None:
        raise ValueError("Execution not found in Redis")

    monkeypatch.setattr(Queue, "_enqueue", fail_to_enqueue)
    written = act(context, game, seat(tokens, 0))
    assert written.revision == reading.glance(context, Caller(), game)[0]


def test_a_request_repeated_before_the_commit_gets_the_same_answer(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second request loads the game before the first commits, and finds the replay entry of the first."""
    game, tokens = new_game(context, PLAYER, PLAYER)
    action, revision = first_action(context, game)
    caller, commit, answers = seat(tokens, 0), context.store.commit, []

    def ask() -> Any:
        return playing.act(context, Request(caller, game, (revision,), KEY), action, None)

    def commit_after_replay(*arguments: Any) -> Any:
        monkeypatch.undo()
        answers.append(ask())
        return commit(*arguments)

    monkeypatch.setattr(context.store, "commit", commit_after_replay)
    again = ask()
    assert (answers[0].revision, answers[0].events, answers[0].view) == (again.revision, again.events, again.view)
    assert (False, True) == (answers[0].replayed, again.replayed)


def test_simultaneous_requests_with_one_key_get_the_same_answer(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    for number in range(10):
        action, revision = first_action(context, game)
        caller = seat(tokens, reading.list_legal_actions(context, Caller(), game)["seat"])
        asked = Request(caller, game, (revision,), Idempotency(f"key {number}", "hash of the body"))
        answers = run_together(*[partial(playing.act, context, asked, action, None)] * 8)
        assert [False] + 7 * [True] == sorted(answer.replayed for answer in answers)
        assert 1 == len({answer.view for answer in answers})


# -------------------------------------------------------------------------------------------- what is known


def facts(context: Context, game: str) -> Facts:
    (results,) = game_facts.get_many(context, [game])
    assert results is not None
    return results.facts


def test_due_work_does_not_depend_on_the_stored_view(context: Context, redis_client: Redis) -> None:
    """The API's view may change. Clocks, AIs and listings do not depend on it."""
    clocked, _ = new_game(context, PLAYER, PLAYER, clock=CLOCK, visibility="public")
    waits, tokens = new_game(context, PLAYER, AI)
    act(context, waits, seat(tokens, 0))
    finished_game, tokens = new_game(context, PLAYER, PLAYER)
    playing.resign(context, Request(seat(tokens, 0), finished_game), None)
    for game in (clocked, waits, finished_game):
        redis_client.hset(context.store.keys.game(game).game, "view", b"a view of another form")
    assert (TIME, TURN, None) == tuple(facts(context, game).due for game in (clocked, waits, finished_game))
    assert ("playing", 0) == (facts(context, clocked).status, facts(context, clocked).to_decide)
    assert "finished" == facts(context, finished_game).status
    lose_wake_ups(context)
    assert 1 == keeping.wake_due(context)
    turn = turns.take(context, waits, facts(context, waits).revision, 1)
    assert turn is not None


def test_outdated_facts_are_computed_from_the_view(context: Context, redis_client: Redis) -> None:
    """During an update, a process of the previous version may commit and leave older facts behind."""
    game, tokens = new_game(context, PLAYER, AI)
    key = context.store.keys.game(game).game
    older: Any = redis_client.hget(key, "facts")
    act(context, game, seat(tokens, 0))
    newer = facts(context, game)
    redis_client.hset(key, "facts", older)
    assert newer == facts(context, game)
    redis_client.hdel(key, "facts")
    assert newer == facts(context, game)


def test_facts_computed_from_a_view_equal_those_of_the_game(context: Context) -> None:
    """For every kind of game. Due work matters only while something is due."""
    clocked, _ = new_game(context, PLAYER, PLAYER, clock=CLOCK)
    games = [clocked, new_game(context, AI, AI)[0], due_games(context, 1)[0]]
    for game in games:
        loaded = repository.load(context, game)
        actual, asked = Facts.from_old_view(orjson.loads(loaded.stored.view)), Facts.from_game(loaded.game)
        assert asked == actual


def test_a_position_for_newer_rules_is_read_from_the_view(
    context: Context, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.usecases.games.test_offering import rebase

    game, tokens = new_game(context, PLAYER, PLAYER)
    act(context, game, seat(tokens, 0))
    before, key = repository.load(context, game).game, context.store.keys.game(game).game
    assert [b"1", None] == redis_client.hmget(key, ["form", "position"])
    rebase(context, game, monkeypatch)
    base = repository.load(context, game).game.base
    assert base is not None
    assert before.position is not None
    assert before.ruleset.view(before.position) == base.position


def test_a_turn_of_a_called_seat_is_due_as_a_call() -> None:
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
    assert CALL == Facts.from_old_view(view).due
