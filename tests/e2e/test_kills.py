"""kill -9 of everything there is, in mid-game: nothing is lost, and the game ends with nobody's help."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import requests

from service.rulesets.registry import RULESETS
from tests.e2e.stack import Stack, cpu_s
from tests.e2e.test_games import play_to_the_end, whole_log
from tests.patience import HANG_S, until


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A service that these tests may break."""
    with Stack(tmp_path_factory.mktemp("broken")) as running:
        yield running


def game_with(stack: Stack, *levels: str) -> dict[str, Any]:
    """A new game: seat 0 a person, the others AIs."""
    others = [{"kind": "ai", "level": level} for level in levels]
    return stack.create(ruleset="azul", variant="coloured", seats=[{"kind": "player"}, *others], first_seat=0)


def act_somehow(stack: Stack, created: dict[str, Any]) -> dict[str, Any]:
    """One action of seat 0, which is to decide; the view after it."""
    game = created["game"]["id"]
    legal = stack.get(f"/games/{game}/actions").json()
    answer = stack.act(game, created["tokens"]["seats"]["0"], legal["actions"][0]["id"], legal["revision"])
    assert answer.status_code == 201, answer.text
    return dict(answer.json()["game"])


def replays(stack: Stack, final: dict[str, Any]) -> bool:
    """Whether the log, replayed by the rules, leaves the position that is told."""
    ruleset = RULESETS["azul"]
    position = ruleset.start(final["variant"], len(final["seats"]), 0)
    for event in whole_log(stack, final["id"]):
        if event["kind"] == "draw":
            position = position.resolve_draw(ruleset.wire.read_draw(event["draw"]))
        elif event["kind"] == "action":
            position = position.play(ruleset.wire.encode(event["action"]))
    return bool(ruleset.view(position) == final["position"])


@pytest.mark.parametrize("kind", ["worker", "keeper", "web", "redis"])
def test_a_kill_in_mid_game_loses_nothing_and_the_game_ends(stack: Stack, kind: str) -> None:
    created = game_with(stack, "expert")
    view = act_somehow(stack, created)
    before = whole_log(stack, view["id"])
    killed = stack.kill9(kind)
    final = play_to_the_end(stack, created | {"game": stack.get(f"/games/{view['id']}").json()}, random.Random(7))
    assert "finished" == final["status"]
    assert before == whole_log(stack, view["id"])[: len(before)]
    assert replays(stack, final)
    until(stack.is_ready, f"ready again after the kill of {kind}")
    until(lambda: not set(killed) & set(stack.pids(kind)), f"what was killed of {kind} is gone")


@pytest.mark.parametrize("killing", [False, True])
def test_of_eight_requests_with_one_key_at_once_one_is_served_and_all_get_its_answer(
    stack: Stack, *, killing: bool
) -> None:
    """Whichever web processes they meet, and though one of those is killed while it serves them."""
    both = [{"kind": "player"}, {"kind": "player"}]
    created = stack.create(ruleset="azul", variant="coloured", seats=both)
    game, tokens = created["game"]["id"], created["tokens"]["seats"]
    sessions = [requests.Session() for _ in range(8)]
    for number in range(20):
        legal = stack.get(f"/games/{game}/actions").json()
        token, chosen = tokens[str(legal["seat"])], legal["actions"][0]["id"]
        ready = threading.Barrier(8)
        with ThreadPoolExecutor(8) as pool:
            asked = (game, token, chosen, legal["revision"])
            sent = [pool.submit(at_once, stack, session, ready, asked) for session in sessions]
            if killing and number % 5 == 0:
                os.kill(stack.pids("web")[-1], signal.SIGKILL)
            answers = [one.result() for one in sent]
        assert [201] * 8 == [answer.status_code for answer in answers]
        assert 1 == len({(answer.headers["ETag"], json.dumps(answer.json())) for answer in answers})
        replayed = [answer.headers.get("Idempotency-Replayed") for answer in answers]
        assert replayed.count("true") == 7 or (killing and replayed.count("true") == 8)
    kinds = [event["kind"] for event in whole_log(stack, game)]
    assert 20 == kinds.count("action")


def at_once(
    stack: Stack, session: requests.Session, ready: threading.Barrier, asked: tuple[str, str, str, int]
) -> requests.Response:
    """The answer to an action that is sent at the same moment as others, and again while the service is away."""
    with contextlib.suppress(requests.RequestException):
        session.get(f"{stack.url}/healthz", timeout=5)  # a connection is open
    ready.wait()
    with contextlib.suppress(requests.RequestException):
        return stack.send_act(session, *asked)
    return stack.act(*asked)


def test_a_decision_is_made_soon_after_the_worker_that_held_it_is_killed(stack: Stack) -> None:
    """The worker and its job die while the decision is being searched; another takes it up."""
    for _ in range(3):
        until(stack.is_ready, "ready")
        until(lambda: len(stack.pids("worker")) - len(deciding(stack)) == 2, "both workers are there")
        view, job, worker = searched_for(stack)
        os.kill(worker, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):  # it may have ended just now
            os.kill(job, signal.SIGKILL)
        killed = time.monotonic()
        answer = stack.get(f"/games/{view['id']}?wait=20", headers={"If-None-Match": f'"{view["revision"]}"'})
        assert answer.status_code == 200
        assert answer.json()["to_decide"] == 0
        assert time.monotonic() - killed < HANG_S


def searched_for(stack: Stack) -> tuple[dict[str, Any], int, int]:
    """(view, job, worker) of a game whose decision is being searched; half a second may pass before one looks."""
    while True:
        view = act_somehow(stack, game_with(stack, "master"))
        while stack.get(f"/games/{view['id']}").json()["revision"] == view["revision"]:
            under_way = job_under_way(stack)
            if under_way is not None:
                return view, *under_way
            time.sleep(0.02)


def job_under_way(stack: Stack) -> tuple[int, int] | None:
    """(child, worker) if the child of a worker computes."""
    children = deciding(stack)
    before = {child: cpu_s(child) for child in children}
    time.sleep(0.05)
    return next(((child, children[child]) for child in before if cpu_s(child) > before[child]), None)


def deciding(stack: Stack) -> dict[int, int]:
    """The children of workers, which they keep, and their workers."""
    workers = stack.parents("worker")
    return {pid: parent for pid, parent in workers.items() if parent in workers}
