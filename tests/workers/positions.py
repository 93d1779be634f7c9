"""Positions to decide in."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position

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
]  # FEWER_CASES by day, all of them at night


def decided(ruleset: str, variant: str, seats: int, seed: int) -> Iterator[Position]:
    """All positions with a decision to make, of a game of random ones."""
    rng = generator(bytes([seed % 255 + 1]) * 31 + bytes([(seed + seed // 255) % 255 + 1]))
    position = RULESETS[ruleset].start(variant, seats, None)
    while position.status != "over":
        if position.status == "drawing":
            position = position.resolve_draw(position.sample(rng))
        else:
            yield position
            position = position.play(position.random_action(rng))


def walk(ruleset: str, variant: str, seats: int, seed: int, decisions: int) -> Position:
    """A position with a decision to make, after so many random ones (or fewer, when the game ends sooner)."""
    *_, last = itertools.islice(decided(ruleset, variant, seats, seed), decisions + 1)
    return last


def bonus_action(position: Position) -> int | None:
    """A placement for which several bonus tiles are owed, if there is one (Summer Pavilion)."""
    for action in position.legal_actions():
        after = position.play(action)
        if after.seat == position.seat and position.ruleset.view(after)["bonus_owed"] > 1:
            return action
    return None


def walk_to_bonus(variant: str, seats: int, seed: int) -> Position:
    """The first position of a random game of Summer Pavilion in which a seat has to take several bonus tiles."""
    rng = generator(bytes([seed + 1]) * 32)
    position = RULESETS["summer-pavilion"].start(variant, seats, None)
    while position.status != "over":
        if position.status == "drawing":
            position = position.resolve_draw(position.sample(rng))
            continue
        action = bonus_action(position)
        if action is not None:
            return position.play(action)
        position = position.play(position.random_action(rng))
    raise AssertionError("no bonus in this game: try another seed")
