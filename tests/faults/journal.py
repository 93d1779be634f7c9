"""What the driver of a chaos run writes down: what was acknowledged, what was answered, what was broken, who waited.

It is written by many threads and read when they have ended. Times are seconds of the monotonic clock.
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
    """A request that was answered with 201, and the events of the answer. `sent`: for the last time."""

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
        """Of its first event."""
        return int(self.events[0]["revision"])


@dataclass(frozen=True)
class Refusal:
    """An answer of status 400 or more, or none at all (status 0)."""

    operation: str
    status: int
    code: str
    sent: float
    answered: float
    game: str = ""
    more: str = ""


@dataclass(frozen=True)
class Wait:
    """Somebody has waited. `how`: what was done to their connection on purpose."""

    who: str
    began: float
    ended: float
    game: str
    revision: int | None = None
    how: str | None = None

    @property
    def seconds(self) -> float:
        """How long."""
        return self.ended - self.began


@dataclass
class Force:
    """A fault in force; without `ended` it still is."""

    kind: str
    began: float
    ended: float = float("inf")

    def meets(self, began: float, ended: float, settle_s: float) -> bool:
        """Whether some of the time from `began` to `ended` lies in it, or in the time it takes to get over it."""
        return self.began <= ended and began <= self.ended + settle_s


@dataclass
class Journal:
    """All of it."""

    acknowledged: dict[str, list[Acknowledged]] = field(default_factory=lambda: defaultdict(list))
    unsettled: Counter[str] = field(default_factory=Counter)  # by game: requests whose fate nobody knows
    refusals: list[Refusal] = field(default_factory=list)
    successes: Counter[tuple[str, int]] = field(default_factory=Counter)  # by operation and status
    waits: list[Wait] = field(default_factory=list)
    forces: list[Force] = field(default_factory=list)
    unwritten: list[tuple[float, float]] = field(default_factory=list)  # what was answered then may be lost
    violations: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def acknowledge(self, done: Acknowledged) -> None:
        """A request was carried out."""
        with self.lock:
            self.acknowledged[done.game].append(done)

    def answered(self, operation: str, status: int) -> None:
        """With less than 400."""
        with self.lock:
            self.successes[operation, status] += 1

    def violate(self, game: str, revision: int | None, what: str) -> None:
        """Something is wrong."""
        with self.lock:
            self.violations.append(violation_line(game, revision, what))

    @contextmanager
    def in_force(self, kind: str, now: Any) -> Iterator[None]:
        """A fault, for as long as the block takes; `now` tells the time."""
        force = Force(kind, now())
        with self.lock:
            self.forces.append(force)
        try:
            yield
        finally:
            force.ended = now()

    def kinds(self, began: float, ended: float, settle_s: float) -> list[str]:
        """The faults that were in force, or just over, in that time."""
        return sorted({force.kind for force in self.forces if force.meets(began, ended, settle_s)})

    def may_be_lost(self, done: Acknowledged) -> bool:
        """Whether it was answered in the moment in which Redis was killed, before it could reach the disk."""
        return any(began <= done.answered and done.sent <= ended for began, ended in self.unwritten)


def violation_line(game: str, revision: int | None, what: str) -> str:
    """A violation, in a line."""
    where = "" if not game else f"game {game}: " if revision is None else f"game {game}, revision {revision}: "
    return where + what
