"""Clients that close the connection of a stream, over real connections."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from flask import Flask
from redis import Redis
from werkzeug.serving import make_server

from service.storage.base.limits import budget_key
from service.storage.games.hub import KEEP_ALIVE_S
from service.usecases.base.context import Context
from service.usecases.matchmaking import seeking
from service.usecases.views import reading, viewers
from service.web.http import disconnects, streams
from service.web.http.limits import OPEN_STREAMS, STREAMS_RETRY_AFTER_S
from tests.patience import HANG_S, wait_until
from tests.web.client import Client, Json, body_of
from tests.web.limited_service import Serve, create
from tests.web.players import Person

AZUL: Json = {"ruleset": "azul", "variant": "grey"}
LOCAL = "127.0.0.1"


@contextlib.contextmanager
def serve_streams(app: Flask) -> Iterator[Callable[[str, str], socket.socket]]:
    """Serve the application. Yield a function that opens a stream and waits for its first bytes."""
    server = make_server(LOCAL, 0, app, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def open_stream(path: str, token: str) -> socket.socket:
        client = socket.create_connection((LOCAL, server.server_port), HANG_S)
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
        content = b""
        while b"data: " not in content:
            content += client.recv(4_096)
        return client

    try:
        yield open_stream
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let streams send no keep-alive, so that no write notices a closed connection."""
    for module in (seeking, reading):
        follow: Any = module.follow
        monkeypatch.setattr(module, "follow", partial(follow, keep_alive_s=HANG_S))


def lobby(anyone: Client) -> list[str]:
    return [seek["id"] for seek in body_of(anyone.get("/v1/seeks"))["seeks"]]


@pytest.mark.usefixtures("silent")
def test_a_closed_stream_is_not_paired_and_resumes_when_it_is_opened_again(
    app: Flask, anyone: Client, ana: Person, ben: Person
) -> None:
    seek = body_of(ana.client.post("/v1/seeks", {**AZUL, "keep_s": 3_600}), 201)
    path = f"/v1/seeks/{seek['id']}/events"
    with serve_streams(app) as open_stream:
        open_stream(path, ana.token).close()
        wait_until(lambda: lobby(anyone) == [], "the seek is suspended")
        other = body_of(ben.client.post("/v1/seeks", AZUL), 201)
        assert "open" == other["status"]
        assert 204 == ben.client.delete(f"/v1/seeks/{other['id']}").status_code
        with open_stream(path, ana.token):
            assert [seek["id"]] == lobby(anyone)
            paired = body_of(ben.client.post("/v1/seeks", AZUL), 201)
        assert paired["game_id"] == body_of(ana.client.get(f"/v1/seeks/{seek['id']}"))["game_id"]


@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize("way", ["close", "reset", "half"])
def test_a_closed_stream_frees_its_place_and_its_viewer_at_once(
    serve: Serve, redis_client: Redis, context: Context, way: str
) -> None:
    table = create(serve(LIMIT_STREAMS="1"))
    with serve_streams(table.anyone.flask.application) as open_stream:
        client = open_stream(f"{table.path}/events", table.tokens["seats"]["0"])
        assert [0] == viewers.current_viewers(context, table.id).seats
        if way == "reset":
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        if way == "half":
            client.shutdown(socket.SHUT_WR)
        else:
            client.close()
        wait_until(lambda: not redis_client.zcard(budget_key(LOCAL, OPEN_STREAMS)), "the place is free")
        wait_until(lambda: not viewers.current_viewers(context, table.id).seats, "the viewer has left")
        client.close()


@pytest.mark.usefixtures("silent")
def test_a_stream_goes_on_when_its_client_sends_another_request(app: Flask, ana: Person, ben: Person) -> None:
    seek = body_of(ana.client.post("/v1/seeks", AZUL), 201)
    with serve_streams(app) as open_stream, open_stream(f"/v1/seeks/{seek['id']}/events", ana.token) as client:
        client.sendall(b"GET /v1/seeks HTTP/1.1\r\nHost: x\r\n\r\n")
        body_of(ben.client.post("/v1/seeks", AZUL), 201)
        content = b""
        while b'"paired"' not in content:
            received = client.recv(4_096)
            assert received, content
            content += received


def test_the_system_closes_the_connection_of_a_client_that_vanished(
    app: Flask, ana: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`python -m tests.bench.bench_vanished` cuts a network and prints the seconds."""
    seek = body_of(ana.client.post("/v1/seeks", AZUL), 201)
    connections: list[socket.socket | None] = []

    def find_connection() -> socket.socket | None:
        connections.append(disconnects.client_socket())
        return connections[-1]

    monkeypatch.setattr(streams, "client_socket", find_connection)
    with serve_streams(app) as open_stream, open_stream(f"/v1/seeks/{seek['id']}/events", ana.token):
        (connection,) = connections
        assert connection is not None
        unconfirmed_ms = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
    assert 0 < unconfirmed_ms + 1_000 * KEEP_ALIVE_S < 1_000 * STREAMS_RETRY_AFTER_S == 10_000


def test_no_thread_watches_when_no_stream_is_open(app: Flask, ana: Person) -> None:
    seek = body_of(ana.client.post("/v1/seeks", AZUL), 201)

    def watches() -> bool:
        return any(thread.name == "disconnects" for thread in threading.enumerate())

    with serve_streams(app) as open_stream:
        with open_stream(f"/v1/seeks/{seek['id']}/events", ana.token):
            assert watches()
        wait_until(lambda: not watches(), "the thread ends")


def test_the_end_of_a_stream_leaves_the_watch_over_a_newer_one_of_the_same_number() -> None:
    watched, closed = disconnects.Disconnects(), threading.Event()
    client, server = socket.socketpair()
    with client, server, contextlib.ExitStack() as older:
        older.enter_context(watched.watching(server, lambda: None))
        with watched.watching(server, closed.set):
            older.close()
            client.close()
            assert closed.wait(HANG_S)
