"""The web server's configuration, served for real with a small application."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import requests

from service.operate.data_dir import listening
from service.operate.programs import GUNICORN_CONF
from tests.operate.conftest import Running, alive, free_port
from tests.patience import until


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
        except (requests.ConnectionError, requests.ReadTimeout, requests.exceptions.ChunkedEncodingError):
            return False

    def forks(self, count: int) -> set[int]:
        """The processes that answer, once `count` have been heard."""
        heard: set[int] = set()
        until(lambda: heard.add(int(self.says()[0])) or len(heard) >= count)  # type: ignore[func-returns-value]
        return heard


def serve(run: Callable[..., Running], *, pass_fds: tuple[int, ...] = (), **environment: str) -> Running:
    command = ("-m", "gunicorn", "-c", GUNICORN_CONF, "tests.operate.small_app:create_app()")
    return run(*command, pass_fds=pass_fds, **environment)


@pytest.fixture
def web(run: Callable[..., Running]) -> Iterator[Web]:
    port = free_port()
    running = serve(run, PORT=str(port), REDIS_URL="redis://localhost")
    web = Web(running, f"http://127.0.0.1:{port}")
    until(web.up, lambda: running.output)
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
    until(lambda: victim not in (now := web.forks(2)) and len(now) == 2)


def test_no_fork_outlives_a_master_killed_with_9(web: Web) -> None:
    forks = web.forks(2)
    web.running.process.kill()
    until(lambda: not any(alive(fork) for fork in forks))


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


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"WEB_WORKERS": "many"}, "WEB_WORKERS='many' is not accepted: WEB_WORKERS takes a number of processes"),
        ({"ADMIN_TOKEN": "short"}, "ADMIN_TOKEN='***' is not accepted: ADMIN_TOKEN takes nothing, or 32 to 200"),
        ({"REDIS_URL": ""}, "REDIS_URL is not set: `make serve` starts a Redis of its own."),
    ],
)
def test_settings_that_cannot_be_used_are_told_in_a_sentence(
    run: Callable[..., Running], given: dict[str, str], told: str
) -> None:
    environment: dict[str, Any] = {"REDIS_URL": "redis://localhost", **given}
    refused = serve(run, **environment)
    assert refused.process.wait(20) == 2
    assert refused.output.startswith(told)
    assert "Traceback" not in refused.output


def answered_by(web: Web) -> int | None:
    """The master of the process that answers; None where the connection is cut off."""
    try:
        return int(web.says()[1])
    except (requests.ConnectionError, requests.exceptions.ChunkedEncodingError):  # before the answer, or within it
        return None


def test_of_two_servers_on_one_socket_one_goes_on_when_the_others_master_is_killed(run: Callable[..., Running]) -> None:
    """Who connects meanwhile waits for the other, and nobody is refused; whom the dying one had accepted is cut off."""
    port = free_port()
    with listening("127.0.0.1", port) as listener:
        held = listener.fileno()
        servers = [
            serve(run, pass_fds=(held,), WEB_LISTENER=str(held), REDIS_URL="redis://localhost", WEB_WORKERS="1")
            for _ in range(2)
        ]
        web = Web(servers[0], f"http://127.0.0.1:{port}")
        masters = {server.process.pid for server in servers}
        until(web.up)
        until(lambda: masters == {int(web.says()[1]) for _ in range(20)})
        servers[0].process.kill()
        answers = [answered_by(web) for _ in range(50)]
        assert answers.count(None) <= 1
        assert servers[1].process.pid in answers
        until(lambda: {servers[1].process.pid} == {int(web.says()[1]) for _ in range(20)})
        servers[1].process.terminate()
        servers[1].process.wait(20)
