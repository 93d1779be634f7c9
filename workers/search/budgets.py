"""The time of a decision. Only this module of the search reads a clock.

A budget is processor time, so that other processes of the machine do not weaken a player. The elapsed time has a limit,
too, because somebody waits for the decision.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

MAX_STRETCH = 8
"""How many times longer than its processor time a decision may take on a busy machine."""


@dataclass(frozen=True)
class Budget:
    """Seconds of processor time for each thread of a search, and the most seconds that may elapse."""

    cpu_s: float
    max_elapsed_s: float = math.inf

    @property
    def elapsed_s(self) -> float:
        """The limit of elapsed time."""
        return min(MAX_STRETCH * self.cpu_s, self.max_elapsed_s)


class Stopwatch:
    """Measures what a search uses of its budget.

    The time of a single thread is exact. That of several threads is their share of the time of the process.
    """

    def __init__(self, budget: Budget, threads: int) -> None:
        """Start."""
        self._budget, self._threads = budget, threads
        self._cpu_began, self._began = self._read_cpu(), time.monotonic()
        self.cpu_s = 0.0
        """Seconds of processor time of each thread, when last read."""
        self.elapsed_s = 0.0
        """Seconds elapsed, when last read."""

    def _read_cpu(self) -> float:
        return time.thread_time() if self._threads == 1 else time.process_time() / self._threads

    def read(self) -> None:
        """Read the clocks."""
        self.cpu_s, self.elapsed_s = self._read_cpu() - self._cpu_began, time.monotonic() - self._began

    def is_below(self, share: float) -> bool:
        """Read the clocks. Return whether less than this share of the budget is used."""
        self.read()
        return self.share < share

    @property
    def left_s(self) -> float:
        """Seconds of processor time that are left for each thread."""
        return max(0.0, self._budget.cpu_s - self.cpu_s)

    @property
    def share(self) -> float:
        """The used share of the budget."""
        limits = ((self.cpu_s, self._budget.cpu_s), (self.elapsed_s, self._budget.elapsed_s))
        return max(used / limit if limit > 0 else 1.0 for used, limit in limits)
