"""A round of a Swiss for games of two: who plays whom, who begins, and who has the bye.

As FIDE's Dutch system wants it, but by one matching of all rather than by score groups in turn, so that a round is
never left with two who cannot play each other. What stands against a pair, the weightiest first:

1. they have met; a bye after a bye;
2. one has blocked the other;
3. a bye: it is the one's with the lowest score, the last in rank of those;
4. how far their scores are apart, squared: nobody floats farther than needed;
5. both are to begin, or neither is;
6. how far they are from the usual order: in a score group the first of the upper half plays the first of the lower.

With at least twice as many players as rounds nobody meets anybody twice.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from service.competitions.matching import cheapest
from service.competitions.model import Blocks, Competition, Entrant
from service.competitions.standings import halves_by_number

BYE = -1
"""The one who plays with whoever has the bye."""
ORDER, BEGINNING, APART, BYES, BLOCKED, AGAIN = (1 << shift for shift in (0, 24, 42, 60, 76, 84))
"""Units of cost: each is more than all of the lesser kinds can come to, for 256 players and 15 rounds."""


@dataclass
class Standing:
    """What a round looks at, of one entrant. `begun`: games in which they began, less those in which they did not."""

    entrant: Entrant
    halves: int
    begun: int = 0
    began_last: bool | None = None
    byes: int = 0
    met: Counter[int] = field(default_factory=Counter)


def most_rounds(players: int) -> int:
    """So many rounds can be played before somebody has to meet somebody again."""
    return players - 1 if players % 2 == 0 else players


def pairs(competition: Competition, blocked: Blocks, chance: random.Random) -> list[tuple[int, ...]]:
    """Who plays next: numbers of two, who begins first, or of the one who has the bye."""
    every = _standings(competition)
    ranked = sorted(every.values(), key=lambda one: (-one.halves, -one.entrant.points, one.entrant.number))
    costs = _costs(ranked, blocked)
    results: list[tuple[int, ...]] = []
    for one, other in cheapest(costs):
        results.append((other,) if one == BYE else _seated(every[one], every[other], chance))
    place = {one.entrant.number: rank for rank, one in enumerate(ranked)}
    return sorted(results, key=lambda pair: (len(pair) == 1, min(place[number] for number in pair)))


def _standings(competition: Competition) -> dict[int, Standing]:
    halves = halves_by_number(competition)
    every = {entrant.number: Standing(entrant, halves[entrant.number]) for entrant in competition.active}
    for contest in competition.contests:
        for seat, number in enumerate(contest.entrants):
            one = every.get(number)
            if one is None:
                continue
            other = contest.other(number)
            if other is None:
                one.byes += 1
            else:
                one.met[other] += 1
                one.begun += 1 if seat == 0 else -1
                one.began_last = seat == 0
    return every


def _costs(ranked: Sequence[Standing], blocked: Blocks) -> dict[tuple[int, int], int]:
    groups = Counter(one.halves for one in ranked)
    costs = {}
    for rank, one in enumerate(ranked):
        if len(ranked) % 2:
            costs[BYE, one.entrant.number] = AGAIN * one.byes + BYES * (512 * one.halves + len(ranked) - 1 - rank)
        for lower, other in enumerate(ranked[rank + 1 :], rank + 1):
            usual = groups[one.halves] // 2 if one.halves == other.halves else 1
            pair = one.entrant.number, other.entrant.number
            costs[pair] = (
                AGAIN * one.met[pair[1]]
                + BLOCKED * (frozenset(pair) in blocked)
                + APART * (one.halves - other.halves) ** 2
                + BEGINNING * _clash(one, other)
                + ORDER * (lower - rank - usual) ** 2
            )
    return costs


def _clash(one: Standing, other: Standing) -> int:
    """How much it is against both that one of them begins: 0 where one is to, and the other not."""
    if one.begun * other.begun > 0:
        return min(abs(one.begun), abs(other.begun)) ** 2 * 2
    return int(one.begun == other.begun == 0 and one.began_last is not None and one.began_last == other.began_last)


def _seated(one: Standing, other: Standing, chance: random.Random) -> tuple[int, int]:
    """Who has begun less often begins; of two, who did not begin last; else it is drawn."""
    two = [one, other]
    if one.begun != other.begun:
        two.sort(key=lambda standing: standing.begun)
    elif one.began_last != other.began_last:
        two.sort(key=lambda standing: bool(standing.began_last))
    else:
        chance.shuffle(two)
    return two[0].entrant.number, two[1].entrant.number
