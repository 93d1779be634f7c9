"""Sequences of floats and seats in a simulated Swiss: what happens to the same player in consecutive rounds."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from service.competitions.model import DRAWN, Contest
from service.competitions.standings import half_points
from tests.competitions.field import PLAN, Play, new_competition

UP, DOWN = "up", "down"
DRAWS = 0.1
"""Share of drawn games. Half points make more score groups, and so more floats."""


@dataclass
class Sequence:
    """A player's rounds: `floats` (`UP`, `DOWN` or None; a bye counts as `DOWN`), and `seats` without byes."""

    floats: list[str | None]
    seats: list[int]

    @property
    def repeats_a_float(self) -> bool:
        """Whether the player was floated the same way in two consecutive rounds."""
        return any(one is not None and one == other for one, other in pairwise(self.floats))

    @property
    def repeats_a_seat(self) -> bool:
        """Whether the player had the same seat in three consecutive games."""
        return any(one == other == third for (one, other), (_, third) in pairwise(pairwise(self.seats)))


def play_swiss(players: int, rounds: int, seed: int) -> list[Sequence]:
    """Return the sequences of all players of a simulated Swiss."""
    chance = random.Random(seed)
    points = [round(chance.gauss(1500, 250)) for _ in range(players)]
    play = Play(new_competition(replace(PLAN, rounds=rounds), points), seed)

    def result(contest: Contest) -> tuple[int, int]:
        return (DRAWN, DRAWN) if chance.random() < DRAWS else play.by_strength(contest)

    sequences = {number: Sequence([], []) for number in range(1, players + 1)}
    for _ in range(rounds):
        scores = half_points(play.competition)
        for contest in play.round(result):
            for seat, number in enumerate(contest.entrants):
                opponent = contest.opponent(number)
                difference = -1 if opponent is None else scores[opponent] - scores[number]
                sequences[number].floats.append(UP if difference > 0 else DOWN if difference < 0 else None)
                if opponent is not None:
                    sequences[number].seats.append(seat)
    return [*sequences.values()]


def share_of(conditions: Iterable[bool]) -> float:
    """Return the share of true conditions."""
    results = [*conditions]
    return sum(results) / len(results)
