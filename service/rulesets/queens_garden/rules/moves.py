"""Legal actions: the list of all except aliases (see display.py), and a random one.

Thousands may be legal: a tile has many spaces and payments, a pass many discards. So `random_action` does not list
them. It chooses what to do, then how, and starts again if this is impossible.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from service.rulesets.kernel import DECIDING, Ints, Record, RngState, helper, random_below
from service.rulesets.parts.masks import without_lowest
from service.rulesets.queens_garden.rules.codes import (
    ACQUIRE,
    FIRST_TILE,
    PIECE_BITS,
    SOURCES,
    kind_of,
    pack_acquire,
    pack_buy_expansion,
    pack_pass,
    pack_place_expansion,
    pack_place_tile,
    piece_of,
    unpack_acquire,
)
from service.rulesets.queens_garden.rules.components import AREAS, HEXAGONS, KINDS, ROUNDS
from service.rulesets.queens_garden.rules.display import (
    alias_patterns,
    check_acquire,
    fits_somehow,
    in_display,
    is_available,
    list_choices,
    tiles_in_display,
)
from service.rulesets.queens_garden.rules.game import check, check_buy
from service.rulesets.queens_garden.rules.garden import check_area, rotations_for, spaces_for
from service.rulesets.queens_garden.rules.payments import MAX_PAYMENTS, is_payable, list_payments
from service.rulesets.queens_garden.rules.state import axis_of, count_bits, hexagon_at, lowest_bit, rule
from service.rulesets.queens_garden.rules.steps import Reason

NO_ACTION = -1
MAX_ACTIONS = 1 << 17  # a storage of 12 different tiles has at most 12 * 42 * MAX_PAYMENTS placements


# ------------------------------------------------------------------------------------------- all legal actions


@helper
def list_tiles(board: Record, out: Ints, count: int, payments: Ints) -> int:
    """Append placements of tiles by hexagon, space and payment, and return the new count."""
    held = board.held
    while held:
        hexagon = lowest_bit(held)
        held &= held - 1
        ways = list_payments(board, hexagon, payments)
        spaces = spaces_for(board, hexagon) if ways else 0
        while spaces:
            space = lowest_bit(spaces)
            spaces &= spaces - 1
            for k in range(ways):
                out[count] = pack_place_tile(hexagon, space, payments[k])
                count += 1
    return count


@helper
def list_expansions(board: Record, out: Ints, count: int, payments: Ints) -> int:
    """Append placements of expansions by hexagon, area, rotation and payment, and return the new count."""
    held = board.expansions
    while held:
        hexagon = lowest_bit(held)
        held &= held - 1
        ways = list_payments(board, hexagon, payments)
        for area in range(AREAS):
            if ways == 0 or check_area(board, area):
                continue
            rotations = rotations_for(board, hexagon, area)
            for rotation in range(KINDS):
                if rotations >> rotation & 1:
                    for k in range(ways):
                        out[count] = pack_place_expansion(hexagon, area, rotation, payments[k])
                        count += 1
    return count


@helper
def list_passes(board: Record, out: Ints, count: int) -> int:
    """Append passes by discards and return the new count. Discards count up like an odometer, expansions first."""
    tiles, expansions = np.zeros(HEXAGONS, np.int64), np.zeros(HEXAGONS, np.int64)
    one_each = np.zeros(HEXAGONS, np.int64)
    for hexagon in range(HEXAGONS):
        one_each[hexagon] = board.expansions >> hexagon & 1
    while True:
        out[count] = pack_pass(tiles, expansions)
        count += 1
        if not (count_on(expansions, one_each) or count_on(tiles, board.tiles)):
            return count


@helper
def count_on(counts: Ints, most: Any) -> bool:
    """Advance to the next choice of at most `most` pieces by hexagon.

    Return False, with an empty choice, after the last.
    """
    for hexagon in range(HEXAGONS):
        if counts[hexagon] < most[hexagon]:
            counts[hexagon] += 1
            return True
        counts[hexagon] = 0
    return False


@helper
def list_moves(game: Record, out: Ints) -> int:
    """List all actions except passes: acquisitions, placements of tiles and expansions, purchases."""
    board, count = game.boards[game.seat], 0
    payments = np.empty(MAX_PAYMENTS, np.int64)
    aliases = alias_patterns(in_display(game))
    for by in range(2):
        for value in range(KINDS):
            if by == 0 or not aliases >> value & 1:
                count = list_choices(game, by, value, out, count)
    count = list_tiles(board, out, count, payments)
    count = list_expansions(board, out, count, payments)
    for area in range(AREAS):
        if check_buy(game, board, area) == 0:
            out[count] = pack_buy_expansion(area)
            count += 1
    return count


@rule
def legal_actions(game: Record, out: Ints) -> int:
    """List all actions except aliases, passes last."""
    if game.status != DECIDING:
        return 0
    return list_passes(game.boards[game.seat], out, list_moves(game, out))


@rule
def ending_actions(game: Record, out: Ints) -> int:
    """List legal actions. For the last seat to pass in the last round, only the pass that discards everything.

    Remaining pieces cost their values at the end, after the round has scored. Discards cost them now, and no loss takes
    a score below 0. So a seat that discards more never ends with less, and no other seat acts any more.
    """
    others = (1 << game.seats) - 1 & ~(1 << game.seat)
    if game.status != DECIDING or game.round_number != ROUNDS or game.passed & others != others:
        return legal_actions(game, out)
    count = list_moves(game, out)
    out[count] = pass_discarding_all(game.boards[game.seat])
    return count + 1


@helper
def pass_discarding_all(board: Record) -> int:
    """Return the pass that discards all tiles and expansions."""
    tiles, expansions = np.zeros(HEXAGONS, np.int64), np.zeros(HEXAGONS, np.int64)
    for hexagon in range(HEXAGONS):
        tiles[hexagon] = board.tiles[hexagon]
        expansions[hexagon] = board.expansions >> hexagon & 1
    return pack_pass(tiles, expansions)


@helper
def has_missing_piece(game: Record, action: int) -> bool:
    """Return True if an acquisition names a piece that is not available. Malformed parts are left to `check`."""
    by, value, pieces = unpack_acquire(action)
    if value >= KINDS or pieces >> (PIECE_BITS * KINDS):
        return False
    for other in range(KINDS):
        piece = piece_of(pieces, other)
        if 0 < piece < SOURCES and not is_available(game, piece, hexagon_at(by, value, other)):
            return True
    return False


@rule
def check_listed(game: Record, action: int) -> int:
    """Return 0 if the action is legal and not an alias.

    The search checks actions that were listed before a draw. Most illegal ones name pieces that are no longer
    available.
    """
    acquires = action >= 0 and kind_of(action) == ACQUIRE
    if acquires and game.status == DECIDING and has_missing_piece(game, action):
        return Reason.PIECE_NOT_THERE
    reason = check(game, action)
    if reason or not acquires:
        return reason
    by, value, _ = unpack_acquire(action)
    return alias_patterns(in_display(game)) >> value & 1 if by else 0


# ------------------------------------------------------------------------------------------- random actions


@helper
def random_bit(mask: int, rng: RngState) -> int:
    """Return the position of a random one bit of a mask; all are equally likely."""
    return lowest_bit(without_lowest(mask, random_below(rng, count_bits(mask))))


@helper
def random_pieces(game: Record, by: int, value: int, rng: RngState) -> int:
    """Return a random piece of each hexagon that matches."""
    hexagons = in_display(game)
    pieces = 0
    for other in range(KINDS):
        hexagon, patterns_seen = hexagon_at(by, value, other), 0
        if hexagons >> hexagon & 1:
            chosen = 0
            for piece in range(FIRST_TILE, SOURCES):
                if is_available(game, piece, hexagon):
                    patterns_seen += 1
                    if random_below(rng, patterns_seen) == 0:
                        chosen = piece
            pieces |= chosen << (PIECE_BITS * other)
    return pieces


@helper
def random_acquire(game: Record, by: int, value: int, rng: RngState) -> int:
    """Return a random choice of pieces that fits, or NO_ACTION if there is none or it is an alias."""
    board = game.boards[game.seat]
    tiles, faces = axis_of(tiles_in_display(game), by, value), axis_of(game.faces, by, value)
    if not tiles | faces or not fits_somehow(board, tiles, faces):
        return NO_ACTION
    if by == 1 and alias_patterns(in_display(game)) >> value & 1:
        return NO_ACTION
    pieces = random_pieces(game, by, value, rng)
    while check_acquire(game, by, value, pieces):
        pieces = random_pieces(game, by, value, rng)
    return pack_acquire(by, value, pieces)


@helper
def random_payment(board: Record, hexagon: int, rng: RngState) -> int:
    """Return a random payment that the storage allows. There must be one."""
    payments = np.empty(MAX_PAYMENTS, np.int64)
    return payments[random_below(rng, list_payments(board, hexagon, payments))]  # type: ignore[no-any-return]


@helper
def random_tile(board: Record, hexagon: int, rng: RngState) -> int:
    """Return a random space and payment for the tile, or NO_ACTION."""
    if not is_payable(board, hexagon):
        return NO_ACTION
    spaces = spaces_for(board, hexagon)
    if spaces == 0:
        return NO_ACTION
    return pack_place_tile(hexagon, random_bit(spaces, rng), random_payment(board, hexagon, rng))


@helper
def random_expansion(board: Record, hexagon: int, rng: RngState) -> int:
    """Return a random legal placement (area, rotation, payment) of the expansion, or NO_ACTION if there is none."""
    if not is_payable(board, hexagon):
        return NO_ACTION
    ways = 0
    for area in range(AREAS):
        if check_area(board, area) == 0:
            ways |= rotations_for(board, hexagon, area) << (KINDS * area)
    if ways == 0:
        return NO_ACTION
    way = random_bit(ways, rng)
    return pack_place_expansion(hexagon, way // KINDS, way % KINDS, random_payment(board, hexagon, rng))


@helper
def random_purchase(game: Record, board: Record, rng: RngState) -> int:
    """Return a purchase for a random free area, or NO_ACTION."""
    areas = 0
    for area in range(AREAS):
        if check_buy(game, board, area) == 0:
            areas |= 1 << area
    return pack_buy_expansion(random_bit(areas, rng)) if areas else NO_ACTION


@helper
def random_pass(board: Record, rng: RngState) -> int:
    """Return a random pass: no discards in three of four cases, else each piece with an even chance."""
    tiles, expansions = np.zeros(HEXAGONS, np.int64), np.zeros(HEXAGONS, np.int64)
    if random_below(rng, 4) == 0:
        for hexagon in range(HEXAGONS):
            for _ in range(board.tiles[hexagon]):
                tiles[hexagon] += random_below(rng, 2)
            if board.expansions >> hexagon & 1:
                expansions[hexagon] = random_below(rng, 2)
    return pack_pass(tiles, expansions)


@helper
def random_try(game: Record, board: Record, option: int, rng: RngState) -> int:
    """Return a random action of an option, or NO_ACTION.

    Options are the colours and patterns, the tiles and expansions of the storage, a purchase, and (the last) a pass.
    """
    if option < 2 * KINDS:
        return random_acquire(game, option // KINDS, option % KINDS, rng)
    option -= 2 * KINDS
    if option < count_bits(board.held):
        return random_tile(board, lowest_bit(without_lowest(board.held, option)), rng)
    option -= count_bits(board.held)
    if option < count_bits(board.expansions):
        return random_expansion(board, lowest_bit(without_lowest(board.expansions, option)), rng)
    return random_purchase(game, board, rng) if option == count_bits(board.expansions) else random_pass(board, rng)


@rule
def random_action(game: Record, rng: RngState) -> int:
    """Return a random listed action.

    All possible options (see random_try) are equally likely; the details are random.
    """
    board = game.boards[game.seat]
    options = 2 * KINDS + count_bits(board.held) + count_bits(board.expansions) + 2
    action = NO_ACTION
    while action == NO_ACTION:
        action = random_try(game, board, random_below(rng, options), rng)
    return action
