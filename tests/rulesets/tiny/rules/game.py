"""One round after the other, one more die than seats is rolled, and by turns every seat takes one and scores it.

After three rounds most points win.
"""

from __future__ import annotations

from service.rulesets.kernel import DECIDING, DRAWING, OVER, Ints, Record, Rules, State, below, draw, record_dtype

VARIANTS = ("plain",)
FACES = 6
ROUNDS = 3
REASONS = ("", "unknown_action", "game_over", "not_deciding", "no_such_die")
LEGAL, UNKNOWN_ACTION, GAME_OVER, NOT_DECIDING, NO_SUCH_DIE = range(len(REASONS))

FIELDS = [("first_seat", "i1"), ("rounds_played", "u1"), ("dice", "u1", (FACES,))]
"""The first seat of the round, or -1 where it is still to be drawn; the dice on the table, by number - 1."""
rule = Rules("tiny", record_dtype(FIELDS))


@rule
def start(game: Record, variant: int, seats: int, first_seat: int) -> None:
    """Nothing is on the table."""
    game.variant = variant
    game.seats = seats
    game.first_seat = first_seat
    game.status = DRAWING


@rule
def check(game: Record, action: int) -> int:
    """An action is the number taken, less one."""
    if not 0 <= action < FACES:
        return UNKNOWN_ACTION
    if game.status == OVER:
        return GAME_OVER
    if game.status == DRAWING:
        return NOT_DECIDING
    return LEGAL if game.dice[action] else NO_SUCH_DIE


@rule
def legal_actions(game: Record, out: Ints) -> int:
    """By number."""
    count = 0
    for action in range(FACES):
        if game.status == DECIDING and game.dice[action]:
            out[count] = action
            count += 1
    return count


@rule
def random_action(game: Record, rng: State) -> int:
    """Any die that is left."""
    return draw(rng, game.dice, game.dice.sum())


@rule
def act(game: Record, action: int) -> None:
    """Take a die and score it."""
    game.score[game.seat] += action + 1
    game.dice[action] -= 1
    game.seat = (game.seat + 1) % game.seats


@rule
def settle(game: Record) -> int:
    """With one die left the round is over: which one it was is told."""
    if game.status != DECIDING or game.dice.sum() > 1:
        return 0
    game.dice[:] = 0
    game.rounds_played += 1
    game.seat = 0
    game.first_seat = (game.first_seat + 1) % game.seats
    game.status = OVER if game.rounds_played == ROUNDS else DRAWING
    return int(game.rounds_played)


@rule
def sample(game: Record, rng: State, out: Ints) -> int:
    """The first seat, where nobody was named; else dice."""
    if game.first_seat < 0:
        out[0] = below(rng, game.seats)
        return 1
    for k in range(game.seats + 1):
        out[k] = below(rng, FACES)
    return int(game.seats + 1)


@rule
def check_draw(game: Record, drawn: Ints) -> int:
    """0 if chance could bring this now."""
    wanted, kinds = (1, game.seats) if game.first_seat < 0 else (game.seats + 1, FACES)
    if game.status != DRAWING or len(drawn) != wanted:
        return 1
    for number in drawn:
        if not 0 <= number < kinds:
            return 1
    return 0


@rule
def lay(game: Record, drawn: Ints) -> None:
    """The first seat is known; or dice lie on the table."""
    if game.first_seat < 0:
        game.first_seat = drawn[0]
        return
    for number in drawn:
        game.dice[number] += 1
    game.seat = game.first_seat
    game.status = DECIDING


@rule
def outcome(game: Record, keys: Ints) -> None:
    """Most points win."""
    for seat in range(game.seats):
        keys[seat] = game.score[seat]


def breakdown(game: Record, seat: int) -> dict[str, int]:
    """All points are of dice."""
    return {"dice": int(game.score[seat])}
