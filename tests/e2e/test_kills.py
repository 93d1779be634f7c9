"""Kill everything in mid-game: nothing is lost, and the game ends without help."""

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
from tests.patience import HANG_S, until


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
        session.get(f"{stack.url}/healthz", timeout=HANG_S)  # a connection is open
    ready.wait()
    with contextlib.suppress(requests.RequestException):
        return stack.send_act(session, *asked)
    return stack.act(*asked)


def test_a_decision_is_made_after_the_worker_that_held_it_is_killed(stack: Stack) -> None:
    """The worker and its job die while the decision is being searched; another takes it up."""
    until(stack.is_ready, "ready")
    until(lambda: len(stack.parents("worker")) - len(stack.children("worker")) == 2, "both workers are there")
    view, job, worker = until(lambda: searched_for(stack), "a decision is being searched")
    os.kill(worker, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):  # it may have ended just now
        os.kill(job, signal.SIGKILL)
    assert 0 == stack.next_view(view)["to_decide"]


def searched_for(stack: Stack) -> tuple[dict[str, Any], int, int] | None:
    """(view, job, worker) of a new game whose decision is being searched; None if it was made too quickly."""
    idle = {child: cpu_s(child) for child in stack.children("worker")}
    view = act_somehow(stack, game_with(stack, "master"))

    def at_work() -> list[tuple[int, int]]:
        children = stack.children("worker").items()
        return [(child, worker) for child, worker in children if cpu_s(child) > idle.get(child, math.inf)]

    def is_decided() -> bool:
        return bool(stack.get(f"/games/{view['id']}").json()["revision"] > view["revision"])

    until(lambda: at_work() or is_decided(), "a decision is searched, or made")
    return (view, *busy[0]) if (busy := at_work()) and not is_decided() else None
