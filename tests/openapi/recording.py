"""Plays one small game over the API and writes down, for each operation, what was asked and answered.

What chance, clock and secrets bring is replaced by fixed stand-ins, so that recording twice gives the same files.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import orjson
from werkzeug.test import TestResponse

from tests.web.client import Client, Json, operation_of

FOLDER = Path(__file__).parents[2] / "openapi" / "examples"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
SEED = "07" * 32
NEW_GAME: Json = {
    "ruleset": "azul",
    "variant": "coloured",
    "seats": [{"kind": "player", "name": "Ana"}, {"kind": "open"}],
    "first_seat": 0,
    "seed": SEED,
    "visibility": "public",
}


class Recorder:
    """Asks, and keeps the answers by operation; the first answer of an operation counts."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.found: dict[str, Json] = {}
        self.stand_ins: dict[str, str] = {}

    def stand_in(self, real: str, name: str) -> None:
        """Have a secret of the same length and alphabet written instead; the same one every time."""
        digest = hashlib.sha512(name.encode()).hexdigest()
        self.stand_ins[real] = digest[: len(real)]

    def ask(self, method: str, path: str, body: Any = None, token: str | None = None, **headers: str) -> TestResponse:
        """One request; its answer is recorded when the service liked it."""
        given = {} if body is None else {"json": body}
        answer = self.client.with_token(token).send(method, path, headers=headers, **given)
        operation = operation_of(method, path.partition("?")[0])
        assert answer.status_code < 300, answer.data
        assert operation is not None
        content: Any = answer.json if answer.is_json else orjson.loads(answer.data.splitlines()[0])
        kept = {"request": body, "status": answer.status_code, "content_type": answer.mimetype, "response": content}
        self.found.setdefault(operation["operationId"], kept)
        return answer

    def normal(self) -> dict[str, bytes]:
        """The files, by operation."""
        return {name: self._normal(recorded) for name, recorded in self.found.items()}

    def _normal(self, recorded: Json) -> bytes:
        text = orjson.dumps(recorded, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS).decode()
        for real, instead in self.stand_ins.items():
            text = text.replace(real, instead)
        return TIME.sub("2026-01-01T12:00:00.000Z", text).encode() + b"\n"


def play(recorder: Recorder) -> None:
    """A game from its creation to its end, and what else there is to ask."""
    for path in ("/v1/rulesets", "/v1/rulesets/azul", "/v1/levels", "/healthz", "/readyz"):
        recorder.ask("GET", path)
    made = recorder.ask("POST", "/v1/games", NEW_GAME).json or {}
    host, ana = made["tokens"]["host"], made["tokens"]["seats"]["0"]
    path = f"/v1/games/{made['game']['id']}"
    recorder.stand_in(made["game"]["id"], "game")
    for name in ("host", "invite", "watch"):
        recorder.stand_in(made["tokens"][name], name)
    recorder.stand_in(ana, "seat")
    recorder.ask("GET", "/v1/games?limit=1")
    claimed = recorder.ask("POST", f"{path}/seats", {"name": "Ben"}).json or {}
    recorder.stand_in(claimed["token"], "claimed")
    recorder.ask("GET", f"{path}/actions?colour=blue&limit=3")
    game = recorder.ask("GET", path).json or {}
    recorder.ask("GET", f"{path}/history")
    action = {"type": "draft", "source": _source_of_blue(game), "colour": "blue", "line": 2}
    recorder.ask("POST", f"{path}/actions", {"action": action, "revision": game["revision"]}, ana)
    recorder.ask("GET", f"{path}/history/{game['revision']}")
    recorder.ask("POST", f"{path}/resignation", {"revision": game["revision"] + 1}, claimed["token"])
    recorder.ask("GET", f"{path}/events", Accept="application/x-ndjson")
    for operation in ("start", "abort"):
        other = recorder.ask("POST", "/v1/games", NEW_GAME).json or {}
        recorder.stand_in(other["game"]["id"], "game")
        body, host = {"revision": other["game"]["revision"]}, other["tokens"]["host"]
        recorder.ask("POST", f"/v1/games/{other['game']['id']}/{operation}", body, host)


def _source_of_blue(game: Json) -> str:
    factories = game["position"]["factories"]
    return next(f"factory_{number}" for number, tiles in enumerate(factories) if "blue" in tiles)
