"""What a background worker does of a backlog: pieces in turn, and short ones between the decisions of long ones."""

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
from tests.patience import HANG_S, until
from tests.usecases.games.test_usecases import PLAYER, new
from tests.workers.processes import Processes
from tests.workers.test_processes import ready
from workers import background as worker
from workers import jobs


@pytest.fixture
def here(context: Context, monkeypatch: pytest.MonkeyPatch) -> Context:
    """Work is done in this process."""
    monkeypatch.setattr(jobs, "context", lambda: context)
    return context


def tournament(context: Context, deals: int, *levels: str) -> str:
    """The id of a tournament."""
    wanted = TournamentRequest("azul", "coloured", 2, levels or ("greedy", "random"), deals)
    return str(tournaments.ask(context, Caller(origin="192.0.2.1"), wanted)["id"])


def analysis(context: Context, seconds: float = 0.1) -> str:
    """The id of an analysis."""
    game, _ = new(context, PLAYER, PLAYER)
    asked = analyses.ask(context, Caller(origin="192.0.2.2"), game, analyses.AnalysisRequest(DECISION, seconds, 1))
    return str(asked["id"])


def status(context: Context, kind: str, task: str) -> str | None:
    results = context.tasks.get(kind, task)
    return None if results is None else results.status


def test_all_pieces_are_done_and_none_is_left(here: Context) -> None:
    games, thought = tournament(here, 5), analysis(here)
    while here.backlogs[BACKGROUND].waiting():
        worker.do_next(BACKGROUND)
    assert ("done", "done") == (status(here, "tournament", games), status(here, "analysis", thought))
    assert (0, 0.0) == (here.backlogs[BACKGROUND].being_done(), here.backlogs[BACKGROUND].queued_s("192.0.2.1"))


def test_a_job_that_leaves_work_wakes_the_next(here: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament(here, 5)
    queue: Any = here.queue.background
    queue.empty()
    monkeypatch.setattr(worker, "WORK_SLICE_S", 0.0)
    worker.do_next(BACKGROUND)
    assert 1 == here.queue.looking(BACKGROUND)


def test_short_work_is_done_between_the_decisions_of_a_game(here: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """The analysis is asked for in the middle of the game, and is there before its end."""
    games = tournament(here, 1, "planner", "strategist")
    seen: list[str | None] = []
    asked: list[str] = []
    real = worker.Between.__call__

    def watched(self: worker.Between) -> None:
        if not asked:
            asked.append(analysis(here))
        real(self)
        seen.append(status(here, "analysis", asked[0]))

    monkeypatch.setattr(worker.Between, "__call__", watched)
    taken = background.take(here, BACKGROUND)
    assert taken is not None
    worker.perform(BACKGROUND, taken)
    assert "done" in seen[:10]
    assert 1 == len(here.tasks.parts(games))


def test_analyses_and_games_wait_for_machine_code_and_keep_their_lease(
    here: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    thought, waited = analysis(here), list[str | None]()
    real = worker.Between.__call__

    def watched(self: worker.Between) -> None:
        waited.append(status(here, "analysis", thought))
        real(self)

    monkeypatch.setattr(worker.Between, "__call__", watched)
    monkeypatch.setattr(code_cache, "LOOK_S", 0.0)
    monkeypatch.setattr(jobs, "COMPILED_WITHIN_S", float("inf"))
    monkeypatch.setattr(jobs, "is_compiled", lambda _: len(waited) >= 2)
    worker.do_next(BACKGROUND)
    assert ["waiting", "waiting"] == waited[:2]
    assert "done" == status(here, "analysis", thought)


def test_half_of_the_time_stays_with_the_long_work(here: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many short pieces so many are done between two decisions as the decision gives time for, one at least."""
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
    assert 30 == len(done)  # three of 0.4 s fill a second


def test_work_that_fails_says_so_and_the_next_is_done(here: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "WORK_SLICE_S", HANG_S)
    failing, fine = analysis(here), analysis(here)

    def broken(task: str, between: Callable[[], object]) -> None:
        if task == failing:
            raise ValueError("broken")
        real(task, between)

    real = jobs.analyse
    monkeypatch.setattr(jobs, "analyse", broken)
    worker.do_next(BACKGROUND)
    assert ("failed", "done") == (status(here, "analysis", failing), status(here, "analysis", fine))
    assert 0 == here.backlogs[BACKGROUND].being_done()


def test_a_real_worker_answers_an_analysis_in_the_middle_of_a_tournament_of_hours(
    context: Context, processes: Processes
) -> None:
    """One worker, one keeper, a thousand games of the strongest levels, and somebody who wants a tenth of a second."""
    for arguments in (("workers", "--background"), ("workers.keeper",)):
        processes.start(*arguments)
    ready(context, "background")
    games = tournament(context, 500, "candidate-master", "master")
    until(context.backlogs[BACKGROUND].being_done)
    thought = analysis(context)
    until(lambda: status(context, "analysis", thought) == "done", processes.output)
    assert len(context.tasks.parts(games)) < 10
