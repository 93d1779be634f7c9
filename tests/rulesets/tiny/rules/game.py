"""One round after the other, one more die than seats is rolled, and by turns every seat takes one and scores it.

After three rounds most points win.
"""

from __future__ import annotations

from enum import auto
from pathlib import Path

import numpy as np

from service.rulesets.kernel import DECIDING, DRAWING, OVER, Ints, Record, RngState, Rules, below, draw, record_dtype
from service.rulesets.parts.steps import (
    NOTHING_FOLLOWS,
    CommonReason,
    OwnReason,
    PackedEffect,
    check_deciding,
    pack_effect,
)
from service.rulesets.parts.turns import NO_SEAT, could_be_first_seat, next_seat, sample_first_seat

VARIANTS = ("plain",)
FACES = 6
ROUNDS = 3


class Reason(OwnReason):
    """Why an action is illegal, beside the common reasons."""

    NO_SUCH_DIE = auto()


class Step(PackedEffect):
    """What follows by itself."""

    ROUND_ENDED = ("round",)


FIELDS = [("start_seat", "i1"), ("rounds_played", "u1"), ("dice", "u1", (FACES,))]
"""The first seat of the round, or NO_SEAT; the dice on the table, by number - 1."""
rule = Rules("tiny", record_dtype(FIELDS), Path(__file__).parents[1])


@rule
def start(game: Record, variant: int, seats: int, first_seat: int) -> None:
    """Nothing is on the table."""
    game.variant = variant
    game.seats = seats
    game.start_seat = first_seat
    game.status = DRAWING


@rule
def check(game: Record, action: int) -> int:
    """An action is the number taken, less one."""
    if not 0 <= action < FACES:
        return CommonReason.UNKNOWN_ACTION
    if game.status != DECIDING:
        return check_deciding(game)
    return 0 if game.dice[action] else Reason.NO_SUCH_DIE


@rule
def legal_actions(game: Record, out: Ints) -> int:
    """By number."""
    numbers = np.flatnonzero(game.dice)
    out[: len(numbers)] = numbers
    return len(numbers)


@rule
def random_action(game: Record, rng: RngState) -> int:
    """Any die that is left."""
    return draw(rng, game.dice, game.dice.sum())


@rule
def act(game: Record, action: int) -> None:
    """Take a die and score it."""
    game.score[game.seat] += action + 1
    game.dice[action] -= 1
    game.seat = next_seat(game, game.seat)


@rule
def settle(game: Record) -> int:
    """With one die left the round is over: which one it was is told."""
    if game.status != DECIDING or game.dice.sum() > 1:
        return NOTHING_FOLLOWS
    game.dice[:] = 0
    game.rounds_played += 1
    game.seat = 0
    game.start_seat = next_seat(game, game.start_seat)
    game.status = OVER if game.rounds_played == ROUNDS else DRAWING
    return pack_effect(Step.ROUND_ENDED, game.rounds_played)


@rule
def sample(game: Record, rng: RngState, out: Ints) -> int:
    """The first seat, where nobody was named; else dice."""
    if game.start_seat == NO_SEAT:
        return sample_first_seat(game, rng, out)
    for k in range(game.seats + 1):
        out[k] = below(rng, FACES)
    return int(game.seats + 1)


@rule
def check_draw(game: Record, drawn: Ints) -> int:
    """0 if chance could bring this now."""
    if game.status == DRAWING and game.start_seat == NO_SEAT:
        return 0 if could_be_first_seat(game, drawn) else 1
    fits = game.status == DRAWING and len(drawn) == game.seats + 1
    for number in drawn:
        fits = fits and 0 <= number < FACES
    return 0 if fits else 1


@rule
def apply_draw(game: Record, drawn: Ints) -> None:
    """The first seat is known; or dice lie on the table."""
    if game.start_seat == NO_SEAT:
        game.start_seat = drawn[0]
        return
    for number in drawn:
        game.dice[number] += 1
    game.seat = game.start_seat
    game.status = DECIDING


@rule
def outcome(game: Record, keys: Ints) -> None:
    """Most points win."""
    for seat in range(game.seats):
        keys[seat] = game.score[seat]


def breakdown(game: Record, seat: int) -> dict[str, int]:
    """All points are of dice."""
    return {"dice": int(game.score[seat])}
