"""Waits for news, commands at the same moment, and the store's clock."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar
from unittest import mock

import redis

from service.games.errors import GameError
from service.usecases.base.context import Context
from tests.patience import HANG_S, by_redis, until

T = TypeVar("T")


def pass_a_millisecond(client: redis.Redis) -> None:
    """Return as soon as the store's clock has moved on: lists are in the order of its milliseconds."""
    began = by_redis(client)
    while by_redis(client) == began:
        pass


def waits(context: Context) -> bool:
    """Return whether somebody has registered for news, has looked, and sleeps."""
    registered = [waiters for bucket in context.hub._buckets for waiters in [*bucket._waiters.values()]]
    return any(waiter.awake._cond._waiters for waiters in registered for waiter in [*waiters])  # type: ignore[attr-defined]


def woken(context: Context, wait: Callable[[], T], act: Callable[[], object]) -> T:
    """Return what a wait returns, which sleeps until the act."""
    with ThreadPoolExecutor(1) as pool:
        result = pool.submit(wait)
        until(lambda: waits(context) or result.done(), "nobody waits")
        assert not result.done(), result.result()
        act()
        return result.result(HANG_S)


def met(context: Context, game: str, channel: str) -> int | None:
    """Return the last number under this name that the hub has read in the game's bucket."""
    return context.hub._buckets[context.hub._keys.bucket_of(game)]._met.get(channel.encode())


@contextmanager
def in_vain(context: Context) -> Iterator[list[float]]:
    """Waits end at once if there is no news at a first look. Yields how many seconds each was to last."""
    seconds: list[float] = []

    def wait(_buckets: Any, _name: str, seen: int, timeout_s: float, present: Callable[[], int], **_: Any) -> bool:
        seconds.append(timeout_s)
        return present() > seen

    with mock.patch.object(context.hub, "_wait", wait):
        yield seconds


def lives(client: redis.Redis, key: Any, seconds: float, since_ms: int) -> bool:
    """Return whether the key expires so many seconds after a moment since then (by Redis' clock)."""
    return since_ms <= client.pexpiretime(key) - 1000 * seconds <= by_redis(client)


def together(*commands: Any) -> list[Any]:
    """What commands that begin together answer; refusals by their code."""
    ready = threading.Barrier(len(commands))

    def run(command: Any) -> Any:
        ready.wait(HANG_S)
        try:
            return command()
        except GameError as error:
            return error.code

    with ThreadPoolExecutor(len(commands)) as pool:
        return list(pool.map(run, commands))
