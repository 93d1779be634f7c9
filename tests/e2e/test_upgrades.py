"""Upgrades during games: processes of two versions side by side, and back again."""

from __future__ import annotations

import contextlib
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest
import requests

from service.rulesets.registry import RULESETS
from tests.e2e.stack import ROOT, Stack, free_port
from tests.faults.checks import faults_of_state
from tests.patience import HANG_S, wait_until
from tests.sampling import one_in

SEATS = [{"kind": "player"}, {"kind": "player"}, {"kind": "ai", "level": "greedy"}]


@contextlib.contextmanager
def next_version(stack: Stack, version: str) -> Iterator[str]:
    """Run a web process of the next version on the service's Redis. Yield its API's URL."""
    port = free_port()
    environment = {**os.environ, "REDIS_URL": stack.redis_url, "DATA_DIR": str(stack.data_dir)}
    command = [sys.executable, "-m", "tests.e2e.next_version", str(port), version]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"

    def serves() -> bool:
        with contextlib.suppress(requests.RequestException):
            return requests.get(f"{url}/healthz", timeout=HANG_S).status_code == 200
        return False

    try:
        wait_until(serves, "the next version serves")
        yield f"{url}/v1"
    finally:
        process.kill()
        process.wait()


def decide(url: str, created: dict[str, Any], rng: random.Random) -> requests.Response:
    """Play at random for a person, or wait for an AI. Return the answer, or the view of a finished game."""
    path = f"{url}/games/{created['game']['id']}"
    view = requests.get(path, timeout=HANG_S)
    if view.status_code != 200 or view.json()["status"] == "finished":
        return view
    if view.json()["to_decide"] not in (0, 1):
        return requests.get(f"{path}?wait=20", headers={"If-None-Match": view.headers["ETag"]}, timeout=HANG_S)
    answer = requests.get(f"{path}/actions", timeout=HANG_S)
    if answer.status_code != 200:
        return answer
    legal = answer.json()
    headers = {"Authorization": f"Bearer {created['tokens']['seats'][str(legal['seat'])]}"}
    body = {"id": rng.choice(legal["actions"])["id"], "revision": legal["revision"]}
    return requests.post(f"{path}/actions", json=body, headers=headers, timeout=HANG_S)


def refusal(url: str) -> tuple[int, str]:
    """Return the status and code of the answer."""
    answer = requests.get(url, timeout=HANG_S)
    return answer.status_code, answer.json()["code"]


def play_on(urls: list[str], created: dict[str, Any]) -> dict[str, Any]:
    """Play to the end with a random URL for each decision. Return the view."""
    rng = random.Random(3)
    while True:
        answer = decide(rng.choice(urls), created, rng)
        assert answer.status_code in (200, 201, 304), answer.text
        if answer.status_code == 200 and answer.json()["status"] == "finished":
            return dict(answer.json())


@pytest.mark.parametrize("ruleset", one_in(3, RULESETS))
def test_two_versions_with_the_same_rules_play_one_game(stack: Stack, ruleset: str) -> None:
    """Neither uses a snapshot of the other. Both replay the log."""
    created = stack.create(ruleset=ruleset, variant=RULESETS[ruleset].variants[0], seats=SEATS)
    with next_version(stack, "same") as other:
        view = play_on([stack.api, other], created)
        exports = [
            requests.get(f"{url}/games/{view['id']}/export", timeout=HANG_S).json() for url in (stack.api, other)
        ]
    assert exports[0] == exports[1]
    assert [] == faults_of_state(exports[0], view, time.time_ns() // 1_000_000)


@pytest.mark.nightly
def test_a_game_continued_with_newer_rules_waits_for_them(stack: Stack) -> None:
    people = [{"kind": "player"}, {"kind": "player"}]
    newer_game, other_game = (stack.create(ruleset="azul", variant="grey", seats=people) for _ in range(2))
    rng, path = random.Random(5), f"/games/{newer_game['game']['id']}"
    for created in (newer_game, other_game):
        assert [201] * 6 == [decide(stack.api, created, rng).status_code for _ in range(6)]
    with next_version(stack, "raised") as newer:
        assert 201 == decide(newer, newer_game, rng).status_code
        assert RULESETS["azul"].version + 1 == requests.get(f"{newer}{path}", timeout=HANG_S).json()["ruleset_version"]
        assert (503, "service/newer_version") == refusal(f"{stack.api}{path}/actions")
        assert 201 == decide(stack.api, other_game, rng).status_code
    assert "finished" == play_on([stack.api], other_game)["status"]  # the newer version was stopped
    assert (503, "service/newer_version") == refusal(f"{stack.api}{path}/actions")
    with next_version(stack, "raised") as newer:
        assert "finished" == play_on([newer], newer_game)["status"]
        assert "finished" == requests.get(f"{newer}/games/{other_game['game']['id']}", timeout=HANG_S).json()["status"]
