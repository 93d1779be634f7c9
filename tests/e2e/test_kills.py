"""Kills during games: nothing is lost, and games end without intervention."""

from __future__ import annotations

import contextlib
import json
import math
import os
import random
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import requests

from service.rulesets.registry import RULESETS
from tests.e2e.stack import Stack, cpu_s
from tests.e2e.test_games import play_to_the_end, whole_log
from tests.patience import HANG_S, wait_until


def game_with(stack: Stack, *levels: str) -> dict[str, Any]:
    """Create a game of a person in seat 0 and AIs."""
    others = [{"kind": "ai", "level": level} for level in levels]
    return stack.create(ruleset="azul", variant="coloured", seats=[{"kind": "player"}, *others], first_seat=0)


def act_somehow(stack: Stack, created: dict[str, Any]) -> dict[str, Any]:
    """Play the first action of seat 0. Return the view."""
    game = created["game"]["id"]
    legal = stack.get(f"/games/{game}/actions").json()
    answer = stack.act(game, created["tokens"]["seats"]["0"], legal["actions"][0]["id"], legal["revision"])
    assert answer.status_code == 201, answer.text
    return dict(answer.json()["game"])


def is_replayable(stack: Stack, final: dict[str, Any]) -> bool:
    """Return True if the replayed log leads to the view's position."""
    ruleset = RULESETS["azul"]
    position = ruleset.start(final["variant"], len(final["seats"]), 0)
    for event in whole_log(stack, final["id"]):
        if event["kind"] == "draw":
            position = position.resolve_draw(ruleset.wire.read_draw(event["draw"]))
        elif event["kind"] == "action":
            position = position.play(ruleset.wire.encode(event["action"]))
    return bool(ruleset.view(position) == final["position"])


@pytest.mark.parametrize("kind", ["worker", "keeper", "web", "redis"])
def test_a_kill_during_a_game_loses_no_event_and_the_game_ends(stack: Stack, kind: str) -> None:
    created = game_with(stack, "expert")
    view = act_somehow(stack, created)
    before = whole_log(stack, view["id"])
    killed = stack.kill9(kind)
    final = play_to_the_end(stack, created | {"game": stack.get(f"/games/{view['id']}").json()}, random.Random(7))
    assert "finished" == final["status"]
    assert before == whole_log(stack, view["id"])[: len(before)]
    assert is_replayable(stack, final)
    wait_until(stack.is_ready, f"ready again after the kill of {kind}")
    wait_until(lambda: not set(killed) & set(stack.pids(kind)), f"what was killed of {kind} is gone")


@pytest.mark.parametrize("killing", [False, True])
def test_eight_simultaneous_requests_with_one_key_get_one_answer(stack: Stack, *, killing: bool) -> None:
    """They reach different web processes, and one of those may be killed."""
    both = [{"kind": "player"}, {"kind": "player"}]
    created = stack.create(ruleset="azul", variant="coloured", seats=both)
    game, tokens = created["game"]["id"], created["tokens"]["seats"]
    sessions = [requests.Session() for _ in range(8)]
    for number in range(20):
        legal = stack.get(f"/games/{game}/actions").json()
        token, chosen = tokens[str(legal["seat"])], legal["actions"][0]["id"]
        ready = threading.Barrier(8)
        with ThreadPoolExecutor(8) as pool:
            action = (game, token, chosen, legal["revision"])
            sent = [pool.submit(act_simultaneously, stack, session, ready, action) for session in sessions]
            if killing and number % 5 == 0:
                os.kill(stack.pids("web")[-1], signal.SIGKILL)
            answers = [one.result() for one in sent]
        assert [201] * 8 == [answer.status_code for answer in answers]
        assert 1 == len({(answer.headers["ETag"], json.dumps(answer.json())) for answer in answers})
        replayed = [answer.headers.get("Idempotency-Replayed") for answer in answers]
        assert replayed.count("true") == 7 or (killing and replayed.count("true") == 8)
    kinds = [event["kind"] for event in whole_log(stack, game)]
    assert 20 == kinds.count("action")


def act_simultaneously(
    stack: Stack, session: requests.Session, ready: threading.Barrier, action: tuple[str, str, str, int]
) -> requests.Response:
    """Send an action simultaneously with others, and repeat it while the service restarts."""
    with contextlib.suppress(requests.RequestException):
        session.get(f"{stack.url}/healthz", timeout=HANG_S)  # opens a connection
    ready.wait()
    with contextlib.suppress(requests.RequestException):
        return stack.send_act(session, *action)
    return stack.act(*action)


def test_another_worker_decides_after_a_worker_is_killed_during_its_search(stack: Stack) -> None:
    """The worker and its job die during the search, and another worker decides."""
    wait_until(stack.is_ready, "ready")
    wait_until(lambda: len(stack.parents("worker")) - len(stack.children("worker")) == 2, "both workers are there")
    view, job, worker = wait_until(lambda: find_search(stack), "a decision is being searched")
    os.kill(worker, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):  # the job may have just ended
        os.kill(job, signal.SIGKILL)
    assert 0 == stack.next_view(view)["to_decide"]


def find_search(stack: Stack) -> tuple[dict[str, Any], int, int] | None:
    """Create a game and return (view, job, worker) during its search, or None if it was too quick."""
    idle = {child: cpu_s(child) for child in stack.children("worker")}
    view = act_somehow(stack, game_with(stack, "master"))

    def at_work() -> list[tuple[int, int]]:
        children = stack.children("worker").items()
        return [(child, worker) for child, worker in children if cpu_s(child) > idle.get(child, math.inf)]

    def is_decided() -> bool:
        return bool(stack.get(f"/games/{view['id']}").json()["revision"] > view["revision"])

    wait_until(lambda: at_work() or is_decided(), "a decision is searched, or made")
    return (view, *busy[0]) if (busy := at_work()) and not is_decided() else None
