"""Waits for news, simultaneous commands, and the store's clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar
from unittest import mock

from redis import Redis

from service.games.errors import GameError
from service.usecases.base.context import Context
from tests.patience import HANG_S, redis_now_ms, wait_until
from tests.threads import run_at_once

T = TypeVar("T")


def is_waiting(context: Context) -> bool:
    """Return whether a thread is waiting for news."""
    registered = [waiters for bucket in context.hub._buckets for waiters in [*bucket._waiters.values()]]
    return any(waiter.awake._cond._waiters for waiters in registered for waiter in [*waiters])  # type: ignore[attr-defined]


def wait_result(context: Context, wait: Callable[[], T], act: Callable[[], object]) -> T:
    """Return the result of a wait that sleeps until `act`."""
    with ThreadPoolExecutor(1) as pool:
        result = pool.submit(wait)
        wait_until(lambda: is_waiting(context) or result.done(), "nobody waits")
        assert not result.done(), result.result()
        act()
        return result.result(HANG_S)


def last_number_read(context: Context, game: str, channel: str) -> int | None:
    """Return the last number on this channel that the hub has read in the game's bucket."""
    return context.hub._buckets[context.hub._keys.bucket_number(game)]._last_numbers.get(channel.encode())


@contextmanager
def waits_without_news(context: Context) -> Iterator[list[float]]:
    """Let waits end at once unless news exists already. Yield the seconds that each was meant to last."""
    seconds: list[float] = []

    def wait(_buckets: Any, _name: str, seen: int, timeout_s: float, present: Callable[[], int], **_: Any) -> bool:
        seconds.append(timeout_s)
        return present() > seen

    with mock.patch.object(context.hub, "_wait", wait):
        yield seconds


def has_lifetime(client: Redis, key: Any, seconds: float, since_ms: int) -> bool:
    """Return whether the key expires this many seconds after a moment between `since_ms` and now, by Redis' clock."""
    return since_ms <= client.pexpiretime(key) - 1000 * seconds <= redis_now_ms(client)


def run_together(*commands: Any) -> list[Any]:
    """Run commands simultaneously. Return their results, or the codes of their errors."""

    def run(command: Any) -> Any:
        try:
            return command()
        except GameError as error:
            return error.code

    return run_at_once(run, commands)
