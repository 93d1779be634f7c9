"""Real dialers and real bots: games go on, whatever a bot or a dialer does."""

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
from tests.patience import HANG_S, until
from tests.usecases import bots
from tests.workers.bots import Answer, Bot, broken, cheating, first_action, serving, silent, talkative
from tests.workers.processes import Processes
from tests.workers.test_processes import children, is_over, ready

AI = NewSeat("ai", level="greedy")


@pytest.fixture
def calling(processes: Processes, monkeypatch: pytest.MonkeyPatch) -> Processes:
    """Processes of a service that calls this machine."""
    processes.environment |= {"OUTGOING": "loopback", "DIALERS": "2"}
    monkeypatch.setenv("OUTGOING", "loopback")
    return processes


@pytest.fixture
def context(valkey: EmbeddedRedis, calling: Processes, redis_client: Any) -> Context:
    """The doors of that service."""
    return open_context(Settings.from_environment(calling.environment))


def bot(url: str, *, timeout_s: float = HANG_S, **changes: Any) -> NewSeat:
    return NewSeat("http", "Bot", "random", NewEndpoint(url, timeout_s=timeout_s, **changes))


def new(context: Context, *seats: NewSeat, ruleset: str = "azul", variant: str | None = None) -> str:
    wanted = NewGame(ruleset, variant or RULESETS[ruleset].variants[0], seats, first_seat=0)
    return str(creating.create(context, Caller(), wanted)["game"]["id"])


def events(context: Context, game: str, kind: str) -> list[dict[str, Any]]:
    return [event for event in reading.history(context, Caller(), game)["events"] if event["kind"] == kind]


def decisions(context: Context, game: str, seat: int) -> int:
    """How many of a seat's are in the log."""
    return sum(event["seat"] == seat for event in events(context, game, "action"))


def forget_calls(context: Context) -> None:
    """Who was to be woken is not."""
    queue: Any = context.queue.calls
    queue.empty()


def started(context: Context, processes: Processes) -> None:
    for arguments in (("workers", "--dial"), ("workers",), ("workers.keeper",)):
        processes.start(*arguments)
    for kind in ("worker", "keeper", "dialer"):
        ready(context, kind)


def test_bots_play_to_the_end_against_an_ai_and_each_other(context: Context, calling: Processes) -> None:
    started(context, calling)
    with serving(first_action) as (url, asked):
        games = [
            new(context, bot(url), bot(url), ruleset="azul", variant="grey"),
            new(context, AI, bot(url), ruleset="azul"),
        ]
        until(lambda: all(is_over(context, game) for game in games), calling.output)
    assert [] == [event for game in games for event in events(context, game, "call_failed")]
    decided = [event for game in games for event in events(context, game, "action") if event["seat"] == 1]
    assert len(decided) <= len(asked)
    assert "Traceback" not in calling.output()


def test_a_bad_bot_is_asked_as_often_as_agreed_and_then_an_ai_plays_on(context: Context, calling: Processes) -> None:
    started(context, calling)
    bad: dict[str, Answer] = {"status": broken, "unreadable": talkative, "illegal": cheating, "late": silent}
    with contextlib.ExitStack() as stack:
        served = {reason: stack.enter_context(serving(answer)) for reason, answer in bad.items()}
        games = {
            reason: new(context, bot(url, attempts=2, timeout_s=0.1 if reason == "late" else HANG_S), AI)
            for reason, (url, _) in served.items()
        }
        until(lambda: all(decisions(context, game, seat=0) >= 2 for game in games.values()), calling.output)
    for reason, game in games.items():
        failed = events(context, game, "call_failed")
        assert [(reason, None), (reason, "ai")] == [(event["reason"], event["then"]) for event in failed]
        assert 2 == len(served[reason][1]) or reason == "late"  # one that is late may not have been reached


def test_where_nobody_answers_the_seat_loses_if_that_was_agreed(context: Context, calling: Processes) -> None:
    started(context, calling)
    with serving(first_action) as (url, _):
        pass
    game = new(context, bot(url, attempts=1, on_failure="lose"), AI)
    until(lambda: is_over(context, game), calling.output)
    assert ["unreachable"] == [event["reason"] for event in events(context, game, "call_failed")]


@pytest.mark.skipif(sys.platform != "linux", reason="looks for the children of the dialers in /proc")
def test_a_decision_is_asked_for_again_when_its_dialer_is_killed(context: Context, calling: Processes) -> None:
    started(context, calling)
    dialers = calling.started[0]

    def silent_once(asked_bot: Bot, told: dict[str, Any]) -> None:
        (silent if len(asked_bot.asked) == 1 else first_action)(asked_bot, told)

    with serving(silent_once) as (url, asked):
        game = new(context, bot(url), NewSeat("player"))
        until(lambda: asked)
        for parent in children(dialers.pid):
            for job in children(parent):
                os.kill(job, signal.SIGKILL)
        context.store.schedule.put_off(game, context.now_ms())  # its lease is over
        until(lambda: events(context, game, "action"), calling.output)
    assert 2 == len(asked)
    assert [] == events(context, game, "call_failed")
    dialers.send_signal(signal.SIGTERM)
    assert 0 == dialers.wait(HANG_S)


@pytest.mark.skipif(sys.platform != "linux", reason="looks at priorities in /proc")
def test_dialers_play_tournaments_with_bots_and_live_games_beside_them(context: Context, calling: Processes) -> None:
    calling.environment["BACKGROUND_NICE"] = "3"
    started(context, calling)
    usual = os.getpriority(os.PRIO_PROCESS, 0)
    seen: set[int] = set()

    def answer(asked_bot: Bot, told: dict[str, Any]) -> None:
        for job in jobs_now():
            with contextlib.suppress(ProcessLookupError):  # it has just ended
                seen.add(os.getpriority(os.PRIO_PROCESS, job))
        first_action(asked_bot, told)

    def jobs_now() -> list[int]:
        return [job for parent in children(calling.started[0].pid) for job in children(parent)]

    with serving(answer) as (url, _):
        challenger = tournaments.Challenger("Bot", "random", NewEndpoint(url, timeout_s=HANG_S))
        wanted = tournaments.TournamentRequest("azul", "grey", 2, ("random",), 3, challengers=(challenger,))
        task = str(tournaments.ask(context, Caller(), wanted)["id"])
        game = new(context, bot(url), AI)
        until(lambda: is_over(context, game), calling.output)
        until(lambda: (tournaments.look(context, task, None, 0) or {})["status"] == "done", calling.output)
    assert {usual, min(19, usual + 3)} == seen


def test_where_nobody_is_called_any_more_a_worker_says_so(context: Context, calling: Processes) -> None:
    with serving(first_action) as (url, asked):
        game = new(context, bot(url, attempts=1), AI)
        forget_calls(context)
        calling.environment["OUTGOING"] = "off"
        calling.start("workers")
        calling.start("workers.keeper")
        until(lambda: decisions(context, game, seat=0) >= 5, calling.output)
    assert ["off"] == [event["reason"] for event in events(context, game, "call_failed")]
    assert [] == asked


def test_a_challenge_of_a_bot_that_is_called_is_played_by_its_calls(context: Context, calling: Processes) -> None:
    """Both are bots that are called: the one challenges, and the game is played to its end without anybody's hand."""
    with serving(first_action) as (url, asked):
        two = [bots.published(context, bots.CALLED, endpoint=NewEndpoint(url, timeout_s=HANG_S)) for _ in range(2)]
        calling.start("workers", "--dial")
        calling.start("workers.keeper")
        for kind in ("keeper", "dialer"):
            ready(context, kind)
        one = challenging.challenge(context, two[0][1], two[1][0], bots.RATED)
        assert "accepted" == one["status"]
        until(lambda: is_over(context, one["game_id"]), calling.output)
    assert {one["game_id"]} == {told["data"]["game"]["id"] for told in asked}
    until(lambda: [0, 0] == [bot_requests.look(context, name)["playing"] for name, _ in two])
    until(lambda: None not in context.ratings.every([name for name, _ in two], "azul:two"))
    assert [] == events(context, one["game_id"], "call_failed")


def test_real_keepers_pair_bots_that_take_part_in_the_arena(context: Context, calling: Processes) -> None:
    with serving(first_action) as (url, _):
        two = [
            bots.published(context, bots.CALLED, endpoint=NewEndpoint(url, timeout_s=HANG_S), arena=True)[0]
            for _ in range(2)
        ]
        calling.start("workers", "--dial")
        for _ in range(2):
            calling.start("workers.keeper")
        until(lambda: context.players.game_ids(two[0]), calling.output)
        game = context.players.game_ids(two[0])[0]
        until(lambda: is_over(context, game), calling.output)
    begun = context.bots.begun_today(context.now_ms())
    for name in two:
        assert begun[name] == len({*context.players.game_ids(name)})
    assert "Traceback" not in calling.output()
