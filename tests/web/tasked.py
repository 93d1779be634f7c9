"""Background work, done by a real RQ worker in the process of the test."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest
from flask import Flask

from tests import burst
from workers import jobs

Answer = TypeVar("Answer")


def meanwhile(waiting: Callable[[], Answer], do: Callable[[], None]) -> Answer:
    """What the one who waits is told, while something is done (RQ works in the main thread alone)."""
    with ThreadPoolExecutor(1) as pool:
        described = pool.submit(waiting)
        time.sleep(0.3)
        do()
        return described.result(30)


@pytest.fixture
def work(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Does what waits in the queues of the background and of tournaments with bots."""
    context = app.extensions["context"]
    monkeypatch.setattr(jobs, "context", lambda: context)

    def do() -> None:
        burst.work([context.queue.background, context.queue.matches])

    return do
