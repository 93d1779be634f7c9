"""Pairing of a Swiss round: opponents, seats and the bye.

Follows FIDE's Dutch system, but matches all entrants at once instead of one score group after the other. A round
therefore never ends with two entrants who cannot be paired. The cost of a pair has these parts, the heaviest first:

1. The two have played each other, or the entrant has had a bye.
2. One has blocked the other.
3. A bye goes to the lowest rank of the lowest score.
4. The squared difference of their scores.
5. Both should have the first seat, or neither.
6. The distance from the usual order: in a score group, the first of the upper half plays the first of the lower half.

If there are at least twice as many players as rounds, no two play each other twice.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from service.competitions.matching import minimum_cost_matching
from service.competitions.model import Blocks, Competition, Entrant
from service.competitions.standings import half_points

BYE = -1
"""Number of the virtual opponent in a bye."""
ORDER, SEATS, SCORE_DISTANCE, BYE_RANK, BLOCKED, REPEAT = (1 << shift for shift in (0, 24, 42, 60, 76, 84))
"""Units of cost. Each is larger than the maximum sum of the smaller ones, for 256 players and 15 rounds."""


@dataclass
class Standing:
    """An entrant's state before a round. `seat_balance`: games in the first seat minus games in the second."""

    entrant: Entrant
    halves: int
    seat_balance: int = 0
    was_first: bool | None = None
    byes: int = 0
    games_against: Counter[int] = field(default_factory=Counter)


def max_rounds(players: int) -> int:
    """Return the number of rounds that can be played without a repeated pair."""
    return players - 1 if players % 2 == 0 else players


def pairs(competition: Competition, blocked: Blocks, chance: random.Random) -> list[tuple[int, ...]]:
    """Return the next round by entrant number: pairs, the first seat first, and the single entrant of the bye last."""
    standings = _standings(competition)
    ranking = sorted(standings.values(), key=lambda each: (-each.halves, -each.entrant.points, each.entrant.number))
    results: list[tuple[int, ...]] = []
    for one, other in minimum_cost_matching(_costs(ranking, blocked)):
        results.append((other,) if one == BYE else _seat_order(standings[one], standings[other], chance))
    rank = {standing.entrant.number: position for position, standing in enumerate(ranking)}
    return sorted(results, key=lambda pair: (len(pair) == 1, min(rank[number] for number in pair)))


def _standings(competition: Competition) -> dict[int, Standing]:
    halves = half_points(competition)
    standings = {entrant.number: Standing(entrant, halves[entrant.number]) for entrant in competition.active}
    for contest in competition.contests:
        for seat, number in enumerate(contest.entrants):
            standing, opponent = standings.get(number), contest.opponent(number)
            if standing is None:
                continue
            if opponent is None:
                standing.byes += 1
            else:
                standing.games_against[opponent] += 1
                standing.seat_balance += 1 if seat == 0 else -1
                standing.was_first = seat == 0
    return standings


def _costs(ranking: Sequence[Standing], blocked: Blocks) -> dict[tuple[int, int], int]:
    group_sizes = Counter(standing.halves for standing in ranking)
    costs = {}
    for rank, one in enumerate(ranking):
        if len(ranking) % 2:
            costs[BYE, one.entrant.number] = REPEAT * one.byes + BYE_RANK * (512 * one.halves + len(ranking) - 1 - rank)
        for other_rank, other in enumerate(ranking[rank + 1 :], rank + 1):
            usual_distance = group_sizes[one.halves] // 2 if one.halves == other.halves else 1
            pair = one.entrant.number, other.entrant.number
            costs[pair] = (
                REPEAT * one.games_against[pair[1]]
                + BLOCKED * (frozenset(pair) in blocked)
                + SCORE_DISTANCE * (one.halves - other.halves) ** 2
                + SEATS * _seat_conflict(one, other)
                + ORDER * (other_rank - rank - usual_distance) ** 2
            )
    return costs


def _seat_conflict(one: Standing, other: Standing) -> int:
    """Return how unfair any order of seats would be, 0 if one of the two should have the first seat."""
    if one.seat_balance * other.seat_balance > 0:
        return min(abs(one.seat_balance), abs(other.seat_balance)) ** 2 * 2
    return int(
        one.seat_balance == other.seat_balance == 0 and one.was_first is not None and one.was_first == other.was_first
    )


def _seat_order(one: Standing, other: Standing, chance: random.Random) -> tuple[int, int]:
    """Return the numbers with the first seat first.

    The lower seat balance has the first seat. If both are equal, the one who had the second seat last time has it, and
    otherwise chance decides.
    """
    pair = [one, other]
    if one.seat_balance != other.seat_balance:
        pair.sort(key=lambda standing: standing.seat_balance)
    elif one.was_first != other.was_first:
        pair.sort(key=lambda standing: bool(standing.was_first))
    else:
        chance.shuffle(pair)
    return pair[0].entrant.number, pair[1].entrant.number
