"""What a request costs: `python -m tests.bench.bench_web`.

CPU µs of this process a request, without a socket: the WSGI application is called directly, Redis is real. The
measure is the ratio to Flask's own hello in the same run, which stays true on a noisy machine.
"""

from __future__ import annotations

import functools
import io
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import orjson
from flask import Flask

from service.app import create_app
from service.operate.launcher import EmbeddedRedis
from service.rulesets.registry import RULESETS
from service.settings import Settings
from workers.warm import warm

ROUNDS = 7
READS = 400
ACTIONS = 20
LISTED = 50
Wsgi = Callable[..., Any]


def call(
    app: Wsgi, method: str, path: str, body: Any = None, token: str = "", query: str = "", **headers: str
) -> bytes:
    """One request; the body of its answer."""
    content = b"" if body is None else orjson.dumps(body)
    environ = {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "SERVER_NAME": "bench",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(content),
        "wsgi.errors": io.StringIO(),
        "wsgi.version": (1, 0),
        "wsgi.multithread": False,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        "CONTENT_LENGTH": str(len(content)),
        "CONTENT_TYPE": "application/json",
        **({"HTTP_AUTHORIZATION": f"Bearer {token}"} if token else {}),
        **headers,
    }
    described: list[str] = []
    chunks = app(environ, lambda status, _headers: described.append(status))
    answer = b"".join(chunks)
    if described[0][0] not in "23":
        raise RuntimeError(f"{method} {path}: {described[0]} {answer[:300]!r}")
    return answer


def micros(act: Callable[[], object], times: int) -> float:
    """CPU µs an act."""
    began = time.process_time()
    for _ in range(times):
        act()
    return (time.process_time() - began) / times * 1e6


def hello_app() -> Flask:
    """What Flask costs by itself."""
    app = Flask("hello")

    @app.route("/hello")
    def hello() -> dict[str, str]:
        return {"hello": "world"}

    @app.route("/cpu")
    def cpu() -> str:
        return str(time.process_time())

    return app


def actions_micros(app: Wsgi) -> float:
    """CPU µs of an accepted action: the listing of what is legal is not counted."""
    seats = [{"kind": "player"}, {"kind": "player"}]
    new = {"ruleset": "azul", "variant": "coloured", "seats": seats, "first_seat": 0}
    made = orjson.loads(call(app, "POST", "/v1/games", new))
    path, game, spent = f"/v1/games/{made['game']['id']}/actions", made["game"], 0.0
    for _ in range(ACTIONS):
        chosen = orjson.loads(call(app, "GET", path))["actions"][0]["id"]
        body = {"id": chosen, "revision": game["revision"]}
        token = made["tokens"]["seats"][str(game["to_decide"])]
        began = time.process_time()
        answer = call(app, "POST", path, body, token)
        spent += time.process_time() - began
        game = orjson.loads(answer)["game"]
    return spent / ACTIONS * 1e6


def main() -> None:
    """Print the table."""
    warm()
    with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(Path(folder)) as server:
        app, hello = create_app(Settings.from_environment({"REDIS_URL": server.socket_url})), hello_app()
        new = {"ruleset": "azul", "variant": "coloured", "seats": [{"kind": "player"}] * 2, "first_seat": 0}
        games = {
            ruleset.id: orjson.loads(
                call(app, "POST", "/v1/games", {**new, "ruleset": ruleset.id, "variant": ruleset.variants[0]})
            )["game"]
            for ruleset in RULESETS.values()
        }
        path = f"/v1/games/{games['azul']['id']}"
        tag = f'"{games["azul"]["revision"]}"'
        for _ in range(LISTED):
            call(app, "POST", "/v1/games", {**new, "visibility": "public"})
        reads: dict[str, Callable[[], bytes]] = {
            "read a game": lambda: call(app, "GET", path),
            "304": lambda: call(app, "GET", path, HTTP_IF_NONE_MATCH=tag),
            "levels": lambda: call(app, "GET", "/v1/levels"),
            "rulesets": lambda: call(app, "GET", "/v1/rulesets"),
            f"list {LISTED} games": lambda: call(app, "GET", "/v1/games", query=f"limit={LISTED}"),
            "create": lambda: call(app, "POST", "/v1/games", new),
        }
        for ruleset_id, game in games.items():
            of_game = f"/v1/games/{game['id']}/actions"
            reads[f"actions, {ruleset_id}"] = functools.partial(call, app, "GET", of_game)
        rows: dict[str, list[float]] = {name: [] for name in ("Flask hello", *reads, "act")}
        for _ in range(ROUNDS):
            rows["Flask hello"].append(micros(lambda: call(hello, "GET", "/hello"), READS))
            for name, read in reads.items():
                rows[name].append(micros(read, READS // 10))
            rows["act"].append(actions_micros(app))
        base = median(rows["Flask hello"])
        for name, results in rows.items():
            print(f"{name:24} {median(results):8.0f} µs  {median(results) / base:5.2f} x")


if __name__ == "__main__":
    main()
