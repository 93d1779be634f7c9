"""The web server's configuration, served for real with a small application."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import requests

from service.operate.data_dir import open_listener
from service.operate.programs import GUNICORN_CONF
from service.settings import settings_or_exit
from tests.e2e.stack import free_port
from tests.operate.conftest import Running, is_alive
from tests.patience import HANG_S, wait_until

COMMAND = ["-m", "gunicorn", "-c", GUNICORN_CONF, "tests.operate.small_app:create_app()"]


@dataclass
class Web:
    """A running web server."""

    running: Running
    url: str

    def response_words(self, **headers: str) -> list[str]:
        """Return the words of a response to a request with a new connection."""
        return requests.get(self.url, headers={"Connection": "close", **headers}, timeout=HANG_S).text.split()

    def answered_by(self) -> tuple[int, int] | None:
        """Return the process that responds and its master, or None if the connection is refused or cut."""
        try:
            pid, master, *_ = self.response_words()
        except (requests.ConnectionError, requests.exceptions.ChunkedEncodingError):  # before or within the response
            return None
        return int(pid), int(master)

    def responding_forks(self, count: int) -> dict[int, int]:
        """Send requests until `count` processes have responded. Return the master of each."""
        found: dict[int, int] = {}

        def is_enough() -> bool:
            found.update([answer] if (answer := self.answered_by()) else [])
            return len(found) >= count

        wait_until(is_enough, lambda: self.running.output)
        return found


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """Yield a server with two forks."""
    port = free_port()
    running = Running(
        tmp_path_factory.mktemp("web"), COMMAND, PORT=str(port), REDIS_URL="redis://localhost", WEB_WORKERS="2"
    )
    web = Web(running, f"http://127.0.0.1:{port}")
    wait_until(web.answered_by, lambda: running.output)
    yield web
    running.process.terminate()
    running.process.wait(HANG_S)


def test_the_application_is_loaded_once_with_gevents_sockets_and_served_by_forks(web: Web) -> None:
    pid, loaded_in, sockets, _scheme = web.response_words()
    assert web.running.process.pid == int(loaded_in)
    assert pid != loaded_in
    assert sockets == "gevent._socket3"


def test_forwarded_scheme_is_ignored_without_trusted_proxies(web: Web) -> None:
    assert web.response_words(**{"X-Forwarded-Proto": "https"})[3] == "http"


def test_a_header_that_is_too_long_is_refused(web: Web) -> None:
    answer = requests.get(web.url, headers={"X-Long": "a" * 9_000}, timeout=HANG_S)
    assert answer.status_code // 100 == 4


def test_a_fork_killed_with_9_is_replaced(web: Web) -> None:
    before = web.responding_forks(2)
    victim = min(before)
    os.kill(victim, signal.SIGKILL)
    wait_until(lambda: not is_alive(victim))
    assert {web.running.process.pid} == {*web.responding_forks(2).values()}


def test_invalid_setting_ends_the_server_without_a_traceback(run: Callable[..., Running]) -> None:
    refused = run(*COMMAND, REDIS_URL="redis://localhost", ADMIN_TOKEN="short")
    assert refused.process.wait(HANG_S) == 2
    assert refused.output.startswith("ADMIN_TOKEN='***' is invalid: expected an empty value, or 32 to 200")
    assert "Traceback" not in refused.output


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"WEB_WORKERS": "many"}, "WEB_WORKERS='many' is invalid: expected a number from 1 to 256"),
        ({"REDIS_URL": ""}, "REDIS_URL is not set. Set it, or run `make serve`"),
    ],
)
def test_invalid_setting_is_reported_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], given: dict[str, str], expected: str
) -> None:
    for name, value in {"REDIS_URL": "redis://localhost", **given}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit, match="2"):
        settings_or_exit()
    assert capsys.readouterr().err.startswith(expected)


def test_server_continues_after_the_other_master_on_its_socket_is_killed(run: Callable[..., Running]) -> None:
    """New connections wait for the other server and none is refused; at most one request is cut off."""
    port = free_port()
    with open_listener("127.0.0.1", port) as listener:
        held = listener.fileno()
        environment: dict[str, Any] = {"WEB_LISTENER": str(held), "REDIS_URL": "redis://localhost", "WEB_WORKERS": "1"}
        killed, other = (run(*COMMAND, pass_fds=(held,), **environment) for _ in range(2))
        web = Web(killed, f"http://127.0.0.1:{port}")
        forks = web.responding_forks(2)
        assert {killed.process.pid, other.process.pid} == {*forks.values()}
        killed.process.kill()
        answers = [web.answered_by() for _ in range(50)]
        assert answers.count(None) <= 1
        wait_until(
            lambda: [is_alive(fork) for fork, master in forks.items() if master == killed.process.pid] == [False]
        )
        assert (other.process.pid,) == (web.answered_by() or ())[1:]
        other.process.terminate()
        assert 0 == other.process.wait(HANG_S)
        assert "Traceback" not in other.output
        assert "Warning" not in other.output
