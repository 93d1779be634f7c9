"""The target of a takeback: the position before a seat's last turn.

A takeback removes steps from the history of the position, but not from the log. The log is therefore read into a
*line*: the decisions and draws that lead to the current position. The last turn of a seat is the last run of its
decisions in the line without a draw or another seat between them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol


class LineEvent(Protocol):
    """The part of an event that a line needs."""

    def extend(self, line: Line) -> None:
        """Add the event to the line, if it is a step of it."""


class Step(NamedTuple):
    """A decision of a seat, or a draw (`seat` is None). `before`: the revision of the position before it."""

    revision: int
    seat: int | None
    before: int


class Target(NamedTuple):
    """The revision that a takeback restores, and whether it undoes a draw."""

    revision: int
    across_draw: bool


class Line:
    """The steps after revision `since` that lead to the current position."""

    def __init__(self, since: int = 0) -> None:
        self.steps: list[Step] = []
        self._position = since  # revision at which the current position was first reached

    def step(self, revision: int, seat: int | None) -> None:
        """Add the decision or draw of this revision."""
        self.steps.append(Step(revision, seat, self._position))
        self.reach(revision)

    def reach(self, revision: int) -> None:
        """Make the position of this revision the current one."""
        self._position = revision

    def truncate(self, revision: int) -> None:
        """Restore the position of this revision: remove the steps after it."""
        while self.steps and self.steps[-1].revision > revision:
            self.steps.pop()
        self.reach(revision)

    def target(self, seat: int) -> Target | None:
        """Return the position before the seat's last turn, or None if the seat has not decided yet."""
        steps = self.steps
        last = next((n for n in reversed(range(len(steps))) if steps[n].seat == seat), None)
        if last is None:
            return None
        first = last
        while first > 0 and steps[first - 1].seat == seat:
            first -= 1
        return Target(steps[first].before, any(step.seat is None for step in steps[first:]))


def find_target(events: Iterable[LineEvent], seat: int, since: int = 0) -> Target | None:
    """Return the position before the seat's last turn, or None if the seat has not decided after revision `since`."""
    line = Line(since)
    for event in events:
        event.extend(line)
    return line.target(seat)
