"""Pairing of an arena: free entrants play opponents of a similar rank until the time is up.

Two entrants who have just played each other wait up to `PATIENCE_MS` for another opponent, unless they are the only
active ones. Entrants who have blocked each other are never paired. The cost of a pair has these parts, the heaviest
first:

1. The two played their last games against each other.
2. The number of the two who have waited less than `PATIENCE_MS`.
3. The squared difference of their ranks, and `SAME_SEAT` if both need the same seat.
4. How short their waiting times are.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping

from service.competitions.matching import minimum_cost_matching
from service.competitions.model import Blocks, Competition, Entrant
from service.competitions.seat_order import in_seat_order, needs_same_seat, seat_histories
from service.competitions.standings import arena_scores

PATIENCE_MS = 45_000
BATCH_MS = 2_000
"""Interval of pairing. Collecting free entrants for a while gives closer matches than pairing the first two."""
SAME_OPPONENT, IMPATIENT, DISTANCE = 1 << 70, 1 << 58, 1 << 32
"""Units of cost, next to milliseconds. Each is larger than the maximum sum of the smaller ones."""
SAME_SEAT = 9
"""In units of `DISTANCE`: as much as three ranks."""
MAX_WAIT_MS = 1 << 22


def free_entrants(competition: Competition) -> list[Entrant]:
    """Return the active entrants without a running game."""
    playing = {number for contest in competition.running_contests for number in contest.entrants}
    return [entrant for entrant in competition.active if entrant.number not in playing]


def pairs(competition: Competition, blocked: Blocks, now_ms: int, chance: random.Random) -> list[tuple[int, ...]]:
    """Return the numbers of the entrants to pair now. The first of a pair has the first seat."""
    waits = {entrant.number: max(0, now_ms - entrant.free_since) for entrant in free_entrants(competition)}
    last = {number: contest for contest in competition.contests for number in contest.entrants}
    only_two = len(competition.active) == 2
    is_repeat = {}
    for pair in itertools.combinations(waits, 2):
        repeat = pair[0] in last and last[pair[0]] is last.get(pair[1])
        must_wait = repeat and not only_two and min(waits[number] for number in pair) < PATIENCE_MS
        if frozenset(pair) not in blocked and not must_wait:
            is_repeat[pair] = repeat
    if not is_repeat:
        return []
    seats, found = seat_histories(competition), minimum_cost_matching(_costs(competition, waits, is_repeat))
    return [in_seat_order(pair, seats, chance) for pair in found]


def _costs(
    competition: Competition, waits: Mapping[int, int], is_repeat: Mapping[tuple[int, int], bool]
) -> dict[tuple[int, int], int]:
    """Return the cost of each pair in `is_repeat`. `waits`: milliseconds by entrant."""
    scores, seats = arena_scores(competition), seat_histories(competition)
    ranking = sorted(waits, key=lambda number: (-scores[number].score, -competition.by_number[number].points, number))
    rank = {number: position for position, number in enumerate(ranking)}
    costs = {}
    for pair, repeat in is_repeat.items():
        pair_waits = [min(waits[number], MAX_WAIT_MS - 1) for number in pair]
        costs[pair] = (
            SAME_OPPONENT * repeat
            + IMPATIENT * sum(wait < PATIENCE_MS for wait in pair_waits)
            + DISTANCE * ((rank[pair[0]] - rank[pair[1]]) ** 2 + SAME_SEAT * needs_same_seat(pair, seats))
            + 2 * MAX_WAIT_MS
            - sum(pair_waits)
        )
    return costs
