"""How the entrants of a competition stand.

Swiss: a win or a bye is a point, a draw half of one. Of equal scores decide, in this order: Buchholz cut 1 (the sum of
the opponents' scores without the lowest), Buchholz, Sonneborn-Berger (the scores of those whom one has beaten, and half
of those with whom one has drawn), wins at the table, of just two the game that they played, the rating at the entry,
who entered first. A bye counts as an opponent who has one's own score.

Arena: a win is two points, a draw one; after two wins in a row each is doubled until one is not won. Of equal scores
decide the performance (the mean of the opponents' ratings, 500 more where one has won, 500 less where one has lost),
wins, the rating at the entry, who entered first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from service.competitions.model import DRAWN, LOST, WON, Competition, Entrant

STREAK = 2
PERFORMANCE_SPREAD = 500
BY_HALVES = {WON: PERFORMANCE_SPREAD, DRAWN: 0, LOST: -PERFORMANCE_SPREAD}


@dataclass(frozen=True)
class Row:
    """How an entrant stands. All but `played` and `wins`, and an arena's score, may end in a half.

    `performance`: None before their first game has ended. `streak`: wins in a row, of an arena.
    """

    entrant: Entrant
    score: float
    played: int
    wins: int
    buchholz_cut_1: float | None = None
    buchholz: float | None = None
    sonneborn_berger: float | None = None
    performance: int | None = None
    streak: int | None = None


def halves_by_number(competition: Competition) -> dict[int, int]:
    """What each entrant has, in halves of a point."""
    halves = {entrant.number: 0 for entrant in competition.entrants}
    for contest in competition.contests:
        for number in contest.entrants:
            halves[number] += contest.halves_of(number)
    return halves


# --------------------------------------------------------------------------------------------------------- Swiss


def swiss_rows(competition: Competition) -> list[Row]:
    """The entrants of a Swiss, best first."""
    halves = halves_by_number(competition)
    rows = [_swiss_row(competition, entrant, halves) for entrant in competition.entrants]
    results = []
    for _, equal in groupby(sorted(rows, key=_swiss_key), key=_swiss_key):
        tied = sorted(equal, key=lambda row: (-row.entrant.points, row.entrant.number))
        results += _by_their_game(competition, tied)
    return results


def _swiss_key(row: Row) -> tuple[float, ...]:
    return (
        -row.score,
        -(row.buchholz_cut_1 or 0),
        -(row.buchholz or 0),
        -(row.sonneborn_berger or 0),
        -row.wins,
    )


def _swiss_row(competition: Competition, entrant: Entrant, halves: Mapping[int, int]) -> Row:
    met, won, wins, played = [], 0, 0, 0
    for contest in competition.contests_of(entrant.number):
        if contest.halves is None:
            continue
        other, brought = contest.other(entrant.number), contest.halves_of(entrant.number)
        met.append(halves[entrant.number if other is None else other])
        won += brought * met[-1]
        played += other is not None
        wins += other is not None and brought == WON
    cut = sum(met) - min(met, default=0)
    return Row(entrant, halves[entrant.number] / 2, played, wins, cut / 2, sum(met) / 2, won / 4)


def _by_their_game(competition: Competition, tied: Sequence[Row]) -> list[Row]:
    """Two whom nothing else parts: who has beaten the other comes first."""
    if len(tied) == 2:
        one, other = (row.entrant.number for row in tied)
        games = [contest for contest in competition.contests_of(one) if contest.other(one) == other]
        if sum(game.halves_of(other) for game in games) > sum(game.halves_of(one) for game in games):
            return [tied[1], tied[0]]
    return list(tied)


# --------------------------------------------------------------------------------------------------------- arena


def arena_scores(competition: Competition) -> dict[int, Row]:
    """How each entrant of an arena stands, by number."""
    points = {entrant.number: entrant.points for entrant in competition.entrants}
    tallies = {number: _Tally() for number in points}
    ended = [contest for contest in competition.contests if contest.halves is not None]
    for contest in sorted(ended, key=lambda contest: (contest.ended_at or 0, contest.began_at, contest.id)):
        for number in contest.entrants:
            other = contest.other(number)
            tallies[number].add(contest.halves_of(number), 0 if other is None else points[other])
    return {entrant.number: tallies[entrant.number].row(entrant) for entrant in competition.entrants}


class _Tally:
    """What an entrant of an arena has come to so far."""

    def __init__(self) -> None:
        self.score = self.played = self.wins = self.streak = self.performances = 0

    def add(self, halves: int, points_of_other: int) -> None:
        """Another game has ended."""
        self.score += halves * (2 if self.streak >= STREAK else 1)
        self.played += 1
        self.wins += halves == WON
        self.streak = self.streak + 1 if halves == WON else 0
        self.performances += points_of_other + BY_HALVES[halves]

    def row(self, entrant: Entrant) -> Row:
        """It as a line of the standings."""
        performance = round(self.performances / self.played) if self.played else None
        return Row(entrant, self.score, self.played, self.wins, performance=performance, streak=self.streak)


def arena_rows(competition: Competition) -> list[Row]:
    """The entrants of an arena, best first."""

    def key(row: Row) -> tuple[float, ...]:
        return (-row.score, -(row.performance or 0), -row.wins, -row.entrant.points, row.entrant.number)

    return sorted(arena_scores(competition).values(), key=key)
