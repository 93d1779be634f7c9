"""One service for the clients, whose limits hold."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.clients.playing import ACTIONS
from tests.clients.proxy import Trouble, proxy
from tests.e2e.stack import Stack


@pytest.fixture(scope="session")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """The running service."""
    limits = {"RATE_LIMITS": "on", "LIMIT_ACTIONS": f"{ACTIONS}/2", "LIMIT_READS": "0", "LIMIT_GAMES": "0"}
    processes = {"WORKERS": "1", "BACKGROUND_WORKERS": "1", "WEB_WORKERS": "1", "OUTGOING": "loopback", "DIALERS": "1"}
    with Stack(tmp_path_factory.mktemp("limited"), **limits, **processes) as running:
        yield running


@pytest.fixture
def trouble(limited: Stack) -> Iterator[Trouble]:
    """A proxy in front of that service."""
    with proxy(limited.port) as running:
        yield running
