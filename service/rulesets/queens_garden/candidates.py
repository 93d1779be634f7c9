"""Which of thousands of legal actions a player should think about.

Where a hexagon may lie matters most, so all spaces, areas and rotations are kept; how it is paid matters less, so of
each hexagon's payments only the cheapest of each axis, and jokers alone, are; and a pass discards nothing.
"""

from __future__ import annotations

import numpy as np

from service.rulesets.kernel import DECIDING, Ints, Record, helper
from service.rulesets.queens_garden.codes import NOTHING_PAID, buying, passing, paying, placing_expansion, placing_tile
from service.rulesets.queens_garden.components import AREAS, HEXAGONS, KINDS, POPCOUNT
from service.rulesets.queens_garden.display import list_choices
from service.rulesets.queens_garden.garden import check_area, rotations_for, spaces_for
from service.rulesets.queens_garden.payments import further, others
from service.rulesets.queens_garden.rules import check_buy
from service.rulesets.queens_garden.state import place_of, rule

FEW_PAYMENTS = 3


@helper
def cheapest(board: Record, hexagon: int, axis: int) -> int:
    """The payment of an axis with the fewest jokers: tiles of the least value first, then expansions; or -1."""
    wanted = further(hexagon)
    rest, tiles, expansions = others(board.held, hexagon, axis), 0, 0
    while rest and POPCOUNT[tiles] < wanted:
        tiles |= rest & -rest
        rest &= rest - 1
    rest = others(board.expansions, hexagon, axis) & ~tiles
    while rest and POPCOUNT[tiles | expansions] < wanted:
        expansions |= rest & -rest
        rest &= rest - 1
    if POPCOUNT[tiles | expansions] + board.jokers < wanted:
        return -1
    return paying(axis, tiles, expansions)


@helper
def few_payments(board: Record, hexagon: int, out: Ints) -> int:
    """At most FEW_PAYMENTS, each once; none if the storage cannot pay."""
    count = 0
    for axis in range(2):
        payment = cheapest(board, hexagon, axis)
        if payment >= 0 and (count == 0 or payment != out[0]):
            out[count] = payment
            count += 1
    if count and board.jokers >= further(hexagon) and out[0] != NOTHING_PAID and out[count - 1] != NOTHING_PAID:
        out[count] = NOTHING_PAID
        count += 1
    return count


@helper
def few_tiles(board: Record, out: Ints, count: int, payments: Ints) -> int:
    """Placements of tiles, after `count` actions that stand there already."""
    held = board.held
    while held:
        hexagon = place_of(held)
        held &= held - 1
        ways = few_payments(board, hexagon, payments)
        spaces = spaces_for(board, hexagon) if ways else 0
        while spaces:
            space = place_of(spaces)
            spaces &= spaces - 1
            for k in range(ways):
                out[count] = placing_tile(hexagon, space, payments[k])
                count += 1
    return count


@helper
def few_expansions(board: Record, out: Ints, count: int, payments: Ints) -> int:
    """Placements of expansions, after `count` actions that stand there already."""
    held = board.expansions
    while held:
        hexagon = place_of(held)
        held &= held - 1
        ways = few_payments(board, hexagon, payments)
        for area in range(AREAS):
            rotations = rotations_for(board, hexagon, area) if ways and check_area(board, area) == 0 else 0
            for rotation in range(KINDS):
                if rotations >> rotation & 1:
                    for k in range(ways):
                        out[count] = placing_expansion(hexagon, area, rotation, payments[k])
                        count += 1
    return count


@rule
def candidates(game: Record, out: Ints) -> int:
    """Acquisitions, placements of tiles, of expansions, purchases, a pass."""
    if game.status != DECIDING:
        return 0
    board, count = game.boards[game.seat], 0
    for by in range(2):
        for value in range(KINDS):
            count = list_choices(game, by, value, out, count)
    payments, nothing = np.empty(FEW_PAYMENTS, np.int64), np.zeros(HEXAGONS, np.int64)
    count = few_tiles(board, out, count, payments)
    count = few_expansions(board, out, count, payments)
    for area in range(AREAS):
        if check_buy(game, board, area) == 0:
            out[count] = buying(area)
            count += 1
    out[count] = passing(nothing, nothing)
    return count + 1
