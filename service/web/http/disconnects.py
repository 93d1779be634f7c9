"""Notice clients that close the connection of a stream, or vanish.

A write fails only after the client's system has rejected an earlier one, so a stream would notice a closed connection
with its second keep-alive. One thread of the process (a greenlet under gevent) watches the connections of all streams
instead. It sees a closed connection at once. The system closes a connection whose client has not confirmed a keep-alive
for UNCONFIRMED_MS.
"""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading
from collections.abc import Callable, Iterator

from flask import request

POLL_S = 0.1
"""A selector of gevent watches a new connection after at most this time."""
UNCONFIRMED_MS = 4_500
SERVER_SOCKETS = ("gunicorn.socket", "werkzeug.socket")
"""Where servers put the connection into the environment of a request."""


def client_socket() -> socket.socket | None:
    """Return the connection of the current request, or None if the server does not reveal it."""
    return next((request.environ[name] for name in SERVER_SOCKETS if name in request.environ), None)


class Disconnects:
    """The watched connections of this process. The thread runs while there are some."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._selector: selectors.BaseSelector | None = None

    @contextlib.contextmanager
    def watching(self, connection: socket.socket | None, on_close: Callable[[], object]) -> Iterator[None]:
        """Call `on_close` once if the client closes the connection during the block. It must not block."""
        if connection is None:
            yield
            return
        with contextlib.suppress(OSError):  # not a TCP connection
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNCONFIRMED_MS)
        number = connection.fileno()
        with self._lock:
            if self._selector is None:
                self._selector = selectors.DefaultSelector()
                threading.Thread(target=self._watch, args=(self._selector,), name="disconnects", daemon=True).start()
            with contextlib.suppress(KeyError):  # of an earlier connection with this number
                self._selector.unregister(number)
            watched = self._selector.register(number, selectors.EVENT_READ, (connection, on_close))
        try:
            yield
        finally:
            self._forget(watched)

    def _forget(self, watched: selectors.SelectorKey) -> None:
        """Stop watching a connection. Its number may belong to a newer one, which stays watched."""
        with self._lock:
            if self._selector is not None and self._selector.get_map().get(watched.fd) == watched:
                self._selector.unregister(watched.fd)

    def _watch(self, selector: selectors.BaseSelector) -> None:
        while True:
            for key, _ in selector.select(POLL_S):
                connection, on_close = key.data
                self._forget(key)  # also if the client has sent another request, which is read after the stream
                if _is_closed(connection):
                    on_close()
            with self._lock:
                if not selector.get_map():
                    selector.close()
                    self._selector = None
                    return


def _is_closed(connection: socket.socket) -> bool:
    try:
        return not connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True
