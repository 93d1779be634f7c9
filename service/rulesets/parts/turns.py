"""Turns: the first seat, the next seat clockwise, and passing.

The record needs `start_seat` and, if seats can pass, `passed`, the mask of the seats that have passed in this round.
"""

from __future__ import annotations

from service.rulesets.kernel import Ints, Record, RngState, as_int, helper, random_below

NO_SEAT = -1  # value of `start_seat` until a random first seat is drawn


@helper
def sample_first_seat(game: Record, rng: RngState, out: Ints) -> int:
    """Sample the first seat and return the number of values, 1."""
    out[0] = random_below(rng, game.seats)
    return 1


@helper
def is_possible_first_seat(game: Record, drawn: Ints) -> bool:
    """Return True if `sample_first_seat` could return this draw."""
    return len(drawn) == 1 and 0 <= drawn[0] < game.seats


@helper
def next_seat(game: Record, seat: int) -> int:
    """Return the next seat clockwise."""
    return (seat + 1) % game.seats


@helper
def seats_between(game: Record, seat: int, other: int) -> int:
    """Return how many seats clockwise of a seat another one sits; 0 for itself."""
    return (as_int(other) - as_int(seat) + as_int(game.seats)) % as_int(game.seats)


@helper
def has_everyone_passed(game: Record) -> bool:
    """Return True if all seats have passed in this round."""
    return game.passed == (1 << game.seats) - 1  # type: ignore[no-any-return]


@helper
def next_to_play(game: Record) -> int:
    """Return the next seat clockwise that has not passed. There must be one."""
    seat = next_seat(game, game.seat)
    while game.passed >> seat & 1:
        seat = next_seat(game, seat)
    return seat
