"""The samples of `deploy/`: what can start is started as the samples say."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import requests

from tests.e2e.stack import free_port
from tests.operate.conftest import Running, run
from tests.patience import HANG_S, wait_until

__all__ = ["run"]  # a fixture
WEB = ("-m", "azul_games_server", "web")
Start = Callable[..., Running]


@pytest.fixture
def serve(run: Start) -> Callable[..., str]:
    """Return a function that starts a web server with these settings and returns its address."""

    def start(**environment: str) -> str:
        port = free_port()
        program = run(*WEB, PORT=str(port), WEB_WORKERS="1", **environment)
        url = f"http://127.0.0.1:{port}"
        wait_until(
            lambda: is_reachable(f"{url}/healthz") or program.process.poll() is not None, "the web server answers"
        )
        assert program.process.poll() is None, program.output
        return url

    return start


def is_reachable(url: str) -> bool:
    """Return whether a GET gets 200 now."""
    try:
        return bool(requests.get(url, timeout=HANG_S).ok)
    except requests.RequestException:
        return False
