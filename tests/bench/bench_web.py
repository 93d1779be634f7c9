"""Measure requests: `python -m tests.bench.bench_web`.

Serves the service with gunicorn and the project's settings in one process, and sends requests over a socket. Prints the
processor time of the process per request, and its ratio to Flask's hello and to Flask with the same Redis commands,
both served by the same process in the same run (`baselines`); and how often an action sends something to Redis. Figures
with a limit are printed with it; exits with 1 if one is above it.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import uuid
from collections.abc import Callable
from http.client import HTTPConnection
from typing import Any, Self

from service.operate.programs import GUNICORN_CONF
from service.rulesets.registry import RULESETS
from tests.bench.stores import own_redis
from tests.e2e.stack import ROOT, free_port
from tests.patience import wait_until
from tests.workers.test_processes import child_pids
from workers.warm import warm

ROUNDS = 5
REQUESTS = 200
ACTIONS = 20  # per game
LISTED = 50
HELLO, READ, ACT = "Flask hello", "Flask, a read", "Flask, an action"
ACTION, ACTION_LIMITED = "an action", "an action, with limits"
MOST = {  # name: (baseline, maximum ratio)
    "a game": (READ, 1.1),
    "a game, with limits": (READ, 1.4),
    "304": ("a game", 1.0),  # Flask and one command to Redis alone are 0.8
    "levels": (HELLO, 1.4),
    "rulesets": (HELLO, 1.4),
    ACTION: (ACT, 1.7),
    "legal actions, azul": (HELLO, 2.6),
    "legal actions, summer-pavilion": (HELLO, 2.6),
    "legal actions, queens-garden": (HELLO, 8.0),
    f"a list of {LISTED} games": (HELLO, 4.0),
    "create": (HELLO, 7.0),
}
MAX_SENT = 3
SEED, HUNDREDS = "07" * 32, 337
Act = Callable[[], object]


class Served:
    """A process of the service, and a connection to it."""

    def __init__(self, redis_url: str, stderr: int | None = None, **changed: str) -> None:
        """Start the process. `stderr`: of the process, as in `Popen`; `changed`: other settings than usual."""
        self.port = free_port()
        command = [sys.executable, "-m", "gunicorn", "-c", GUNICORN_CONF, "tests.bench.baselines:create()"]
        settings = {"REDIS_URL": redis_url, "PORT": str(self.port), "WEB_WORKERS": "1", "LOG_LEVEL": "WARNING"}
        environment = {**os.environ, **settings, **changed}
        self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=stderr)
        self.connection = HTTPConnection("127.0.0.1", self.port)
        wait_until(self._answers, "an answer")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()
        self.process.terminate()
        self.process.wait()

    @property
    def pids(self) -> list[int]:
        """The processes that respond."""
        return child_pids(self.process.pid)

    def _answers(self) -> bool:
        try:
            self.ask("GET", "/baseline/hello")
        except OSError:
            self.connection.close()
            return False
        return True

    def ask(self, method: str, path: str, body: Any = None, token: str = "", **headers: str) -> bytes:
        """Send a request and return the body of the response."""
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            more["Authorization"] = f"Bearer {token}"
        content = None if body is None else json.dumps(body)
        self.connection.request(method, path, content, {"Content-Type": "application/json", **more})
        answer = self.connection.getresponse()
        received = answer.read()
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status} {received[:300]!r}")
        return received

    def ask_json(self, method: str, path: str, body: Any = None, token: str = "", **headers: str) -> Any:
        """Send a request and return the JSON of the response."""
        return json.loads(self.ask(method, path, body, token, **headers))

    def cost(self, *acts: Act) -> tuple[float, float]:
        """Return the µs of processor time and the number of messages to Redis per act."""
        empty, before = self.ask_json("GET", "/baseline/cpu"), self.ask_json("GET", "/baseline/cpu")
        for act in acts:
            act()
        after = self.ask_json("GET", "/baseline/cpu")
        seconds = after["seconds"] - 2 * before["seconds"] + empty["seconds"]  # without the measuring requests
        return 1e6 * seconds / len(acts), (after["sent"] - before["sent"]) / len(acts)


def new_game(served: Served, ruleset: str = "azul", prefix: str = "", token: str = "", **more: Any) -> Any:
    """Create a game of two people. The player with the token has the first seat."""
    variant = next(iter(RULESETS[ruleset].variants))
    body = {"ruleset": ruleset, "variant": variant, "seats": [{"kind": "player"}] * 2, "first_seat": 0, **more}
    return served.ask_json("POST", f"{prefix}/v1/games", body, token)


class Replays:
    """A game of two people that is played repeatedly. Its seed is fixed, so the same actions are legal."""

    def __init__(self, served: Served, prefix: str) -> None:
        self.served, self.prefix = served, prefix
        self.player = served.ask_json("POST", f"{prefix}/v1/players", {})["token"]
        self.chosen = self._choose()

    def _new(self) -> Any:
        return new_game(self.served, prefix=self.prefix, token=self.player, seed=SEED)

    def _path(self, made: Any) -> str:
        return f"{self.prefix}/v1/games/{made['game']['id']}/actions"

    def _choose(self) -> list[tuple[Any, str]]:
        """Return the bodies of the first `ACTIONS` actions, each with its seat."""
        made = self._new()
        path, game, chosen = self._path(made), made["game"], list[tuple[Any, str]]()
        while len(chosen) < ACTIONS:
            listed = self.served.ask_json("GET", f"{path}?limit=1")["actions"][0]["id"]
            seat, body = str(game["to_decide"]), {"id": listed, "revision": game["revision"]}
            game = self.served.ask_json("POST", path, body, self._token(made, seat))["game"]
            chosen.append((body, seat))
        return chosen

    def _token(self, made: Any, seat: str) -> str:
        return str(made["tokens"]["seats"].get(seat, self.player))

    def acts(self) -> list[Act]:
        """Return `REQUESTS` actions with an idempotency key in new games. Every other one is the player's."""
        acts = list[Act]()
        for made in [self._new() for _ in range(REQUESTS // ACTIONS)]:
            for body, seat in self.chosen:
                arguments = ("POST", self._path(made), body, self._token(made, seat))
                acts.append(functools.partial(self.served.ask, *arguments, Idempotency_Key=uuid.uuid4().hex))
        return acts


def with_many_actions(served: Served) -> str:
    """Return the path of a game of Queen's Garden with hundreds of legal actions."""
    made = new_game(served, "queens-garden", seed=SEED)
    path, game = f"/v1/games/{made['game']['id']}", made["game"]
    while served.ask_json("GET", f"{path}/actions?limit=1")["total"] < HUNDREDS:
        chosen = served.ask_json("GET", f"{path}/actions?limit=1")["actions"][0]["id"]
        body, token = {"id": chosen, "revision": game["revision"]}, made["tokens"]["seats"][str(game["to_decide"])]
        game = served.ask_json("POST", f"{path}/actions", body, token)["game"]
    return path


def rows(served: Served) -> tuple[dict[str, float], dict[str, float]]:
    """Return the least µs of each kind of request in ROUNDS that take turns, and messages to Redis per action."""
    sent: dict[str, float] = {}
    games = {ruleset: f"/v1/games/{new_game(served, ruleset)['game']['id']}" for ruleset in ("azul", "summer-pavilion")}
    games["queens-garden"] = with_many_actions(served)
    read, player = games["azul"], served.ask_json("POST", "/v1/players", {})["token"]
    acted_on = new_game(served)["game"]["id"]
    tag = f'"{served.ask_json("GET", read)["revision"]}"'
    for _ in range(LISTED):
        new_game(served, visibility="public")
    event = {"event": "x" * 400}
    asked: dict[str, Act] = {
        HELLO: lambda: served.ask("GET", "/baseline/hello"),
        READ: lambda: served.ask("GET", f"/baseline/read/{read.rpartition('/')[2]}"),
        ACT: lambda: served.ask("POST", f"/baseline/act/{acted_on}", event),
        "a game": lambda: served.ask("GET", read),
        "a game, with limits": lambda: served.ask("GET", f"/limited{read}"),
        "304": lambda: served.ask("GET", read, If_None_Match=tag),
        "levels": lambda: served.ask("GET", "/v1/levels"),
        "rulesets": lambda: served.ask("GET", "/v1/rulesets"),
        f"a list of {LISTED} games": lambda: served.ask("GET", f"/v1/games?limit={LISTED}"),
        "create": lambda: new_game(served, token=player),
    }
    for ruleset, path in games.items():
        asked[f"legal actions, {ruleset}"] = functools.partial(served.ask, "GET", f"{path}/actions")
    found: dict[str, list[float]] = {name: [] for name in asked}
    replays = {ACTION: Replays(served, ""), ACTION_LIMITED: Replays(served, "/limited")}
    found |= {name: [] for name in replays}
    for _ in range(ROUNDS):
        for name, act in asked.items():
            found[name].append(served.cost(*[act] * REQUESTS)[0])
        for name, replayed in replays.items():
            cost, sent[name] = served.cost(*replayed.acts())
            found[name].append(cost)
    return {name: min(costs) for name, costs in found.items()}, sent


def main() -> int:
    """Print the table. Return 1 if a request costs too much."""
    warm()
    with own_redis() as redis, Served(redis.socket_url) as served:
        costs, sent = rows(served)
    fine = sent[ACTION_LIMITED] <= MAX_SENT
    for name, cost in costs.items():
        against, most = MOST.get(name, (HELLO, 0.0))
        ratio = cost / costs[against]
        fine &= not most or ratio <= most
        compared = f"{ratio:6.2f} x {against} (of {most})" if most else ""
        print(f"{name:32} {cost:7.0f} µs {cost / costs[HELLO]:6.2f} x Flask hello  {compared}")
    print(f"an action sends {sent[ACTION]:.1f} times to Redis, with limits {sent[ACTION_LIMITED]:.1f} (of {MAX_SENT})")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
