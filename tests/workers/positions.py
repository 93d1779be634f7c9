"""Positions to decide in."""

from __future__ import annotations

from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position

CASES = [
    (ruleset.id, variant, seats)
    for ruleset in RULESETS.values()
    for variant in ruleset.variants
    for seats in ruleset.seat_counts
]


def walk(ruleset: str, variant: str, seats: int, seed: int, decisions: int) -> Position:
    """A position with a decision to make, after so many random ones (or fewer, when the game ends sooner)."""
    rng = generator(bytes([seed + 1]) * 32)
    position = RULESETS[ruleset].start(variant, seats, None)
    last = position
    while decisions >= 0 and position.status != "over":
        if position.status == "drawing":
            position = position.deal(position.sample(rng))
        else:
            last = position
            position = position.play(position.random_action(rng))
            decisions -= 1
    return last
