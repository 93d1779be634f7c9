"""Measure a bot's requests: `python -m tests.bench.bench_bots [--games 3]`.

Starts the whole service as an operator does. Prints for each ruleset
- the times of a polling bot's requests: the game, the legal actions, its action, and the games that wait for it
  (median and p95 in ms, and the ratio of the median to `/healthz` in the same run)
- the delays of a called bot: from an opponent's action to the call, and from its response to the opponent's next turn
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import requests

from service.rulesets.registry import RULESETS
from tests.e2e.stack import Stack
from tests.serving import Handler, served_by
from workers.warm import warm

HELLO = 200
WAIT_S = 20
Times = dict[str, list[float]]


def timed_json(times: list[float], ask: Callable[[], requests.Response]) -> Any:
    """Return the JSON of a response, and append the ms that it took."""
    began = time.perf_counter()
    answer = ask()
    times.append(1000 * (time.perf_counter() - began))
    assert answer.ok, answer.text
    return answer.json()


def player(stack: Stack) -> requests.Session:
    """Create a player and return a session with their token."""
    http = requests.Session()
    made = http.post(f"{stack.api}/players", json={"bot": True}, timeout=60).json()
    http.headers["Authorization"] = f"Bearer {made['token']}"
    return http


def create(stack: Stack, http: requests.Session, ruleset: str, other: dict[str, Any]) -> str:
    """Create a game against this opponent and return its URL."""
    seats = [{"kind": "player"}, other]
    body = {"ruleset": ruleset, "variant": RULESETS[ruleset].variants[0], "seats": seats, "first_seat": 0}
    made = http.post(f"{stack.api}/games", json=body, timeout=60)
    assert made.ok, made.text
    return f"{stack.api}/games/{made.json()['game']['id']}"


def polls(stack: Stack, ruleset: str, games: int) -> Times:
    """Play as a polling bot against a quick AI."""
    times, http = defaultdict[str, list[float]](list), player(stack)
    for _ in range(games):
        here = create(stack, http, ruleset, {"kind": "ai", "level": "random"})
        game = http.get(here, timeout=60).json()
        while game["status"] == "playing":
            if game["to_decide"] != 0:
                seen = {"If-None-Match": f'"{game["revision"]}"'}
                game = http.get(f"{here}?wait={WAIT_S}", headers=seen, timeout=60).json()
                continue
            timed_json(times["the games that wait"], lambda: http.get(f"{stack.api}/me/turns", timeout=60))
            timed_json(times["a game"], lambda: http.get(here, timeout=60))  # noqa: B023 - asked at once
            legal = timed_json(times["its legal actions"], lambda: http.get(f"{here}/actions", timeout=60))  # noqa: B023
            body = {"id": random.choice(legal["actions"])["id"], "revision": legal["revision"]}
            game = timed_json(times["an action"], lambda: http.post(f"{here}/actions", json=body, timeout=60))["game"]  # noqa: B023
    return times


class Called(Handler):
    """A bot that is called: it answers with the first action, and remembers when it was asked and had answered."""

    arrived: list[float] = []  # noqa: RUF012 - of the one bot there is
    answered: list[float] = []  # noqa: RUF012

    def respond(self) -> None:
        """Decide."""
        self.arrived.append(time.perf_counter())
        told = json.loads(self.content)["data"]
        actions = (
            told["actions"]
            or requests.post(
                told["positions_url"], json={"position": told["game"]["position"], "form": "list"}, timeout=4
            ).json()["legal"]["actions"]
        )
        self.answer(json.dumps({"id": random.choice(actions)["id"]}).encode())
        self.answered.append(time.perf_counter())


def calls(stack: Stack, ruleset: str, games: int, url: str) -> Times:
    """Play against a bot that is called."""
    times, http = defaultdict[str, list[float]](list), player(stack)
    for _ in range(games):
        here = create(stack, http, ruleset, {"kind": "http", "endpoint": {"url": f"{url}/"}})
        game = http.get(here, timeout=60).json()
        while game["status"] == "playing":
            legal = http.get(f"{here}/actions", timeout=60).json()
            body, before = (
                {"id": random.choice(legal["actions"])["id"], "revision": legal["revision"]},
                len(Called.arrived),
            )
            began = time.perf_counter()
            game = http.post(f"{here}/actions", json=body, timeout=60).json()["game"]
            while game["status"] == "playing" and game["to_decide"] != 0:
                seen = {"If-None-Match": f'"{game["revision"]}"'}
                game = http.get(f"{here}?wait={WAIT_S}", headers=seen, timeout=60).json()
            ended = time.perf_counter()
            if len(Called.answered) > before:
                times["from an action to the call"].append(1000 * (Called.arrived[before] - began))
                times["from its answer to the next turn"].append(1000 * (ended - Called.answered[-1]))
    return times


def report(ruleset: str, times: Times, hello_ms: float) -> None:
    """Print a line for each kind of request."""
    for what, taken in times.items():
        p95 = sorted(taken)[int(0.95 * len(taken))]
        ratio = median(taken) / hello_ms
        print(
            f"{ruleset:16} {what:34} {median(taken):6.1f} ms, p95 {p95:6.1f} ms, {ratio:5.1f} x /healthz ({len(taken)})"
        )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=3)
    games = parser.parse_args().games
    warm()
    with (
        served_by(Called) as url,
        tempfile.TemporaryDirectory() as folder,
        Stack(Path(folder), OUTGOING="loopback") as stack,
    ):
        polls(stack, "azul", 1)  # warms up
        http, hello = requests.Session(), list[float]()
        for _ in range(HELLO):
            timed_json(hello, lambda: http.get(f"{stack.url}/healthz", timeout=60))
        print(f"/healthz {median(hello):.1f} ms")
        for ruleset in RULESETS:
            report(ruleset, polls(stack, ruleset, games), median(hello))
            report(ruleset, calls(stack, ruleset, games, url), median(hello))


if __name__ == "__main__":
    main()
