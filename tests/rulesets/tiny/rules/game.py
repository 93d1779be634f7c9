"""Each round begins with a roll of one die more than seats. In turn, each seat takes a die and scores its number.

The last die is not taken. The seat with the most points after sixteen rounds wins.
"""

from __future__ import annotations

from pathlib import Path

from service.rulesets.kernel import (
    DECIDING,
    DRAWING,
    OVER,
    Ints,
    Record,
    RngState,
    Rules,
    draw,
    random_below,
    record_dtype,
)
from service.rulesets.parts.steps import NOTHING_FOLLOWS, CommonReason, check_deciding, pack_effect
from service.rulesets.parts.turns import NO_SEAT, is_possible_first_seat, next_seat, sample_first_seat

from .steps import Effect, Reason

VARIANTS = ("plain",)
FACES = 6
ROUNDS = 16
FIELDS = [
    ("start_seat", "i1"),  # the first seat of the round, or NO_SEAT
    ("rounds_played", "u1"),
    ("dice", "u1", (FACES,)),  # the dice on the table, by number - 1
]
rule = Rules("tiny", record_dtype(FIELDS), Path(__file__).parents[1])


@rule
def start(game: Record, variant: int, seats: int, first_seat: int) -> None:
    """Set up an empty table."""
    game.variant = variant
    game.seats = seats
    game.start_seat = first_seat
    game.status = DRAWING


@rule
def check(game: Record, action: int) -> int:
    """Return why the action, the number of the die - 1, is illegal; 0 if it is legal."""
    if not 0 <= action < FACES:
        return CommonReason.UNKNOWN_ACTION
    if game.status != DECIDING:
        return check_deciding(game)
    return 0 if game.dice[action] else Reason.NO_SUCH_DIE


@rule
def legal_actions(game: Record, out: Ints) -> int:
    """List the numbers on the table. Numba compiles no `np.flatnonzero` without its runtime, so this is a loop."""
    count = 0
    for action in range(FACES):
        if game.dice[action]:
            out[count] = action
            count += 1
    return count


@rule
def random_action(game: Record, rng: RngState) -> int:
    """Return a random die."""
    return draw(rng, game.dice, game.dice.sum())


@rule
def act(game: Record, action: int) -> None:
    """Take a die and score it."""
    game.score[game.seat] += action + 1
    game.dice[action] -= 1
    game.seat = next_seat(game, game.seat)


@rule
def settle(game: Record) -> int:
    """End the round if one die is left."""
    if game.status != DECIDING or game.dice.sum() > 1:
        return NOTHING_FOLLOWS
    game.dice[:] = 0
    game.rounds_played += 1
    game.seat = 0
    game.start_seat = next_seat(game, game.start_seat)
    game.status = OVER if game.rounds_played == ROUNDS else DRAWING
    return pack_effect(Effect.ROUND_ENDED, game.rounds_played)


@rule
def sample(game: Record, rng: RngState, out: Ints) -> int:
    """Draw the first seat if it is not known, else roll the dice."""
    if game.start_seat == NO_SEAT:
        return sample_first_seat(game, rng, out)
    for k in range(game.seats + 1):
        out[k] = random_below(rng, FACES)
    return int(game.seats + 1)


@rule
def check_draw(game: Record, drawn: Ints) -> int:
    """Return 0 if this draw is possible, else 1."""
    if game.status == DRAWING and game.start_seat == NO_SEAT:
        return 0 if is_possible_first_seat(game, drawn) else 1
    fits = game.status == DRAWING and len(drawn) == game.seats + 1
    for number in drawn:
        fits = fits and 0 <= number < FACES
    return 0 if fits else 1


@rule
def apply_draw(game: Record, drawn: Ints) -> None:
    """Set the first seat, or put the dice on the table."""
    if game.start_seat == NO_SEAT:
        game.start_seat = drawn[0]
        return
    for number in drawn:
        game.dice[number] += 1
    game.seat = game.start_seat
    game.status = DECIDING


@rule
def outcome(game: Record, keys: Ints) -> None:
    """Rank seats by points."""
    for seat in range(game.seats):
        keys[seat] = game.score[seat]


def breakdown(game: Record, seat: int) -> dict[str, int]:
    """Return the points of a seat by their origin."""
    return {"dice": int(game.score[seat])}
