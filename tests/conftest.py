"""What all tests share: compiled rules, one real valkey for the run, an empty database for each test that asks.

`make test` shares the tests out over two processes (pytest-xdist). Fixtures of the session are a process's own.
Tests that start processes, kill them or look at the clock stay together, in one of the two and one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from service.operate.launcher import EmbeddedRedis

TOGETHER = (
    "tests/e2e/",
    "tests/faults/",
    "tests/operate/",
    "tests/state/",
    "tests/workers/test_arena.py::test_a_match_goes_on",
    "tests/workers/test_arena.py::test_background_workers",
    "tests/workers/test_arena_programs.py::test_the_server_keeps_the_time",
    "tests/workers/test_background.py",
    "tests/workers/test_calls.py",
    "tests/workers/test_crew.py",
    "tests/workers/test_deliveries.py",
    "tests/workers/test_pool.py",
    "tests/workers/test_processes.py",
    "tests/workers/test_search.py",
)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile what has to be compiled, once, on all cores, and out of sight of the coverage's tracer."""
    if not hasattr(session.config, "workerinput"):
        from workers.warm import warm

        warm()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    """Share the tests out as `Together` says."""
    return Together(config, log)


class Together(LoadScopeScheduling):  # type: ignore[misc]  # xdist ships no types
    """One test at a time goes to the process that is free, but some stay together (they are more, so they go first).

    xdist_group would say the same by marks, but xdist 3.8 does not see its marks under pytest 9.2.
    """

    def _split_scope(self, nodeid: str) -> str:
        """The name of what a test may not be parted from: by default the test's own."""
        return "processes" if nodeid.startswith(TOGETHER) else nodeid


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
