"""A competition of two players for the examples of the document."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any, Protocol
from unittest import mock

from werkzeug.test import TestResponse

from service.usecases.matchmaking import competing, pairing
from tests.web.client import Client
from tests.web.conftest import ADMIN_TOKEN

COMPETITION = {
    "name": "Friday Open",
    "format": "swiss",
    "ruleset": "azul",
    "variant": "grey",
    "clock": {"turn_s": 20, "bank_s": 120},
    "rounds": 3,
    "by_invitation": True,
}


class Recorder(Protocol):
    """A recorder of requests."""

    client: Client

    def ask(self, method: str, path: str, body: Any = None, token: str | None = None, **headers: str) -> TestResponse:
        """Send a request."""

    def stand_in(self, real: str, name: str) -> None:
        """Replace a value by a fixed one."""


def compete(recorder: Recorder, cleo: str, dora: str) -> None:
    """Let Cleo host and play, and Dora play and leave after the start."""
    context = recorder.client.flask.application.extensions["context"]
    made = recorder.ask("POST", "/v1/competitions", COMPETITION, cleo).json or {}
    recorder.stand_in(made["invitation"], "invitation")
    recorder.stand_in(made["id"], "competition")
    path = f"/v1/competitions/{made['id']}"
    for token in (cleo, dora):
        recorder.ask("POST", f"{path}/join", {"invitation": made["invitation"]}, token)
    recorder.ask("GET", "/v1/competitions?limit=1")
    recorder.ask("POST", f"{path}/start", token=cleo)
    with mock.patch.object(random, "SystemRandom", return_value=random.Random(1)):
        competing.run_due(context)
    recorder.ask("GET", "/v1/me/competitions", token=dora)
    recorder.ask("GET", f"{path}/events", Accept="application/x-ndjson")
    games = (recorder.ask("GET", f"{path}/games").json or {})["games"]
    recorder.stand_in(games[0]["game_id"], "competition game")
    recorder.ask("GET", path)
    recorder.ask("POST", f"{path}/leave", token=dora)
    game_id = games[0]["game_id"]
    coming = context.seeks.get_pairing(game_id)
    pairing.create(context, replace(coming, settings={**coming.settings, "public": False}))  # or a list has a cursor
    recorder.ask("PUT", f"{path}/games/{game_id}/result", {"result": "win", "seat": 0}, ADMIN_TOKEN)
    recorder.client.with_token(cleo).send("DELETE", path)
