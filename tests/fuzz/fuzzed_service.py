"""The service for damaged input, with its own store, and checks of its refusals.

The client validates each response against the document. An error that would lead to status 500 is raised to the loop,
which prints its origin.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import redis
from flask import Flask
from werkzeug.test import TestResponse

from service.app import create_app
from service.operate.redis.launcher import EmbeddedRedis
from service.settings import Settings
from service.web.codes import CODES
from tests.fuzz.fuzzing import require

ADMIN_TOKEN = "operator-" * 4
SETTINGS = {"OUTGOING": "on", "ACCESS_LOG": "off", "ADMIN_TOKEN": ADMIN_TOKEN}
EVERY = 200  # inputs after which the store is emptied
JSON_TYPE = "application/json"


@contextlib.contextmanager
def service() -> Iterator[tuple[Flask, redis.Redis]]:
    """Yield the application and its store."""
    with (
        tempfile.TemporaryDirectory() as folder,
        EmbeddedRedis(Path(folder)) as server,
        redis.Redis.from_url(server.socket_url) as store,
    ):
        app = create_app(Settings.from_environment({"REDIS_URL": server.socket_url, **SETTINGS}))
        app.register_error_handler(Exception, _raise)
        app.config["PROPAGATE_EXCEPTIONS"] = True
        try:
            yield app, store
        finally:
            app.extensions["context"].hub.close()


def _raise(error: Exception) -> NoReturn:
    """Raise an error that would lead to status 500, so that the loop prints its origin."""
    raise error


def check_refusal(answer: TestResponse) -> None:
    """Check that a refusal has a code: for an invalid body with pointers, for a record with the number of the event."""
    require(answer.status_code < 500, f"{answer.status_code}: {answer.get_data()[:300]!r}")
    problem = answer.json or {}
    require(problem.get("code") in CODES, f"no code: {problem}")
    if problem["code"] == "request/invalid":
        require(problem.get("errors"), "the refusal has no errors")
        require(all(fault["detail"] for fault in problem["errors"]), "a fault without words")
    if problem["code"] == "record/illegal_event":
        require(problem.get("event", 0) >= 1 and problem.get("detail"), "the refusal names no event or no reason")
