"""People who play over HTTP: players with their tokens, the games they sit in, and the fixtures of both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import redis
from flask import Flask

from service.operate.redis.launcher import EmbeddedRedis
from service.rulesets.registry import RULESETS
from service.usecases.base.context import Context
from tests.usecases.players import Time
from tests.web.client import Client, Json
from tests.web.conftest import Table, application


@dataclass
class Person:
    """A player and the client that shows the token."""

    id: str
    client: Client

    @property
    def token(self) -> str:
        assert self.client.token is not None
        return self.client.token

    def turns(self, wait: int = 0) -> list[str]:
        """Ids of the games that wait for the player."""
        return [game["id"] for game in answered(self.client.get(f"/v1/me/turns?wait={wait}"))["games"]]

    def games(self, query: str = "") -> Json:
        return answered(self.client.get(f"/v1/me/games{query}"))


def answered(answer: Any, status: int | None = None) -> Json:
    """The body of an answer that must be a success."""
    assert answer.status_code == status if status else answer.status_code < 300, (answer.status_code, answer.json)
    results: Json = answer.json
    return results


def refused(answer: Any) -> tuple[int, str]:
    """Status and code of a refusal."""
    assert answer.mimetype == "application/problem+json", answer.json
    return answer.status_code, answer.json["code"]


def pointers(answer: Any) -> list[str]:
    return [fault["pointer"] for fault in answer.json["errors"]]


def new_player(anyone: Client, name: str | None = None) -> Person:
    made = answered(anyone.post("/v1/players", {"name": name}), 201)
    return Person(made["player"]["id"], anyone.with_token(made["token"]))


def seated(*people: Person, **changes: Any) -> Table:
    """A game of these players, the first its creator, each in the seat of their number."""
    ruleset = RULESETS[changes.get("ruleset", "azul")]
    seats = [{"kind": "player"}, *({"kind": "open"} for _ in people[1:])]
    body = {"ruleset": ruleset.id, "variant": ruleset.variants[0], "seats": seats, "first_seat": 0, **changes}
    made = answered(people[0].client.post("/v1/games", body), 201)
    table = Table(made["game"]["id"], made["tokens"], people[0].client.with_token(None))
    for person in people[1:]:
        answered(person.client.post(f"{table.path}/seats", {"token": table.tokens["invite"]}), 201)
    return table


def act(table: Table, client: Client) -> Json:
    """The first legal action, by that client."""
    body = {"id": table.actions(1)[0]["id"], "revision": table.view()["revision"]}
    return answered(client.post(f"{table.path}/actions", body), 201)


@pytest.fixture(scope="module")
def built(valkey: EmbeddedRedis) -> Flask:
    """The application that may call others."""
    return application(valkey.url, OUTGOING="on")


@pytest.fixture
def app(built: Flask, redis_client: redis.Redis) -> Iterator[Flask]:
    """The same on an empty store, with the settings it was made with."""
    doors = built.extensions["context"]
    settings = doors.settings
    yield built
    doors.settings = settings


@pytest.fixture
def ana(anyone: Client) -> Person:
    return new_player(anyone, "Ana")


@pytest.fixture
def ben(anyone: Client) -> Person:
    return new_player(anyone, "Ben")


@pytest.fixture
def context(app: Flask) -> Context:
    """The doors of the application: its clock and settings may be changed."""
    results: Context = app.extensions["context"]
    return results


@pytest.fixture
def wait_for(context: Context, monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Stops the application's clock, and sets it forward by so many seconds."""
    return Time(context, monkeypatch).pass_
