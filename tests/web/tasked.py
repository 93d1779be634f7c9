"""Background work, done by a real RQ worker in the process of the test."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from tests import burst
from workers import jobs


@pytest.fixture
def work(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Does what waits in the queues of the background and of tournaments with bots."""
    context = app.extensions["context"]
    monkeypatch.setattr(jobs, "context", lambda: context)

    def do() -> None:
        burst.work([context.queue.background, context.queue.matches])

    return do
