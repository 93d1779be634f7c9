"""Bodies as bad networks and bad clients send them, to the real server over real connections."""

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
from tests.patience import HANG_S, until
from tests.web.limited import NEW_GAME

BODY = json.dumps(NEW_GAME).encode()


class Server:
    """A running web server; `send` speaks to it byte by byte."""

    def __init__(self, port: int) -> None:
        self.port = port

    def is_up(self) -> bool:
        try:
            return requests.get(f"http://127.0.0.1:{self.port}/healthz", timeout=HANG_S).status_code == 200
        except requests.RequestException:
            return False

    @contextmanager
    def asked(self, head: str, body: bytes = b"") -> Iterator[socket.socket]:
        """A connection on which the head and the beginning of a body of a POST /v1/games were sent."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=HANG_S) as line:
            start = f"POST /v1/games HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n{head}\r\n\r\n"
            line.sendall(start.encode() + body)
            yield line

    def send(self, head: str, body: bytes = b"", *, drop_by_drop: bool = False, end: bool = False) -> bytes:
        """What is answered to a POST /v1/games, until the server closes the connection or has answered."""
        with self.asked(head, body) as line:
            while drop_by_drop and not select.select([line], [], [], 0.02)[0]:
                with contextlib.suppress(OSError):  # it has been given up
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
    """The Content-Length of an answer."""
    for line in answer.partition(b"\r\n\r\n")[0].split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0


def status_and_code(answer: bytes) -> tuple[int, str]:
    """Status and code of a refusal."""
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)["code"]


@pytest.fixture(scope="module")
def server(valkey: EmbeddedRedis) -> Iterator[Server]:
    """gunicorn, as the service configures it."""
    port = free_port()
    environment = {"PORT": str(port), "REDIS_URL": valkey.url, "WEB_WORKERS": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "gunicorn", "-c", GUNICORN_CONF, "tests.web.impatient:create_app()"]
    process = subprocess.Popen(command, cwd=Path(ROOT), env={**os.environ, **environment}, stderr=subprocess.DEVNULL)
    running = Server(port)
    until(running.is_up, "the server is up")
    yield running
    process.terminate()
    process.wait(HANG_S)


def test_a_whole_body_is_taken_in_one_piece_or_in_chunks(server: Server) -> None:
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
def test_malformed_chunks_are_the_clients_fault(server: Server, chunks: bytes) -> None:
    answer = server.send("Transfer-Encoding: chunked", chunks, end=True)
    assert (400, "request/malformed") == status_and_code(answer)


@pytest.mark.parametrize("end", [b"", b"%x\r\n%b" % (len(BODY), BODY)])
def test_chunks_that_end_too_early_are_the_clients_fault(server: Server, end: bytes) -> None:
    assert (400, "request/malformed") == status_and_code(server.send("Transfer-Encoding: chunked", end, end=True))


@pytest.mark.parametrize("more", [1, 1_000])
def test_a_body_shorter_than_its_length_is_the_clients_fault_though_it_can_be_read(server: Server, more: int) -> None:
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
def test_a_body_that_does_not_come_is_given_up(server: Server, how: str) -> None:
    assert (408, "request/timeout") == status_and_code(SLOW[how](server))


def test_a_connection_whose_body_was_given_up_is_closed(server: Server) -> None:
    with server.asked(LENGTH, b"{") as line:
        while line.recv(65_536):
            pass


def test_others_are_served_while_a_body_is_waited_for(server: Server) -> None:
    with server.asked("Content-Length: 99", b"{"):
        assert server.is_up()
