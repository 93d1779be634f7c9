"""Heartbeats: each process says twice a second that it is alive, so that readiness knows within two when it is not.

A thread does it, beside whatever the process is busy with: a process that is stopped, or dead, is silent at once. Its
connection is its own, so a worker that forks while it beats hands nothing half-used to the child.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import secrets
import socket
import threading

from service.settings import Settings
from service.storage.connect import RedisError
from service.storage.queue import Queue

BEAT_S = 0.45
TTL_S = 1.8


def start(settings: Settings, kind: str) -> None:
    """Beat as a living `kind` (such as "worker") until the process ends; call it in each process, after any fork."""
    name = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
    queue, ended = Queue(settings.queue_url or settings.redis_url), threading.Event()
    thread = threading.Thread(target=_beat, args=(queue, kind, name, ended), name="heart", daemon=True)
    thread.start()
    atexit.register(_stop, queue, kind, name, ended)


def _beat(queue: Queue, kind: str, name: str, ended: threading.Event) -> None:
    while not ended.is_set():
        with contextlib.suppress(RedisError):  # readers of the heartbeat cannot reach Redis either
            queue.beat(kind, name, TTL_S)
        ended.wait(BEAT_S)


def _stop(queue: Queue, kind: str, name: str, ended: threading.Event) -> None:
    """The process ends in order, and says so itself."""
    ended.set()
    with contextlib.suppress(RedisError):
        queue.end_beat(kind, name)
