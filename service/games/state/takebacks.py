"""Where a takeback leads: the position before a seat's last turn.

The history of a position is not the log: a takeback cuts off what it undid. So the log is read into a *line*, the
decisions and draws that made the present position, each with the revision of the one before it. The last turn of a
seat is the last run of its decisions in the line that neither another seat nor chance interrupts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol


class Extending(Protocol):
    """An event, as far as a line asks: it puts itself in."""

    def extend(self, line: Line) -> None:
        """Into the line, if it is a step of that."""


class Step(NamedTuple):
    """A decision (of a seat) or a draw (None) of the line, and the revision of the position it was made on."""

    revision: int
    seat: int | None
    before: int


class Target(NamedTuple):
    """Where a takeback leads."""

    revision: int
    across_draw: bool


class Line:
    """The steps that made the present position, kept as the log is read event by event, after revision `since`."""

    def __init__(self, since: int = 0) -> None:
        self.steps: list[Step] = []
        self._position = since  # revision at which the present position was first reached

    def step(self, revision: int, seat: int | None) -> None:
        """A decision of a seat, or a draw, has made this revision."""
        self.steps.append(Step(revision, seat, self._position))
        self.reach(revision)

    def reach(self, revision: int) -> None:
        """The position of this revision is the present one."""
        self._position = revision

    def cut(self, revision: int) -> None:
        """The position of this revision has come back."""
        while self.steps and self.steps[-1].revision > revision:
            self.steps.pop()
        self.reach(revision)

    def target(self, seat: int) -> Target | None:
        """The position before the seat's last turn; None if it has made no decision."""
        steps = self.steps
        last = next((n for n in reversed(range(len(steps))) if steps[n].seat == seat), None)
        if last is None:
            return None
        first = last
        while first > 0 and steps[first - 1].seat == seat:
            first -= 1
        return Target(steps[first].before, any(step.seat is None for step in steps[first:]))


def line_of(events: Iterable[Extending], since: int = 0) -> Line:
    """The line of the log after revision `since`."""
    line = Line(since)
    for event in events:
        event.extend(line)
    return line


def target(events: Iterable[Extending], seat: int, since: int = 0) -> Target | None:
    """The position before the seat's last turn after revision `since`; None if it has made no decision."""
    return line_of(events, since).target(seat)
