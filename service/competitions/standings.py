"""Standings of a competition, and its tie-breaks.

Swiss: a win or a bye gives one point, a draw half a point. Tie-breaks, in this order:

1. Buchholz cut 1: the sum of the opponents' scores without the lowest
2. Buchholz: the sum of the opponents' scores
3. Sonneborn-Berger: the scores of beaten opponents, and half the scores of opponents in drawn games
4. wins, without byes
5. for exactly two entrants, their game
6. the rating at entry
7. the order of entry

A bye counts as an opponent with the entrant's own score.

Arena: a win gives two points, a draw one. After two wins in a row, points are doubled until the entrant does not win.
Tie-breaks: performance (the mean of the opponents' ratings, plus 500 for a win and minus 500 for a loss), wins, the
rating at entry, the order of entry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from service.competitions.model import DRAWN, LOST, WON, Competition, Entrant

STREAK = 2
PERFORMANCE_SPREAD = 500
PERFORMANCE_BONUS = {WON: PERFORMANCE_SPREAD, DRAWN: 0, LOST: -PERFORMANCE_SPREAD}


@dataclass(frozen=True)
class Row:
    """An entrant's row. Swiss scores and tie-breaks, but not `wins`, are multiples of one half.

    `performance`: None before the first finished game; `streak`: wins in a row, in an arena.
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


def half_points(competition: Competition) -> dict[int, int]:
    """Return the Swiss score of each entrant in half points, by number."""
    halves = {entrant.number: 0 for entrant in competition.entrants}
    for contest in competition.contests:
        for number in contest.entrants:
            halves[number] += contest.halves_of(number)
    return halves


# --------------------------------------------------------------------------------------------------------- Swiss


def swiss_rows(competition: Competition) -> list[Row]:
    """Return the standings of a Swiss, best first."""
    halves = half_points(competition)
    rows = [_swiss_row(competition, entrant, halves) for entrant in competition.entrants]
    results = []
    for _, equal in groupby(sorted(rows, key=_swiss_key), key=_swiss_key):
        tied = sorted(equal, key=lambda row: (-row.entrant.points, row.entrant.number))
        results += _apply_direct_games(competition, tied)
    return results


def _swiss_key(row: Row) -> tuple[float, ...]:
    return -row.score, -(row.buchholz_cut_1 or 0), -(row.buchholz or 0), -(row.sonneborn_berger or 0), -row.wins


def _swiss_row(competition: Competition, entrant: Entrant, halves: Mapping[int, int]) -> Row:
    opponent_scores, sonneborn_berger, wins, played = [], 0, 0, 0
    for contest in competition.contests_of(entrant.number):
        if contest.halves is None:
            continue
        opponent, result = contest.opponent(entrant.number), contest.halves_of(entrant.number)
        opponent_scores.append(halves[entrant.number if opponent is None else opponent])
        sonneborn_berger += result * opponent_scores[-1]
        played += opponent is not None
        wins += opponent is not None and result == WON
    buchholz = sum(opponent_scores)
    cut = buchholz - min(opponent_scores, default=0)
    return Row(entrant, halves[entrant.number] / 2, played, wins, cut / 2, buchholz / 2, sonneborn_berger / 4)


def _apply_direct_games(competition: Competition, tied: Sequence[Row]) -> list[Row]:
    """Return the rows; two rows are swapped if the second entrant has beaten the first."""
    if len(tied) == 2:
        one, other = (row.entrant.number for row in tied)
        games = [contest for contest in competition.contests_of(one) if contest.opponent(one) == other]
        if sum(game.halves_of(other) for game in games) > sum(game.halves_of(one) for game in games):
            return [tied[1], tied[0]]
    return list(tied)


# --------------------------------------------------------------------------------------------------------- arena


def arena_scores(competition: Competition) -> dict[int, Row]:
    """Return the rows of an arena by entrant number."""
    tallies = {number: _Tally() for number in competition.by_number}
    finished = [contest for contest in competition.contests if contest.halves is not None]
    for contest in sorted(finished, key=lambda contest: (contest.ended_at or 0, contest.began_at, contest.id)):
        for number in contest.entrants:
            opponent = contest.opponent(number)
            points = 0 if opponent is None else competition.by_number[opponent].points
            tallies[number].add(contest.halves_of(number), points)
    return {entrant.number: tallies[entrant.number].row(entrant) for entrant in competition.entrants}


class _Tally:
    """Running totals of an arena's entrant."""

    def __init__(self) -> None:
        self.score = self.played = self.wins = self.streak = self.performances = 0

    def add(self, halves: int, opponent_points: int) -> None:
        """Add a finished game. `opponent_points`: the opponent's rating at entry."""
        self.score += halves * (2 if self.streak >= STREAK else 1)
        self.played += 1
        self.wins += halves == WON
        self.streak = self.streak + 1 if halves == WON else 0
        self.performances += opponent_points + PERFORMANCE_BONUS[halves]

    def row(self, entrant: Entrant) -> Row:
        """Return the totals as a row of the standings."""
        performance = round(self.performances / self.played) if self.played else None
        return Row(entrant, self.score, self.played, self.wins, performance=performance, streak=self.streak)


def arena_rows(competition: Competition) -> list[Row]:
    """Return the standings of an arena, best first."""

    def key(row: Row) -> tuple[float, ...]:
        return (-row.score, -(row.performance or 0), -row.wins, -row.entrant.points, row.entrant.number)

    return sorted(arena_scores(competition).values(), key=key)
