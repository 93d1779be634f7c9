"""Real workers and keepers at a real valkey: games continue whatever is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, cast

import orjson
import pytest

from service.games.state.clocks import ClockRule
from service.games.state.moments import unix_ms
from service.operate.redis.launcher import EmbeddedRedis
from service.rulesets.registry import RULESETS
from service.storage.base import keys
from service.storage.work.queue import BACKGROUND, Queue
from service.usecases.base.context import Caller, Context
from service.usecases.games import creating, offering
from service.usecases.games.commands import Request
from service.usecases.games.creating import NewGame, NewSeat
from service.usecases.positions import positions
from service.usecases.views import reading
from service.usecases.work import analyses, background, tournaments
from tests.patience import HANG_S, wait_until
from tests.usecases.games.test_usecases import PLAYER, act, seat
from tests.usecases.games.test_usecases import new_game as create_game
from tests.workers.processes import ROOT, Processes, signal_before_waiting
from tests.workers.test_jobs import game_state, new_game


def ready(context: Context, kind: str, count: int = 1) -> None:
    wait_until(lambda: context.queue.count_living(kind) >= count, f"no {kind}")


def waiting_workers(context: Context) -> int:
    """Return how many workers wait for a job."""
    return int(cast("Any", context.queue.redis).info("clients")["blocked_clients"])


def is_over(context: Context, game: str) -> bool:
    return game_state(context, game)[2] != "playing"


COMMANDS = {
    "worker": ("workers",),
    "dialer": ("workers", "--dial"),
    "background": ("workers", "--background"),
    "keeper": ("workers.keeper",),
}


def start_ready(context: Context, processes: Processes, *kinds: str) -> list[Any]:
    """Start a process of each kind. Return them when all are registered."""
    started = [processes.start(*COMMANDS[kind]) for kind in kinds]
    for kind, count in Counter(kinds).items():
        ready(context, kind, count)
    return started


def test_worker_plays_games_to_their_end_and_stops_at_a_signal(context: Context, processes: Processes) -> None:
    worker, keeper = start_ready(context, processes, "worker", "keeper")
    games = [new_game(context, ("greedy", "random")), new_game(context, ("random", "greedy", "random"), variant="grey")]
    wait_until(lambda: all(is_over(context, game) for game in games), processes.output)
    for process in (worker, keeper):
        process.send_signal(signal.SIGTERM)
        assert 0 == process.wait(HANG_S), processes.output()
    assert "Traceback" not in processes.output()


@pytest.mark.skipif(sys.platform != "linux", reason="changes a method of a forked process")
def test_a_signal_between_two_jobs_stops_a_worker(context: Context, processes: Processes) -> None:
    processes.constants["workers.worker:TurnWorker.dequeue_job_and_maintain_ttl"] = signal_before_waiting
    (worker,) = start_ready(context, processes, "worker")
    against_master(context)
    assert 0 == worker.wait(HANG_S), processes.output()


@pytest.mark.skipif(sys.platform != "linux", reason="looks for the children of the worker in /proc")
def test_decision_is_made_after_its_worker_is_killed(context: Context, processes: Processes) -> None:
    _, first = start_ready(context, processes, "keeper", "worker")
    game = new_game(context, ("master", "master"))
    wait_until(lambda: child_pids(first.pid))
    processes.start("workers")
    ready(context, "worker", 2)
    wait_until(lambda: child_pids(first.pid) or is_over(context, game))
    victims = [first.pid, *child_pids(first.pid)]
    for pid in victims:
        os.kill(pid, signal.SIGKILL)
    before = game_state(context, game)[0]
    context.store.schedule.put_off(game, context.now_ms())  # its lease has expired
    wait_until(lambda: game_state(context, game)[0] > before, processes.output)


WAITS_LONG = {"workers.worker:WORKER_TTL_S": 3_600}
"""With this lifetime a waiting worker does not leave the queue to renew its registration, however long a test takes."""


def against_master(context: Context) -> tuple[str, Caller]:
    """Create a game with an AI in seat 0 that keeps its tree. Return its id and the player of seat 1."""
    game, tokens = create_game(context, NewSeat("ai", level="master"), PLAYER)
    return game, seat(tokens, 1)


def tree_holder_of(context: Context, game: str, waiting: int) -> bytes | None:
    """Return the worker that made the last decision of seat 0, once `waiting` workers wait for a job."""
    wait_until(lambda: game_state(context, game)[1] == 1)
    wait_until(lambda: waiting_workers(context) == waiting)
    return context.queue.redis.get(keys.tree_holder(game, 0))  # type: ignore[return-value]  # redis-py says "or awaitable"


def test_worker_that_holds_the_tree_of_a_seat_decides_for_it(context: Context, processes: Processes) -> None:
    """Redis alone would alternate between two waiting workers."""
    processes.constants |= WAITS_LONG
    start_ready(context, processes, "worker", "worker")
    game, person = against_master(context)
    holders = []
    for _ in range(4):
        holders.append(tree_holder_of(context, game, 2))
        act(context, game, person)
    assert None not in holders
    assert 1 == len(set(holders)), processes.output()


def test_another_worker_decides_after_the_holder_of_the_tree_is_killed(context: Context, processes: Processes) -> None:
    """Redis may give the job to the killed worker until its child has ended. A keeper then sends it again."""
    processes.constants |= WAITS_LONG
    *workers, _ = start_ready(context, processes, "worker", "worker", "keeper")
    game, person = against_master(context)
    first = tree_holder_of(context, game, 2)
    (victim,) = [worker for worker in workers if f"-{worker.pid}-".encode() in (first or b"")]
    victim.kill()
    victim.wait(HANG_S)
    act(context, game, person)
    assert first != tree_holder_of(context, game, 1), processes.output()


def test_workers_and_turns_move_to_another_server_of_the_queue_after_a_kill(
    context: Context, processes: Processes, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    with EmbeddedRedis(tmp_path / "other") as other:
        context.queue = Queue(f"{context.settings.queue_url} {other.url}")
        processes.environment["QUEUE_URL"] = f"{context.settings.queue_url} {other.url}"
        for module in ("workers.keeper", "workers", "workers"):
            processes.start(module)
        wait_until(lambda: {0: 1, 1: 1} == context.queue.living("worker"), processes.output)
        games = [new_game(context, ("random", "random")) for _ in range(3)]
        other.kill9()
        games += [new_game(context, ("random", "random")) for _ in range(3)]
        wait_until(lambda: all(is_over(context, game) for game in games), processes.output)
        wait_until(lambda: {0: 2} == context.queue.living("worker"), processes.output)
        other.restart()
        wait_until(lambda: {0: 1, 1: 1} == context.queue.living("worker"), processes.output)


def test_drained_worker_takes_no_jobs_until_it_is_resumed(context: Context, processes: Processes) -> None:
    start_ready(context, processes, "worker")
    wait_until(lambda: context.queue.redis.exists("rq:workers"), processes.output)
    (name,) = context.queue.names("worker")
    context.queue.drain(name)
    wait_until(lambda: not context.queue.redis.exists("rq:workers"), processes.output)
    game = new_game(context, ("random", "random"))
    for _ in range(3):  # it has checked again whether it may continue
        before = beat_of(context, name)
        wait_until(lambda before=before: beat_of(context, name) > before)  # type: ignore[misc]
    assert (1, {name: True}) == (context.queue.turns[0].count, context.queue.names("worker"))
    context.queue.resume(name)
    wait_until(lambda: is_over(context, game), processes.output)


def beat_of(context: Context, name: str) -> float:
    """Return the time until which a drained worker counts as alive."""
    return cast("float", context.queue.redis.zscore(keys.heartbeats("drained-worker"), name))


def test_a_process_that_was_killed_does_not_count_as_alive(context: Context, processes: Processes) -> None:
    kinds = ("worker", "keeper")
    for process in start_ready(context, processes, *kinds):
        process.kill()
    wait_until(lambda: [0, 0] == [context.queue.count_living(kind) for kind in kinds])


def child_pids(pid: int) -> list[int]:
    """Return the ids of the children of a process."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_keeper_resends_jobs_that_the_queue_lost(context: Context, processes: Processes) -> None:
    """The queue has lost everything, as after a restart of its Redis without data."""
    game = new_game(context, ("random", "random"))
    for key in context.queue.redis.scan_iter("rq:*"):
        context.queue.redis.delete(key)
    processes.start("workers")
    processes.start("workers.keeper")
    wait_until(lambda: is_over(context, game), processes.output)


def test_worker_and_keeper_survive_an_outage_of_redis(
    context: Context, processes: Processes, valkey: EmbeddedRedis
) -> None:
    worker, keeper = start_ready(context, processes, "worker", "keeper")
    valkey.kill9()
    words = ("redis_unreachable", "could not connect to Redis")  # ours, and RQ's
    wait_until(lambda: all(any(word in output for word in words) for output in processes.outputs()), processes.output)
    assert (None, None) == (worker.poll(), keeper.poll()), processes.output()
    valkey.restart()
    game = new_game(context, ("greedy", "random"))
    wait_until(lambda: is_over(context, game), processes.output)


def test_signals_work_while_redis_is_down(processes: Processes, valkey: EmbeddedRedis) -> None:
    valkey.kill9()
    started = [processes.start(module) for module in ("workers", "workers.keeper")]
    wait_until(lambda: all("redis_unreachable" in output for output in processes.outputs()), processes.output)
    for process in started:
        process.send_signal(signal.SIGTERM)
    assert [0, 0] == [process.wait(HANG_S) for process in started], processes.output()


def test_missing_redis_url_is_explained(processes: Processes) -> None:
    for name in [name for name in processes.environment if name.endswith("_URL")]:
        del processes.environment[name]
    started = [processes.start(module) for module in ("workers", "workers.keeper")]
    assert [2, 2] == [process.wait(HANG_S) for process in started]
    assert all("REDIS_URL is not set" in output for output in processes.outputs())


def test_the_keeper_loads_neither_rules_nor_compiler() -> None:
    """It starts in half a second and stays small."""
    program = "import sys, workers.keeper; print({'numba', 'numpy', 'flask', 'workers.search'} & set(sys.modules))"
    ended = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "set()" == ended.stdout.strip()


# ------------------------------------------------------------------------------------------- time, by real keepers


def new_timed_game(
    context: Context, ruleset: str = "azul", on_timeout: str = "ai", turn_s: int = 1, seats: int = 2
) -> Any:
    """Create a game of people with `turn_s` seconds a turn and no bank. Return the response."""
    people = (NewSeat("player"),) * seats
    clock = ClockRule(turn_s, 0, on_timeout, "random")
    variant = RULESETS[ruleset].variants[0]
    return creating.create(context, Caller(), NewGame(ruleset, variant, people, first_seat=0, clock=clock))


def events_of(context: Context, game: str, *kinds: str) -> list[Any]:
    """Return the events of a log that have one of these kinds."""
    return [event for event in reading.history(context, Caller(), game)["events"] if event["kind"] in kinds]


def view_of(context: Context, game: str) -> Any:
    return orjson.loads(reading.glance(context, Caller(), game)[1])


def start_loaded_keepers(context: Context, processes: Processes, count: int = 1) -> None:
    """Start keepers and wait until they have loaded the rules, so that only their work takes time afterwards."""
    start_ready(context, processes, *["keeper"] * count)
    wait_until(lambda: processes.output().count("keeper_knows_the_rules") == count, processes.output)


def test_a_keeper_times_seats_out_without_workers(context: Context, processes: Processes) -> None:
    """No worker and no web server runs. Covers each ruleset, both consequences and two numbers of seats."""
    start_loaded_keepers(context, processes)
    created = [
        new_timed_game(context, ruleset, on_timeout, seats=seats)["game"]
        for ruleset in RULESETS
        for on_timeout, seats in (("ai", 2), ("lose", 2), ("lose", 3))
    ]
    ids = [game["id"] for game in created]
    wait_until(lambda: all(events_of(context, game, "timeout") for game in ids), processes.output)
    seen = []
    for game in created:
        event = events_of(context, game["id"], "timeout")[0]  # later seats may have timed out since
        assert unix_ms(game["clock"]["deadline"]) <= unix_ms(event["at"])
        view = orjson.loads(reading.view_at(context, Caller(), game["id"], event["revision"]))
        seen.append((view["status"], view["seats"][0]["status"]))
    assert [("playing", "away"), ("finished", "timed_out"), ("playing", "timed_out")] * len(RULESETS) == seen


def test_ai_plays_for_a_seat_that_has_timed_out(context: Context, processes: Processes) -> None:
    """When the other seat has timed out too, the AI plays for both."""
    processes.start("workers")
    start_loaded_keepers(context, processes)
    ready(context, "worker")
    for game in [new_timed_game(context, ruleset)["game"]["id"] for ruleset in RULESETS]:
        wait_until(lambda game=game: len(events_of(context, game, "action")) > 3, processes.output)  # type: ignore[misc]
        timeouts, actions = events_of(context, game, "timeout"), events_of(context, game, "action")
        assert [0, 1] == [event["seat"] for event in timeouts]
        assert {0, 1} == {event["seat"] for event in actions[:4]}
        assert timeouts[0]["revision"] + 1 == actions[0]["revision"]


def test_two_keepers_write_each_timeout_and_end_of_a_pause_once(context: Context, processes: Processes) -> None:
    start_loaded_keepers(context, processes, 2)
    seats = (NewSeat("player"), NewSeat("ai", level="random"))
    paused = creating.create(context, Caller(), NewGame("azul", "grey", seats, first_seat=0))
    game, token = paused["game"]["id"], paused["tokens"]["seats"]["0"]
    ids = [new_timed_game(context)["game"]["id"] for _ in range(5)]
    done = offering.pause(context, Request(Caller(token), game), None, 1)
    until_ms = unix_ms(orjson.loads(done.view)["paused_until"])
    wait_until(lambda: events_of(context, game, "resume"), processes.output)
    wait_until(lambda: all(events_of(context, game, "timeout") for game in ids), processes.output)
    for waiting, working in (processes.started, processes.started[::-1]):  # each has checked again
        waiting.send_signal(signal.SIGSTOP)
        after = new_timed_game(context)["game"]["id"]
        wait_until(lambda after=after: events_of(context, after, "timeout"), processes.output)  # type: ignore[misc]
        waiting.send_signal(signal.SIGCONT)
        assert working.poll() is None
    assert [1] * 5 == [len(events_of(context, game, "timeout")) for game in ids]
    (resumed,) = events_of(context, game, "resume")
    assert resumed["seat"] is None
    assert until_ms <= unix_ms(resumed["at"])
    assert "Traceback" not in processes.output()


def test_next_keeper_continues_after_a_kill(context: Context, processes: Processes) -> None:
    (first,) = start_ready(context, processes, "keeper")
    first.kill()
    first.wait()
    created = new_timed_game(context)["game"]
    late = created["id"]
    wait_until(lambda: context.now_ms() > unix_ms(created["clock"]["deadline"]))
    assert [] == events_of(context, late, "timeout")
    processes.start("workers.keeper")
    wait_until(lambda: events_of(context, late, "timeout"), processes.output)
    wait_until(lambda: view_of(context, late)["seats"][0]["status"] == "away")


def test_other_keeper_advances_the_clock_after_a_kill(context: Context, processes: Processes) -> None:
    start_loaded_keepers(context, processes, 2)
    game = new_timed_game(context)["game"]["id"]
    processes.started[0].kill()
    wait_until(lambda: events_of(context, game, "timeout"), processes.output)


# ------------------------------------------------------------------------------------------------- background


def _tournament(context: Context, deals: int) -> str:
    wanted = tournaments.TournamentRequest("azul", "grey", 2, ("greedy", "random"), deals)
    return str(tournaments.create(context, Caller(), wanted)["id"])


def _games_played(context: Context, task: str) -> int:
    described = tournaments.get(context, task, None, 0)
    assert described is not None
    return int(described["games_played"])


def test_a_background_worker_does_analyses_and_tournaments_and_no_turns(context: Context, processes: Processes) -> None:
    processes.environment["BACKGROUND_NICE"] = "3"
    (process,) = start_ready(context, processes, "background")
    game = new_game(context, ("greedy", "random"))
    task = _tournament(context, 3)
    glance = context.store.glance(game)
    assert glance is not None
    position = positions.read(orjson.loads(glance.view)["position"])
    wanted = analyses.AnalysisRequest("decision", 0.2, 2)
    analysis = str(analyses.create_for_position(context, Caller(), position, wanted)["id"])
    wait_until(lambda: _games_played(context, task) == 6, processes.output)
    wait_until(lambda: (analyses.get(context, Caller(), analysis, None, 0) or {})["status"] == "done")
    assert "playing" == game_state(context, game)[2]
    assert 0 == context.queue.count_living("worker")
    assert os.getpriority(os.PRIO_PROCESS, process.pid) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 3)
    process.send_signal(signal.SIGTERM)
    assert 0 == process.wait(HANG_S)


@pytest.mark.skipif(sys.platform != "linux", reason="looks for the children of the worker in /proc")
def test_tournament_ends_although_its_job_process_is_killed(context: Context, processes: Processes) -> None:
    process, _ = start_ready(context, processes, "background", "keeper")
    task = _tournament(context, 4)
    wait_until(lambda: _games_played(context, task) > 0 and child_pids(process.pid))
    victims = child_pids(process.pid)
    for pid in victims:
        os.kill(pid, signal.SIGKILL)
    assert victims
    context.backlogs[BACKGROUND].give_back(context.now_ms() + background.PIECE_LEASE_MS)
    wait_until(lambda: _games_played(context, task) == 8, processes.output)
