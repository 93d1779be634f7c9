"""Simulated ends of a process before a step, and what another process does before it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock


class KilledError(BaseException):
    """Simulate a signal: no handler of `Exception` catches it."""


@contextmanager
def killed_before(target: Any, method: str, call: int = 1, error: type[BaseException] = KilledError) -> Iterator[None]:
    """Raise instead of the n-th call of the method. An `Exception` simulates a failure instead of a kill."""
    real, calls = getattr(target, method), itertools.count(1)

    def count_calls(*arguments: Any, **keywords: Any) -> Any:
        if next(calls) >= call:
            raise error
        return real(*arguments, **keywords)

    with mock.patch.object(target, method, count_calls):
        yield


@contextmanager
def before_call(target: Any, method: str, act: Callable[[], object]) -> Iterator[None]:
    """Do what another process may do, before the first call of the method."""
    real, acts = getattr(target, method), iter([act])

    def act_first(*arguments: Any, **keywords: Any) -> Any:
        for one in acts:
            one()
        return real(*arguments, **keywords)

    with mock.patch.object(target, method, act_first):
        yield
