"""A real connection that loses an answer: a proxy between client and Redis.

Once armed, it lets the next EVALSHA through, takes Redis' answer, does what it was told to do in
that moment, and hangs up on the client without passing the answer on.
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
    """Listens on `port` of the loopback and forwards to `target`; counts the answers it lost."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self.lost = 0
        self._on_loss: Callable[[], object] | None = None
        threading.Thread(target=self._accept, daemon=True).start()

    def url_of(self, server: EmbeddedRedis) -> str:
        """The server's URL by way of this proxy."""
        return server.url.replace(f":{server.port}/", f":{self.port}/")

    def lose_next_answer(self, meanwhile: Callable[[], object] = bool) -> None:
        self._on_loss = meanwhile

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                line, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(line,), daemon=True).start()

    def _serve(self, line: socket.socket) -> None:
        # One request, one answer at a time, as a client without pipelines speaks.
        with (
            line,
            socket.create_connection(("127.0.0.1", self._target)) as server,
            contextlib.suppress(OSError),
        ):
            while request := line.recv(CHUNK):
                server.sendall(request)
                answer = server.recv(CHUNK)
                if self._on_loss is not None and b"EVALSHA" in request:
                    meanwhile, self._on_loss = self._on_loss, None
                    meanwhile()
                    self.lost += 1
                    return
                line.sendall(answer)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listener.close()
