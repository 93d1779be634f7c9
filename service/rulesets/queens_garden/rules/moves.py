"""Which actions are legal: all of them but aliases (see display.py), and one of these by chance.

Some thousands may be legal: a tile has many spaces and many payments, a pass many discards. So `random_action` never
lists them: it chooses what to do, then how, and chooses again if that cannot be done.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from service.rulesets.kernel import DECIDING, Ints, Record, RngState, below, helper
from service.rulesets.parts.masks import without_lowest
from service.rulesets.queens_garden.rules.codes import (
    ACQUIRE,
    FIRST_TILE,
    PIECE_BITS,
    SOURCES,
    acquired,
    acquiring,
    buying,
    kind_of,
    passing,
    piece_of,
    placing_expansion,
    placing_tile,
)
from service.rulesets.queens_garden.rules.components import AREAS, HEXAGONS, KINDS, ROUNDS
from service.rulesets.queens_garden.rules.display import (
    alias_patterns,
    check_acquire,
    fits_somehow,
    in_display,
    is_there,
    list_choices,
    tiles_in_display,
)
from service.rulesets.queens_garden.rules.game import check, check_buy
from service.rulesets.queens_garden.rules.garden import check_area, rotations_for, spaces_for
from service.rulesets.queens_garden.rules.payments import MAX_PAYMENTS, is_payable, list_payments
from service.rulesets.queens_garden.rules.state import axis_of, bits, hexagon_at, place_of, rule
from service.rulesets.queens_garden.rules.steps import Reason

NO_ACTION = -1
MAX_ACTIONS = 1 << 17  # a storage of 12 different tiles gives 12 * 42 * MAX_PAYMENTS placements at the very most


# ------------------------------------------------------------------------------------------- all of them


@helper
def list_tiles(board: Record, out: Ints, count: int, payments: Ints) -> int:
    """Placements of tiles, by hexagon, space, payment."""
    held = board.held
    while held:
        hexagon = place_of(held)
        held &= held - 1
        ways = list_payments(board, hexagon, payments)
        spaces = spaces_for(board, hexagon) if ways else 0
        while spaces:
            space = place_of(spaces)
            spaces &= spaces - 1
            for k in range(ways):
                out[count] = placing_tile(hexagon, space, payments[k])
                count += 1
    return count


@helper
def list_expansions(board: Record, out: Ints, count: int, payments: Ints) -> int:
    """Placements of expansions, by hexagon, area, rotation, payment."""
    held = board.expansions
    while held:
        hexagon = place_of(held)
        held &= held - 1
        ways = list_payments(board, hexagon, payments)
        for area in range(AREAS):
            if ways == 0 or check_area(board, area):
                continue
            rotations = rotations_for(board, hexagon, area)
            for rotation in range(KINDS):
                if rotations >> rotation & 1:
                    for k in range(ways):
                        out[count] = placing_expansion(hexagon, area, rotation, payments[k])
                        count += 1
    return count


@helper
def list_passes(board: Record, out: Ints, count: int) -> int:
    """Passes, by what is discarded: counted up like a clock, the expansions first, then each held hexagon's tiles."""
    tiles, expansions = np.zeros(HEXAGONS, np.int64), np.zeros(HEXAGONS, np.int64)
    one_each = np.zeros(HEXAGONS, np.int64)
    for hexagon in range(HEXAGONS):
        one_each[hexagon] = board.expansions >> hexagon & 1
    while True:
        out[count] = passing(tiles, expansions)
        count += 1
        if not (count_on(expansions, one_each) or count_on(tiles, board.tiles)):
            return count


@helper
def count_on(counts: Ints, most: Any) -> bool:
    """The next choice, by hexagon, of at most so many; False, and none chosen, after the last."""
    for hexagon in range(HEXAGONS):
        if counts[hexagon] < most[hexagon]:
            counts[hexagon] += 1
            return True
        counts[hexagon] = 0
    return False


@helper
def list_moves(game: Record, out: Ints) -> int:
    """Acquisitions, placements of tiles, of expansions, purchases: all but passes."""
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
            out[count] = buying(area)
            count += 1
    return count


@rule
def legal_actions(game: Record, out: Ints) -> int:
    """All but passes, and passes."""
    if game.status != DECIDING:
        return 0
    return list_passes(game.boards[game.seat], out, list_moves(game, out))


@rule
def ending_actions(game: Record, out: Ints) -> int:
    """All that are legal; of a seat that is alone in the last round, of the passes the one that discards everything.

    What stays in the storage costs its value at the end, after the round has scored; what is discarded costs it now,
    and no loss takes a score below 0. So who discards more never ends with less, and nobody else acts any more.
    """
    others = (1 << game.seats) - 1 & ~(1 << game.seat)
    if game.status != DECIDING or game.round_number != ROUNDS or game.passed & others != others:
        return legal_actions(game, out)
    count = list_moves(game, out)
    out[count] = passing_with_all_discarded(game.boards[game.seat])
    return count + 1


@helper
def passing_with_all_discarded(board: Record) -> int:
    """The pass that discards all tiles and expansions."""
    tiles, expansions = np.zeros(HEXAGONS, np.int64), np.zeros(HEXAGONS, np.int64)
    for hexagon in range(HEXAGONS):
        tiles[hexagon] = board.tiles[hexagon]
        expansions[hexagon] = board.expansions >> hexagon & 1
    return passing(tiles, expansions)


@helper
def names_what_is_gone(game: Record, action: int) -> bool:
    """Whether an acquisition names a piece that is not there (False, too, where it is not well formed)."""
    by, value, pieces = acquired(action)
    if value >= KINDS or pieces >> (PIECE_BITS * KINDS):
        return False
    for other in range(KINDS):
        piece = piece_of(pieces, other)
        if 0 < piece < SOURCES and not is_there(game, piece, hexagon_at(by, value, other)):
            return True
    return False


@rule
def check_listed(game: Record, action: int) -> int:
    """0 if the action is legal and no alias.

    A search asks this of what was listed before chance acted: most of it that is illegal names what is gone.
    """
    acquires = action >= 0 and kind_of(action) == ACQUIRE
    if acquires and game.status == DECIDING and names_what_is_gone(game, action):
        return Reason.PIECE_NOT_THERE
    reason = check(game, action)
    if reason or not acquires:
        return reason
    by, value, _ = acquired(action)
    return alias_patterns(in_display(game)) >> value & 1 if by else 0


# ------------------------------------------------------------------------------------------- one by chance


@helper
def random_bit(mask: int, rng: RngState) -> int:
    """The place of one of the ones of a mask, each equally likely."""
    return place_of(without_lowest(mask, below(rng, bits(mask))))


@helper
def random_pieces(game: Record, by: int, value: int, rng: RngState) -> int:
    """Of each hexagon that matches a piece by chance."""
    hexagons = in_display(game)
    pieces = 0
    for other in range(KINDS):
        hexagon, patterns_seen = hexagon_at(by, value, other), 0
        if hexagons >> hexagon & 1:
            chosen = 0
            for piece in range(FIRST_TILE, SOURCES):
                if is_there(game, piece, hexagon):
                    patterns_seen += 1
                    if below(rng, patterns_seen) == 0:
                        chosen = piece
            pieces |= chosen << (PIECE_BITS * other)
    return pieces


@helper
def random_acquire(game: Record, by: int, value: int, rng: RngState) -> int:
    """A choice of pieces that fits, if there is one that is no alias."""
    board = game.boards[game.seat]
    tiles, faces = axis_of(tiles_in_display(game), by, value), axis_of(game.faces, by, value)
    if not tiles | faces or not fits_somehow(board, tiles, faces):
        return NO_ACTION
    if by == 1 and alias_patterns(in_display(game)) >> value & 1:
        return NO_ACTION
    pieces = random_pieces(game, by, value, rng)
    while check_acquire(game, by, value, pieces):
        pieces = random_pieces(game, by, value, rng)
    return acquiring(by, value, pieces)


@helper
def random_payment(board: Record, hexagon: int, rng: RngState) -> int:
    """One of the payments that the storage allows (there is one)."""
    payments = np.empty(MAX_PAYMENTS, np.int64)
    return payments[below(rng, list_payments(board, hexagon, payments))]  # type: ignore[no-any-return]


@helper
def random_tile(board: Record, hexagon: int, rng: RngState) -> int:
    """A space and a payment for the tile, if there are any."""
    if not is_payable(board, hexagon):
        return NO_ACTION
    spaces = spaces_for(board, hexagon)
    if spaces == 0:
        return NO_ACTION
    return placing_tile(hexagon, random_bit(spaces, rng), random_payment(board, hexagon, rng))


@helper
def random_expansion(board: Record, hexagon: int, rng: RngState) -> int:
    """An area, a rotation and a payment for the expansion, if there are any."""
    if not is_payable(board, hexagon):
        return NO_ACTION
    ways = 0
    for area in range(AREAS):
        if check_area(board, area) == 0:
            ways |= rotations_for(board, hexagon, area) << (KINDS * area)
    if ways == 0:
        return NO_ACTION
    way = random_bit(ways, rng)
    return placing_expansion(hexagon, way // KINDS, way % KINDS, random_payment(board, hexagon, rng))


@helper
def random_purchase(game: Record, board: Record, rng: RngState) -> int:
    """A free area to buy for, if that can be."""
    areas = 0
    for area in range(AREAS):
        if check_buy(game, board, area) == 0:
            areas |= 1 << area
    return buying(random_bit(areas, rng)) if areas else NO_ACTION


@helper
def random_pass(board: Record, rng: RngState) -> int:
    """Of four times three no discard; else each piece of the storage with an even chance."""
    tiles, expansions = np.zeros(HEXAGONS, np.int64), np.zeros(HEXAGONS, np.int64)
    if below(rng, 4) == 0:
        for hexagon in range(HEXAGONS):
            for _ in range(board.tiles[hexagon]):
                tiles[hexagon] += below(rng, 2)
            if board.expansions >> hexagon & 1:
                expansions[hexagon] = below(rng, 2)
    return passing(tiles, expansions)


@helper
def random_try(game: Record, board: Record, option: int, rng: RngState) -> int:
    """What becomes of an option: a colour or pattern, a tile, an expansion, a purchase, or (the last) a pass."""
    if option < 2 * KINDS:
        return random_acquire(game, option // KINDS, option % KINDS, rng)
    option -= 2 * KINDS
    if option < bits(board.held):
        return random_tile(board, place_of(without_lowest(board.held, option)), rng)
    option -= bits(board.held)
    if option < bits(board.expansions):
        return random_expansion(board, place_of(without_lowest(board.expansions, option)), rng)
    return random_purchase(game, board, rng) if option == bits(board.expansions) else random_pass(board, rng)


@rule
def random_action(game: Record, rng: RngState) -> int:
    """Any listed action: each option (see random_try) that there is equally likely, its details by chance."""
    board = game.boards[game.seat]
    options = 2 * KINDS + bits(board.held) + bits(board.expansions) + 2
    action = NO_ACTION
    while action == NO_ACTION:
        action = random_try(game, board, below(rng, options), rng)
    return action
