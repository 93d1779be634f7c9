"""An arena: whoever is free plays somebody near in the standings, until the time is up.

Nobody plays the same player twice in a row while others are about: for `PATIENCE_MS` they wait for another. Who has
blocked the other never plays them. What stands against a pair, the weightiest first: that they played each other last;
that others have waited for `PATIENCE_MS`, and they have not; how far their places are apart, squared; and of those as
near, whoever has waited longest plays.
"""

from __future__ import annotations

import random

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
    waiting = free(competition)
    scores = arena_scores(competition)
    ranked = sorted(waiting, key=lambda one: (-scores[one.number].score, -one.points, one.number))
    last = {number: contest for contest in competition.contests for number in contest.entrants}
    all_here = len(competition.active) == 2
    costs = {}
    for rank, one in enumerate(ranked):
        for lower, other in enumerate(ranked[rank + 1 :], rank + 1):
            pair = one.number, other.number
            before = last.get(one.number)
            again = before is not None and before is last.get(other.number)
            waits = [min(max(0, now_ms - each.free_since), LONGEST_WAIT_MS - 1) for each in (one, other)]
            if frozenset(pair) in blocked or (again and min(waits) < PATIENCE_MS and not all_here):
                continue
            costs[pair] = (
                LAST_AGAIN * again
                + IMPATIENT * sum(wait < PATIENCE_MS for wait in waits)
                + DISTANCE * (lower - rank) ** 2
                + 2 * LONGEST_WAIT_MS
                - sum(waits)
            )
    begun = dict.fromkeys(scores, 0)
    for contest in competition.contests:
        begun[contest.entrants[0]] += 1
        begun[contest.entrants[-1]] -= 1
    return [_seated(pair, begun, chance) for pair in cheapest(costs)] if costs else []


def _seated(pair: tuple[int, int], begun: dict[int, int], chance: random.Random) -> tuple[int, int]:
    """Who has begun less often begins."""
    one, other = pair if chance.random() < 0.5 else (pair[1], pair[0])
    return (one, other) if begun[one] <= begun[other] else (other, one)
