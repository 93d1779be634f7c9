"""Real dialers and real bots: games continue whatever a bot or a dialer does."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from typing import Any

import pytest

from service.operate.redis.launcher import EmbeddedRedis
from service.rulesets.registry import RULESETS
from service.settings import Settings
from service.usecases.base.context import Caller, Context, open_context
from service.usecases.games import creating
from service.usecases.games.creating import NewEndpoint, NewGame, NewSeat
from service.usecases.matchmaking import bots as bot_requests
from service.usecases.matchmaking import challenging
from service.usecases.views import reading
from service.usecases.work import tournaments
from tests.patience import HANG_S, wait_until
from tests.usecases import bots
from tests.workers.bots import Answer, Bot, cheating, failing, first_action, serving, silent, talkative
from tests.workers.processes import Processes
from tests.workers.test_processes import child_pids, is_over, ready, start_ready

AI = NewSeat("ai", level="greedy")


@pytest.fixture
def calling(processes: Processes, monkeypatch: pytest.MonkeyPatch) -> Processes:
    """Return processes of a service that calls bots on this machine."""
    processes.environment |= {"OUTGOING": "loopback", "DIALERS": "2"}
    monkeypatch.setenv("OUTGOING", "loopback")
    return processes


@pytest.fixture
def context(valkey: EmbeddedRedis, calling: Processes, redis_client: Any) -> Context:
    """Return the dependencies of that service."""
    return open_context(Settings.from_environment(calling.environment))


def bot(url: str, *, timeout_s: float = HANG_S, **changes: Any) -> NewSeat:
    return NewSeat("http", "Bot", "random", NewEndpoint(url, timeout_s=timeout_s, **changes))


def new(context: Context, *seats: NewSeat, ruleset: str = "azul", variant: str | None = None) -> str:
    request = NewGame(ruleset, variant or RULESETS[ruleset].variants[0], seats, first_seat=0)
    return str(creating.create(context, Caller(), request)["game"]["id"])


def events(context: Context, game: str, kind: str) -> list[dict[str, Any]]:
    return [event for event in reading.history(context, Caller(), game)["events"] if event["kind"] == kind]


def decisions(context: Context, game: str, seat: int) -> int:
    """Return the number of a seat's actions in the log."""
    return sum(event["seat"] == seat for event in events(context, game, "action"))


def forget_calls(context: Context) -> None:
    """Delete the jobs that would wake dialers."""
    queue: Any = context.queue.calls
    queue.empty()


def test_bots_play_to_the_end_against_an_ai_and_each_other(context: Context, calling: Processes) -> None:
    start_ready(context, calling, "dialer", "worker", "keeper")
    with serving(first_action) as (url, asked):
        games = [
            new(context, bot(url), bot(url), ruleset="azul", variant="grey"),
            new(context, AI, bot(url), ruleset="azul"),
        ]
        wait_until(lambda: all(is_over(context, game) for game in games), calling.output)
    assert [] == [event for game in games for event in events(context, game, "call_failed")]
    decided = [event for game in games for event in events(context, game, "action") if event["seat"] == 1]
    assert len(decided) <= len(asked)
    assert "Traceback" not in calling.output()


def test_failing_bot_is_called_up_to_its_attempt_limit_and_then_replaced_by_an_ai(
    context: Context, calling: Processes
) -> None:
    start_ready(context, calling, "dialer", "worker", "keeper")
    bad: dict[str, Answer] = {"status": failing, "unreadable": talkative, "illegal": cheating, "late": silent}
    with contextlib.ExitStack() as stack:
        served = {reason: stack.enter_context(serving(answer)) for reason, answer in bad.items()}
        games = {
            reason: new(context, bot(url, attempts=2, timeout_s=0.1 if reason == "late" else HANG_S), AI)
            for reason, (url, _) in served.items()
        }
        wait_until(lambda: all(decisions(context, game, seat=0) >= 2 for game in games.values()), calling.output)
    for reason, game in games.items():
        failed = events(context, game, "call_failed")
        assert [(reason, None), (reason, "ai")] == [(event["reason"], event["then"]) for event in failed]
        assert 2 == len(served[reason][1]) or reason == "late"  # a late bot may not have been reached


def test_unreachable_bot_loses_if_its_failure_policy_is_to_lose(context: Context, calling: Processes) -> None:
    start_ready(context, calling, "dialer", "worker", "keeper")
    with serving(first_action) as (url, _):
        pass
    game = new(context, bot(url, attempts=1, on_failure="lose"), AI)
    wait_until(lambda: is_over(context, game), calling.output)
    assert ["unreachable"] == [event["reason"] for event in events(context, game, "call_failed")]


@pytest.mark.skipif(sys.platform != "linux", reason="looks for the children of the dialers in /proc")
def test_decision_is_requested_again_after_its_dialer_is_killed(context: Context, calling: Processes) -> None:
    start_ready(context, calling, "dialer", "worker", "keeper")
    dialers = calling.started[0]

    def silent_once(asked_bot: Bot, told: dict[str, Any]) -> None:
        (silent if len(asked_bot.asked) == 1 else first_action)(asked_bot, told)

    with serving(silent_once) as (url, asked):
        game = new(context, bot(url), NewSeat("player"))
        wait_until(lambda: asked)
        for parent in child_pids(dialers.pid):
            for job in child_pids(parent):
                os.kill(job, signal.SIGKILL)
        context.store.schedule.put_off(game, context.now_ms())  # its lease has expired
        wait_until(lambda: events(context, game, "action"), calling.output)
    assert 2 == len(asked)
    assert [] == events(context, game, "call_failed")
    dialers.send_signal(signal.SIGTERM)
    assert 0 == dialers.wait(HANG_S)


@pytest.mark.skipif(sys.platform != "linux", reason="looks at priorities in /proc")
def test_dialers_play_tournaments_with_bots_and_live_games_at_the_same_time(
    context: Context, calling: Processes
) -> None:
    calling.environment["BACKGROUND_NICE"] = "3"
    start_ready(context, calling, "dialer", "worker", "keeper")
    usual = os.getpriority(os.PRIO_PROCESS, 0)
    seen: set[int] = set()

    def answer(asked_bot: Bot, told: dict[str, Any]) -> None:
        for job in jobs_now():
            with contextlib.suppress(ProcessLookupError):  # it has just ended
                seen.add(os.getpriority(os.PRIO_PROCESS, job))
        first_action(asked_bot, told)

    def jobs_now() -> list[int]:
        return [job for parent in child_pids(calling.started[0].pid) for job in child_pids(parent)]

    with serving(answer) as (url, _):
        challenger = tournaments.Challenger("Bot", "random", NewEndpoint(url, timeout_s=HANG_S))
        wanted = tournaments.TournamentRequest("azul", "grey", 2, ("random",), 3, challengers=(challenger,))
        task = str(tournaments.create(context, Caller(), wanted)["id"])
        game = new(context, bot(url), AI)
        wait_until(lambda: is_over(context, game), calling.output)
        wait_until(lambda: (tournaments.get(context, task, None, 0) or {})["status"] == "done", calling.output)
    assert {usual, min(19, usual + 3)} == seen


def test_worker_records_that_calls_are_disabled(context: Context, calling: Processes) -> None:
    with serving(first_action) as (url, asked):
        game = new(context, bot(url, attempts=1), AI)
        forget_calls(context)
        calling.environment["OUTGOING"] = "off"
        calling.start("workers")
        calling.start("workers.keeper")
        wait_until(lambda: decisions(context, game, seat=0) >= 5, calling.output)
    assert ["off"] == [event["reason"] for event in events(context, game, "call_failed")]
    assert [] == asked


def test_challenge_between_called_bots_is_played_to_its_end(context: Context, calling: Processes) -> None:
    """One bot challenges the other, and both play the game to its end without further requests."""
    with serving(first_action) as (url, asked):
        two = [bots.publish_bot(context, bots.CALLED, endpoint=NewEndpoint(url, timeout_s=HANG_S)) for _ in range(2)]
        calling.start("workers", "--dial")
        calling.start("workers.keeper")
        for kind in ("keeper", "dialer"):
            ready(context, kind)
        one = challenging.create(context, two[0][1], two[1][0], bots.RATED)
        assert "accepted" == one["status"]
        wait_until(lambda: is_over(context, one["game_id"]), calling.output)
    assert {one["game_id"]} == {told["data"]["game"]["id"] for told in asked}
    wait_until(lambda: [0, 0] == [bot_requests.get(context, name)["playing"] for name, _ in two])
    wait_until(lambda: None not in context.ratings.get_field([name for name, _ in two], "azul:two"))
    assert [] == events(context, one["game_id"], "call_failed")


def test_real_keepers_pair_bots_that_take_part_in_the_arena(context: Context, calling: Processes) -> None:
    with serving(first_action) as (url, _):
        two = [
            bots.publish_bot(context, bots.CALLED, endpoint=NewEndpoint(url, timeout_s=HANG_S), arena=True)[0]
            for _ in range(2)
        ]
        calling.start("workers", "--dial")
        for _ in range(2):
            calling.start("workers.keeper")
        wait_until(lambda: context.players.game_ids(two[0]), calling.output)
        game = context.players.game_ids(two[0])[0]
        wait_until(lambda: is_over(context, game), calling.output)
    begun = context.bots.arena_games_today(context.now_ms())
    for name in two:
        assert begun[name] == len({*context.players.game_ids(name)})
    assert "Traceback" not in calling.output()
