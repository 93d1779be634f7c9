"""Threads that all run at the same time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from tests.patience import HANG_S

Item = TypeVar("Item")
Result = TypeVar("Result")


def run_at_once(act: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """Call a function for all items simultaneously, each in its own thread. Return the results in order."""
    arguments = list(items)
    ready = threading.Barrier(len(arguments))

    def run(item: Item) -> Result:
        ready.wait(HANG_S)
        return act(item)

    with ThreadPoolExecutor(len(arguments)) as pool:
        return list(pool.map(run, arguments))
