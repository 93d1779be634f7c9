"""Candidates: the promising ones of thousands of legal actions.

- Acquisitions: three choices of sources for each colour and pattern, because the sources of pieces hardly matter.
- Placements: the space and the payment of a hexagon matter, but seldom both at once. Each hexagon is tried on its
  FEW_SPACES most promising spaces with one payment, and on the best space with up to FEW_PAYMENTS. A space is promising
  if its neighbours share colour and pattern.
- Passes: without discards, because remaining pieces cost no more later, or can be used. If the storage is nearly full,
  one to FEW_DISCARDS of the cheapest tiles that cannot be paid for may be discarded. In the last round everything may
  be discarded if it is worth more than the points that can be lost.
"""

from __future__ import annotations

import numpy as np

from service.rulesets.kernel import DECIDING, Ints, Record, helper
from service.rulesets.queens_garden.ai.grouping import count_of, neighbours_of
from service.rulesets.queens_garden.rules.codes import (
    FIRST_FACE,
    FIRST_TILE,
    NOTHING_PAID,
    PIECE_BITS,
    pack_acquire,
    pack_buy_expansion,
    pack_pass,
    pack_payment,
    pack_place_expansion,
    pack_place_tile,
)
from service.rulesets.queens_garden.rules.components import (
    AREAS,
    FIRST_OF_AREA,
    HEXAGONS,
    KINDS,
    MAX_BESIDE,
    NEIGHBOURS,
    POPCOUNT,
    RING_OF_AREA,
    ROUNDS,
)
from service.rulesets.queens_garden.rules.display import alias_patterns, check_acquire, free_tile_spaces, in_display
from service.rulesets.queens_garden.rules.game import check_buy
from service.rulesets.queens_garden.rules.garden import check_area, rotations_for, shown_spaces, spaces_for
from service.rulesets.queens_garden.rules.moves import pass_discarding_all
from service.rulesets.queens_garden.rules.payments import is_payable, matching_hexagons, pieces_to_pay
from service.rulesets.queens_garden.rules.scoring import value_left
from service.rulesets.queens_garden.rules.state import PLACES, TOP, axis_of, hexagon_at, lowest_bit, rule

FEW_SPACES = 4
FEW_WAYS = 5  # areas and rotations for an expansion
FEW_AREAS = 2  # for purchases
FEW_PAYMENTS = 4
FEW_DISCARDS = 3
NEARLY_FULL = 2  # free tile spaces, at most
SAME, ANY = 8, 1  # weights of a matching neighbour and of any neighbour
LOWEST, HIGHEST = range(2)  # values of the tiles paid first


# ------------------------------------------------------------------------------------- acquiring


@helper
def sources_of(game: Record, hexagon: int) -> tuple[int, int, int]:
    """Return (a tile on the stack's top, the first tile beside it, an expansion) with the hexagon; 0 for none."""
    top = FIRST_TILE + TOP if game.lies[TOP] >> hexagon & 1 else 0
    beside = face = 0
    for source in range(PLACES - 1, TOP, -1):
        if game.lies[source] >> hexagon & 1:
            beside = FIRST_TILE + source
    if game.faces >> hexagon & 1:
        for number in range(MAX_BESIDE):
            if game.face[number] == hexagon + 1:
                face = FIRST_FACE + number
    return top, beside, face


@helper
def few_choices(game: Record, by: int, value: int, hexagons: int, out: Ints, count: int) -> int:
    """Append acquisitions by a colour or pattern and return the new count."""
    if hexagons == 0:
        return count
    chosen_first = chosen_last = chosen_face = 0
    for other in range(KINDS):
        if hexagons >> other & 1:
            top, beside, face = sources_of(game, hexagon_at(by, value, other))
            chosen_first |= (top or beside or face) << (PIECE_BITS * other)
            chosen_last |= (beside or face or top) << (PIECE_BITS * other)
            chosen_face |= (face or top or beside) << (PIECE_BITS * other)
    if check_acquire(game, by, value, chosen_first) == 0:
        out[count] = pack_acquire(by, value, chosen_first)
        count += 1
    if chosen_last != chosen_first and check_acquire(game, by, value, chosen_last) == 0:
        out[count] = pack_acquire(by, value, chosen_last)
        count += 1
    if chosen_face not in (chosen_first, chosen_last) and check_acquire(game, by, value, chosen_face) == 0:
        out[count] = pack_acquire(by, value, chosen_face)
        count += 1
    return count


# -------------------------------------------------------------------------------------- payments


@helper
def cheapest(board: Record, hexagon: int, axis: int, order: int) -> int:
    """Return the payment of an axis with the fewest jokers, or -1.

    It uses tiles of the lowest or highest values (`order`), then expansions.
    """
    price = pieces_to_pay(hexagon)
    rest, tiles, expansions = matching_hexagons(board.held, hexagon, axis), 0, 0
    while order == HIGHEST and POPCOUNT[rest] > price:
        rest &= rest - 1
    while rest and POPCOUNT[tiles] < price:
        tiles |= rest & -rest
        rest &= rest - 1
    rest = matching_hexagons(board.expansions, hexagon, axis) & ~tiles
    while rest and POPCOUNT[tiles | expansions] < price:
        expansions |= rest & -rest
        rest &= rest - 1
    if POPCOUNT[tiles | expansions] + board.jokers < price:
        return -1
    return pack_payment(axis, tiles, expansions)


@helper
def jokers_of(hexagon: int, payment: int) -> int:
    """Return the number of jokers in a payment."""
    return pieces_to_pay(hexagon) - POPCOUNT[payment >> 1]


@helper
def add_payment(payment: int, out: Ints, count: int) -> int:
    """Append a valid payment unless it is already listed, and return the new count."""
    if payment < 0:
        return count
    for k in range(count):
        if out[k] == payment:
            return count
    out[count] = payment
    return count + 1


@helper
def few_payments(board: Record, hexagon: int, out: Ints) -> int:
    """List at most FEW_PAYMENTS, the first with the fewest jokers. Return their number, 0 if none is possible."""
    by_colour, by_pattern = cheapest(board, hexagon, 0, HIGHEST), cheapest(board, hexagon, 1, LOWEST)
    if by_colour >= 0 and by_pattern >= 0 and jokers_of(hexagon, by_pattern) < jokers_of(hexagon, by_colour):
        by_colour, by_pattern = by_pattern, by_colour
    count = add_payment(by_pattern, out, add_payment(by_colour, out, 0))
    count = add_payment(cheapest(board, hexagon, 0, LOWEST), out, count)
    if count and board.jokers >= pieces_to_pay(hexagon):
        count = add_payment(NOTHING_PAID, out, count)
    return count


# --------------------------------------------------------------------------------------- placing


@helper
def promise(board: Record, hexagon: int, space: int, shown: int) -> int:
    """Return how promising the space is for the hexagon."""
    near = NEIGHBOURS[space]
    same = count_of(near & board.colours[hexagon // KINDS]) + count_of(near & board.patterns[hexagon % KINDS])
    return SAME * same + ANY * count_of(near & shown)


@helper
def keep_best(out: Ints, first: int, count: int, most: int) -> int:
    """Keep the best `most` of out[first:count] by the bits above the lowest 16, best first. Return the new count."""
    for k in range(first, min(count, first + most)):
        best = k
        for later in range(k + 1, count):
            if out[later] >> 16 > out[best] >> 16:
                best = later
        out[k], out[best] = out[best], out[k]
    return min(count, first + most)


@helper
def few_tiles(board: Record, out: Ints, count: int, payments: Ints) -> int:
    """Append placements of tiles and return the new count."""
    held, shown = board.held, shown_spaces(board)
    while held:
        hexagon = lowest_bit(held)
        held &= held - 1
        ways = few_payments(board, hexagon, payments)
        spaces, first = spaces_for(board, hexagon) if ways else 0, count
        while spaces:
            space = lowest_bit(spaces)
            spaces &= spaces - 1
            out[count] = promise(board, hexagon, space, shown) << 16 | space
            count += 1
        if count == first:
            continue
        count = keep_best(out, first, count, FEW_SPACES)
        best = out[first] & 63
        for k in range(first, count):
            out[k] = pack_place_tile(hexagon, out[k] & 63, payments[0])
        for k in range(1, ways):
            out[count] = pack_place_tile(hexagon, best, payments[k])
            count += 1
    return count


@helper
def few_expansions(board: Record, out: Ints, count: int, payments: Ints) -> int:
    """Append placements of expansions and return the new count."""
    held, shown = board.expansions, shown_spaces(board)
    while held:
        hexagon = lowest_bit(held)
        held &= held - 1
        ways, first = few_payments(board, hexagon, payments), count
        for area in range(AREAS):
            rotations = rotations_for(board, hexagon, area) if ways and check_area(board, area) == 0 else 0
            for rotation in range(KINDS):
                if rotations >> rotation & 1:
                    space = FIRST_OF_AREA[area] + rotation
                    out[count] = (
                        SAME * promise(board, hexagon, space, shown) + count_of(NEIGHBOURS[space])
                    ) << 16 | space
                    count += 1
        if count == first:
            continue
        count = keep_best(out, first, count, FEW_WAYS)
        best = (out[first] & 63) - KINDS
        for k in range(first, count):
            space = (out[k] & 63) - KINDS
            out[k] = pack_place_expansion(hexagon, space // 7, space % 7, payments[0])
        for k in range(1, ways):
            out[count] = pack_place_expansion(hexagon, best // 7, best % 7, payments[k])
            count += 1
    return count


@helper
def few_purchases(game: Record, board: Record, out: Ints, count: int) -> int:
    """Append purchases for the areas with most hexagons around them and return the new count."""
    first, shown = count, shown_spaces(board)
    for area in range(AREAS):
        if check_buy(game, board, area) == 0:
            out[count] = count_of(neighbours_of(RING_OF_AREA[area]) & shown) << 16 | area
            count += 1
    count = keep_best(out, first, count, FEW_AREAS)
    for k in range(first, count):
        out[k] = pack_buy_expansion(out[k] & 63)
    return count


@helper
def few_passes(game: Record, board: Record, out: Ints, count: int) -> int:
    """Append passes and return the new count."""
    tiles, nothing = np.zeros(HEXAGONS, np.int64), np.zeros(HEXAGONS, np.int64)
    out[count] = pack_pass(tiles, nothing)
    count += 1
    if game.round_number == ROUNDS:
        if value_left(board) > game.score[game.seat] - (game.passed == 0):  # more than the points that can be lost
            out[count] = pass_discarding_all(board)
            count += 1
        return count
    if free_tile_spaces(board) > NEARLY_FULL:
        return count
    discards = 0
    for pattern in range(KINDS):
        for colour in range(KINDS):
            hexagon = colour * KINDS + pattern
            if board.held >> hexagon & 1 and not is_payable(board, hexagon):
                tiles[hexagon] = 1
                out[count] = pack_pass(tiles, nothing)
                count += 1
                discards += 1
                if discards == FEW_DISCARDS:
                    return count
    return count


@rule
def candidates(game: Record, out: Ints) -> int:
    """List acquisitions, placements of tiles and expansions, purchases and passes."""
    if game.status != DECIDING:
        return 0
    board, count = game.boards[game.seat], 0
    hexagons = in_display(game)
    aliases = alias_patterns(hexagons)
    for by in range(2):
        for value in range(KINDS):
            if by == 0 or not aliases >> value & 1:
                count = few_choices(game, by, value, axis_of(hexagons, by, value), out, count)
    payments = np.empty(FEW_PAYMENTS, np.int64)
    count = few_tiles(board, out, count, payments)
    count = few_expansions(board, out, count, payments)
    count = few_purchases(game, board, out, count)
    return few_passes(game, board, out, count)
