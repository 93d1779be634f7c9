"""Instances of the service with limits, and requests of their callers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from werkzeug.test import TestResponse

from tests.web.client import Client, body_of
from tests.web.table import PLAYERS, Table

NEW_GAME = {"ruleset": "azul", "variant": "grey", "seats": list(PLAYERS), "first_seat": 0}
TIGHT = {"LIMIT_ACTIONS": "3/3600", "LIMIT_GAMES": "3/3600", "LIMIT_READS": "3/3600"}
KEY = "kTq3_a-key-of-an-application"
KEYS = f"bots:{hashlib.sha256(KEY.encode()).hexdigest()}"
LOCAL = "127.0.0.1"
Serve = Callable[..., Client]


def create(client: Client, **headers: str) -> Table:
    made = body_of(client.post("/v1/games", NEW_GAME, **headers), 201)
    return Table(made["game"]["id"], made["tokens"], client)


def read(client: Client, address: str = LOCAL, **headers: str) -> TestResponse:
    return client.send("GET", "/v1/levels", headers=headers, environ_base={"REMOTE_ADDR": address})


def statuses(client: Client, times: int, address: str = LOCAL, **headers: str) -> list[int]:
    return [read(client, address, **headers).status_code for _ in range(times)]


def code(answer: TestResponse) -> Any:
    return (answer.json or {}).get("code")
