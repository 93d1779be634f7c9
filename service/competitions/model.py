"""A competition: what was announced, who has entered, and the games that have come of it.

Results are counted in halves of a point: a win, or a bye, is two, a draw one. Times are unix ms.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

SWISS, ARENA = "swiss", "arena"
FORMATS = (SWISS, ARENA)
COMING, RUNNING, OVER, CANCELLED = "coming", "running", "over", "cancelled"
COMPETITION_STATUSES = (COMING, RUNNING, OVER, CANCELLED)
ENTERED, PAUSED, WITHDRAWN, REMOVED = "entered", "paused", "withdrawn", "removed"
ENTRANT_STATUSES = (ENTERED, PAUSED, WITHDRAWN, REMOVED)
WON, DRAWN, LOST = 2, 1, 0
Blocks = Collection[frozenset[int]]
"""Two entrants each, by number, of whom one has blocked the other."""
MAX_ROUNDS, MAX_MINUTES, MAX_ENTRANTS = 15, 240, 256
MAX_GAMES = 4_000
"""So many games an arena has: then nobody is paired any more."""


@dataclass(frozen=True)
class Plan:
    """What was announced, and never changes. `settings`: what is played, as a pairing has it.

    `rounds`: of a Swiss; `minutes`: of an arena; `starts_at` is None where its host starts it; `open_to`: people, bots
    or everybody; `invitation`: what one needs to join, None where that is nothing.
    """

    name: str
    format: str
    settings: dict[str, Any]
    rounds: int | None
    minutes: int | None
    pause_s: int
    most_players: int
    public: bool
    open_to: str
    starts_at: int | None
    created_at: int
    invitation: str | None = None


@dataclass(frozen=True)
class Entrant:
    """Who has entered. `player` is None once they are deleted; `points`: their rating when they entered.

    `free_since`: when their last game ended, or they came.
    """

    number: int
    player: str | None
    name: str | None
    bot: bool
    points: int
    joined_at: int
    status: str = ENTERED
    free_since: int = 0


@dataclass(frozen=True)
class Contest:
    """A game of a competition, or a bye, which has one entrant.

    `entrants`: by seat, who begins first; `halves`: what it brought each of them, None while it is played;
    `round`: from 1; of an arena, 0.
    """

    id: str
    round: int
    entrants: tuple[int, ...]
    began_at: int
    halves: tuple[int, ...] | None = None
    ended_at: int | None = None

    @property
    def is_bye(self) -> bool:
        """Whether nobody was there to play with."""
        return len(self.entrants) == 1

    def other(self, number: int) -> int | None:
        """Whom the entrant plays with; None: it is a bye."""
        return next((other for other in self.entrants if other != number), None)

    def halves_of(self, number: int) -> int:
        """What it has brought the entrant so far."""
        return 0 if self.halves is None else self.halves[self.entrants.index(number)]


@dataclass(frozen=True)
class Competition:
    """A competition at a version. `host` is None once they are deleted; `round`: the last that has begun.

    `ends_at`: of an arena, when nobody is paired any more; `next_at`: of a Swiss, when the next round begins.
    """

    id: str
    version: int
    plan: Plan
    host: str | None
    status: str
    entrants: tuple[Entrant, ...] = ()
    contests: tuple[Contest, ...] = ()
    round: int = 0
    rounds: int | None = None
    """Of a Swiss: how many are played, once it has begun: nobody meets anybody twice."""
    starts_at: int | None = None
    began_at: int | None = None
    next_at: int | None = None
    ends_at: int | None = None
    ended_at: int | None = None

    @cached_property
    def by_number(self) -> dict[int, Entrant]:
        """The entrants by their numbers."""
        return {entrant.number: entrant for entrant in self.entrants}

    @property
    def is_over(self) -> bool:
        """Whether nothing comes any more."""
        return self.status in (OVER, CANCELLED)

    @property
    def unfinished(self) -> list[Contest]:
        """Games that are played now."""
        return [contest for contest in self.contests if contest.halves is None]

    @property
    def active(self) -> list[Entrant]:
        """Who is to be paired."""
        return [entrant for entrant in self.entrants if entrant.status == ENTERED]

    def entrant_of(self, player_id: str) -> Entrant | None:
        """The player's entry."""
        return next((entrant for entrant in self.entrants if entrant.player == player_id), None)

    def contests_of(self, number: int) -> Iterator[Contest]:
        """The entrant's games and byes, in order."""
        return (contest for contest in self.contests if number in contest.entrants)

    def with_entrant(self, changed: Entrant) -> Self:
        """With this entrant instead of the one of its number, or beside the others."""
        others = (entrant for entrant in self.entrants if entrant.number != changed.number)
        return replace(self, entrants=tuple(sorted((*others, changed), key=lambda entrant: entrant.number)))

    def without_entrant(self, number: int) -> Self:
        """As if they had never entered."""
        return replace(self, entrants=tuple(entrant for entrant in self.entrants if entrant.number != number))

    def with_contests(self, new: Iterable[Contest]) -> Self:
        """With more games."""
        return replace(self, contests=(*self.contests, *new))

    def with_result(self, game_id: str, halves: tuple[int, ...], at: int, absent: Iterable[int] = ()) -> Self:
        """With the result of a game. `absent`: who has not made an action, and lost by time: they are paired no more.

        In an arena they may come back.
        """
        contests, entrants = [], self.by_number.copy()
        for contest in self.contests:
            if contest.id == game_id and contest.halves is None:
                contests.append(replace(contest, halves=halves, ended_at=at))
                for number in contest.entrants:
                    entrants[number] = replace(entrants[number], free_since=at)
            else:
                contests.append(contest)
        left = WITHDRAWN if self.plan.format == SWISS else PAUSED
        for number in absent:
            if entrants[number].status == ENTERED:
                entrants[number] = replace(entrants[number], status=left)
        return replace(self, contests=tuple(contests), entrants=tuple(entrants.values()))
