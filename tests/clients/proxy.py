"""A TCP proxy that cuts connections, loses answers, and lets others go first."""

from __future__ import annotations

import re
import socket
import socketserver
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

Hook = Callable[[], None]
"""Called before a request is forwarded."""

STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")
ACTION = re.compile(rb"POST /v1/games/[^/ ]+/actions[ ?]")


@dataclass
class Trouble:
    """The tasks of a proxy, and what it has observed."""

    port: int
    before_action: dict[int, Hook] = field(default_factory=dict)
    """Hooks by the number of the client's action, from 1."""
    lose_answer_of: set[int] = field(default_factory=set)
    """Actions that reach the service, but whose answer is lost."""
    statuses: Counter[int] = field(default_factory=Counter)
    actions: int = 0
    cuts: int = 0
    replays: int = 0
    """Replayed answers of the service."""
    _open: set[socket.socket] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        """URL of the proxy."""
        return f"http://127.0.0.1:{self.port}"

    def cut_connections(self) -> None:
        """Break all open connections in both directions."""
        with self._lock:
            for end in self._open:
                break_connection(end)
            self.cuts += bool(self._open)

    def enter(self, *ends: socket.socket) -> None:
        """Add open connections."""
        with self._lock:
            self._open.update(ends)

    def leave(self, *ends: socket.socket) -> None:
        """Remove closed connections."""
        with self._lock:
            self._open.difference_update(ends)


class Passage(socketserver.BaseRequestHandler):
    """A connection of a client, and its connection to the service."""

    server: Server

    def handle(self) -> None:
        """Forward data of both sides until one ends."""
        trouble, self.losing = self.server.trouble, False
        with socket.create_connection(self.server.target) as service:
            trouble.enter(self.request, service)
            back = threading.Thread(target=self._answers, args=(service,), daemon=True)
            back.start()
            try:
                self._requests(service)
            finally:
                break_connection(service)
                back.join()
                trouble.leave(self.request, service)

    def _requests(self, service: socket.socket) -> None:
        trouble = self.server.trouble
        for data in receive(self.request):
            if ACTION.match(data):
                trouble.actions += 1
                trouble.before_action.get(trouble.actions, lambda: None)()
                self.losing = trouble.actions in trouble.lose_answer_of
            try:
                service.sendall(data)
            except OSError:
                return

    def _answers(self, service: socket.socket) -> None:
        for data in receive(service):
            if self.losing:
                self.server.trouble.cuts += 1
                break
            if results := STATUS.match(data):
                self.server.trouble.statuses[int(results[1])] += 1
                self.server.trouble.replays += b"Idempotency-Replayed: true" in data
            try:
                self.request.sendall(data)
            except OSError:
                break
        break_connection(self.request)


class Server(socketserver.ThreadingTCPServer):
    """The server of a proxy."""

    daemon_threads = True

    def __init__(self, target: tuple[str, int]) -> None:
        super().__init__(("127.0.0.1", 0), Passage)
        self.target = target
        self.trouble = Trouble(self.server_address[1])


def receive(end: socket.socket) -> Iterator[bytes]:
    """Yield received data until the connection ends."""
    try:
        while data := end.recv(65_536):
            yield data
    except OSError:
        return


def break_connection(end: socket.socket) -> None:
    """Break a connection if it is open."""
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)


@contextmanager
def proxy(target_port: int) -> Iterator[Trouble]:
    """Run a proxy in front of a port of this machine."""
    with Server(("127.0.0.1", target_port)) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.trouble
        server.shutdown()
        server.trouble.cut_connections()
