"""Competitions of simulated players whose strength is known."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from service.competitions import progress
from service.competitions.model import ARENA, COMING, LOST, SWISS, WON, Competition, Contest, Entrant, Plan
from service.competitions.progress import PairingInputs

SETTINGS: dict[str, Any] = {
    "ruleset": "azul",
    "variant": "coloured",
    "seats": 2,
    "clock": {"turn_s": 10, "bank_s": 60, "on_timeout": "lose", "level": "club"},
    "rated": False,
}
PLAN = Plan("Open", SWISS, SETTINGS, 7, None, 0, 256, True, "everybody", 0, 0)
HOUR = replace(PLAN, format=ARENA, rounds=None, minutes=60)


def new_competition(plan: Plan, points: Sequence[int]) -> Competition:
    """Return a competition that is about to begin, with players of these ratings."""
    entrants = tuple(Entrant(number, f"p{number}", None, False, own, 0) for number, own in enumerate(points, 1))
    return Competition("open", 1, plan, "host", COMING, entrants, starts_at=plan.starts_at)


class Play:
    """Play a competition. A `result` contains the half points of both players."""

    def __init__(self, competition: Competition, seed: int = 1) -> None:
        self.competition = competition
        self.chance = random.Random(seed)
        self.blocked: set[frozenset[int]] = set()
        self.now = 0
        self._ids = itertools.count(1)

    def advance(self) -> None:
        """Apply all transitions that are due now."""
        inputs = PairingInputs(lambda _: self.blocked, lambda: f"g{next(self._ids)}", self.chance)
        while (changed := progress.next_state(self.competition, self.now, inputs)) is not None:
            self.competition = changed

    def end(self, contest: Contest, halves: tuple[int, int]) -> None:
        """Record the result of a game."""
        self.competition = self.competition.with_result(contest.id, halves, self.now)

    def round(self, result: Callable[[Contest], tuple[int, int]]) -> list[Contest]:
        """Begin a round and play it. Return its games and byes."""
        self.advance()
        contests = [one for one in self.competition.contests if one.round == self.competition.round]
        for contest in self.competition.running_contests:
            self.end(contest, result(contest))
        return contests

    def by_strength(self, contest: Contest) -> tuple[int, int]:
        """Return a random result with the probability that follows from the ratings."""
        one, other = (self.competition.by_number[number].points for number in contest.entrants)
        first_wins = self.chance.random() < 1 / (1 + math.pow(10, (other - one) / 400))
        return (WON, LOST) if first_wins else (LOST, WON)
