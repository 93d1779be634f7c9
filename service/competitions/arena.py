"""An arena: whoever is free plays somebody near in the standings, until the time is up.

Nobody plays the same player twice in a row while others are about: for `PATIENCE_MS` they wait for another. Who has
blocked the other never plays them. What stands against a pair, the weightiest first: that they played each other last;
that others have waited for `PATIENCE_MS`, and they have not; how far their places are apart, squared; and of those as
near, whoever has waited longest plays.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Mapping

from service.competitions.matching import cheapest
from service.competitions.model import Blocks, Competition, Entrant
from service.competitions.standings import arena_scores

PATIENCE_MS = 45_000
BATCH_MS = 2_000
"""So long those who are free are gathered: near in standing is found among more than two."""
LAST_AGAIN, IMPATIENT, DISTANCE = 1 << 70, 1 << 58, 1 << 32
"""Units of cost, beside milliseconds that are not waited: each is more than all of the lesser kinds can come to."""
LONGEST_WAIT_MS = 1 << 22


def free(competition: Competition) -> list[Entrant]:
    """Who may be paired now."""
    playing = {number for contest in competition.unfinished for number in contest.entrants}
    return [entrant for entrant in competition.active if entrant.number not in playing]


def pairs(competition: Competition, blocked: Blocks, now_ms: int, chance: random.Random) -> list[tuple[int, ...]]:
    """Who plays now: numbers of two, who begins first."""
    waiting = {one.number: max(0, now_ms - one.free_since) for one in free(competition)}
    last = {number: contest for contest in competition.contests for number in contest.entrants}
    all_here = len(competition.active) == 2
    again_by_pair = {}
    for pair in itertools.combinations(waiting, 2):
        again = pair[0] in last and last[pair[0]] is last.get(pair[1])
        patient = again and not all_here and min(waiting[number] for number in pair) < PATIENCE_MS
        if frozenset(pair) not in blocked and not patient:
            again_by_pair[pair] = again
    if not again_by_pair:
        return []
    costs = _costs(competition, waiting, again_by_pair)
    begun = Counter(contest.entrants[0] for contest in competition.contests)
    begun.subtract(contest.entrants[-1] for contest in competition.contests)
    return [_seated(pair, begun, chance) for pair in cheapest(costs)]


def _costs(
    competition: Competition, waiting: Mapping[int, int], again_by_pair: Mapping[tuple[int, int], bool]
) -> dict[tuple[int, int], int]:
    """What stands against each pair. `waiting`: for how many ms, by number."""
    scores = arena_scores(competition)
    ranked = sorted(waiting, key=lambda one: (-scores[one].score, -competition.by_number[one].points, one))
    place = {number: rank for rank, number in enumerate(ranked)}
    costs = {}
    for pair, again in again_by_pair.items():
        waits = [min(waiting[number], LONGEST_WAIT_MS - 1) for number in pair]
        costs[pair] = (
            LAST_AGAIN * again
            + IMPATIENT * sum(wait < PATIENCE_MS for wait in waits)
            + DISTANCE * (place[pair[0]] - place[pair[1]]) ** 2
            + 2 * LONGEST_WAIT_MS
            - sum(waits)
        )
    return costs


def _seated(pair: tuple[int, int], begun: Mapping[int, int], chance: random.Random) -> tuple[int, int]:
    """Who has begun less often begins."""
    one, other = pair if chance.random() < 0.5 else (pair[1], pair[0])
    return (one, other) if begun[one] <= begun[other] else (other, one)
