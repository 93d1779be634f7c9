"""What time brings on a real store: due in the commit, kept by any keeper, and once."""

from __future__ import annotations

import random
import threading
from dataclasses import replace
from typing import Any

import pytest
import redis

from service.cases import Caller, Cases, offering, open_cases, playing, reading, seating, times, turns
from service.games.clocks import ClockRule
from service.games.errors import GameError
from service.games.moments import unix_ms
from service.operate.launcher import EmbeddedRedis
from service.settings import Settings
from tests import keeping
from tests.cases.people import Time, view
from tests.cases.test_cases import AI, PLAYER, act, first, lose_wake_ups, new, refused, seat

CLOCK = ClockRule(turn_s=10, bank_s=60, on_timeout="ai", level="random")
LOSING = replace(CLOCK, on_timeout="lose")


def kinds(cases: Cases, game: str) -> list[str]:
    return [event["kind"] for event in reading.history(cases, Caller(), game)["events"]]


def due_at(cases: Cases, redis_client: redis.Redis, game: str) -> float | None:
    """When a time is up in the game."""
    found = redis_client.zscore(cases.store.keys.game(game).bucket.timeouts, game)
    return None if found is None else float(str(found))


def test_the_deadline_stands_in_the_store_with_the_commit_that_fixed_it(
    cases: Cases, redis_client: redis.Redis, time: Time
) -> None:
    game, tokens = new(cases, PLAYER, PLAYER, clock=CLOCK)
    assert time.ms + 70_000 == due_at(cases, redis_client, game) == unix_ms(view(cases, game)["clock"]["deadline"])
    time.pass_(20)
    act(cases, game, seat(tokens, 0))
    assert time.ms + 70_000 == due_at(cases, redis_client, game)
    playing.resign(cases, seat(tokens, 0), game, None, None)
    assert due_at(cases, redis_client, game) is None


def test_without_a_clock_a_person_is_never_due(cases: Cases, redis_client: redis.Redis) -> None:
    game, _ = new(cases, PLAYER, PLAYER)
    assert due_at(cases, redis_client, game) is None
    assert not times.keep_time(cases, game)


def test_the_keeper_writes_the_timeout_and_wakes_the_ai_that_plays_on(cases: Cases, time: Time) -> None:
    game, tokens = new(cases, PLAYER, PLAYER, clock=CLOCK)
    time.pass_(69.999)
    assert 0 == keeping.wake_due(cases)
    time.pass_(0.001)
    assert 1 == keeping.wake_due(cases)
    assert "timeout" == kinds(cases, game)[-1]
    assert 1 == cases.queue.length()
    with refused("game/away"):
        act(cases, game, seat(tokens, 0))
    turn = turns.take(cases, game, view(cases, game)["revision"], 0)
    assert turn is not None
    assert "random" == turn.level
    turns.act(cases, turn, turn.position.legal_actions()[0])
    assert (1, time.ms + 70_000) == (
        view(cases, game)["to_decide"],
        unix_ms(view(cases, game)["clock"]["deadline"]),
    )


def test_the_keeper_ends_a_game_that_is_lost_on_time_and_the_loser_is_told_so(cases: Cases, time: Time) -> None:
    game, _ = new(cases, PLAYER, PLAYER, clock=LOSING)
    time.pass_(70)
    assert 1 == keeping.wake_due(cases)
    found = view(cases, game)
    assert ("finished", "timeout", [2, 1]) == (
        found["status"],
        found["outcome"]["reason"],
        [told["rank"] for told in found["outcome"]["seats"]],
    )
    assert 0 == keeping.wake_due(cases)


def test_with_three_seats_who_has_lost_on_time_decides_no_more(cases: Cases, time: Time) -> None:
    game, tokens = new(cases, PLAYER, PLAYER, PLAYER, clock=LOSING)
    time.pass_(70)
    assert 1 == keeping.wake_due(cases)
    action, revision = first(cases, game)
    with refused("game/timed_out"):
        playing.act(cases, seat(tokens, 0), game, action, None, revision)
    with refused("game/timed_out"):
        seating.claim(cases, seat(tokens, 0), game, 0, None)


def test_who_acts_after_the_deadline_is_too_late_though_no_keeper_has_looked(cases: Cases, time: Time) -> None:
    game, tokens = new(cases, PLAYER, PLAYER, clock=CLOCK)
    time.pass_(70.001)
    with refused("game/time_is_up"):
        act(cases, game, seat(tokens, 0))
    time.pass_(-0.001)
    act(cases, game, seat(tokens, 0))
    assert [0.0, 60.0] == view(cases, game)["clock"]["banks"]


def test_a_decision_whose_worker_was_killed_is_due_again_after_two_seconds(cases: Cases, time: Time) -> None:
    game, tokens = new(cases, PLAYER, AI)
    act(cases, game, seat(tokens, 0))
    assert turns.take(cases, game, view(cases, game)["revision"], 1) is not None
    time.pass_(1.999)
    assert 0 == keeping.wake_due(cases)
    time.pass_(0.001)
    assert 1 == keeping.wake_due(cases)


def test_a_wake_up_that_nobody_has_followed_is_sent_again_after_a_second(cases: Cases, time: Time) -> None:
    game, tokens = new(cases, PLAYER, AI)
    act(cases, game, seat(tokens, 0))
    sent = []
    for seconds in (60, 0.999, 0.001):
        lose_wake_ups(cases)
        time.pass_(seconds)
        sent.append(keeping.wake_due(cases))
    assert [1, 0, 1] == sent


def test_the_keeper_ends_a_pause_and_the_ai_goes_on(cases: Cases, time: Time) -> None:
    game, tokens = new(cases, PLAYER, AI)
    act(cases, game, seat(tokens, 0))
    offering.pause(cases, seat(tokens, 0), game, None, 60, None)
    queue: Any = cases.queue.rq
    queue.empty()
    assert turns.take(cases, game, view(cases, game)["revision"], 1) is None
    time.pass_(59.999)
    assert 0 == keeping.wake_due(cases)
    time.pass_(0.001)
    assert 1 == keeping.wake_due(cases)
    assert ("resume", None, 1) == (kinds(cases, game)[-1], view(cases, game)["paused_until"], cases.queue.length())


def test_a_worker_that_decides_during_a_pause_changes_nothing(cases: Cases) -> None:
    game, tokens = new(cases, PLAYER, AI)
    act(cases, game, seat(tokens, 0))
    turn = turns.take(cases, game, view(cases, game)["revision"], 1)
    assert turn is not None
    offering.pause(cases, seat(tokens, 0), game, None, 60, None)
    assert turns.act(cases, turn, turn.position.legal_actions()[0]) is None
    assert "pause" == kinds(cases, game)[-1]


def test_a_pause_stops_the_clock_in_the_store(cases: Cases, redis_client: redis.Redis, time: Time) -> None:
    game, tokens = new(cases, PLAYER, AI, clock=CLOCK)
    time.pass_(15)
    offering.pause(cases, seat(tokens, 0), game, None, 600, None)
    assert (time.ms + 600_000, None) == (
        due_at(cases, redis_client, game),
        view(cases, game)["clock"]["deadline"],
    )
    time.pass_(100)
    assert 0 == keeping.wake_due(cases)
    offering.resume(cases, seat(tokens, 0), game, None, None)
    assert time.ms + 55_000 == due_at(cases, redis_client, game)


def together(*commands: Any) -> list[Any]:
    """What commands that begin together answer; refusals by their code."""
    results: list[Any] = [None] * len(commands)
    ready = threading.Barrier(len(commands))

    def run(number: int) -> None:
        ready.wait()
        try:
            results[number] = commands[number]()
        except GameError as error:
            results[number] = error.code

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(commands))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return results


def test_of_two_keepers_at_once_one_writes_the_timeout(cases: Cases, valkey: EmbeddedRedis, time: Time) -> None:
    other = open_cases(Settings.from_environment({"REDIS_URL": valkey.socket_url}))
    other.now_ms = cases.now_ms  # type: ignore[method-assign]
    games = [new(cases, PLAYER, PLAYER, clock=CLOCK)[0] for _ in range(10)]
    time.pass_(70)
    for game in games:
        kept = together(*[lambda g=game, c=keeper: times.keep_time(c, g) for keeper in (cases, other) * 3])
        assert [True] == [answer for answer in kept if answer]
        assert 1 == kinds(cases, game).count("timeout")
    more = [new(cases, PLAYER, PLAYER, clock=CLOCK)[0] for _ in range(10)]
    time.pass_(70)
    together(lambda: keeping.wake_due(cases), lambda: keeping.wake_due(other))
    assert [1] * 10 == [kinds(cases, game).count("timeout") for game in more]


def test_of_a_timeout_and_an_action_at_the_same_moment_exactly_one_wins(cases: Cases, time: Time) -> None:
    dice, won = random.Random(1), {"timeout": 0, "action": 0}
    for _ in range(30):
        game, tokens = new(cases, PLAYER, PLAYER, clock=CLOCK)
        action, revision = first(cases, game)
        time.pass_(70)
        commands = [
            lambda g=game: times.keep_time(cases, g),
            lambda g=game, t=tokens, a=action, r=revision: playing.act(cases, seat(t, 0), g, a, None, r),
        ]
        kept, acted = together(*commands)
        (event,) = reading.history(cases, Caller(), game, revision)["events"][:1]
        won[event["kind"]] += 1
        assert (event["kind"] == "timeout") == (kept is True)
        assert ("action" if not kept else "timeout") == event["kind"]
        if kept:
            assert acted in {"game/stale_revision", "game/away", "game/time_is_up"}
        assert 1 == len(reading.history(cases, Caller(), game, revision)["events"])
        time.pass_(dice.random())
    assert 30 == sum(won.values())


def test_a_game_that_expires_while_its_time_is_kept_stops_no_keeper(
    cases: Cases, redis_client: redis.Redis, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look and the write the game may be gone; the keeper's loop survives nothing but Redis' errors."""
    game, _ = new(cases, PLAYER, PLAYER, clock=CLOCK)
    commit = cases.store.commit

    def late(game_id: str, what: Any) -> None:
        redis_client.delete(*cases.store.keys.game(game_id).committed()[:4])
        commit(game_id, what)

    monkeypatch.setattr(cases.store, "commit", late)
    time.pass_(70)
    assert not times.keep_time(cases, game)


def test_a_game_that_expires_while_somebody_decides_is_not_found(
    cases: Cases, redis_client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, tokens = new(cases, PLAYER, PLAYER)
    commit = cases.store.commit

    def late(game_id: str, what: Any) -> None:
        redis_client.delete(*cases.store.keys.game(game_id).committed()[:4])
        commit(game_id, what)

    monkeypatch.setattr(cases.store, "commit", late)
    with refused("game/not_found"):
        act(cases, game, seat(tokens, 0))
