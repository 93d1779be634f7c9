"""The service that damaged input is sent to, on a store of its own, and what a refusal of it has to tell.

It is asked by a client that holds every answer against the document. What it would answer by 500 goes through to the
loop instead, which tells where it comes from.
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
from tests.fuzz.fuzzing import must

SETTINGS = {"OUTGOING": "on"}
EVERY = 200  # inputs after which the store is emptied
JSON_TYPE = "application/json"


@contextlib.contextmanager
def service() -> Iterator[tuple[Flask, redis.Redis]]:
    """The application, on a store of its own."""
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
    """What would be answered by 500 goes through to the loop, which tells where it comes from."""
    raise error


def refused(answer: TestResponse) -> None:
    """It is a refusal with a code; of a body that is at fault with pointers, of a record with an event."""
    must(answer.status_code < 500, f"{answer.status_code}: {answer.get_data()[:300]!r}")
    problem = answer.json or {}
    must(problem.get("code") in CODES, f"no code: {problem}")
    if problem["code"] == "request/invalid":
        must(problem.get("errors"), "it tells no fault")
        must(all(fault["detail"] for fault in problem["errors"]), "a fault without words")
    if problem["code"] == "record/illegal_event":
        must(problem.get("event", 0) >= 1 and problem.get("detail"), "it does not tell which event, or why")
