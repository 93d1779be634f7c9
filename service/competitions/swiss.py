"""Pairing of a Swiss round: opponents, seats and the bye.

Follows FIDE's Dutch system, but matches all entrants at once instead of one score group after the other. A round
therefore never ends with two entrants who cannot be paired. Of the active entrants, only those with the fewest byes can
get the bye. The cost of a pair has these parts, the heaviest first:

1. The two have played each other.
2. One has blocked the other.
3. Neither can have the first seat, or neither the second, see `SeatHistory.required`.
4. A bye goes to the lowest rank of the lowest score.
5. The squared difference of their scores in half points, and `REPEATED_FLOAT` for each of the two who meets a lower
   score again after a lower score or a bye, or a higher score again after a higher score.
6. Both should have the first seat, or neither.
7. The distance from the usual order: in a score group, the first of the upper half plays the first of the lower half.

While at least twice as many entrants as rounds are active, no two play each other twice.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from service.competitions.matching import minimum_cost_matching
from service.competitions.model import Blocks, Competition, Entrant
from service.competitions.seat_order import SeatHistory, in_seat_order, needs_same_seat, seat_histories

BYE = -1
"""Number of the virtual opponent in a bye."""
ORDER, SEATS, SCORE_DISTANCE, BYE_RANK, SEAT_REQUIRED, BLOCKED, REPEAT = (
    1 << shift for shift in (0, 26, 43, 61, 75, 84, 93)
)
"""Units of cost. Each is larger than the maximum sum of the smaller ones, for 512 players and 15 rounds."""
REPEATED_FLOAT = 3
"""In units of `SCORE_DISTANCE`: less than a difference of a whole point."""
DOWN, UP = -1, 1


@dataclass
class Standing:
    """An entrant's state before a round. `floated`: `DOWN` or `UP` in the last round, or 0."""

    entrant: Entrant
    halves: int = 0
    floated: int = 0
    byes: int = 0
    games_against: Counter[int] = field(default_factory=Counter)


def max_rounds(players: int) -> int:
    """Return the number of rounds that can be played without a repeated pair."""
    return players - 1 if players % 2 == 0 else players


def pairs(competition: Competition, blocked: Blocks, chance: random.Random) -> list[tuple[int, ...]]:
    """Return the next round by entrant number: pairs, the first seat first, and the single entrant of the bye last."""
    seats = seat_histories(competition)
    standings = _standings(competition)
    ranking = sorted(
        (standings[entrant.number] for entrant in competition.active),
        key=lambda each: (-each.halves, -each.entrant.points, each.entrant.number),
    )
    results: list[tuple[int, ...]] = []
    for one, other in minimum_cost_matching(_costs(ranking, seats, blocked)):
        results.append((other,) if one == BYE else in_seat_order((one, other), seats, chance))
    rank = {standing.entrant.number: position for position, standing in enumerate(ranking)}
    return sorted(results, key=lambda pair: (len(pair) == 1, min(rank[number] for number in pair)))


def _standings(competition: Competition) -> dict[int, Standing]:
    standings = {entrant.number: Standing(entrant) for entrant in competition.entrants}
    for _, contests in groupby(competition.contests, key=lambda contest: contest.round):
        halves = {number: standing.halves for number, standing in standings.items()}
        for standing in standings.values():
            standing.floated = 0
        for contest in contests:
            for number in contest.entrants:
                standing, opponent = standings[number], contest.opponent(number)
                standing.halves += contest.halves_of(number)
                if opponent is None:
                    standing.byes += 1
                    standing.floated = DOWN
                else:
                    standing.games_against[opponent] += 1
                    standing.floated = _direction(halves[number], halves[opponent])
    return standings


def _direction(halves: int, opponent_halves: int) -> int:
    """Return where an entrant floats who meets an opponent with that score: `DOWN`, `UP` or 0."""
    return (opponent_halves > halves) - (opponent_halves < halves)


def _costs(
    ranking: Sequence[Standing], seats: Mapping[int, SeatHistory], blocked: Blocks
) -> dict[tuple[int, int], int]:
    group_sizes = Counter(standing.halves for standing in ranking)
    fewest_byes = min(standing.byes for standing in ranking)
    costs = {}
    for rank, one in enumerate(ranking):
        number, usual_distance = one.entrant.number, group_sizes[one.halves] // 2
        if len(ranking) % 2 and one.byes == fewest_byes:
            costs[BYE, number] = BYE_RANK * (512 * one.halves + len(ranking) - 1 - rank)
        for distance, other in enumerate(ranking[rank + 1 :], 1):
            pair = number, other.entrant.number
            cost = SEATS * seats[number].conflict(seats[pair[1]])
            if one.halves == other.halves:
                cost += ORDER * (distance - usual_distance) ** 2
            else:
                repeated = (one.floated == DOWN) + (other.floated == UP)  # the ranking is by score
                cost += ORDER * (distance - 1) ** 2
                cost += SCORE_DISTANCE * ((one.halves - other.halves) ** 2 + REPEATED_FLOAT * repeated)
            if needs_same_seat(pair, seats):
                cost += SEAT_REQUIRED
            if pair[1] in one.games_against:
                cost += REPEAT * one.games_against[pair[1]]
            if blocked and frozenset(pair) in blocked:
                cost += BLOCKED
            costs[pair] = cost
    return costs
