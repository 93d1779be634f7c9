"""A proxy between client and Redis that loses an answer.

Once armed, it forwards the next EVALSHA, receives the answer, runs a callback, and closes the connection without
forwarding the answer.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

from service.operate.redis.launcher import EmbeddedRedis

CHUNK = 1 << 16


class LossyProxy:
    """A proxy on `port` of the loopback that forwards to `target` and counts the lost answers."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self.lost = 0
        self._on_loss: Callable[[], object] | None = None
        threading.Thread(target=self._accept, daemon=True).start()

    def url_of(self, server: EmbeddedRedis) -> str:
        """Return the server's URL through this proxy."""
        return server.url.replace(f":{server.port}/", f":{self.port}/")

    def lose_next_answer(self, on_loss: Callable[[], object] = bool) -> None:
        self._on_loss = on_loss

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        # One request and one answer at a time, like a client without pipelines.
        with (
            connection,
            socket.create_connection(("127.0.0.1", self._target)) as server,
            contextlib.suppress(OSError),
        ):
            while request := connection.recv(CHUNK):
                server.sendall(request)
                answer = server.recv(CHUNK)
                if self._on_loss is not None and b"EVALSHA" in request:
                    on_loss, self._on_loss = self._on_loss, None
                    on_loss()
                    self.lost += 1
                    return
                connection.sendall(answer)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listener.close()
