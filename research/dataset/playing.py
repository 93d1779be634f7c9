"""Games as they are played for a table: a row for each decision.

Chance and the player's own chance follow from the seed and the game's number. A player that searches makes just its
number of simulations for each decision, however long that takes, so the same seed brings the same games anywhere;
only one that is limited by time alone is not so.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from research.matches.sides import player_of
from service.rulesets.kernel import Ints, generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position, SeatOutcome
from service.rulesets.seats import MAX_SEATS
from workers.search.decisions import Searches
from workers.search.players import Player
from workers.tasks import playing


@dataclass(frozen=True)
class Asked:
    """What is played, on each variant and number of seats by turns."""

    ruleset: str
    variants: tuple[str, ...]
    seats: tuple[int, ...]
    player: str  # as in a match
    seed: int

    def variant_of(self, number: int) -> str:
        """Of a game."""
        return self.variants[number % len(self.variants)]

    def seats_of(self, number: int) -> int:
        """Of a game."""
        return self.seats[number // len(self.variants) % len(self.seats)]

    def chance(self, number: int, *words: object) -> bytes:
        """32 bytes for a game's chance, by what they are for."""
        return hmac.digest(b"dataset", " ".join(map(str, (self.seed, number, *words))).encode(), "sha256")


@dataclass(frozen=True)
class Decision:
    """One row."""

    game: int
    number: int  # decisions of the game before it
    position: Position  # a seat decides
    legal: Ints  # that are listed
    action: int
    visits: Ints | None  # of each legal action; None where nothing was searched


@dataclass(frozen=True)
class Played:
    """A whole game."""

    decisions: Sequence[Decision]
    outcome: Sequence[SeatOutcome]


class _Decider:
    """Makes the decisions of one game."""

    def __init__(self, asked: Asked, number: int) -> None:
        self._asked, self._number = asked, number
        self._player: Player = player_of(RULESETS[asked.ruleset], asked.player)
        self._searches = Searches(MAX_SEATS)
        self.made: list[Decision] = []

    def decide(self, position: Position) -> int:
        legal, count = position.legal_actions(), len(self.made)
        seed = self._asked.chance(self._number, "search", count)
        search = self._searches.at(position.seat, position, self._player, seed)
        action, visits = legal[0], None
        if len(legal) > 1:
            most, others = self._player.simulations, position.seats - 1
            action = search.choose(simulations=None if most is None else most * others).action
            known = search.visits()
            visits = np.array([known.get(one, 0) for one in legal]) if known else None
        if self._player.kind == "tree":
            search.advance(action)
        self.made.append(Decision(self._number, count, position, np.array(legal), action, visits))
        return action


def play(asked: Asked, number: int) -> Played:
    """One game."""
    decider, rng = _Decider(asked, number), generator(asked.chance(number, "draws"))
    start = RULESETS[asked.ruleset].start(asked.variant_of(number), asked.seats_of(number), None)
    last, _ = playing.play(start, lambda position: position.sample(rng), decider.decide)
    return Played(decider.made, last.outcome())


def play_all(asked: Asked, numbers: range) -> Iterator[Played]:
    """The games of these numbers."""
    return (play(asked, number) for number in numbers)
