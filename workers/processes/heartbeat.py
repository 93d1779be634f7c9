"""Heartbeats of processes, about twice a second.

Readiness checks notice within two seconds that a process is stopped or dead. A thread with its own connection sends the
heartbeats, so the process can be busy, and a fork does not share a connection in use. The response says whether an
operator has drained the process. The thread also touches HEARTBEAT_FILE, which does not need Redis.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import secrets
import socket
import threading
from pathlib import Path

from service.settings import Settings
from service.storage.base.connect import ANSWER_TIMEOUT_S, RedisError
from service.storage.work.queue import Queue

BEAT_S = 0.45
TTL_S = 1.8


class Heartbeat:
    """Sends heartbeats of a `kind`, such as "worker", until the process ends. Create it after any fork."""

    def __init__(self, settings: Settings, kind: str) -> None:
        self.server = 0
        """Number of the queue's server from which the process takes turns. The worker sets it."""
        self.is_drained = False
        self.queue = Queue(settings.queue_url)
        self._kind = kind
        self._file = Path(settings.heartbeat_file) if settings.heartbeat_file else None
        if self._file is not None:
            self._file.touch()  # fail here if it cannot be written
        self._name = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="heart", daemon=True)
        self._thread.start()
        atexit.register(self.stop)

    def _beat(self) -> None:
        while not self._ended.is_set():
            if self._file is not None:
                self._file.touch()
            with contextlib.suppress(RedisError):  # readers of the heartbeat cannot reach Redis either
                self.is_drained = self.queue.beat(self._kind, self._name, TTL_S, self.server)
            self._ended.wait(BEAT_S)

    def stop(self) -> None:
        """Remove the heartbeat, because the process ends."""
        self._ended.set()
        self._thread.join(ANSWER_TIMEOUT_S)  # so that no heartbeat follows
        with contextlib.suppress(RedisError):
            self.queue.end_beat(self._kind, self._name, self.server)
