"""One service for the clients: its limits hold, and are small enough to be met."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.clients.proxy import Trouble, proxy
from tests.e2e.stack import Stack


@pytest.fixture(scope="session")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Twenty actions in two seconds are all that is let through."""
    limits = {
        "RATE_LIMITS": "on",
        "LIMIT_ACTIONS": "20/2",
        "LIMIT_GAMES": "0",
        "BACKGROUND_WORKERS": "1",
        "WEB_WORKERS": "1",
    }
    with Stack(tmp_path_factory.mktemp("limited"), **limits) as running:
        yield running


@pytest.fixture
def trouble(limited: Stack) -> Iterator[Trouble]:
    """A proxy in front of that service."""
    with proxy(limited.port) as running:
        yield running
