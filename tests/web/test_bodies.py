"""Bodies from bad networks and clients, sent to the real server over real connections."""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests

from service.operate.programs import GUNICORN_CONF
from service.operate.redis.launcher import EmbeddedRedis
from tests.e2e.stack import ROOT, free_port
from tests.patience import HANG_S, wait_until
from tests.web.limited_service import NEW_GAME

BODY = json.dumps(NEW_GAME).encode()


class Server:
    """A running web server with raw connections."""

    def __init__(self, port: int) -> None:
        self.port = port

    def is_up(self) -> bool:
        try:
            return requests.get(f"http://127.0.0.1:{self.port}/healthz", timeout=HANG_S).status_code == 200
        except requests.RequestException:
            return False

    @contextmanager
    def open_request(self, head: str, body: bytes = b"") -> Iterator[socket.socket]:
        """Open a connection and send the head and the beginning of a POST /v1/games."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=HANG_S) as line:
            start = f"POST /v1/games HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n{head}\r\n\r\n"
            line.sendall(start.encode() + body)
            yield line

    def send(self, head: str, body: bytes = b"", *, drop_by_drop: bool = False, end: bool = False) -> bytes:
        """Return the answer to a POST /v1/games, up to its end or the end of the connection."""
        with self.open_request(head, body) as line:
            while drop_by_drop and not select.select([line], [], [], 0.02)[0]:
                with contextlib.suppress(OSError):  # the server has closed it
                    line.sendall(b" ")
            if end:
                line.shutdown(socket.SHUT_WR)
            answer = b""
            while piece := line.recv(65_536):
                answer += piece
                if b"\r\n\r\n" in answer and len(answer.partition(b"\r\n\r\n")[2]) >= length_of(answer):
                    break
            return answer


def length_of(answer: bytes) -> int:
    """Return the Content-Length of an answer."""
    for line in answer.partition(b"\r\n\r\n")[0].split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0


def status_and_code(answer: bytes) -> tuple[int, str]:
    """Return the status and code of a refusal."""
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)["code"]


@pytest.fixture(scope="module")
def server(valkey: EmbeddedRedis) -> Iterator[Server]:
    """Run gunicorn as the service configures it."""
    port = free_port()
    environment = {"PORT": str(port), "REDIS_URL": valkey.url, "WEB_WORKERS": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "gunicorn", "-c", GUNICORN_CONF, "tests.web.impatient:create_app()"]
    process = subprocess.Popen(command, cwd=Path(ROOT), env={**os.environ, **environment}, stderr=subprocess.DEVNULL)
    running = Server(port)
    wait_until(running.is_up, "the server is up")
    yield running
    process.terminate()
    process.wait(HANG_S)


def test_a_complete_body_is_accepted_whole_or_chunked(server: Server) -> None:
    chunks = b"%x\r\n%b\r\n%x\r\n%b\r\n0\r\n\r\n" % (9, BODY[:9], len(BODY) - 9, BODY[9:])
    for head, body in ((f"Content-Length: {len(BODY)}", BODY), ("Transfer-Encoding: chunked", chunks)):
        assert b" 201 " in server.send(head, body).split(b"\r\n")[0]


@pytest.mark.parametrize(
    "chunks",
    [
        b"zz\r\n" + BODY,
        b"%x\r\n%b" % (len(BODY), BODY) + b"no line break\r\n0\r\n\r\n",
        b"-5\r\n" + BODY,
        b"5;a=\x01\r\nhello\r\n0\r\n\r\n",
        b"%x\r\n%b\r\n0\r\nbad trailer\r\n\r\n" % (len(BODY), BODY),
    ],
)
def test_malformed_chunks_are_refused(server: Server, chunks: bytes) -> None:
    answer = server.send("Transfer-Encoding: chunked", chunks, end=True)
    assert (400, "request/malformed") == status_and_code(answer)


@pytest.mark.parametrize("end", [b"", b"%x\r\n%b" % (len(BODY), BODY)])
def test_chunks_that_end_too_early_are_refused(server: Server, end: bytes) -> None:
    assert (400, "request/malformed") == status_and_code(server.send("Transfer-Encoding: chunked", end, end=True))


@pytest.mark.parametrize("more", [1, 1_000])
def test_a_body_shorter_than_its_length_is_refused(server: Server, more: int) -> None:
    answer = server.send(f"Content-Length: {len(BODY) + more}", BODY, end=True)
    assert (400, "request/malformed") == status_and_code(answer)


LENGTH, CHUNKED = (f"Patience-S: 0.1\r\n{kind}" for kind in ("Content-Length: 60000", "Transfer-Encoding: chunked"))
SLOW: dict[str, Callable[[Server], bytes]] = {
    "half of it": lambda server: server.send(LENGTH, BODY[:20]),
    "nothing of it": lambda server: server.send(LENGTH),
    "half of a chunk": lambda server: server.send(CHUNKED, b"%x\r\n%b" % (len(BODY), BODY[:20])),
    "drop by drop": lambda server: server.send(LENGTH, drop_by_drop=True),
}


@pytest.mark.parametrize("how", SLOW)
def test_a_slow_body_times_out(server: Server, how: str) -> None:
    assert (408, "request/timeout") == status_and_code(SLOW[how](server))


def test_a_timed_out_connection_is_closed(server: Server) -> None:
    with server.open_request(LENGTH, b"{") as line:
        while line.recv(65_536):
            pass


def test_other_requests_are_served_during_a_slow_body(server: Server) -> None:
    with server.open_request("Content-Length: 99", b"{"):
        assert server.is_up()
