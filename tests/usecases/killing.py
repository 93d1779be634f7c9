"""Processes that end before a step of what they do, as a signal would end them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock


class KilledError(BaseException):
    """Nothing catches it."""


@contextmanager
def killed_before(target: Any, method: str, call: int = 1, error: type[BaseException] = KilledError) -> Iterator[None]:
    """The process ends before it calls the method for the so manieth time; with an `Exception`, it only fails."""
    real, calls = getattr(target, method), itertools.count(1)

    def counted(*arguments: Any, **more: Any) -> Any:
        if next(calls) >= call:
            raise error
        return real(*arguments, **more)

    with mock.patch.object(target, method, counted):
        yield
