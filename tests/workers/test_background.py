"""A background worker and its backlog: fair order, and short tasks between the decisions of long ones."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from service.rulesets import code_cache
from service.storage.work.queue import BACKGROUND
from service.usecases.base.context import Caller, Context
from service.usecases.work import analyses, background, tournaments
from service.usecases.work.analyses import DECISION
from service.usecases.work.tournaments import TournamentRequest
from tests.patience import HANG_S, wait_until
from tests.usecases.games.test_usecases import PLAYER, new_game
from tests.workers.processes import Processes
from tests.workers.test_processes import start_ready
from workers import background as worker
from workers import jobs


def tournament(context: Context, deals: int, *levels: str) -> str:
    """Create a tournament and return its id."""
    request = TournamentRequest("azul", "coloured", 2, levels or ("greedy", "random"), deals)
    return str(tournaments.create(context, Caller(origin="192.0.2.1"), request)["id"])


def analysis(context: Context, seconds: float = 0.1) -> str:
    """Create an analysis and return its id."""
    game, _ = new_game(context, PLAYER, PLAYER)
    request = analyses.AnalysisRequest(DECISION, seconds, 1)
    return str(analyses.create(context, Caller(origin="192.0.2.2"), game, request)["id"])


def status(context: Context, kind: str, task: str) -> str | None:
    task_state = context.tasks.get(kind, task)
    return None if task_state is None else task_state.status


def test_worker_completes_all_pieces(at_work: Context) -> None:
    games, thought = tournament(at_work, 5), analysis(at_work)
    while at_work.backlogs[BACKGROUND].waiting():
        worker.do_next(BACKGROUND)
    assert ("done", "done") == (status(at_work, "tournament", games), status(at_work, "analysis", thought))
    assert (0, 0.0) == (at_work.backlogs[BACKGROUND].being_done(), at_work.backlogs[BACKGROUND].queued_s("192.0.2.1"))


def test_job_that_leaves_work_sends_another_job(at_work: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament(at_work, 5)
    queue: Any = at_work.queue.background
    queue.empty()
    monkeypatch.setattr(worker, "WORK_SLICE_S", 0.0)
    worker.do_next(BACKGROUND)
    assert 1 == at_work.queue.count_wake_ups(BACKGROUND)


def test_short_work_is_done_between_the_decisions_of_a_game(at_work: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """The analysis is requested in the middle of the game and done before its end."""
    games = tournament(at_work, 1, "planner", "strategist")
    seen: list[str | None] = []
    asked: list[str] = []
    real = worker.Between.__call__

    def watch(self: worker.Between) -> None:
        if not asked:
            asked.append(analysis(at_work))
        real(self)
        seen.append(status(at_work, "analysis", asked[0]))

    monkeypatch.setattr(worker.Between, "__call__", watch)
    taken = background.take(at_work, BACKGROUND)
    assert taken is not None
    worker.perform(BACKGROUND, taken)
    assert "done" in seen[:10]
    assert 1 == len(at_work.tasks.parts(games))


def test_analyses_and_games_wait_for_machine_code_and_keep_their_lease(
    at_work: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    thought, waited = analysis(at_work), list[str | None]()
    real = worker.Between.__call__

    def watch(self: worker.Between) -> None:
        waited.append(status(at_work, "analysis", thought))
        real(self)

    monkeypatch.setattr(worker.Between, "__call__", watch)
    monkeypatch.setattr(code_cache, "CHECK_S", 0.0)
    monkeypatch.setattr(jobs, "COMPILED_WITHIN_S", float("inf"))
    monkeypatch.setattr(jobs, "is_compiled", lambda _: len(waited) >= 2)
    worker.do_next(BACKGROUND)
    assert ["waiting", "waiting"] == waited[:2]
    assert "done" == status(at_work, "analysis", thought)


def test_long_task_gets_half_of_the_time(at_work: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """Short tasks between two decisions take as long as a decision, and at least one is done."""
    spent = {"decision": 1.0, "short": 0.4}
    clock = [0.0]
    done: list[int] = []
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(worker.Between, "_next_short", lambda _: "piece")

    def perform(*_: Any, **__: Any) -> None:
        done.append(1)
        clock[0] += spent["short"]

    monkeypatch.setattr(worker, "perform", perform)
    between = worker.Between(BACKGROUND, background.Piece("game", "task"), serves=True)
    for _ in range(10):
        clock[0] += spent["decision"]
        between()
    assert 30 == len(done)  # three tasks of 0.4 s fill a second


def test_failed_task_is_marked_and_the_next_is_done(at_work: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "WORK_SLICE_S", HANG_S)
    failing, fine = analysis(at_work), analysis(at_work)

    def analyse(task: str, between: Callable[[], object]) -> None:
        if task == failing:
            raise ValueError("broken")
        real(task, between)

    real = jobs.analyse
    monkeypatch.setattr(jobs, "analyse", analyse)
    worker.do_next(BACKGROUND)
    assert ("failed", "done") == (status(at_work, "analysis", failing), status(at_work, "analysis", fine))
    assert 0 == at_work.backlogs[BACKGROUND].being_done()


def test_real_worker_completes_an_analysis_during_a_long_tournament(context: Context, processes: Processes) -> None:
    """It takes one worker and one keeper, with a thousand games of the strongest levels in the backlog."""
    start_ready(context, processes, "background", "keeper")
    games = tournament(context, 500, "candidate-master", "master")
    wait_until(context.backlogs[BACKGROUND].being_done)
    thought = analysis(context)
    wait_until(lambda: status(context, "analysis", thought) == "done", processes.output)
    assert len(context.tasks.parts(games)) < 10
