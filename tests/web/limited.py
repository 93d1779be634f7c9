"""Instances of the service with limits on, and how their callers ask."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import redis
from werkzeug.test import TestResponse

from tests.web.client import Client
from tests.web.conftest import PLAYERS, Table, application

NEW_GAME = {"ruleset": "azul", "variant": "grey", "seats": list(PLAYERS), "first_seat": 0}
TIGHT = {"LIMIT_ACTIONS": "3/3600", "LIMIT_GAMES": "3/3600", "LIMIT_READS": "3/3600"}
KEY = "kTq3_a-key-of-an-application"
KEYS = f"bots:{hashlib.sha256(KEY.encode()).hexdigest()}"
LOCAL = "127.0.0.1"
Serve = Callable[..., Client]


@contextmanager
def instances(url: str, client: redis.Redis) -> Iterator[Serve]:
    """Starts instances with limits on, or as their settings say, and answers a caller of each.

    Whatever a test does with them: every key of the limiter expires.
    """
    numbers = itertools.count()

    def start(**settings: str) -> Client:
        return Client(application(url, next(numbers), **{"RATE_LIMITS": "on", **settings}).test_client())

    yield start
    assert [] == [key for key in client.scan_iter("{lim:*") if client.pttl(key) == -1]


def create(client: Client, **headers: str) -> Table:
    made = client.post("/v1/games", NEW_GAME, **headers)
    assert made.status_code == 201, made.json
    assert made.json is not None
    return Table(made.json["game"]["id"], made.json["tokens"], client)


def read(client: Client, address: str = LOCAL, **headers: str) -> TestResponse:
    return client.send("GET", "/v1/levels", headers=headers, environ_base={"REMOTE_ADDR": address})


def statuses(client: Client, times: int, address: str = LOCAL, **headers: str) -> list[int]:
    return [read(client, address, **headers).status_code for _ in range(times)]


def code(answer: TestResponse) -> Any:
    return (answer.json or {}).get("code")
