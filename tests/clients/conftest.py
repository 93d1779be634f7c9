"""One service with limits for all clients."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.clients.playing import ACTIONS
from tests.clients.proxy import Trouble, proxy
from tests.e2e.stack import Stack


@pytest.fixture(scope="session")
def limited_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Run the service."""
    limits = {"RATE_LIMITS": "on", "LIMIT_ACTIONS": f"{ACTIONS}/2", "LIMIT_READS": "0", "LIMIT_GAMES": "0"}
    processes = {"WORKERS": "1", "BACKGROUND_WORKERS": "1", "WEB_WORKERS": "1", "OUTGOING": "loopback", "DIALERS": "1"}
    with Stack(tmp_path_factory.mktemp("limited"), **limits, **processes) as running:
        yield running


@pytest.fixture
def trouble(limited_stack: Stack) -> Iterator[Trouble]:
    """Run a proxy in front of the service."""
    with proxy(limited_stack.port) as running:
        yield running
