"""What time brings on a real store: due in the commit, kept by any keeper, and once."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import redis

from service.games.state.clocks import ClockRule
from service.games.state.moments import unix_ms
from service.operate.redis.launcher import EmbeddedRedis
from service.settings import Settings
from service.usecases.base.context import Caller, Context, open_context
from service.usecases.games import offering, playing, seating, timeouts, turns
from service.usecases.games.commands import Request
from service.usecases.views import reading
from tests import keeping
from tests.usecases.games.test_usecases import AI, PLAYER, act, first, lose_wake_ups, new, refused, seat
from tests.usecases.players import Time, view
from tests.usecases.waiting import together

CLOCK = ClockRule(turn_s=10, bank_s=60, on_timeout="ai", level="random")
LOSING = replace(CLOCK, on_timeout="lose")


def kinds(context: Context, game: str) -> list[str]:
    return [event["kind"] for event in reading.history(context, Caller(), game)["events"]]


def due_at(context: Context, redis_client: redis.Redis, game: str) -> float | None:
    """When a time is up in the game."""
    matches = redis_client.zscore(context.store.keys.game(game).bucket.timeouts, game)
    return None if matches is None else float(str(matches))


def test_the_deadline_stands_in_the_store_with_the_commit_that_fixed_it(
    context: Context, redis_client: redis.Redis, time: Time
) -> None:
    game, tokens = new(context, PLAYER, PLAYER, clock=CLOCK)
    assert time.ms + 70_000 == due_at(context, redis_client, game) == unix_ms(view(context, game)["clock"]["deadline"])
    time.pass_(20)
    act(context, game, seat(tokens, 0))
    assert time.ms + 70_000 == due_at(context, redis_client, game)
    playing.resign(context, Request(seat(tokens, 0), game), None)
    assert due_at(context, redis_client, game) is None


def test_without_a_clock_a_person_is_never_due(context: Context, redis_client: redis.Redis) -> None:
    game, _ = new(context, PLAYER, PLAYER)
    assert due_at(context, redis_client, game) is None
    assert not timeouts.keep_time(context, game)


def test_the_keeper_writes_the_timeout_and_wakes_the_ai_that_plays_on(context: Context, time: Time) -> None:
    game, tokens = new(context, PLAYER, PLAYER, clock=CLOCK)
    time.pass_(69.999)
    assert 0 == keeping.wake_due(context)
    time.pass_(0.001)
    assert 1 == keeping.wake_due(context)
    assert "timeout" == kinds(context, game)[-1]
    assert 1 == context.queue.turns[0].count
    with refused("game/away"):
        act(context, game, seat(tokens, 0))
    turn = turns.take(context, game, view(context, game)["revision"], 0)
    assert turn is not None
    assert "random" == turn.level
    turns.act(context, turn, turn.position.legal_actions()[0])
    assert (1, time.ms + 70_000) == (
        view(context, game)["to_decide"],
        unix_ms(view(context, game)["clock"]["deadline"]),
    )


def test_the_keeper_ends_a_game_that_is_lost_on_time_and_the_loser_is_told_so(context: Context, time: Time) -> None:
    game, _ = new(context, PLAYER, PLAYER, clock=LOSING)
    time.pass_(70)
    assert 1 == keeping.wake_due(context)
    seen = view(context, game)
    assert ("finished", "timeout", [2, 1]) == (
        seen["status"],
        seen["outcome"]["reason"],
        [actual["rank"] for actual in seen["outcome"]["seats"]],
    )
    assert 0 == keeping.wake_due(context)


def test_with_three_seats_who_has_lost_on_time_decides_no_more(context: Context, time: Time) -> None:
    game, tokens = new(context, PLAYER, PLAYER, PLAYER, clock=LOSING)
    time.pass_(70)
    assert 1 == keeping.wake_due(context)
    action, revision = first(context, game)
    with refused("game/timed_out"):
        playing.act(context, Request(seat(tokens, 0), game, revision), action, None)
    with refused("game/timed_out"):
        seating.claim(context, seat(tokens, 0), game, 0, None)


def test_a_decision_whose_worker_was_killed_is_due_again_after_two_seconds(context: Context, time: Time) -> None:
    game, tokens = new(context, PLAYER, AI)
    act(context, game, seat(tokens, 0))
    assert turns.take(context, game, view(context, game)["revision"], 1) is not None
    time.pass_(1.999)
    assert 0 == keeping.wake_due(context)
    time.pass_(0.001)
    assert 1 == keeping.wake_due(context)


def test_a_wake_up_that_nobody_has_followed_is_sent_again_after_a_second(context: Context, time: Time) -> None:
    game, tokens = new(context, PLAYER, AI)
    act(context, game, seat(tokens, 0))
    sent = []
    for seconds in (60, 0.999, 0.001):
        lose_wake_ups(context)
        time.pass_(seconds)
        sent.append(keeping.wake_due(context))
    assert [1, 0, 1] == sent


def test_the_keeper_ends_a_pause_and_the_ai_goes_on(context: Context, time: Time) -> None:
    game, tokens = new(context, PLAYER, AI)
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
    game, tokens = new(context, PLAYER, AI)
    act(context, game, seat(tokens, 0))
    turn = turns.take(context, game, view(context, game)["revision"], 1)
    assert turn is not None
    offering.pause(context, Request(seat(tokens, 0), game), None, 60)
    assert turns.act(context, turn, turn.position.legal_actions()[0]) is None
    assert "pause" == kinds(context, game)[-1]


def test_a_pause_stops_the_clock_in_the_store(context: Context, redis_client: redis.Redis, time: Time) -> None:
    game, tokens = new(context, PLAYER, AI, clock=CLOCK)
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


def test_of_two_keepers_at_once_one_writes_the_timeout(context: Context, valkey: EmbeddedRedis, time: Time) -> None:
    other = open_context(Settings.from_environment({"REDIS_URL": valkey.socket_url}))
    other.now_ms = context.now_ms  # type: ignore[method-assign]
    games = [new(context, PLAYER, PLAYER, clock=CLOCK)[0] for _ in range(10)]
    time.pass_(70)
    for game in games:
        kept = together(*[lambda g=game, c=keeper: timeouts.keep_time(c, g) for keeper in (context, other) * 3])
        assert [True] == [answer for answer in kept if answer]
        assert 1 == kinds(context, game).count("timeout")
    more = [new(context, PLAYER, PLAYER, clock=CLOCK)[0] for _ in range(10)]
    time.pass_(70)
    together(lambda: keeping.wake_due(context), lambda: keeping.wake_due(other))
    assert [1] * 10 == [kinds(context, game).count("timeout") for game in more]


def test_of_a_timeout_and_an_action_at_the_same_moment_exactly_one_wins(context: Context, time: Time) -> None:
    dice, won = random.Random(1), {"timeout": 0, "action": 0}
    for _ in range(30):
        game, tokens = new(context, PLAYER, PLAYER, clock=CLOCK)
        action, revision = first(context, game)
        time.pass_(70)
        commands = [
            lambda g=game: timeouts.keep_time(context, g),
            lambda g=game, t=tokens, a=action, r=revision: playing.act(context, Request(seat(t, 0), g, r), a, None),
        ]
        kept, acted = together(*commands)
        (event,) = reading.history(context, Caller(), game, revision)["events"][:1]
        won[event["kind"]] += 1
        assert (event["kind"] == "timeout") == (kept is True)
        assert ("action" if not kept else "timeout") == event["kind"]
        if kept:
            assert acted in {"game/stale_revision", "game/away", "game/time_is_up"}
        assert 1 == len(reading.history(context, Caller(), game, revision)["events"])
        time.pass_(dice.random())
    assert 30 == sum(won.values())


@pytest.fixture
def expires_at_commit(
    context: Context, redis_client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], None]:
    """From now on a game expires before what was decided in it is written."""
    commit = context.store.commit

    def late(game_id: str, what: Any) -> None:
        redis_client.delete(*context.store.keys.game(game_id).committed()[:4])
        commit(game_id, what)

    return lambda: monkeypatch.setattr(context.store, "commit", late)


def test_a_game_that_expires_while_its_time_is_kept_stops_no_keeper(
    context: Context, time: Time, expires_at_commit: Callable[[], None]
) -> None:
    """Between the look and the write the game may be gone; the keeper's loop survives nothing but Redis' errors."""
    game, _ = new(context, PLAYER, PLAYER, clock=CLOCK)
    expires_at_commit()
    time.pass_(70)
    assert not timeouts.keep_time(context, game)


def test_a_game_that_expires_while_somebody_decides_is_not_found(
    context: Context, expires_at_commit: Callable[[], None]
) -> None:
    game, tokens = new(context, PLAYER, PLAYER)
    expires_at_commit()
    with refused("game/not_found"):
        act(context, game, seat(tokens, 0))
