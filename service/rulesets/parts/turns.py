"""Whose turn it is: who starts, who is next clockwise, and who has passed.

Of a record this needs `start_seat`, and where seats can pass `passed`, the mask of those that have in this round.
"""

from __future__ import annotations

from service.rulesets.kernel import Ints, Record, RngState, as_int, below, helper

NO_SEAT = -1  # `start_seat` until the first seat is drawn, where that is left to chance


@helper
def sample_first_seat(game: Record, rng: RngState, out: Ints) -> int:
    """The first seat, as it would be drawn: one number."""
    out[0] = below(rng, game.seats)
    return 1


@helper
def could_be_first_seat(game: Record, drawn: Ints) -> bool:
    """Whether this could be what `sample_first_seat` brings."""
    return len(drawn) == 1 and 0 <= drawn[0] < game.seats


@helper
def next_seat(game: Record, seat: int) -> int:
    """The directions, clockwise."""
    return (seat + 1) % game.seats


@helper
def seats_between(game: Record, seat: int, other: int) -> int:
    """How many seats clockwise of a seat another sits; 0 for itself."""
    return (as_int(other) - as_int(seat) + as_int(game.seats)) % as_int(game.seats)


@helper
def all_have_passed(game: Record) -> bool:
    """Whether no seat has a turn any more in this round."""
    return game.passed == (1 << game.seats) - 1  # type: ignore[no-any-return]


@helper
def next_to_play(game: Record) -> int:
    """The next seat clockwise that has not passed (there is one)."""
    seat = next_seat(game, game.seat)
    while game.passed >> seat & 1:
        seat = next_seat(game, seat)
    return seat
