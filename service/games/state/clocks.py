"""The clock of a game: time per turn, plus a time bank for each seat.

A *turn* is a run of decisions of one seat without a draw or another seat between them. The deadline is fixed when the
turn begins: its start, plus the time per turn, plus the seat's bank. When the turn ends, time beyond the time per turn
is deducted from the bank. A pause stops the turn without resetting it. Only people have clocks; AIs have budgets.

The clock depends only on the times of the events, so replaying a log reproduces it. Times are in milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

AI_PLAYS_ON, LOSE = "ai", "lose"
ON_TIMEOUT = (AI_PLAYS_ON, LOSE)
LIVE_S = 3_600
"""A clock is live if no seat can take longer than this for a turn, so that a player must be present."""
RETURN_MS = 30_000  # minimum bank of a player who returns after a time-out


@dataclass(frozen=True)
class ClockRule:
    """The time control of a game. `level`: the level of the AI that plays after a time-out."""

    turn_s: int
    bank_s: int
    on_timeout: str
    level: str

    @property
    def is_live(self) -> bool:
        """Whether a player must be present to play by this clock."""
        return self.turn_s + self.bank_s <= LIVE_S


@dataclass(frozen=True)
class Clock:
    """The clock at a revision."""

    banks: tuple[int, ...]
    seat: int | None = None  # the seat whose turn is timed
    since: int | None = None  # unix ms since when its time runs; None while the turn is stopped
    used: int = 0  # time of this turn before `since`

    def begin_turn(self, seat: int, at: int) -> Self:
        """Return the clock at the start of a turn."""
        return replace(self, seat=seat, since=at, used=0)

    def elapsed_ms(self, at: int) -> int:
        """Return the time that the turn has taken."""
        return self.used + (0 if self.since is None else max(0, at - self.since))

    def stop_turn(self, at: int) -> Self:
        """Return the clock with the turn stopped."""
        return replace(self, since=None, used=self.elapsed_ms(at))

    def continue_turn(self, at: int) -> Self:
        """Return the clock with the stopped turn running again."""
        return replace(self, since=at)

    def end_turn(self, at: int, rule: ClockRule) -> Self:
        """Return the clock after the turn, with its excess time deducted from the bank."""
        if self.seat is None:
            return self
        excess = max(0, self.elapsed_ms(at) - 1000 * rule.turn_s)
        bank = max(0, self.banks[self.seat] - excess)
        return replace(self.with_bank(self.seat, bank), seat=None, since=None, used=0)

    def with_bank(self, seat: int, bank: int) -> Self:
        """Return the clock with another bank of a seat."""
        return replace(self, banks=(*self.banks[:seat], bank, *self.banks[seat + 1 :]))

    def deadline(self, rule: ClockRule) -> int | None:
        """Return the deadline of the turn in unix ms; None if no turn is timed or the turn is stopped."""
        if self.seat is None or self.since is None:
            return None
        return self.since - self.used + 1000 * rule.turn_s + self.banks[self.seat]
