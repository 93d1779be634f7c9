"""Fixtures of all tests: compiled rules, a real valkey for each test process, an empty database for each test.

pytest-xdist distributes the files over several processes; session fixtures exist once in each.
"""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import threading
from collections.abc import Iterator

import pytest
import redis
import structlog

from service.operate.redis.launcher import EmbeddedRedis

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # in all processes: more threads wait for each other in a loop


def pytest_configure() -> None:
    """Restore interrupts, which processes in a shell's background ignore, and log exceptions as the service does.

    Rendering local variables takes half a second for each exception.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    *others, _ = structlog.get_config()["processors"]
    plain = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[*others, plain])


def pytest_collection_finish() -> None:
    """Spare the garbage collector what is loaded for all tests, which takes a tenth of their time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile missing rules once, on all cores."""
    if not hasattr(session.config, "workerinput"):
        from workers.warm import warm

        warm()


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedRedis]:
    """Yield a running embedded Redis: `.url`, `.socket_url`, `.pid`, `.kill9()`, `.restart()`."""
    with EmbeddedRedis(tmp_path_factory.mktemp("valkey")) as server:
        yield server


@pytest.fixture
def redis_client(valkey: EmbeddedRedis) -> Iterator[redis.Redis]:
    """Yield a client of `valkey` with an empty database. Restart a server that an earlier test killed."""
    if valkey.pid is None:
        valkey.restart()
    with redis.Redis.from_url(valkey.socket_url) as client:
        client.flushdb()
        yield client


@pytest.fixture
def restored_logging() -> Iterator[None]:
    """Restore the logging configuration after a test that changes it."""
    structlog.contextvars.clear_contextvars()  # a request of another test may have left its id
    root = logging.getLogger()
    handlers, level, hooks = root.handlers[:], root.level, (sys.excepthook, threading.excepthook)
    configured = structlog.get_config()
    yield
    sys.excepthook, threading.excepthook = hooks
    root.handlers = handlers
    root.setLevel(level)
    structlog.configure(**configured)
