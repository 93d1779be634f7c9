"""Which functions of the service one action calls: `python -m tests.bench.bench_path [--functions]`.

Submits an action with an idempotency key, directly to the WSGI application and with a real Redis, and counts calls of
the service's functions. Comprehensions belong to the function that has them, and libraries are not counted. One request
is counted after some others, so caches are filled. `--functions` lists every function. The exit status is 1 above
`MAX_CALLS` or `MAX_MODULES`.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any

import orjson

from service.app import create_app
from service.settings import Settings
from tests.bench.direct import call
from tests.bench.stores import own_redis
from workers.warm import warm

MAX_CALLS, MAX_MODULES = 340, 50
ACTIONS = 5  # the last one is counted
INLINE = ("<genexpr>", "<listcomp>", "<dictcomp>", "<setcomp>")
SEED = "07" * 32
Calls = Counter[tuple[str, str]]


def calls_of(act: Callable[[], object]) -> Calls:
    """Return how often each (module, function) of the service is called."""
    calls = Calls()

    def count(frame: FrameType, event: str, _: object) -> None:
        module, code = frame.f_globals.get("__name__", ""), frame.f_code
        if event == "call" and module.startswith("service.") and code.co_name not in INLINE:
            calls[module, code.co_qualname] += 1

    sys.setprofile(count)
    try:
        act()
    finally:
        sys.setprofile(None)
    return calls


class Played:
    """A game of Azul between a player and an anonymous seat."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.player = orjson.loads(call(app, "POST", "/v1/players", {}))["token"]
        seats = [{"kind": "player"}] * 2
        body = {"ruleset": "azul", "variant": "coloured", "seats": seats, "first_seat": 0, "seed": SEED}
        made = orjson.loads(call(app, "POST", "/v1/games", body, self.player))
        self.game, self.seats = made["game"], made["tokens"]["seats"]
        self.path = f"/v1/games/{self.game['id']}/actions"

    def act(self) -> Calls:
        """Submit the first legal action and return the calls."""
        action = orjson.loads(call(self.app, "GET", self.path, query="limit=1"))["actions"][0]["id"]
        token = self.seats.get(str(self.game["to_decide"]), self.player)
        body, answers = {"id": action, "revision": self.game["revision"]}, list[bytes]()
        key = {"HTTP_IDEMPOTENCY_KEY": f"key-{self.game['revision']}"}
        calls = calls_of(lambda: answers.append(call(self.app, "POST", self.path, body, token, **key)))
        self.game = orjson.loads(answers[0])["game"]
        return calls


def main() -> int:
    """Print the calls of each module. Return 1 if there are too many."""
    warm()
    with own_redis() as redis:
        played = Played(create_app(Settings.from_environment({"REDIS_URL": redis.socket_url, "LOG_LEVEL": "WARNING"})))
        calls = [played.act() for _ in range(ACTIONS)][-1]
    modules = Counter[str]()
    for (module, _), times in calls.items():
        modules[module] += times
    for module, times in modules.most_common():
        print(f"{times:4} {module}")
        if "--functions" in sys.argv:
            own = {function: count for (name, function), count in calls.items() if name == module}
            print("".join(f"          {count:3} {function}\n" for function, count in own.items()), end="")
    total = calls.total()
    print(f"{total} calls (of {MAX_CALLS}) in {len(modules)} modules (of {MAX_MODULES})")
    return int(total > MAX_CALLS or len(modules) > MAX_MODULES)


if __name__ == "__main__":
    sys.exit(main())
