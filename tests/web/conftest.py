"""The service by Flask's test client, on a real valkey; every answer is held against the document."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
import redis
from flask import Flask

from service.app import create_app
from service.operate.redis.launcher import EmbeddedRedis
from service.rulesets.registry import RULESETS
from service.settings import Settings
from service.usecases.base.context import Context
from tests import burst
from tests.usecases.players import Time
from tests.web.client import Client, answered
from tests.web.limited import Serve
from tests.web.players import Person, new_player
from tests.web.table import PLAYERS, SEED, Table
from workers import jobs

ADMIN_TOKEN = "the-operator-s-token-of-the-tests"


@cache
def application(url: str, number: int = 0, **settings: str) -> Flask:
    """An application with these settings, and this number of those: to make one takes longer than most tests.

    It keeps nothing of a game. It lives as long as the process.
    """
    return create_app(Settings.from_environment({"REDIS_URL": url, **settings}))


@pytest.fixture
def app(valkey: EmbeddedRedis, redis_client: redis.Redis) -> Iterator[Flask]:
    """The application on an empty store. It may call others. A test may change its settings."""
    made = application(valkey.url, ADMIN_TOKEN=ADMIN_TOKEN, OUTGOING="on")
    context = made.extensions["context"]
    settings = context.settings
    yield made
    context.settings = settings


@pytest.fixture
def context(app: Flask) -> Context:
    """The dependencies of the application: a test may change its clock and settings."""
    results: Context = app.extensions["context"]
    return results


@pytest.fixture
def anyone(app: Flask) -> Client:
    """A caller without a token."""
    return Client(app.test_client())


@pytest.fixture
def admin(anyone: Client) -> Client:
    """The operator's client."""
    return anyone.with_token(ADMIN_TOKEN)


@pytest.fixture
def ana(anyone: Client) -> Person:
    return new_player(anyone, "Ana")


@pytest.fixture
def ben(anyone: Client) -> Person:
    return new_player(anyone, "Ben")


@pytest.fixture
def new_game(anyone: Client) -> Callable[..., Table]:
    """Creates a game of two players; keyword arguments change the request."""

    def create(**changes: Any) -> Table:
        ruleset = RULESETS[changes.get("ruleset", "azul")]
        side = {"ruleset": ruleset.id, "variant": ruleset.variants[0]}
        body = {**side, "seats": list(PLAYERS), "first_seat": 0, **changes}
        made = answered(anyone.post("/v1/games", body), 201)
        return Table(made["game"]["id"], made["tokens"], anyone)

    return create


@pytest.fixture
def table(new_game: Callable[..., Table]) -> Table:
    """A game of two players, Ana to decide, with a known seed."""
    return new_game(seed=SEED)


@pytest.fixture
def wait_for(context: Context, monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Stops the application's clock, and sets it forward by so many seconds."""
    return Time(context, monkeypatch).pass_


@pytest.fixture
def work(context: Context, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Does what waits in the queues of the background and of tournaments with bots, by a real RQ worker."""
    monkeypatch.setattr(jobs, "context", lambda: context)
    return lambda: burst.work([context.queue.background, context.queue.matches])


@pytest.fixture
def serve(valkey: EmbeddedRedis, redis_client: redis.Redis) -> Iterator[Serve]:
    """Starts an instance with limits on, or as its settings say, and returns a caller of it.

    Every key of the limiter expires, whatever a test does.
    """
    numbers = itertools.count()

    def start(**settings: str) -> Client:
        return Client(application(valkey.url, next(numbers), **{"RATE_LIMITS": "on", **settings}).test_client())

    yield start
    assert [] == [key for key in redis_client.scan_iter("{lim:*") if redis_client.pttl(key) == -1]
