"""The service through Flask's test client, on a real valkey. Every answer is compared with the document."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from flask import Flask
from redis import Redis

from service.app import create_app
from service.operate.redis.launcher import EmbeddedRedis
from service.rulesets.registry import RULESETS
from service.settings import Settings
from service.usecases.base.context import Context
from tests import burst
from tests.usecases.players import Time
from tests.web.client import Client, body_of
from tests.web.limited_service import Serve
from tests.web.players import Person, new_player, new_staff_token
from tests.web.table import PLAYERS, SEED, NewTable, Table
from workers import jobs

ADMIN_TOKEN = "the-operator-s-token-of-the-tests"


@cache
def application(url: str, number: int = 0, **settings: str) -> Flask:
    """Return the application with these settings. `number` distinguishes instances with equal settings.

    Creating one takes longer than most tests. It lives as long as the process and stores nothing of a game.
    """
    return create_app(Settings.from_environment({"REDIS_URL": url, **settings}))


@pytest.fixture
def app(valkey: EmbeddedRedis, redis_client: Redis) -> Iterator[Flask]:
    """Return the application on an empty store, with outgoing calls. A test may change its settings."""
    made = application(valkey.url, ADMIN_TOKEN=ADMIN_TOKEN, OUTGOING="on")
    context = made.extensions["context"]
    settings = context.settings
    yield made
    context.settings = settings


@pytest.fixture
def context(app: Flask) -> Context:
    """Return the dependencies of the application. A test may change its clock and settings."""
    results: Context = app.extensions["context"]
    return results


@pytest.fixture
def anyone(app: Flask) -> Client:
    """Return a client without a token."""
    return Client(app.test_client())


@pytest.fixture
def admin(anyone: Client) -> Client:
    """Return the operator's client."""
    return anyone.with_token(ADMIN_TOKEN)


@pytest.fixture
def staff_admin(admin: Client) -> Client:
    """Return the client of a member of staff with the role `admin`."""
    return admin.with_token(new_staff_token(admin, "admin"))


@pytest.fixture
def moderator(admin: Client) -> Client:
    return admin.with_token(new_staff_token(admin, "moderator"))


@pytest.fixture
def ana(anyone: Client) -> Person:
    return new_player(anyone, "Ana")


@pytest.fixture
def ben(anyone: Client) -> Person:
    return new_player(anyone, "Ben")


@pytest.fixture
def new_game(anyone: Client) -> NewTable:
    """Return a function that creates a game of two players. Keyword arguments change the request."""

    def create(**changes: Any) -> Table:
        ruleset = RULESETS[changes.get("ruleset", "azul")]
        side = {"ruleset": ruleset.id, "variant": ruleset.variants[0]}
        body = {**side, "seats": list(PLAYERS), "first_seat": 0, **changes}
        made = body_of(anyone.post("/v1/games", body), 201)
        return Table(made["game"]["id"], made["tokens"], anyone)

    return create


@pytest.fixture
def table(new_game: NewTable) -> Table:
    """Create a game of two players with a known seed. Ana decides first."""
    return new_game(seed=SEED)


@pytest.fixture
def wait_for(context: Context, monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Stop the application's clock. Return a function that advances it by seconds."""
    return Time(context, monkeypatch).pass_


@pytest.fixture
def work(context: Context, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function that executes all background jobs and tournaments with bots in a real RQ worker."""
    monkeypatch.setattr(jobs, "context", lambda: context)
    return lambda: burst.work([context.queue.background, context.queue.matches])


@pytest.fixture
def serve(valkey: EmbeddedRedis, redis_client: Redis) -> Iterator[Serve]:
    """Return a function that starts an instance (default: with limits) and returns a client of it.

    Afterwards every key of the limiter must have an expiry.
    """
    numbers = itertools.count()

    def start(**settings: str) -> Client:
        return Client(application(valkey.url, next(numbers), **{"RATE_LIMITS": "on", **settings}).test_client())

    yield start
    assert [] == [key for key in redis_client.scan_iter("{lim:*") if redis_client.pttl(key) == -1]
