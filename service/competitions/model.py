"""The data of a competition: plan, entrants and contests.

Results are half points: 2 for a win or a bye, 1 for a draw, 0 for a loss. Times are Unix milliseconds.
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
"""Pairs of entrant numbers in which one has blocked the other."""
MAX_ROUNDS, MAX_MINUTES, MAX_ENTRANTS = 15, 240, 256
MAX_GAMES = 4_000
"""Maximum number of games in an arena. After that, pairing stops."""


@dataclass(frozen=True)
class Plan:
    """The announced conditions, which never change.

    `settings`: settings of the games, in the form of a pairing's; `rounds`: None for an arena; `minutes`: None for a
    Swiss; `starts_at`: None if the host starts it; `open_to`: `people`, `bots` or `everybody`; `invitation`: the code
    needed to enter, or None.
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
    """An entry. `player`: None if the account was deleted; `points`: the rating at entry.

    `free_since`: the end of the last game, or the time of entry. `caller`: digest of the address or application.
    """

    number: int
    player: str | None
    name: str | None
    bot: bool
    points: int
    joined_at: int
    status: str = ENTERED
    free_since: int = 0
    caller: str = ""


@dataclass(frozen=True)
class Contest:
    """A game of a competition, or a bye, which has a single entrant.

    `entrants`: numbers by seat; `halves`: half points by seat, None while the game is running; `round`: from 1, or 0
    in an arena; `adjudicated`: whether the host or the operator decided the result.
    """

    id: str
    round: int
    entrants: tuple[int, ...]
    began_at: int
    halves: tuple[int, ...] | None = None
    ended_at: int | None = None
    adjudicated: bool = False

    @property
    def is_bye(self) -> bool:
        """Whether the contest is a bye."""
        return len(self.entrants) == 1

    def opponent(self, number: int) -> int | None:
        """Return the number of the opponent, or None for a bye."""
        return next((other for other in self.entrants if other != number), None)

    def halves_of(self, number: int) -> int:
        """Return the entrant's half points, 0 while the game is running."""
        return 0 if self.halves is None else self.halves[self.entrants.index(number)]


@dataclass(frozen=True)
class Competition:
    """A competition at a version. `host`: None if the account was deleted; `round`: the last round that has begun.

    `ends_at`: end of pairing in an arena; `next_at`: start of the next round of a Swiss.
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
    """Rounds of a Swiss that has begun: those planned, or fewer if it has too few entrants or the others left."""
    starts_at: int | None = None
    began_at: int | None = None
    next_at: int | None = None
    ends_at: int | None = None
    ended_at: int | None = None

    @cached_property
    def by_number(self) -> dict[int, Entrant]:
        """Entrants by number."""
        return {entrant.number: entrant for entrant in self.entrants}

    @property
    def is_over(self) -> bool:
        """Whether the competition has ended or was cancelled."""
        return self.status in (OVER, CANCELLED)

    @property
    def running_contests(self) -> list[Contest]:
        """Games without a result."""
        return [contest for contest in self.contests if contest.halves is None]

    @property
    def active(self) -> list[Entrant]:
        """Entrants who take part in pairing."""
        return [entrant for entrant in self.entrants if entrant.status == ENTERED]

    def entrant_of(self, player_id: str) -> Entrant | None:
        """Return the player's entry, or None."""
        return next((entrant for entrant in self.entrants if entrant.player == player_id), None)

    def contests_of(self, number: int) -> Iterator[Contest]:
        """Return the entrant's games and byes, in order."""
        return (contest for contest in self.contests if number in contest.entrants)

    def with_entrant(self, changed: Entrant) -> Self:
        """Return a copy in which the entrant is added or replaced, by number."""
        others = (entrant for entrant in self.entrants if entrant.number != changed.number)
        return replace(self, entrants=tuple(sorted((*others, changed), key=lambda entrant: entrant.number)))

    def without_entrant(self, number: int) -> Self:
        """Return a copy without the entrant."""
        return replace(self, entrants=tuple(entrant for entrant in self.entrants if entrant.number != number))

    def with_contests(self, new: Iterable[Contest]) -> Self:
        """Return a copy with additional games and byes."""
        return replace(self, contests=(*self.contests, *new))

    def with_result(
        self,
        game_id: str,
        halves: tuple[int, ...],
        at: int,
        absent: Iterable[int] = (),
        *,
        adjudicated: bool = False,
    ) -> Self:
        """Return a copy with the result of a running game; other games are ignored.

        `absent`: entrants who lost on time without any action. They are withdrawn from a Swiss and paused in an arena.
        """
        contests, entrants = [], self.by_number.copy()
        for contest in self.contests:
            if contest.id == game_id and contest.halves is None:
                for number in contest.entrants:
                    entrants[number] = replace(entrants[number], free_since=at)
                contests.append(replace(contest, halves=halves, ended_at=at, adjudicated=adjudicated))
            else:
                contests.append(contest)
        status = WITHDRAWN if self.plan.format == SWISS else PAUSED
        for number in absent:
            if entrants[number].status == ENTERED:
                entrants[number] = replace(entrants[number], status=status)
        return replace(self, contests=tuple(contests), entrants=tuple(entrants.values()))
