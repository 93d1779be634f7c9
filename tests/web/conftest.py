"""The service by Flask's test client, on a real valkey; every answer is held against the document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
import redis
from flask import Flask
from werkzeug.test import TestResponse

from service.app import create_app
from service.operate.redis.launcher import EmbeddedRedis
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from service.settings import Settings
from tests.web.client import Client, Json

EVERY_VARIANT = [(ruleset.id, variant) for ruleset in RULESETS.values() for variant in ruleset.variants]
PLAYERS = ({"kind": "player", "name": "Ana"}, {"kind": "player", "name": "Ben"})
SEED = "07" * 32
ADMIN_TOKEN = "the-operator-s-token-of-the-tests"


@dataclass
class Table:
    """A game and everybody's clients."""

    id: str
    tokens: Json
    anyone: Client

    @property
    def path(self) -> str:
        return f"/v1/games/{self.id}"

    @property
    def host(self) -> Client:
        return self.anyone.with_token(self.tokens["host"])

    def seat(self, number: int) -> Client:
        return self.anyone.with_token(self.tokens["seats"][str(number)])

    def view(self) -> Json:
        view: Json | None = self.host.get(self.path).json
        assert view is not None
        return view

    def actions(self, limit: int = 500) -> list[Json]:
        results: Json | None = self.host.get(f"{self.path}/actions?limit={limit}").json
        assert results is not None
        actions: list[Json] = results["actions"]
        return actions

    def position(self) -> Position:
        view = self.view()
        return RULESETS[view["ruleset"]].read(view["position"])

    def legal(self) -> list[Json]:
        """What the rules say of the position: all the API should list."""
        position = self.position()
        return [position.ruleset.wire.decode(action) for action in position.legal_actions()]

    def act(self, **headers: str) -> TestResponse:
        """The first legal action by who is to decide."""
        view, chosen = self.view(), self.actions(1)[0]
        body = {"id": chosen["id"], "revision": view["revision"]}
        return self.seat(view["to_decide"]).post(f"{self.path}/actions", body, **headers)


@cache
def application(url: str, number: int = 0, **settings: str) -> Flask:
    """An application with these settings, and this number of those: to make one takes longer than most tests.

    It keeps nothing of a game. It lives as long as the process.
    """
    return create_app(Settings.from_environment({"REDIS_URL": url, **settings}))


@pytest.fixture
def app(valkey: EmbeddedRedis, redis_client: redis.Redis) -> Flask:
    """The application on an empty store."""
    return application(valkey.url, ADMIN_TOKEN=ADMIN_TOKEN)


@pytest.fixture
def anyone(app: Flask) -> Client:
    """A caller without a token."""
    return Client(app.test_client())


@pytest.fixture
def new_game(anyone: Client) -> Callable[..., Table]:
    """Creates a game of two players; keyword arguments change the request."""

    def create(**changes: Any) -> Table:
        ruleset = RULESETS[changes.get("ruleset", "azul")]
        side = {"ruleset": ruleset.id, "variant": ruleset.variants[0]}
        body = {**side, "seats": list(PLAYERS), "first_seat": 0, **changes}
        made = anyone.post("/v1/games", body)
        assert made.status_code == 201, made.json
        assert made.json is not None
        return Table(made.json["game"]["id"], made.json["tokens"], anyone)

    return create


@pytest.fixture
def table(new_game: Callable[..., Table]) -> Table:
    """A game of two players, Ana to decide, with a known seed."""
    return new_game(seed=SEED)
