"""Positions for searches and AIs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from tests.rulesets.playing import random_walk

CASES = [
    (ruleset.id, variant, seats)
    for ruleset in RULESETS.values()
    for variant in ruleset.variants
    for seats in ruleset.seat_counts
]
FEWER_CASES = [  # every variant and every number of seats, but not every pair of them
    next(case for case in CASES if case == (ruleset, variant, 4 - number % 3))
    for number, (ruleset, variant) in enumerate(dict.fromkeys(case[:2] for case in CASES))
]
SOME_CASES = [
    pytest.param(*case, marks=() if case in FEWER_CASES else pytest.mark.nightly) for case in CASES
]  # FEWER_CASES in every run, all of them in nightly runs


def positions_to_decide(ruleset: str, variant: str, seats: int, seed: int) -> Iterator[Position]:
    """Return all positions of a random game in which a seat decides."""
    rng = generator(bytes([seed % 255 + 1]) * 31 + bytes([(seed + seed // 255) % 255 + 1]))
    start = RULESETS[ruleset].start(variant, seats, None)
    return (position for position in random_walk(start, rng) if position.status == "deciding")


def walk(ruleset: str, variant: str, seats: int, seed: int, decisions: int) -> Position:
    """Return a position to decide in after this many random decisions, or fewer if the game ends earlier."""
    *_, last = itertools.islice(positions_to_decide(ruleset, variant, seats, seed), decisions + 1)
    return last


def bonus_action(position: Position) -> int | None:
    """Return a placement that earns several bonus tiles, if there is one (Summer Pavilion)."""
    for action in position.legal_actions():
        after = position.play(action)
        if after.seat == position.seat and position.ruleset.view(after)["bonus_owed"] > 1:
            return action
    return None


def walk_to_bonus(variant: str, seats: int, seed: int) -> Position:
    """Return the first position of a random game of Summer Pavilion in which a seat takes several bonus tiles."""
    start = RULESETS["summer-pavilion"].start(variant, seats, None)
    for position in random_walk(start, generator(bytes([seed + 1]) * 32)):
        if (action := bonus_action(position)) is not None:
            return position.play(action)
    raise AssertionError("no bonus in this game: try another seed")
