"""A TCP proxy that does to connections what the world does: it cuts them, loses answers, and lets others go first."""

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
"""Called before a request is passed on."""

STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")
ACTION = re.compile(rb"POST /v1/games/[^/ ]+/actions[ ?]")


@dataclass
class Trouble:
    """What a proxy is to do, and what it has seen."""

    port: int
    before_action: dict[int, Hook] = field(default_factory=dict)
    """By the number of the action that a client posts, from 1."""
    lose_answer_of: set[int] = field(default_factory=set)
    """Actions that reach the service while their answer does not come back."""
    statuses: Counter[int] = field(default_factory=Counter)
    actions: int = 0
    cuts: int = 0
    replays: int = 0
    """Answers that the service gave again."""
    _open: set[socket.socket] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        """Where clients find the proxy."""
        return f"http://127.0.0.1:{self.port}"

    def cut(self) -> None:
        """Break all connections that are open, both ways, wherever they are in a line."""
        with self._lock:
            for end in self._open:
                shut(end)
            self.cuts += bool(self._open)

    def enter(self, *ends: socket.socket) -> None:
        """These are open from now on."""
        with self._lock:
            self._open.update(ends)

    def leave(self, *ends: socket.socket) -> None:
        """These are no longer."""
        with self._lock:
            self._open.difference_update(ends)


class Passage(socketserver.BaseRequestHandler):
    """One connection of a client, and one to the service for it."""

    server: Server

    def handle(self) -> None:
        """Pass on what comes from both sides until one ends."""
        trouble, self.losing = self.server.trouble, False
        with socket.create_connection(self.server.target) as service:
            trouble.enter(self.request, service)
            back = threading.Thread(target=self._answers, args=(service,), daemon=True)
            back.start()
            try:
                self._requests(service)
            finally:
                shut(service)
                back.join()
                trouble.leave(self.request, service)

    def _requests(self, service: socket.socket) -> None:
        trouble = self.server.trouble
        for data in received(self.request):
            if ACTION.match(data):
                trouble.actions += 1
                trouble.before_action.get(trouble.actions, lambda: None)()
                self.losing = trouble.actions in trouble.lose_answer_of
            try:
                service.sendall(data)
            except OSError:
                return

    def _answers(self, service: socket.socket) -> None:
        for data in received(service):
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
        shut(self.request)


class Server(socketserver.ThreadingTCPServer):
    """Listens for a proxy."""

    daemon_threads = True

    def __init__(self, target: tuple[str, int]) -> None:
        super().__init__(("127.0.0.1", 0), Passage)
        self.target = target
        self.trouble = Trouble(self.server_address[1])


def received(end: socket.socket) -> Iterator[bytes]:
    """What comes, until nothing does."""
    try:
        while data := end.recv(65_536):
            yield data
    except OSError:
        return


def shut(end: socket.socket) -> None:
    """Break a connection, if it is one still."""
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)


@contextmanager
def proxy(target_port: int) -> Iterator[Trouble]:
    """A proxy in front of a port of this machine."""
    with Server(("127.0.0.1", target_port)) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.trouble
        server.shutdown()
        server.trouble.cut()
