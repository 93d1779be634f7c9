"""Jobs of dialers: many outgoing calls at a time, each in a thread. RQ finds them by name.

A job is a wake-up. It takes the next call from a queue, wakes another dialer for the one after it, and starts a thread.
A thread continues with further calls until it may take none. Calls mostly wait, so a process makes many of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import structlog

from service.storage.base.connect import RedisError
from service.usecases.base import outgoing
from service.usecases.base.batches import log_errors
from service.usecases.base.outgoing import DELIVERY, ENDPOINT_CALL, PUSH
from workers import deliveries, jobs, pushes
from workers.processes.job_arguments import job

log = structlog.get_logger(__name__)


@job
def dial(queue: str) -> None:
    """Start the next call of the queue, unless owner and host of every waiting call hold too many slots."""
    name = outgoing.take(jobs.context(), queue)
    if name is not None:
        jobs.context().queue.wake_dialer(queue)
        threading.Thread(target=_make_calls, args=(queue, name), name="call").start()


def wait_for_calls() -> None:
    """Wait until all threads have ended."""
    for thread in threading.enumerate():
        if thread.name == "call" and thread is not threading.current_thread():
            thread.join()


def _make_calls(queue: str, name: str | None) -> None:
    with log_outage():
        while name is not None:
            kind, *arguments = name.split(" ")
            with log_errors("call failed", call=name):
                MAKE[kind](*arguments)
            jobs.context().dial_queues[queue].finish(name)
            name = outgoing.take(jobs.context(), queue)


@contextmanager
def log_outage() -> Iterator[None]:
    """End the block if Redis is unavailable. Keepers repeat its calls."""
    try:
        yield
    except RedisError as error:
        log.warning("redis_unreachable", error=str(error))


def _ask(game_id: str, revision: str, seat: str, attempt: str, *_: str) -> None:
    jobs.ask_endpoint(game_id, int(revision), int(seat), int(attempt))


MAKE: Mapping[str, Callable[..., None]] = {
    ENDPOINT_CALL: _ask,
    DELIVERY: lambda *key: deliveries.deliver(*key[:3]),
    PUSH: lambda *key: pushes.push(*key[:3]),
}
"""The function that makes a call of each kind. It gets the remaining words of the call's name; newer versions may add
words."""
