"""Real workers and keepers at a real valkey: games go on whatever is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
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
from service.usecases.views import reading
from service.usecases.work import analyses, background, tournaments
from tests.patience import HANG_S, until
from tests.usecases.games.test_usecases import PLAYER, act, new, seat
from tests.workers.processes import ROOT, Processes, signal_before_waiting
from tests.workers.test_jobs import new_game, now


def ready(context: Context, kind: str, count: int = 1) -> None:
    until(lambda: context.queue.alive(kind) >= count, f"no {kind}")


def waiting_workers(context: Context) -> int:
    """Return how many workers wait for a job."""
    return int(cast("Any", context.queue.redis).info("clients")["blocked_clients"])


def is_over(context: Context, game: str) -> bool:
    return now(context, game)[2] != "playing"


def test_a_worker_plays_games_to_their_end_and_stops_when_told(context: Context, processes: Processes) -> None:
    worker, keeper = processes.start("workers"), processes.start("workers.keeper")
    ready(context, "worker")
    ready(context, "keeper")
    games = [new_game(context, ("greedy", "random")), new_game(context, ("random", "greedy", "random"), variant="grey")]
    until(lambda: all(is_over(context, game) for game in games), processes.output)
    for process in (worker, keeper):
        process.send_signal(signal.SIGTERM)
        assert 0 == process.wait(HANG_S), processes.output()
    assert "Traceback" not in processes.output()


@pytest.mark.skipif(sys.platform != "linux", reason="changes a method of a forked process")
def test_a_signal_between_two_jobs_stops_a_worker(context: Context, processes: Processes) -> None:
    processes.constants["workers.worker:TurnWorker.dequeue_job_and_maintain_ttl"] = signal_before_waiting
    worker = processes.start("workers")
    ready(context, "worker")
    against_master(context)
    assert 0 == worker.wait(HANG_S), processes.output()


@pytest.mark.skipif(sys.platform != "linux", reason="looks for the children of the worker in /proc")
def test_a_decision_is_made_though_its_worker_is_killed(context: Context, processes: Processes) -> None:
    processes.start("workers.keeper")
    first = processes.start("workers")
    ready(context, "worker")
    game = new_game(context, ("master", "master"))
    until(lambda: children(first.pid))
    processes.start("workers")
    ready(context, "worker", 2)
    until(lambda: children(first.pid) or not _is_playing(context, game))
    victims = [first.pid, *children(first.pid)]
    for pid in victims:
        os.kill(pid, signal.SIGKILL)
    before = now(context, game)[0]
    context.store.schedule.put_off(game, context.now_ms())  # its lease is over
    until(lambda: now(context, game)[0] > before, processes.output)


WAITS_LONG = {"workers.worker:WORKER_TTL_S": 15 + int(HANG_S)}
"""A worker that waits for a job does not stop for a moment to show that it is alive."""


def against_master(context: Context) -> tuple[str, Caller]:
    """A game whose seat 0 is an AI that keeps its tree: its id, and who has seat 1."""
    game, tokens = new(context, NewSeat("ai", level="master"), PLAYER)
    return game, seat(tokens, 1)


def holder(context: Context, game: str, waiting: int) -> bytes | None:
    """Return the worker that has made a decision of seat 0, once so many workers wait for a job."""
    until(lambda: now(context, game)[1] == 1)
    until(lambda: waiting_workers(context) == waiting)
    return context.queue.redis.get(keys.tree_holder(game, 0))  # type: ignore[return-value]  # redis-py says "or awaitable"


def test_a_seat_is_decided_for_by_the_worker_that_holds_its_tree(context: Context, processes: Processes) -> None:
    """Redis alone would have two that wait take turns."""
    processes.constants |= WAITS_LONG
    for _ in range(2):
        processes.start("workers")
    ready(context, "worker", 2)
    game, person = against_master(context)
    holders = []
    for _ in range(4):
        holders.append(holder(context, game, 2))
        act(context, game, person)
    assert None not in holders
    assert 1 == len(set(holders)), processes.output()


def test_a_turn_goes_to_another_worker_where_the_holder_of_its_tree_was_killed(
    context: Context, processes: Processes
) -> None:
    """Redis may give it to the one that was killed until its child has ended, too: then a keeper gives it again."""
    processes.constants |= WAITS_LONG
    workers = [processes.start("workers") for _ in range(2)]
    processes.start("workers.keeper")
    ready(context, "worker", 2)
    ready(context, "keeper")
    game, person = against_master(context)
    first = holder(context, game, 2)
    (victim,) = [worker for worker in workers if f"-{worker.pid}-".encode() in (first or b"")]
    victim.kill()
    victim.wait(HANG_S)
    act(context, game, person)
    assert first != holder(context, game, 1), processes.output()


def test_turns_go_on_though_a_server_of_the_queue_is_killed_and_workers_follow_them(
    context: Context, processes: Processes, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    with EmbeddedRedis(tmp_path / "other") as other:
        context.queue = Queue(f"{context.settings.queue_url} {other.url}")
        processes.environment["QUEUE_URL"] = f"{context.settings.queue_url} {other.url}"
        for module in ("workers.keeper", "workers", "workers"):
            processes.start(module)
        until(lambda: {0: 1, 1: 1} == context.queue.living("worker"), processes.output)
        games = [new_game(context, ("random", "random")) for _ in range(3)]
        other.kill9()
        games += [new_game(context, ("random", "random")) for _ in range(3)]
        until(lambda: all(is_over(context, game) for game in games), processes.output)
        until(lambda: {0: 2} == context.queue.living("worker"), processes.output)
        other.restart()
        until(lambda: {0: 1, 1: 1} == context.queue.living("worker"), processes.output)


def test_a_worker_that_is_drained_takes_no_more_until_it_is_let_go_on(context: Context, processes: Processes) -> None:
    processes.start("workers")
    ready(context, "worker")
    until(lambda: context.queue.redis.exists("rq:workers"), processes.output)
    (name,) = context.queue.names("worker")
    context.queue.drain(name)
    until(lambda: not context.queue.redis.exists("rq:workers"), processes.output)
    game = new_game(context, ("random", "random"))
    for _ in range(3):  # it has looked again whether it may go on
        before = beat_of(context, name)
        until(lambda before=before: beat_of(context, name) > before)  # type: ignore[misc]
    assert (1, {name: True}) == (context.queue.turns[0].count, context.queue.names("worker"))
    context.queue.go_on(name)
    until(lambda: is_over(context, game), processes.output)


def beat_of(context: Context, name: str) -> float:
    """Return until when a drained worker lives by its last heartbeat."""
    return cast("float", context.queue.redis.zscore(keys.beats("drained-worker"), name))


def test_a_process_that_was_killed_does_not_count_as_alive(context: Context, processes: Processes) -> None:
    kinds = ("worker", "keeper")
    killed = [processes.start(module) for module in ("workers", "workers.keeper")]
    for kind in kinds:
        ready(context, kind)
    for process in killed:
        process.kill()
    until(lambda: [0, 0] == [context.queue.alive(kind) for kind in kinds])


def _is_playing(context: Context, game: str) -> bool:
    return not is_over(context, game)


def children(pid: int) -> list[int]:
    """Ids of its child processes now."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_the_keeper_wakes_what_nobody_was_woken_for(context: Context, processes: Processes) -> None:
    """The queue has lost everything: its Redis was restarted without it."""
    game = new_game(context, ("random", "random"))
    for key in context.queue.redis.scan_iter("rq:*"):
        context.queue.redis.delete(key)
    processes.start("workers")
    processes.start("workers.keeper")
    until(lambda: is_over(context, game), processes.output)


def test_worker_and_keeper_outlive_an_outage_of_redis(
    context: Context, processes: Processes, valkey: EmbeddedRedis
) -> None:
    worker, keeper = processes.start("workers"), processes.start("workers.keeper")
    ready(context, "worker")
    ready(context, "keeper")
    valkey.kill9()
    words = ("redis_unreachable", "could not connect to Redis")  # ours, and RQ's
    until(lambda: all(any(word in said for word in words) for said in processes.outputs()), processes.output)
    assert (None, None) == (worker.poll(), keeper.poll()), processes.output()
    valkey.restart()
    game = new_game(context, ("greedy", "random"))
    until(lambda: is_over(context, game), processes.output)


def test_a_signal_is_obeyed_while_redis_is_away(processes: Processes, valkey: EmbeddedRedis) -> None:
    valkey.kill9()
    started = [processes.start(module) for module in ("workers", "workers.keeper")]
    until(lambda: all("redis_unreachable" in said for said in processes.outputs()), processes.output)
    for process in started:
        process.send_signal(signal.SIGTERM)
    assert [0, 0] == [process.wait(HANG_S) for process in started], processes.output()


def test_without_a_redis_the_message_says_what_to_do(processes: Processes) -> None:
    for name in [name for name in processes.environment if name.endswith("_URL")]:
        del processes.environment[name]
    started = [processes.start(module) for module in ("workers", "workers.keeper")]
    assert [2, 2] == [process.wait(HANG_S) for process in started]
    assert all("REDIS_URL is not set" in said for said in processes.outputs())


def test_the_keeper_loads_neither_rules_nor_compiler() -> None:
    """So that it starts in half a second and stays small."""
    program = "import sys, workers.keeper; print({'numba', 'numpy', 'flask', 'workers.search'} & set(sys.modules))"
    ended = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "set()" == ended.stdout.strip()


# ------------------------------------------------------------------------------------------- time, by real keepers


def timed(context: Context, ruleset: str = "azul", on_timeout: str = "ai", turn_s: int = 1, seats: int = 2) -> Any:
    """A game of people who have so many seconds a turn, and none in the bank: what its creator is told."""
    people = (NewSeat("player"),) * seats
    clock = ClockRule(turn_s, 0, on_timeout, "random")
    variant = RULESETS[ruleset].variants[0]
    return creating.create(context, Caller(), NewGame(ruleset, variant, people, first_seat=0, clock=clock))


def events_of(context: Context, game: str, *kinds: str) -> list[Any]:
    """The events of a log that are of these kinds."""
    return [event for event in reading.history(context, Caller(), game)["events"] if event["kind"] in kinds]


def view_of(context: Context, game: str) -> Any:
    return orjson.loads(reading.glance(context, Caller(), game)[1])


def a_keeper_that_knows_the_rules(context: Context, processes: Processes, count: int = 1) -> None:
    """Keepers are there at once, and load the rules meanwhile: wait until they have, so that only their work counts."""
    for _ in range(count):
        processes.start("workers.keeper")
    ready(context, "keeper", count)
    until(lambda: processes.output().count("keeper_knows_the_rules") == count, processes.output)


def test_a_keeper_alone_times_a_seat_out(context: Context, processes: Processes) -> None:
    """No worker and no web server lives; in each ruleset, whatever was agreed and however many play."""
    a_keeper_that_knows_the_rules(context, processes)
    created = [
        timed(context, ruleset, on_timeout, seats=seats)["game"]
        for ruleset in RULESETS
        for on_timeout, seats in (("ai", 2), ("lose", 2), ("lose", 3))
    ]
    ids = [game["id"] for game in created]
    until(lambda: all(events_of(context, game, "timeout") for game in ids), processes.output)
    seen = []
    for game in created:
        event = events_of(context, game["id"], "timeout")[0]  # later seats may have run out of time since
        assert unix_ms(game["clock"]["deadline"]) <= unix_ms(event["at"])
        view = orjson.loads(reading.at(context, Caller(), game["id"], event["revision"]))
        seen.append((view["status"], view["seats"][0]["status"]))
    assert [("playing", "away"), ("finished", "timed_out"), ("playing", "timed_out")] * len(RULESETS) == seen


def test_an_ai_plays_for_who_has_run_out_of_time(context: Context, processes: Processes) -> None:
    """And once the other has, too, for both."""
    processes.start("workers")
    a_keeper_that_knows_the_rules(context, processes)
    ready(context, "worker")
    for game in [timed(context, ruleset)["game"]["id"] for ruleset in RULESETS]:
        until(lambda game=game: len(events_of(context, game, "action")) > 3, processes.output)  # type: ignore[misc]
        timeouts, actions = events_of(context, game, "timeout"), events_of(context, game, "action")
        assert [0, 1] == [event["seat"] for event in timeouts]
        assert {0, 1} == {event["seat"] for event in actions[:4]}
        assert timeouts[0]["revision"] + 1 == actions[0]["revision"]


def test_of_two_keepers_one_writes_and_a_pause_ends_by_itself(context: Context, processes: Processes) -> None:
    a_keeper_that_knows_the_rules(context, processes, 2)
    seats = (NewSeat("player"), NewSeat("ai", level="random"))
    paused = creating.create(context, Caller(), NewGame("azul", "grey", seats, first_seat=0))
    game, token = paused["game"]["id"], paused["tokens"]["seats"]["0"]
    ids = [timed(context)["game"]["id"] for _ in range(5)]
    done = offering.pause(context, Request(Caller(token), game), None, 1)
    until_ms = unix_ms(orjson.loads(done.view)["paused_until"])
    until(lambda: events_of(context, game, "resume"), processes.output)
    until(lambda: all(events_of(context, game, "timeout") for game in ids), processes.output)
    for waiting, working in (processes.started, processes.started[::-1]):  # each has looked again
        waiting.send_signal(signal.SIGSTOP)
        after = timed(context)["game"]["id"]
        until(lambda after=after: events_of(context, after, "timeout"), processes.output)  # type: ignore[misc]
        waiting.send_signal(signal.SIGCONT)
        assert working.poll() is None
    assert [1] * 5 == [len(events_of(context, game, "timeout")) for game in ids]
    (resumed,) = events_of(context, game, "resume")
    assert resumed["seat"] is None
    assert until_ms <= unix_ms(resumed["at"])
    assert "Traceback" not in processes.output()


def test_when_a_keeper_is_killed_the_next_goes_on(context: Context, processes: Processes) -> None:
    first = processes.start("workers.keeper")
    ready(context, "keeper")
    first.kill()
    first.wait()
    created = timed(context)["game"]
    late = created["id"]
    until(lambda: context.now_ms() > unix_ms(created["clock"]["deadline"]))
    assert [] == events_of(context, late, "timeout")
    processes.start("workers.keeper")
    until(lambda: events_of(context, late, "timeout"), processes.output)
    until(lambda: view_of(context, late)["seats"][0]["status"] == "away")


def test_though_a_keeper_is_killed_the_other_keeps_the_clock(context: Context, processes: Processes) -> None:
    a_keeper_that_knows_the_rules(context, processes, 2)
    game = timed(context)["game"]["id"]
    processes.started[0].kill()
    until(lambda: events_of(context, game, "timeout"), processes.output)


# ------------------------------------------------------------------------------------------------- background


def _tournament(context: Context, deals: int) -> str:
    wanted = tournaments.TournamentRequest("azul", "grey", 2, ("greedy", "random"), deals)
    return str(tournaments.ask(context, Caller(), wanted)["id"])


def _games_played(context: Context, task: str) -> int:
    described = tournaments.look(context, task, None, 0)
    assert described is not None
    return int(described["games_played"])


def test_a_background_worker_does_analyses_and_tournaments_and_no_turns(context: Context, processes: Processes) -> None:
    processes.environment["BACKGROUND_NICE"] = "3"
    process = processes.start("workers", "--background")
    ready(context, "background")
    game = new_game(context, ("greedy", "random"))
    task = _tournament(context, 3)
    glance = context.store.glance(game)
    assert glance is not None
    position = orjson.loads(glance.view)["position"]
    wanted = analyses.AnalysisRequest("decision", 0.2, 2)
    analysis = str(analyses.ask_of_position(context, Caller(), position, wanted)["id"])
    until(lambda: _games_played(context, task) == 6, processes.output)
    until(lambda: (analyses.look(context, Caller(), analysis, None, 0) or {})["status"] == "done")
    assert "playing" == now(context, game)[2]
    assert 0 == context.queue.alive("worker")
    assert os.getpriority(os.PRIO_PROCESS, process.pid) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 3)
    process.send_signal(signal.SIGTERM)
    assert 0 == process.wait(HANG_S)


@pytest.mark.skipif(sys.platform != "linux", reason="looks for the children of the worker in /proc")
def test_a_tournament_comes_to_its_end_though_what_plays_it_is_killed(context: Context, processes: Processes) -> None:
    process = processes.start("workers", "--background")
    processes.start("workers.keeper")
    ready(context, "background")
    task = _tournament(context, 4)
    until(lambda: _games_played(context, task) > 0 and children(process.pid))
    victims = children(process.pid)
    for pid in victims:
        os.kill(pid, signal.SIGKILL)
    assert victims
    context.backlogs[BACKGROUND].give_back(context.now_ms() + background.PIECE_LEASE_MS)
    until(lambda: _games_played(context, task) == 8, processes.output)
