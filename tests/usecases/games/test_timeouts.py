"""Timeouts on a real store: scheduled by the commit, written once by any keeper."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from redis import Redis

from service.games.state.clocks import ClockRule
from service.games.state.moments import unix_ms
from service.operate.redis.launcher import EmbeddedRedis
from service.settings import Settings
from service.usecases.base.context import Caller, Context, open_context
from service.usecases.games import offering, playing, seating, timeouts, turns
from service.usecases.games.commands import Request
from service.usecases.views import reading
from tests import keeping
from tests.usecases.games.test_usecases import (
    AI,
    PLAYER,
    act,
    first_action,
    lose_wake_ups,
    new_game,
    raises_error,
    seat,
)
from tests.usecases.players import Time, view
from tests.usecases.waiting import run_together

CLOCK = ClockRule(turn_s=10, bank_s=60, on_timeout="ai", level="random")
LOSING = replace(CLOCK, on_timeout="lose")


def kinds(context: Context, game: str) -> list[str]:
    return [event["kind"] for event in reading.history(context, Caller(), game)["events"]]


def due_at(context: Context, redis_client: Redis, game: str) -> float | None:
    """Return when the next timeout of the game is due."""
    matches = redis_client.zscore(context.store.keys.game(game).bucket.timeouts, game)
    return None if matches is None else float(str(matches))


def test_a_commit_stores_the_deadline_it_sets(context: Context, redis_client: Redis, time: Time) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER, clock=CLOCK)
    assert time.ms + 70_000 == due_at(context, redis_client, game) == unix_ms(view(context, game)["clock"]["deadline"])
    time.pass_(20)
    act(context, game, seat(tokens, 0))
    assert time.ms + 70_000 == due_at(context, redis_client, game)
    playing.resign(context, Request(seat(tokens, 0), game), None)
    assert due_at(context, redis_client, game) is None


def test_a_game_without_a_clock_has_no_deadline_for_people(context: Context, redis_client: Redis) -> None:
    game, _ = new_game(context, PLAYER, PLAYER)
    assert due_at(context, redis_client, game) is None
    assert not timeouts.keep_time(context, game)


def test_the_keeper_writes_the_timeout_and_wakes_the_ai(context: Context, time: Time) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER, clock=CLOCK)
    time.pass_(69.999)
    assert 0 == keeping.wake_due(context)
    time.pass_(0.001)
    assert 1 == keeping.wake_due(context)
    assert "timeout" == kinds(context, game)[-1]
    assert 1 == context.queue.turns[0].count
    with raises_error("game/away"):
        act(context, game, seat(tokens, 0))
    turn = turns.take(context, game, view(context, game)["revision"], 0)
    assert turn is not None
    assert "random" == turn.level
    turns.act(context, turn, turn.position.legal_actions()[0])
    assert (1, time.ms + 70_000) == (
        view(context, game)["to_decide"],
        unix_ms(view(context, game)["clock"]["deadline"]),
    )


def test_the_keeper_ends_a_game_that_is_lost_on_time(context: Context, time: Time) -> None:
    game, _ = new_game(context, PLAYER, PLAYER, clock=LOSING)
    time.pass_(70)
    assert 1 == keeping.wake_due(context)
    final_view = view(context, game)
    assert ("finished", "timeout", [2, 1]) == (
        final_view["status"],
        final_view["outcome"]["reason"],
        [actual["rank"] for actual in final_view["outcome"]["seats"]],
    )
    assert 0 == keeping.wake_due(context)


def test_with_three_seats_a_timed_out_seat_cannot_decide(context: Context, time: Time) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER, PLAYER, clock=LOSING)
    time.pass_(70)
    assert 1 == keeping.wake_due(context)
    action, revision = first_action(context, game)
    with raises_error("game/timed_out"):
        playing.act(context, Request(seat(tokens, 0), game, (revision,)), action, None)
    with raises_error("game/timed_out"):
        seating.claim(context, seat(tokens, 0), game, 0, None)


def test_a_decision_whose_worker_was_killed_is_due_again_after_two_seconds(context: Context, time: Time) -> None:
    game, tokens = new_game(context, PLAYER, AI)
    act(context, game, seat(tokens, 0))
    assert turns.take(context, game, view(context, game)["revision"], 1) is not None
    time.pass_(1.999)
    assert 0 == keeping.wake_due(context)
    time.pass_(0.001)
    assert 1 == keeping.wake_due(context)


def test_an_unanswered_wake_up_is_sent_again_after_a_second(context: Context, time: Time) -> None:
    game, tokens = new_game(context, PLAYER, AI)
    act(context, game, seat(tokens, 0))
    wake_ups = []
    for seconds in (60, 0.999, 0.001):
        lose_wake_ups(context)
        time.pass_(seconds)
        wake_ups.append(keeping.wake_due(context))
    assert [1, 0, 1] == wake_ups


def test_the_keeper_ends_a_pause_and_the_ai_continues(context: Context, time: Time) -> None:
    game, tokens = new_game(context, PLAYER, AI)
    act(context, game, seat(tokens, 0))
    offering.pause(context, Request(seat(tokens, 0), game), None, 60)
    queue: Any = context.queue.turns[0]
    queue.empty()
    assert turns.take(context, game, view(context, game)["revision"], 1) is None
    time.pass_(59.999)
    assert 0 == keeping.wake_due(context)
    time.pass_(0.001)
    assert 1 == keeping.wake_due(context)
    assert ("resume", None, 1) == (
        kinds(context, game)[-1],
        view(context, game)["paused_until"],
        context.queue.turns[0].count,
    )


def test_a_worker_that_decides_during_a_pause_changes_nothing(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, AI)
    act(context, game, seat(tokens, 0))
    turn = turns.take(context, game, view(context, game)["revision"], 1)
    assert turn is not None
    offering.pause(context, Request(seat(tokens, 0), game), None, 60)
    assert turns.act(context, turn, turn.position.legal_actions()[0]) is None
    assert "pause" == kinds(context, game)[-1]


def test_a_pause_stops_the_clock_in_the_store(context: Context, redis_client: Redis, time: Time) -> None:
    game, tokens = new_game(context, PLAYER, AI, clock=CLOCK)
    time.pass_(15)
    offering.pause(context, Request(seat(tokens, 0), game), None, 600)
    assert (time.ms + 600_000, None) == (
        due_at(context, redis_client, game),
        view(context, game)["clock"]["deadline"],
    )
    time.pass_(100)
    assert 0 == keeping.wake_due(context)
    offering.resume(context, Request(seat(tokens, 0), game), None)
    assert time.ms + 55_000 == due_at(context, redis_client, game)


def test_only_one_of_two_concurrent_keepers_writes_the_timeout(
    context: Context, valkey: EmbeddedRedis, time: Time
) -> None:
    other = open_context(Settings.from_environment({"REDIS_URL": valkey.socket_url}))
    other.now_ms = context.now_ms  # type: ignore[method-assign]
    games = [new_game(context, PLAYER, PLAYER, clock=CLOCK)[0] for _ in range(10)]
    time.pass_(70)
    for game in games:
        results = run_together(*[lambda g=game, c=keeper: timeouts.keep_time(c, g) for keeper in (context, other) * 3])
        assert [True] == [answer for answer in results if answer]
        assert 1 == kinds(context, game).count("timeout")
    other_games = [new_game(context, PLAYER, PLAYER, clock=CLOCK)[0] for _ in range(10)]
    time.pass_(70)
    run_together(lambda: keeping.wake_due(context), lambda: keeping.wake_due(other))
    assert [1] * 10 == [kinds(context, game).count("timeout") for game in other_games]


def test_either_a_simultaneous_timeout_or_the_action_wins(context: Context, time: Time) -> None:
    dice, wins = random.Random(1), {"timeout": 0, "action": 0}
    for _ in range(30):
        game, tokens = new_game(context, PLAYER, PLAYER, clock=CLOCK)
        action, revision = first_action(context, game)
        time.pass_(70)
        commands = [
            lambda g=game: timeouts.keep_time(context, g),
            lambda g=game, t=tokens, a=action, r=revision: playing.act(context, Request(seat(t, 0), g, (r,)), a, None),
        ]
        timed_out, acted = run_together(*commands)
        (event,) = reading.history(context, Caller(), game, revision)["events"][:1]
        wins[event["kind"]] += 1
        assert (event["kind"] == "timeout") == (timed_out is True)
        assert ("action" if not timed_out else "timeout") == event["kind"]
        if timed_out:
            assert acted in {"game/stale_revision", "game/away", "game/time_is_up"}
        assert 1 == len(reading.history(context, Caller(), game, revision)["events"])
        time.pass_(dice.random())
    assert 30 == sum(wins.values())


@pytest.fixture
def expires_at_commit(context: Context, redis_client: Redis, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function that makes games expire just before their next commit."""
    commit = context.store.commit

    def commit_late(game_id: str, commit_data: Any) -> None:
        redis_client.delete(*context.store.keys.game(game_id).commit_keys()[:4])
        commit(game_id, commit_data)

    return lambda: monkeypatch.setattr(context.store, "commit", commit_late)


def test_a_game_that_expires_during_a_timeout_stops_no_keeper(
    context: Context, time: Time, expires_at_commit: Callable[[], None]
) -> None:
    """The keeper's loop survives only errors of Redis."""
    game, _ = new_game(context, PLAYER, PLAYER, clock=CLOCK)
    expires_at_commit()
    time.pass_(70)
    assert not timeouts.keep_time(context, game)


def test_a_game_that_expires_in_an_action_is_not_found(context: Context, expires_at_commit: Callable[[], None]) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    expires_at_commit()
    with raises_error("game/not_found"):
        act(context, game, seat(tokens, 0))
