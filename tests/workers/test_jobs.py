"""A job plays the turn that is due, and nothing else."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import orjson
import pytest
from structlog.testing import capture_logs

from service import store_version
from service.levels import FALLBACK, LAST_RESORT
from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.storage.base.connect import NewerStoreError
from service.storage.work import queue as queue_module
from service.storage.work.queue import TAKE_TURN
from service.usecases.base.context import Caller, Context
from service.usecases.games import creating, turns
from service.usecases.games.creating import NewGame, NewSeat
from service.usecases.views import reading
from tests.workers.positions import FEWER_CASES, bonus_action
from workers import jobs
from workers import worker as worker_module
from workers.processes import pool
from workers.processes.heartbeat import Heartbeat
from workers.processes.job_arguments import job
from workers.search import decisions as decisions_module
from workers.search.decisions import Search, Searches

SEED = bytes(range(1, 33))
Done = Callable[[], list[tuple[int, str]]]


def new_game(context: Context, levels: tuple[str, ...], ruleset: str = "azul", variant: str = "coloured") -> str:
    """Create a game with AI seats only and return its id."""
    seats = tuple(NewSeat("ai", level=level) for level in levels)
    answer = creating.create(context, Caller(), NewGame(ruleset, variant, seats, first_seat=0, seed=SEED))
    return str(answer["game"]["id"])


def game_state(context: Context, game_id: str) -> tuple[int, int | None, str]:
    """Return the revision, the seat to decide and the status of the game."""
    glance = context.store.glance(game_id)
    assert glance is not None
    view = orjson.loads(glance.view)
    return glance.revision, view["to_decide"], view["status"]


def due(context: Context, game_id: str) -> tuple[int, int]:
    """Return the revision and the seat to decide of a running game."""
    revision, seat, _ = game_state(context, game_id)
    assert seat is not None
    return revision, seat


@pytest.mark.parametrize(("ruleset", "variant", "seats"), FEWER_CASES)
def test_jobs_play_a_game_of_ais_to_its_end(at_work: Context, ruleset: str, variant: str, seats: int) -> None:
    levels = ("greedy", "random", "greedy", "random")[:seats]
    game = new_game(at_work, levels, ruleset, variant)
    while game_state(at_work, game)[2] == "playing":
        revision, seat = due(at_work, game)
        jobs.take_turn(game, revision, seat)
        assert game_state(at_work, game)[0] > revision
    assert game_state(at_work, game)[2] == "finished"


def test_one_job_plays_consecutive_turns_of_several_ais(at_work: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "SLICE_S", 60.0)
    game = new_game(at_work, ("greedy", "planner", "novice"))
    jobs.take_turn(game, *due(at_work, game))
    assert game_state(at_work, game)[2] == "finished"


def test_a_job_ends_after_its_slice_and_queues_the_next_turn(at_work: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other games get their turns in between."""
    monkeypatch.setattr(jobs, "SLICE_S", 0.0)
    game = new_game(at_work, ("greedy", "random"))
    revision, seat = due(at_work, game)
    jobs.take_turn(game, revision, seat)
    assert game_state(at_work, game)[0] == revision + 1
    assert waiting(at_work) == {(TAKE_TURN, (game, revision, seat, 0)), (TAKE_TURN, (game, revision + 1, 1, 0))}


def test_process_keeps_the_latest_searches_for_the_next_turns(
    at_work: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A turn continues with the tree of the seat's last turn in any job. The oldest trees are dropped."""
    monkeypatch.setattr(jobs, "SLICE_S", 0.0)
    monkeypatch.setattr(decisions_module, "RARE_VISITS", 10**9)  # so that every answer counts as rare
    searches = Searches(2)
    monkeypatch.setattr(jobs, "_searches", searches)
    game, other = (new_game(at_work, ("master", "master")) for _ in range(2))
    decided = []
    for number in range(3):
        revision, seat, _ = game_state(at_work, game)
        assert seat == number % 2
        jobs.take_turn(game, revision, seat)
        decided.append(searches._cache[game, seat])
    assert decided[0] is decided[2] is not decided[1]
    jobs.take_turn(other, game_state(at_work, other)[0], 0)
    assert [(game, 0), (other, 0)] == list(searches._cache)


@pytest.fixture
def jobs_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Done:
    """Return a function that reads which jobs were done: the process and the game."""
    file = tmp_path / "jobs_done"
    file.touch()

    def note(game_id: str, revision: int, seat: int, before: int) -> None:
        with file.open("a") as out:
            out.write(f"{os.getpid()} {game_id}\n")
        if game_id == "hanging":
            signal.pause()
        if game_id == "failing":
            raise ValueError

    monkeypatch.setattr(jobs, "take_turn", job(note))

    def read() -> list[tuple[int, str]]:
        lines = [line.split() for line in file.read_text().splitlines()]
        return [(int(pid), game) for pid, game in lines]

    return read


def work(context: Context, *games: str) -> None:
    """Run a new worker until it has done a job for each game."""
    for game in games:
        context.queue.wake(game, 3, 0, 0)
    run_worker(context)
    assert [] == context.queue.redis.keys("rq:job:*") + context.queue.redis.keys("rq:queue:*")


def run_worker(context: Context) -> None:
    heartbeat = Heartbeat(context.settings, queue_module.WORKER)
    try:
        worker = worker_module._new_worker(context.settings, (queue_module.TURNS,), heartbeat)
        worker.work(burst=True, logging_level="ERROR")
    finally:
        heartbeat.stop()


def test_one_child_makes_all_decisions_of_a_worker_and_ends_with_it(at_work: Context, jobs_done: Done) -> None:
    work(at_work, "a", "b", "c")
    pids, games = zip(*jobs_done(), strict=True)
    assert (("a", "b", "c"), 1) == (games, len(set(pids)))
    assert os.getpid() != pids[0]
    assert not Path(f"/proc/{pids[0]}").exists()


@pytest.mark.parametrize(
    ("positional", "named"),
    [
        (["game", 3, 0, 0], {}),
        ([], {"game_id": "game", "revision": 3, "seat": 0, "before": 0}),
        ([], {"game_id": "game", "revision": 3, "seat": 0, "before": 0, "later": 1}),
        (["game", 3, 0, 0, "later"], {}),
    ],
)
def test_a_worker_runs_jobs_of_earlier_and_later_versions(
    at_work: Context, jobs_done: Done, positional: list[Any], named: dict[str, Any]
) -> None:
    at_work.queue.turns[0].enqueue_call(queue_module.TAKE_TURN, args=positional, kwargs=named)
    work(at_work)
    assert ["game"] == [game for _, game in jobs_done()]


def test_a_job_that_only_later_versions_have_does_not_end_a_worker(at_work: Context, jobs_done: Done) -> None:
    unknown = at_work.queue.turns[0].enqueue_call("workers.jobs.of_a_later_version", kwargs={"later": 1})
    at_work.queue.wake("game", 3, 0, 0)
    run_worker(at_work)
    assert ["game"] == [game for _, game in jobs_done()]
    assert unknown.is_failed


def test_error_while_a_worker_stops_is_not_logged(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """The signal may arrive while a connection is made, and redis-py then raises its own error."""

    class Interrupted:
        def work(self, **_: str) -> None:
            worker_module.TurnWorker.asked_to_stop = True
            raise AttributeError("_reader")

    monkeypatch.setattr(worker_module.TurnWorker, "asked_to_stop", False)
    monkeypatch.setattr(worker_module, "Heartbeat", lambda *_: SimpleNamespace(is_drained=False))
    monkeypatch.setattr(worker_module, "_new_worker", lambda *_: Interrupted())
    with capture_logs() as logs:
        worker_module.work(context.settings, "worker", (queue_module.TURNS,))
    assert [] == logs


def test_a_worker_leaves_a_store_of_a_newer_version_alone(at_work: Context) -> None:
    game = new_game(at_work, ("greedy", "random"))
    at_work.queue.wake(game, *due(at_work, game), 0)
    at_work.store.redis.set(store_version.KEY, store_version.STORE_VERSION + 1)
    at_work.clock.refresh_at = 0.0
    with pytest.raises(NewerStoreError):
        run_worker(at_work)
    assert 1 == at_work.queue.turns[0].count
    at_work.store.redis.delete(store_version.KEY)
    run_worker(at_work)
    assert 0 == at_work.queue.turns[0].count


@pytest.fixture(params=[True, False])
def forks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the test with and without permission to fork."""
    monkeypatch.setattr(pool, "FORKS", request.param)


@pytest.mark.usefixtures("forks")
def test_failing_turn_does_not_end_its_worker(at_work: Context, jobs_done: Done) -> None:
    work(at_work, "failing", "fine")
    assert ["failing", "fine"] == [game for _, game in jobs_done()]


@pytest.mark.usefixtures("forks")
def test_hanging_turn_is_killed(at_work: Context, jobs_done: Done, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as impatient:
        impatient.setattr(worker_module, "JOB_TIMEOUT_S", 1)
        impatient.setattr(worker_module, "MONITOR_S", 0.1)
        work(at_work, "hanging")
    work(at_work, "fine")
    assert "fine" == jobs_done()[-1][1]


def test_search_waits_for_its_machine_code_without_blocking_a_worker(
    at_work: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The job returns to the queue without counting as an attempt; other jobs run; after a while nothing waits."""
    searching, quick = new_game(at_work, ("planner", "greedy")), new_game(at_work, ("greedy", "planner"))
    monkeypatch.setattr(jobs, "COMPILED_WITHIN_S", float("inf"))
    monkeypatch.setattr(jobs, "is_compiled", lambda _: False)
    for game in (searching, quick):
        jobs.take_turn(game, *due(at_work, game))
    assert game_state(at_work, searching)[:2] == (3, 0)
    assert game_state(at_work, quick)[:2] == (4, 1)
    stored = at_work.store.load(searching)
    assert stored is not None
    assert stored.attempts == 0
    assert searching in at_work.store.schedule.due(at_work.now_ms() + turns.HANDED_BACK_MS, 9)
    assert searching not in at_work.store.schedule.due(at_work.now_ms() + turns.HANDED_BACK_MS // 2, 9)
    monkeypatch.setattr(jobs, "COMPILED_WITHIN_S", float("-inf"))
    jobs.take_turn(searching, 3, 0)
    assert game_state(at_work, searching)[0] > 3


def waiting(context: Context) -> set[tuple[str | None, tuple[Any, ...]]]:
    """Return the jobs in the queue as function and arguments."""
    return {(job.func_name, (*job.args, *job.kwargs.values())) for job in context.queue.turns[0].get_jobs()}


def play_to_bonus(context: Context, game: str) -> None:
    """Decide for the AIs until one of them takes several bonus tiles."""
    rng = generator(SEED)
    action = None
    while action is None:
        revision, seat = due(context, game)
        turn = turns.take(context, game, revision, seat)
        assert turn is not None
        action = bonus_action(turn.position)
        turns.act(context, turn, turn.position.random_action(rng) if action is None else action)


@pytest.mark.parametrize("variant", RULESETS["summer-pavilion"].variants)
def test_an_ai_takes_its_bonus_tiles_in_a_row_with_one_tree(
    at_work: Context, monkeypatch: pytest.MonkeyPatch, variant: str
) -> None:
    """The job ends when the supply is filled up or another seat decides."""
    game = new_game(at_work, ("planner", "planner"), "summer-pavilion", variant)
    play_to_bonus(at_work, game)
    revision, seat = due(at_work, game)
    count = orjson.loads(reading.glance(at_work, Caller(), game)[1])["position"]["bonus_owed"]
    begun: list[Search] = []

    class Known(Search):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            begun.append(self)

    monkeypatch.setattr(decisions_module, "Search", Known)
    monkeypatch.setattr(jobs, "SLICE_S", 0.0)
    jobs.take_turn(game, revision, seat)
    events = reading.history(at_work, Caller(), game, revision)["events"]
    taken = [(event["kind"], event["seat"], event["action"]["type"]) for event in events[:count]]
    assert [("action", seat, "summer-pavilion.take_bonus")] * count == taken
    assert ["draw"] == [event["kind"] for event in events[count:]]
    assert 1 == len(begun)


def test_a_job_for_a_decision_already_made_does_nothing(at_work: Context) -> None:
    game = new_game(at_work, ("random", "random"))
    revision, seat = due(at_work, game)
    jobs.take_turn(game, revision, seat)
    after = game_state(at_work, game)
    jobs.take_turn(game, revision, seat)
    assert after == game_state(at_work, game)


def test_job_for_an_attempt_already_made_does_nothing(at_work: Context) -> None:
    game = new_game(at_work, ("random", "random"))
    before = game_state(at_work, game)
    jobs.take_turn(game, *due(at_work, game), 1)
    assert before == game_state(at_work, game)
    jobs.take_turn(game, *due(at_work, game), 0)
    assert before != game_state(at_work, game)


def test_a_job_for_another_seat_or_an_unknown_game_does_nothing(at_work: Context) -> None:
    game = new_game(at_work, ("random", "random"))
    before = game_state(at_work, game)
    jobs.take_turn(game, before[0], 1 - (before[1] or 0))
    jobs.take_turn("A" * 16, 3, 0)
    assert before == game_state(at_work, game)


@pytest.mark.parametrize(
    ("attempt", "expected"),
    [(1, "master"), (3, "master"), (4, FALLBACK), (5, FALLBACK), (6, LAST_RESORT), (99, LAST_RESORT)],
)
def test_a_decision_that_keeps_failing_is_made_by_a_simpler_level(attempt: int, expected: str) -> None:
    assert expected == jobs.level_for("master", attempt)


def test_unknown_level_is_replaced() -> None:
    assert FALLBACK == jobs.level_for("no-such-level", 1)


def test_a_failing_search_fails_its_job_and_the_fourth_attempt_decides(
    at_work: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the evaluation of the tree search is broken; the fallback does not use it."""
    game = new_game(at_work, ("planner", "random"))
    revision, seat = due(at_work, game)
    monkeypatch.setattr(jobs, "SLICE_S", 0.0)
    monkeypatch.setattr(Search, "_simulate", lambda *_: 1 / 0)
    monkeypatch.setattr(type(at_work), "now_ms", _ever_later(at_work.now_ms()))
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            jobs.take_turn(game, revision, seat)
    assert revision == game_state(at_work, game)[0]
    jobs.take_turn(game, revision, seat)
    assert game_state(at_work, game)[0] > revision


def _ever_later(begin: int) -> object:
    """Return a clock that advances by ten seconds at each call, so that every lease has expired at the next."""
    state = {"now": begin}

    def now_ms(_cases: Context) -> int:
        state["now"] += 10_000
        return state["now"]

    return now_ms
