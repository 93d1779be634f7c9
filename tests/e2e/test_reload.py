"""SIGHUP reloads the web servers, and no client loses a request or an event."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import requests

from tests.e2e.stack import Stack, bearer
from tests.patience import HANG_S, POLL_S, wait_until

ENOUGH = 20  # a game has more events


def test_a_reload_loses_no_request_and_no_event(stack: Stack) -> None:
    created = stack.create(ruleset="azul", variant="coloured", seats=[{"kind": "player"}] * 2)
    path, tokens = f"/games/{created['game']['id']}", created["tokens"]["seats"]
    before, kept = {*stack.pids("web")}, requests.Session()
    ended, opened = threading.Event(), threading.Event()

    def act() -> requests.Response:
        """Act once, with new connections. After some actions only read, so that the game is not over too early."""
        legal = requests.get(f"{stack.api}{path}/actions", timeout=HANG_S)
        if legal.json()["revision"] >= ENOUGH:
            return legal
        body = {"id": legal.json()["actions"][0]["id"], "revision": legal.json()["revision"]}
        token = bearer(tokens[str(legal.json()["seat"])])
        return requests.post(f"{stack.api}{path}/actions", json=body, headers=token, timeout=HANG_S)

    with ThreadPoolExecutor(3) as pool:
        actions = pool.submit(statuses, act, ended, 10 * POLL_S)
        reads = pool.submit(statuses, lambda: kept.get(f"{stack.api}/levels", timeout=HANG_S), ended)
        streamed = pool.submit(follow, stack, path, opened)
        try:
            wait_until(opened.is_set, "the stream is open")
            os.kill(int((stack.data_dir / "lock").read_text("ascii")), signal.SIGHUP)  # as documented
            wait_until(lambda: "web-2 has reloaded" in stack.output.read_text(), "the reload")
        finally:
            ended.set()
            wait_until(actions.done, "the last action")
            requests.post(f"{stack.api}{path}/resignation", headers=bearer(tokens["0"]), json={}, timeout=HANG_S)
        assert {201} <= actions.result() <= {200, 201}
        assert {200} == reads.result()
        assert stack.process.poll() is None
        assert not before & {*stack.pids("web")}
        ids, connections = streamed.result()
    assert [*range(ids[0], stack.get(path).json()["revision"] + 1)] == ids
    assert connections > 1


def statuses(send: Callable[[], requests.Response], ended: threading.Event, pause_s: float = POLL_S) -> set[int]:
    """Return the statuses of responses until the event. Raises if a response is missing."""
    found = set[int]()
    while not ended.wait(pause_s):
        found.add(send().status_code)
    return found


def follow(stack: Stack, path: str, opened: threading.Event) -> tuple[list[int], int]:
    """Return the ids of a game's events until its end, and the number of streams that were needed.

    `opened`: set when the first stream is open.
    """
    ids, connections = list[int](), 0
    while not ids or (view := stack.get(path).json())["status"] != "finished" or view["revision"] > ids[-1]:
        headers = {"Last-Event-ID": str(ids[-1])} if ids else {}
        with requests.get(f"{stack.api}{path}/events", headers=headers, stream=True, timeout=HANG_S) as answer:
            assert 200 == answer.status_code, answer.text
            connections += 1
            opened.set()
            ids += [int(line[4:]) for line in answer.iter_lines() if line.startswith(b"id: ")]  # raises if cut off
    return ids, connections
