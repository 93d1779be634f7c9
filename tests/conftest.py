"""What all tests share: compiled rules, one real valkey for the run, an empty database for each test that asks.

`make test` shares the files out over several processes (pytest-xdist). Fixtures of the session are a process's own.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
import redis
import structlog
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from service.operate.launcher import EmbeddedRedis

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # in all processes: more threads wait for each other in a loop

TOGETHER = (
    "tests/browser/test_whole_games.py",
    "tests/browser/test_seats.py",
    "tests/clients/test_play.py",
    "tests/workers/test_processes.py",
    "tests/workers/test_calls.py",
    "tests/workers/test_arena.py",
    "tests/stored/test_stored.py",
    "tests/e2e/",
    "tests/usecases/test_players.py",
    "tests/faults/test_kills.py",
    "tests/storage/test_events.py",
    "tests/rulesets/test_conformance.py",
    "tests/fuzz/",
    "tests/web/test_tournaments.py",
    "tests/rulesets/test_golden.py",
    "tests/workers/test_deliveries.py",
)
"""Folders and files whose tests stay in one process. They take longest, so they go first: no process is left alone
with one of them at the end. Of all other files each stays together, too."""


def pytest_configure() -> None:
    """Heed interrupts: what a shell starts in the background ignores them, and so would all that tests start.

    Log exceptions without local variables, as the service does: to lay those out takes half a second each.
    """
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    *others, _ = structlog.get_config()["processors"]
    plain = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[*others, plain])


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile what has to be compiled, once, on all cores."""
    if not hasattr(session.config, "workerinput"):
        from workers.warm import warm

        warm()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest, else keep the order."""
    last = len(TOGETHER)
    items.sort(key=lambda item: next((n for n, place in enumerate(TOGETHER) if item.nodeid.startswith(place)), last))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    """Share the tests out as `Together` says."""
    return Together(config, log)


class Together(LoadScopeScheduling):  # type: ignore[misc]  # xdist ships no types
    """The tests of a file stay together, and those of TOGETHER's folders."""

    def _split_scope(self, nodeid: str) -> str:
        """The name of what a test may not be parted from."""
        return next((place for place in TOGETHER if nodeid.startswith(place)), nodeid.partition("::")[0])


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedRedis]:
    """A running embedded Redis: `.url`, `.socket_url`, `.pid`, `.kill9()`, `.restart()`."""
    with EmbeddedRedis(tmp_path_factory.mktemp("valkey")) as server:
        yield server


@pytest.fixture
def redis_client(valkey: EmbeddedRedis) -> Iterator[redis.Redis]:
    """A client of `valkey`, emptied first; a server that a test has killed is started again."""
    if valkey.pid is None:
        valkey.restart()
    with redis.Redis.from_url(valkey.socket_url) as client:
        client.flushdb()
        yield client
