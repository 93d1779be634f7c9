"""Payments: a hexagon of value v costs itself and v - 1 further pieces of the storage.

All hexagons of a payment, including the placed one, are different and share one colour or one pattern. A joker replaces
any of the further ones. Paid tiles go to the tower, paid expansions under the supply.
"""

from __future__ import annotations

import numpy as np

from service.rulesets.kernel import Ints, Record, helper
from service.rulesets.queens_garden.rules.codes import NOTHING_PAID, pack_payment, unpack_payment
from service.rulesets.queens_garden.rules.components import KINDS, POPCOUNT
from service.rulesets.queens_garden.rules.state import axis_of, hexagon_at, mask_of_bit
from service.rulesets.queens_garden.rules.steps import Reason

MAX_PAYMENTS = 512  # more than 2 axes with at most 2**5 choices of tiles and 2**2 of expansions each


@helper
def pieces_to_pay(hexagon: int) -> int:
    """Return the number of pieces to pay in addition to the placed one: its value minus one."""
    return hexagon % KINDS


@helper
def matching_hexagons(mask: int, hexagon: int, axis: int) -> int:
    """Return those of a mask of hexagons with the same colour (axis 0) or pattern (1), without the hexagon itself."""
    colour, pattern = hexagon // KINDS, hexagon % KINDS
    if axis == 0:
        return axis_of(mask, 0, colour) & ~(1 << pattern)
    return axis_of(mask, 1, pattern) & ~(1 << colour)


@helper
def is_payable(board: Record, hexagon: int) -> bool:
    """Return True if the storage, which holds the hexagon, can pay for it."""
    needed = pieces_to_pay(hexagon) - board.jokers
    if needed <= 0:
        return True
    pieces = board.held | board.expansions
    return (
        POPCOUNT[matching_hexagons(pieces, hexagon, 0)] >= needed
        or POPCOUNT[matching_hexagons(pieces, hexagon, 1)] >= needed
    )


@helper
def list_payments(board: Record, hexagon: int, out: Ints) -> int:
    """List all payments that the storage allows for a hexagon it holds, and return their number."""
    count, number = 0, pieces_to_pay(hexagon)
    if board.jokers >= number:
        out[0] = NOTHING_PAID
        count = 1
    for axis in range(2):
        tiles, expansions = (
            matching_hexagons(board.held, hexagon, axis),
            matching_hexagons(board.expansions, hexagon, axis),
        )
        both = tiles | expansions
        given = both
        while given:  # all sets of hexagons, each with all choices between tile and expansion
            paid_hexagons = POPCOUNT[given]
            if paid_hexagons <= number <= paid_hexagons + board.jokers:
                choice = given & expansions
                by_expansion = choice
                while True:
                    if not given & ~tiles & ~by_expansion:
                        out[count] = pack_payment(axis, given & ~by_expansion, by_expansion)
                        count += 1
                    if by_expansion == 0:
                        break
                    by_expansion = (by_expansion - 1) & choice
            given = (given - 1) & both
    return count


@helper
def check_payment(board: Record, hexagon: int, payment: int) -> int:
    """Return the reason why the storage cannot pay like this, or 0."""
    axis, tiles, expansions = unpack_payment(payment)
    number = POPCOUNT[tiles | expansions]
    if number > pieces_to_pay(hexagon):
        return Reason.PAYMENT_NUMBER
    if tiles & ~matching_hexagons(board.held, hexagon, axis) or expansions & ~matching_hexagons(
        board.expansions, hexagon, axis
    ):
        return Reason.PAYMENT_NOT_IN_STORAGE
    return Reason.PAYMENT_NOT_IN_STORAGE if board.jokers < pieces_to_pay(hexagon) - number else 0


@helper
def take_tile(board: Record, hexagon: int) -> None:
    """Remove a tile from the storage."""
    board.tiles[hexagon] -= 1
    board.tile_count -= 1
    if board.tiles[hexagon] == 0:
        board.held &= ~mask_of_bit(hexagon)


@helper
def take_expansion(board: Record, hexagon: int) -> None:
    """Remove an expansion from the storage."""
    board.expansions &= ~mask_of_bit(hexagon)


@helper
def pay(game: Record, board: Record, hexagon: int, payment: int) -> None:
    """Remove the further pieces from the storage."""
    axis, tiles, expansions = unpack_payment(payment)
    value = hexagon % KINDS if axis else hexagon // KINDS
    for other in range(KINDS):
        piece = hexagon_at(axis, value, other)
        if tiles >> other & 1:
            take_tile(board, piece)
            game.tower[piece] += 1
        if expansions >> other & 1:
            take_expansion(board, piece)
            game.supply += 1
    board.jokers -= pieces_to_pay(hexagon) - POPCOUNT[np.int64(tiles | expansions)]
