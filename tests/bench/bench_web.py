"""What a request costs: `python -m tests.bench.bench_web`.

The service is served by gunicorn with the project's own settings, one process, and asked over a socket. Told is the
processor time of that process for a request, as a ratio to Flask's own hello, and to Flask with the same calls of
Redis, served by the same process in the same run (`served`); and how often an action sends something to Redis. Each
figure that is to be reached stands beside the most that it may be; where one is above, the exit status is 1.
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
from tests.patience import until
from workers.warm import warm

ROUNDS = 5
REQUESTS = 200
ACTIONS = 20  # of a game
LISTED = 50
HELLO, READ, ACT = "Flask hello", "Flask, a read", "Flask, an action"
ACTION, ACTION_LIMITED = "an action", "an action, with limits"
MOST = {  # name: (compared with, the most)
    "a game": (READ, 1.1),
    "a game, with limits": (READ, 1.4),
    "304": ("a game", 1.0),  # 0.8 was hoped for; Flask and one question to Redis alone are 0.8 of it
    "levels": (HELLO, 1.1),
    "rulesets": (HELLO, 1.1),
    ACTION: (ACT, 1.6),
    "legal actions, azul": (HELLO, 2.0),
    "legal actions, summer-pavilion": (HELLO, 2.0),
    "legal actions, queens-garden": (HELLO, 8.0),
    f"a list of {LISTED} games": (HELLO, 4.0),
    "create": (HELLO, 5.0),
}
MAX_SENT = 3
SEED, HUNDREDS = "07" * 32, 337
Act = Callable[[], object]


class Served:
    """The process, and a connection to it."""

    def __init__(self, redis_url: str, stderr: int | None = None, **changed: str) -> None:
        """`stderr`: where its log goes, as `Popen` takes it; `changed`: settings that are others than usual."""
        self.port = free_port()
        command = [sys.executable, "-m", "gunicorn", "-c", GUNICORN_CONF, "tests.bench.served:create()"]
        settings = {"REDIS_URL": redis_url, "PORT": str(self.port), "WEB_WORKERS": "1", "LOG_LEVEL": "WARNING"}
        environment = {**os.environ, **settings, **changed}
        self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=stderr)
        self.connection = HTTPConnection("127.0.0.1", self.port)
        until(self._answers, "an answer")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()
        self.process.terminate()
        self.process.wait()

    def _answers(self) -> bool:
        try:
            self.ask("GET", "/baseline/hello")
        except OSError:
            self.connection.close()
            return False
        return True

    def ask(self, method: str, path: str, body: Any = None, token: str = "", **headers: str) -> bytes:
        """One request; the body of its answer."""
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            more["Authorization"] = f"Bearer {token}"
        content = None if body is None else json.dumps(body)
        self.connection.request(method, path, content, {"Content-Type": "application/json", **more})
        answer = self.connection.getresponse()
        answered = answer.read()
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status} {answered[:300]!r}")
        return answered

    def asked(self, method: str, path: str, body: Any = None, token: str = "", **headers: str) -> Any:
        """The same as JSON."""
        return json.loads(self.ask(method, path, body, token, **headers))

    def cost(self, *acts: Act) -> tuple[float, float]:
        """(µs of processor time, messages to Redis) of each of these."""
        empty, before = self.asked("GET", "/baseline/cpu"), self.asked("GET", "/baseline/cpu")
        for act in acts:
            act()
        after = self.asked("GET", "/baseline/cpu")
        seconds = after["seconds"] - 2 * before["seconds"] + empty["seconds"]  # less what it takes to ask
        return 1e6 * seconds / len(acts), (after["sent"] - before["sent"]) / len(acts)


def new_game(served: Served, ruleset: str = "azul", prefix: str = "", token: str = "", **more: Any) -> Any:
    """Two people's; the first seat is the player's whose token this is."""
    variant = next(iter(RULESETS[ruleset].variants))
    body = {"ruleset": ruleset, "variant": variant, "seats": [{"kind": "player"}] * 2, "first_seat": 0, **more}
    return served.asked("POST", f"{prefix}/v1/games", body, token)


class Replays:
    """A game of two people that is played again and again: its seed is known, so the same actions are legal."""

    def __init__(self, served: Served, prefix: str) -> None:
        self.served, self.prefix = served, prefix
        self.player = served.asked("POST", f"{prefix}/v1/players", {})["token"]
        self.chosen = self._choose()

    def _new(self) -> Any:
        return new_game(self.served, prefix=self.prefix, token=self.player, seed=SEED)

    def _path(self, made: Any) -> str:
        return f"{self.prefix}/v1/games/{made['game']['id']}/actions"

    def _choose(self) -> list[tuple[Any, str]]:
        """Bodies of the first `ACTIONS` actions, each with the seat that takes it."""
        made = self._new()
        path, game, chosen = self._path(made), made["game"], list[tuple[Any, str]]()
        while len(chosen) < ACTIONS:
            listed = self.served.asked("GET", f"{path}?limit=1")["actions"][0]["id"]
            seat, body = str(game["to_decide"]), {"id": listed, "revision": game["revision"]}
            game = self.served.asked("POST", path, body, self._token(made, seat))["game"]
            chosen.append((body, seat))
        return chosen

    def _token(self, made: Any, seat: str) -> str:
        return str(made["tokens"]["seats"].get(seat, self.player))

    def acts(self) -> list[Act]:
        """`REQUESTS` actions with an idempotency key, in new games; every other is the player's."""
        acts = list[Act]()
        for made in [self._new() for _ in range(REQUESTS // ACTIONS)]:
            for body, seat in self.chosen:
                arguments = ("POST", self._path(made), body, self._token(made, seat))
                acts.append(functools.partial(self.served.ask, *arguments, Idempotency_Key=uuid.uuid4().hex))
        return acts


def with_many_actions(served: Served) -> str:
    """The path of a game of Queen's Garden in which hundreds are legal."""
    made = new_game(served, "queens-garden", seed=SEED)
    path, game = f"/v1/games/{made['game']['id']}", made["game"]
    while served.asked("GET", f"{path}/actions?limit=1")["total"] < HUNDREDS:
        chosen = served.asked("GET", f"{path}/actions?limit=1")["actions"][0]["id"]
        body, token = {"id": chosen, "revision": game["revision"]}, made["tokens"]["seats"][str(game["to_decide"])]
        game = served.asked("POST", f"{path}/actions", body, token)["game"]
    return path


def rows(served: Served) -> tuple[dict[str, float], dict[str, float]]:
    """µs of each kind of request: the least of ROUNDS, which take turns; and how often an action asks Redis."""
    sent: dict[str, float] = {}
    games = {ruleset: f"/v1/games/{new_game(served, ruleset)['game']['id']}" for ruleset in ("azul", "summer-pavilion")}
    games["queens-garden"] = with_many_actions(served)
    read, player = games["azul"], served.asked("POST", "/v1/players", {})["token"]
    acted_on = new_game(served)["game"]["id"]
    tag = f'"{served.asked("GET", read)["revision"]}"'
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
    """Print the table; 1 where something costs too much."""
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
