"""Decisions that may be puzzles: those of games that quick levels play against themselves.

The levels play like people, so the positions are like those of people. Games alternate between variants and mostly have
two seats.
"""

from __future__ import annotations

import hmac
import itertools
from collections import Counter

from research.matches.sides import Searcher
from research.training.games import seats_of, variant_of
from service.rulesets.kernel import RngState, generator, random_below
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from workers.search.players import parse_player
from workers.tasks import playing

LEVELS_OF_SEATS = ("casual", "club", "greedy")
MIN_CHOICES, MAX_CHOICES = 6, 60  # legal actions of a puzzle


def decisions(ruleset_id: str, number: int, seed: int, counts: Counter[str]) -> list[Position]:
    """Return the positions of a game with a suitable number of legal actions, and count all of its decisions."""
    ruleset = RULESETS[ruleset_id]
    digest = hmac.digest(b"puzzles", f"{seed} {number}".encode(), "sha256")
    rng = generator(digest)
    seats = seats_of(ruleset, number)
    players = [Searcher(parse_player(ruleset, _level(rng))) for _ in range(seats)]
    found: list[Position] = []
    decisions_of_game = itertools.count()

    def decide(position: Position) -> int:
        counts["decisions"] += 1
        if MIN_CHOICES <= len(position.legal_actions()) <= MAX_CHOICES:
            found.append(position)
        seed_of_choice = hmac.digest(digest, f"{next(decisions_of_game)}".encode(), "sha256")
        return players[int(position.seat or 0)].decide(position, seed_of_choice)

    playing.play(ruleset.start(variant_of(ruleset, number), seats, None), lambda position: position.sample(rng), decide)
    return found


def _level(rng: RngState) -> str:
    return LEVELS_OF_SEATS[random_below(rng, len(LEVELS_OF_SEATS))]
