"""The journal of a chaos run: acknowledged requests, refusals, faults and waits.

Many threads write it, and it is read when they have ended. Times are seconds of the monotonic clock.
"""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]
PERSON, AI, ENDPOINT = "people", "AIs", "endpoints"


@dataclass(frozen=True)
class Acknowledged:
    """A request that got 201, with the events of the response. `sent`: time of the last attempt."""

    game: str
    operation: str
    seat: int
    action: str | None
    key: str
    events: list[Json]
    sent: float
    answered: float

    @property
    def revision(self) -> int:
        """The revision of its first event."""
        return int(self.events[0]["revision"])


@dataclass(frozen=True)
class Refusal:
    """A response with status 400 or more, or none (status 0)."""

    operation: str
    status: int
    code: str
    sent: float
    answered: float
    game: str = ""
    more: str = ""


@dataclass(frozen=True)
class Wait:
    """A wait of a person or an AI. `how`: how the request was sent badly on purpose."""

    who: str
    began: float
    ended: float
    game: str
    revision: int | None = None
    how: str | None = None

    @property
    def seconds(self) -> float:
        """The length of the wait."""
        return self.ended - self.began


@dataclass
class Force:
    """A fault in force. Without `ended` it still is."""

    kind: str
    began: float
    ended: float = float("inf")

    def does_overlap(self, began: float, ended: float, settle_s: float) -> bool:
        """Return whether the time from `began` to `ended` does_overlap the fault or the `settle_s` seconds after it."""
        return self.began <= ended and began <= self.ended + settle_s


@dataclass
class Journal:
    """All records of a run."""

    acknowledged: dict[str, list[Acknowledged]] = field(default_factory=lambda: defaultdict(list))
    unsettled: Counter[str] = field(default_factory=Counter)  # requests with unknown results, by game
    refusals: list[Refusal] = field(default_factory=list)
    successes: Counter[tuple[str, int]] = field(default_factory=Counter)  # by operation and status
    waits: list[Wait] = field(default_factory=list)
    forces: list[Force] = field(default_factory=list)
    unwritten: list[tuple[float, float]] = field(default_factory=list)  # responses in these times may be lost
    violations: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def acknowledge(self, done: Acknowledged) -> None:
        """Record an acknowledged request."""
        with self.lock:
            self.acknowledged[done.game].append(done)

    def count_success(self, operation: str, status: int) -> None:
        """Count a response with a status below 400."""
        with self.lock:
            self.successes[operation, status] += 1

    def violate(self, game: str, revision: int | None, what: str) -> None:
        """Record a violation."""
        with self.lock:
            self.violations.append(violation_line(game, revision, what))

    @contextmanager
    def in_force(self, kind: str, now: Any) -> Iterator[None]:
        """Record a fault for the duration of the block. `now` returns the time."""
        force = Force(kind, now())
        with self.lock:
            self.forces.append(force)
        try:
            yield
        finally:
            force.ended = now()

    def kinds(self, began: float, ended: float, settle_s: float) -> list[str]:
        """Return the faults that were in force, or just over, in this time."""
        return sorted({force.kind for force in self.forces if force.does_overlap(began, ended, settle_s)})

    def may_be_lost(self, done: Acknowledged) -> bool:
        """Return whether a request was acknowledged during a kill of Redis, before it reached the disk."""
        return any(began <= done.answered and done.sent <= ended for began, ended in self.unwritten)


def violation_line(game: str, revision: int | None, what: str) -> str:
    """Return a violation as a line."""
    where = "" if not game else f"game {game}: " if revision is None else f"game {game}, revision {revision}: "
    return where + what
