"""Games for a table of decisions.

Seed and number of a game determine its chance and the player's random choices. A searching player makes its number of
simulations for each decision, so the same seed produces the same games on any machine. This does not hold for a player
that is limited only by time.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
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
class DatasetPlan:
    """The games to play. Variants and numbers of seats alternate."""

    ruleset: str
    variants: tuple[str, ...]
    seats: tuple[int, ...]
    player: str  # in the notation of matches
    seed: int

    def variant_of(self, number: int) -> str:
        """Return the variant of a game."""
        return self.variants[number % len(self.variants)]

    def seats_of(self, number: int) -> int:
        """Return the number of seats of a game."""
        return self.seats[number // len(self.variants) % len(self.seats)]

    def chance(self, number: int, *words: object) -> bytes:
        """Return 32 random bytes for a game. `words`: their purpose."""
        return hmac.digest(b"dataset", " ".join(map(str, (self.seed, number, *words))).encode(), "sha256")


@dataclass(frozen=True)
class Decision:
    """A decision, which becomes a row."""

    game: int
    number: int  # from 0, in the game
    position: Position  # a seat decides
    legal: Ints  # listed legal actions
    action: int
    visits: Ints | None  # of each legal action; None without a search


@dataclass(frozen=True)
class PlayedGame:
    """A whole game."""

    decisions: Sequence[Decision]
    outcome: Sequence[SeatOutcome]


class _Decider:
    """Makes the decisions of one game."""

    def __init__(self, plan: DatasetPlan, number: int) -> None:
        self._plan, self._number = plan, number
        self._player: Player = player_of(RULESETS[plan.ruleset], plan.player)
        self._searches = Searches(MAX_SEATS)
        self.made: list[Decision] = []

    def decide(self, position: Position) -> int:
        legal, count = position.legal_actions(), len(self.made)
        seed = self._plan.chance(self._number, "search", count)
        search = self._searches.search_for(position.seat, position, self._player, seed)
        action, visits = legal[0], None
        if len(legal) > 1:
            simulations, opponents = self._player.simulations, position.seats - 1
            action = search.choose(simulations=None if simulations is None else simulations * opponents).action
            by_action = search.visits()
            visits = np.array([by_action.get(each, 0) for each in legal]) if by_action else None
        if self._player.kind == "tree":
            search.advance(action)
        self.made.append(Decision(self._number, count, position, np.array(legal), action, visits))
        return action


def play(plan: DatasetPlan, number: int) -> PlayedGame:
    """Play a game."""
    decider, rng = _Decider(plan, number), generator(plan.chance(number, "draws"))
    start = RULESETS[plan.ruleset].start(plan.variant_of(number), plan.seats_of(number), None)
    last, _ = playing.play(start, lambda position: position.sample(rng), decider.decide)
    return PlayedGame(decider.made, last.outcome())
