"""The clock of a game: every turn has some time of its own, and beyond that a seat draws on its bank.

A *turn* is a run of decisions of one seat that neither another seat nor chance interrupts: its time is counted once,
however many decisions it has. So the deadline is fixed when the turn begins: its beginning, plus the time a turn
has, plus what is left in the bank. What a turn takes beyond its own time is taken out of the bank when it ends.
A pause stops the turn; what it has taken stays counted. Only people have clocks; AIs keep their budgets.

All of it follows from the times that the log's events bear, so replaying a log tells the same clock. Times are
milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

AI_PLAYS_ON, LOSE = "ai", "lose"
ON_TIMEOUT = (AI_PLAYS_ON, LOSE)
RETURN_MS = 30_000  # who comes back after a time-out finds at least this in the bank


@dataclass(frozen=True)
class ClockRule:
    """What was agreed when the game was created. `level`: of the AI that plays on."""

    turn_s: int
    bank_s: int
    on_timeout: str
    level: str


@dataclass(frozen=True)
class Clock:
    """The clock at a revision: what each seat has in the bank, whose turn is counted, and how much it has taken."""

    banks: tuple[int, ...]
    seat: int | None = None  # whose turn is counted
    since: int | None = None  # unix ms since which its time runs; None while it stands still
    used: int = 0  # of this turn, before `since`

    def begun(self, seat: int, at: int) -> Self:
        """A turn of the seat begins."""
        return replace(self, seat=seat, since=at, used=0)

    def taken(self, at: int) -> int:
        """How much time the turn has taken by then."""
        return self.used + (0 if self.since is None else max(0, at - self.since))

    def stopped(self, at: int) -> Self:
        """The turn stands still."""
        return replace(self, since=None, used=self.taken(at))

    def resumed(self, at: int) -> Self:
        """The turn goes on."""
        return replace(self, since=at)

    def ended(self, at: int, rule: ClockRule) -> Self:
        """The turn is over, and charged."""
        if self.seat is None:
            return self
        over = max(0, self.taken(at) - 1000 * rule.turn_s)
        return replace(self.with_bank(self.seat, max(0, self.banks[self.seat] - over)), seat=None, since=None, used=0)

    def with_bank(self, seat: int, left: int) -> Self:
        """A seat's bank holds so much."""
        banks = list(self.banks)
        banks[seat] = left
        return replace(self, banks=tuple(banks))

    def deadline(self, rule: ClockRule) -> int | None:
        """Unix ms when the turn's time is up; None while none is counted, or it stands still."""
        if self.seat is None or self.since is None:
            return None
        return self.since - self.used + 1000 * rule.turn_s + self.banks[self.seat]
