"""Heartbeats: each process says twice a second that it is alive, so that readiness knows within two when it is not.

A thread does it, beside whatever the process is busy with: a process that is stopped, or dead, is silent at once. Its
connection is its own, so a worker that forks while it beats hands nothing half-used to the child.

Each beat tells whether an operator has drained the process.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import secrets
import socket
import threading

from service.settings import Settings
from service.storage.base.connect import RedisError
from service.storage.work.queue import Queue

BEAT_S = 0.45
TTL_S = 1.8


class Heart:
    """Beats as a living `kind` (such as "worker") until the process ends; make it in each process, after any fork."""

    def __init__(self, settings: Settings, kind: str) -> None:
        self.server = 0
        """The number of the queue's server that the process takes turns from, as it says itself."""
        self.is_drained = False
        self.queue = Queue(settings.queue_url)
        self._kind = kind
        self._name = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
        self._ended = threading.Event()
        threading.Thread(target=self._beat, name="heart", daemon=True).start()
        atexit.register(self.stop)

    def _beat(self) -> None:
        while not self._ended.is_set():
            with contextlib.suppress(RedisError):  # readers of the heartbeat cannot reach Redis either
                self.is_drained = self.queue.beat(self._kind, self._name, TTL_S, self.server)
            self._ended.wait(BEAT_S)

    def stop(self) -> None:
        """The process ends in order, and says so itself."""
        self._ended.set()
        with contextlib.suppress(RedisError):
            self.queue.end_beat(self._kind, self._name, self.server)
