"""Arguments of jobs, which a process of another version may have enqueued."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from service.storage.work.queue import Arguments


def job(function: Callable[..., None]) -> Callable[..., None]:
    """Let a job ignore arguments that it does not know."""

    @functools.wraps(function)
    def call(*positional: object, **named: object) -> None:
        function(**named_arguments(function, positional, named))

    return call


def named_arguments(function: Callable[..., None], positional: Sequence[Any], named: Arguments) -> Arguments:
    """Return the arguments that the function knows. Older versions enqueued positional ones."""
    known = _names(function)
    arguments = {**dict(zip(known, positional, strict=False)), **named}
    return {name: arguments[name] for name in known if name in arguments}


@functools.cache
def _names(function: Callable[..., None]) -> tuple[str, ...]:
    return tuple(inspect.signature(function).parameters)
