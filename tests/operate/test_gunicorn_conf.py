"""The web server's configuration, served for real with a small application."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
import requests

from service.operate.programs import GUNICORN_CONF
from tests.operate.conftest import Running, alive, eventually, free_port


@dataclass
class Web:
    running: Running
    url: str

    def says(self, path: str = "/", **headers: str) -> list[str]:
        """What the application answers, in words; a new connection each time."""
        return requests.get(self.url + path, headers={"Connection": "close", **headers}, timeout=5).text.split()

    def up(self) -> bool:
        try:
            return bool(self.says())
        except requests.ConnectionError:
            return False

    def forks(self, count: int) -> set[int]:
        """The processes that answer, once `count` have been heard."""
        heard: set[int] = set()
        eventually(lambda: heard.add(int(self.says()[0])) or len(heard) >= count)  # type: ignore[func-returns-value]
        return heard


@pytest.fixture
def web(run: Callable[..., Running]) -> Iterator[Web]:
    port = free_port()
    running = run("-m", "gunicorn", "-c", GUNICORN_CONF, "tests.operate.small_app:create_app()", PORT=str(port))
    web = Web(running, f"http://127.0.0.1:{port}")
    assert eventually(web.up, within_s=20), running.output
    yield web
    running.process.terminate()
    running.process.wait(10)


def test_the_application_is_loaded_once_with_gevents_sockets_and_served_by_forks(web: Web) -> None:
    pid, loaded_in, sockets, _scheme = web.says()
    assert web.running.process.pid == int(loaded_in)
    assert pid != loaded_in
    assert sockets == "gevent._socket3"


def test_a_fork_killed_with_9_is_replaced(web: Web) -> None:
    before = web.forks(2)
    assert len(before) == 2
    victim = min(before)
    os.kill(victim, signal.SIGKILL)
    assert eventually(lambda: victim not in (now := web.forks(2)) and len(now) == 2)


def test_no_fork_outlives_a_master_killed_with_9(web: Web) -> None:
    forks = web.forks(2)
    web.running.process.kill()
    assert eventually(lambda: not any(alive(fork) for fork in forks), within_s=1)


def test_nobody_is_believed_about_the_scheme_here(web: Web) -> None:
    assert web.says(**{"X-Forwarded-Proto": "https"})[3] == "http"


def test_a_header_that_is_too_long_is_refused(web: Web) -> None:
    answer = requests.get(web.url, headers={"X-Long": "a" * 9_000}, timeout=5)
    assert answer.status_code // 100 == 4


def test_it_ends_in_order_and_quickly(web: Web) -> None:
    web.running.process.terminate()
    assert web.running.process.wait(20) == 0
    assert "Traceback" not in web.running.output
    assert "Warning" not in web.running.output
