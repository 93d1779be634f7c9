"""The order of seats: how often and when entrants had the first seat, and who has it next."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from service.competitions.model import Competition

FIRST, SECOND = 0, 1
MAX_BALANCE = 2
"""Difference of games in the two seats at which an entrant needs the other seat."""


@dataclass
class SeatHistory:
    """The seats of an entrant's games. Byes do not count.

    `balance`: games in the first seat minus games in the second; `last`: the seat of the last game; `required`: the
    seat that they must have next, because they had the other one in the last two games or `MAX_BALANCE` times more.
    """

    balance: int = 0
    last: int | None = None
    required: int | None = None

    def add(self, seat: int) -> None:
        """Add a game."""
        self.balance += 1 if seat == FIRST else -1
        is_repeated = seat == self.last
        self.last, self.required = seat, None
        if is_repeated:
            self.required = SECOND if seat == FIRST else FIRST
        elif abs(self.balance) >= MAX_BALANCE:
            self.required = SECOND if self.balance > 0 else FIRST

    @property
    def claim(self) -> tuple[int, int, bool]:
        """A sort key: of two entrants, the lower one has the first seat."""
        required = 0 if self.required is None else 1 if self.required == SECOND else -1
        return required, self.balance, self.last == FIRST

    def conflict(self, other: SeatHistory) -> int:
        """Return how unfair any order of seats would be, 0 if one of the two should have the first seat."""
        if self.balance * other.balance > 0:
            return min(abs(self.balance), abs(other.balance)) ** 2 * 2
        return int(self.balance == other.balance == 0 and self.last is not None and self.last == other.last)


def seat_histories(competition: Competition) -> dict[int, SeatHistory]:
    """Return the history of each entrant, by number."""
    histories = {number: SeatHistory() for number in competition.by_number}
    for contest in competition.contests:
        if not contest.is_bye:
            for seat, number in enumerate(contest.entrants):
                histories[number].add(seat)
    return histories


def needs_same_seat(pair: tuple[int, int], histories: Mapping[int, SeatHistory]) -> bool:
    """Return whether both must have the first seat, or both the second."""
    required = histories[pair[0]].required
    return required is not None and required == histories[pair[1]].required


def in_seat_order(
    pair: tuple[int, int], histories: Mapping[int, SeatHistory], chance: random.Random
) -> tuple[int, int]:
    """Return the two numbers, the first seat first: by need, balance and last seat. Ties are random."""
    one, other = pair if chance.random() < 0.5 else pair[::-1]
    return (one, other) if histories[one].claim <= histories[other].claim else (other, one)
