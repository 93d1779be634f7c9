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

from service.rulesets.kernel import Ints, generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position, SeatOutcome
from service.rulesets.seats import MAX_SEATS
from workers.search.decisions import Searches
from workers.search.players import parse_player
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


def play(plan: DatasetPlan, number: int) -> PlayedGame:
    """Play a game."""
    ruleset, rng = RULESETS[plan.ruleset], generator(plan.chance(number, "draws"))
    player, searches, made = parse_player(ruleset, plan.player), Searches(MAX_SEATS), list[Decision]()

    def decide(position: Position) -> int:
        legal, seed = position.legal_actions(), plan.chance(number, "search", len(made))
        search = searches.search_for(position.seat, position, player, seed)
        action, visits = legal[0], None
        if len(legal) > 1:
            simulations, opponents = player.simulations, position.seats - 1
            action = search.choose(simulations=None if simulations is None else simulations * opponents).action
            by_action = search.visits()
            visits = np.array([by_action.get(each, 0) for each in legal]) if by_action else None
        if player.kind == "tree":
            search.advance(action)
        made.append(Decision(number, len(made), position, np.array(legal), action, visits))
        return action

    start = ruleset.start(plan.variant_of(number), plan.seats_of(number), None)
    last, _ = playing.play(start, lambda position: position.sample(rng), decide)
    return PlayedGame(made, last.outcome())
