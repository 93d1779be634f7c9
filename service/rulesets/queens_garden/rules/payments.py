"""Payments: a hexagon of value v costs itself and v - 1 further pieces of the storage.

All real hexagons of a payment, the placed one included, are pairwise different and share one colour, or share one
pattern; a joker stands for any of the further ones. Paid tiles go to the tower, paid expansions under the supply.
"""

from __future__ import annotations

import numpy as np

from service.rulesets.kernel import Ints, Record, helper
from service.rulesets.queens_garden.rules.codes import NOTHING_PAID, paid, paying
from service.rulesets.queens_garden.rules.components import KINDS, POPCOUNT
from service.rulesets.queens_garden.rules.state import axis_of, hexagon_at, one
from service.rulesets.queens_garden.rules.steps import Reason

MAX_PAYMENTS = 512  # 2 axes, at most 2**5 choices of tiles with at most 2**2 of expansions each, and some


@helper
def further(hexagon: int) -> int:
    """How many pieces are given beside the placed one: its value, less one."""
    return hexagon % KINDS


@helper
def others(mask: int, hexagon: int, axis: int) -> int:
    """Of a mask of hexagons those that share the colour (axis 0) or pattern (1), without the hexagon itself."""
    colour, pattern = hexagon // KINDS, hexagon % KINDS
    if axis == 0:
        return axis_of(mask, 0, colour) & ~(1 << pattern)
    return axis_of(mask, 1, pattern) & ~(1 << colour)


@helper
def is_payable(board: Record, hexagon: int) -> bool:
    """Whether the storage, which holds the hexagon, can pay for it."""
    needed = further(hexagon) - board.jokers
    if needed <= 0:
        return True
    pieces = board.held | board.expansions
    return POPCOUNT[others(pieces, hexagon, 0)] >= needed or POPCOUNT[others(pieces, hexagon, 1)] >= needed


@helper
def list_payments(board: Record, hexagon: int, out: Ints) -> int:
    """All payments that the storage allows for a hexagon it holds: how many there are."""
    count, number = 0, further(hexagon)
    if board.jokers >= number:
        out[0] = NOTHING_PAID
        count = 1
    for axis in range(2):
        tiles, expansions = others(board.held, hexagon, axis), others(board.expansions, hexagon, axis)
        both = tiles | expansions
        given = both
        while given:  # every set of hexagons, then every choice between tile and expansion
            paid_hexagons = POPCOUNT[given]
            if paid_hexagons <= number <= paid_hexagons + board.jokers:
                choice = given & expansions
                by_expansion = choice
                while True:
                    if not given & ~tiles & ~by_expansion:
                        out[count] = paying(axis, given & ~by_expansion, by_expansion)
                        count += 1
                    if by_expansion == 0:
                        break
                    by_expansion = (by_expansion - 1) & choice
            given = (given - 1) & both
    return count


@helper
def check_payment(board: Record, hexagon: int, payment: int) -> int:
    """Why the storage cannot pay so, or 0."""
    axis, tiles, expansions = paid(payment)
    number = POPCOUNT[tiles | expansions]
    if number > further(hexagon):
        return Reason.PAYMENT_NUMBER
    if tiles & ~others(board.held, hexagon, axis) or expansions & ~others(board.expansions, hexagon, axis):
        return Reason.PAYMENT_NOT_IN_STORAGE
    return Reason.PAYMENT_NOT_IN_STORAGE if board.jokers < further(hexagon) - number else 0


@helper
def take_tile(board: Record, hexagon: int) -> None:
    """A tile leaves the storage."""
    board.tiles[hexagon] -= 1
    board.tile_count -= 1
    if board.tiles[hexagon] == 0:
        board.held &= ~one(hexagon)


@helper
def take_expansion(board: Record, hexagon: int) -> None:
    """An expansion leaves the storage."""
    board.expansions &= ~one(hexagon)


@helper
def pay(game: Record, board: Record, hexagon: int, payment: int) -> None:
    """The further pieces leave the storage."""
    axis, tiles, expansions = paid(payment)
    value = hexagon % KINDS if axis else hexagon // KINDS
    for other in range(KINDS):
        piece = hexagon_at(axis, value, other)
        if tiles >> other & 1:
            take_tile(board, piece)
            game.tower[piece] += 1
        if expansions >> other & 1:
            take_expansion(board, piece)
            game.supply += 1
    board.jokers -= further(hexagon) - POPCOUNT[np.int64(tiles | expansions)]
