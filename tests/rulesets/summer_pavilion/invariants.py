"""Invariants of every position that play can reach, checked on the record."""

from __future__ import annotations

import numpy as np

from service.rulesets.kernel import DECIDING, DRAWING, OVER, Record, helper
from service.rulesets.summer_pavilion.rules.state import ACQUIRING, COLOURED, PLAYING, TAKING_BONUS
from tests.rulesets.summer_pavilion.build import COLOURS, TILES

SUPPLY_SPACES, FACTORY_SPACES, CORNER_SPACES, ROUNDS = 10, 4, 4, 6
OWN_COLOUR = np.array([COLOURS.index(star) for star in ("orange", "red", "blue", "yellow", "green", "purple")])


TILE_FAULTS = ("a number of tiles", "the supply", "a factory", "the holders", "less than nothing")
SEAT_FAULTS = ("a score", "the corners", "the leftovers", "a hand after passing", "corners before passing", "a star")
STAGE_FAULTS = (
    "tiles to acquire",
    "bonus tiles owed",
    "bonus tiles that are not there",
    "a mover that has passed",
    "passed too early",
    "not passed",
    "a supply left short",
    "a refill of nothing",
    "the round",
    "a passed seat that does not play",
    "the seat that started",
)


def faults_of_record(table_state: Record) -> list[str]:
    """Return the faults of a record. The checks are compiled, because soaks call them millions of times."""
    results = [(TILE_FAULTS, tile_faults(table_state)), (STAGE_FAULTS, stage_faults(table_state))]
    results += [(SEAT_FAULTS, seat_faults_of(table_state, seat)) for seat in range(table_state["seats"])]
    return [name for names, mask in results if mask for bit, name in enumerate(names) if mask >> bit & 1]


@helper
def bit_mask(*wrong: bool) -> int:
    """Return a mask of the true arguments."""
    mask = 0
    for bit in range(len(wrong)):
        mask |= int(wrong[bit]) << bit
    return mask


@helper
def tile_faults(game: Record) -> int:
    """Tiles of each colour, and the places they share."""
    wrong_total = wrong_holders = negative = wrong_factory = False
    for colour in range(6):
        total = int(game.bag[colour]) + game.tower[colour] + game.supply[colour]
        negative = negative or min(game.bag[colour], game.tower[colour], game.supply[colour]) < 0
        for source in range(10):
            total += game.tiles[source, colour]
            negative = negative or game.tiles[source, colour] < 0
            wrong_holders = wrong_holders or (game.tiles[source, colour] > 0) != (game.holders[colour] >> source & 1)
        for seat in range(game.seats):
            board = game.boards[seat]
            total += int(board.hand[colour]) + board.corners[colour] + (board.stars == colour + 1).sum()
            negative = negative or min(board.hand[colour], board.corners[colour]) < 0
        wrong_total = wrong_total or total != TILES
    for factory in range(9):
        most = FACTORY_SPACES if factory < 2 * game.seats + 1 else 0
        wrong_factory = wrong_factory or game.tiles[factory].sum() > most
    return bit_mask(wrong_total, game.supply.sum() > SUPPLY_SPACES, wrong_factory, wrong_holders, negative)


@helper
def seat_faults_of(game: Record, seat: int) -> int:
    """Return a mask of the faults of a seat's score, tiles and stars."""
    board = game.boards[seat]
    passed = (game.passed >> seat & 1) == 1
    lost, kept = board.leftover_penalty, board.corners.sum()
    wrong_star = False
    for star in range(7):
        wrong_star = wrong_star or not is_valid_star(board, star, game.variant)
    return bit_mask(
        game.score[seat] < 1,
        kept > CORNER_SPACES,
        lost < 0 or lost > (CORNER_SPACES if game.status == OVER else 0),
        passed and board.hand.sum() > 0,
        not passed and kept > 0,
        wrong_star,
    )


@helper
def is_valid_star(board: Record, star: int, variant: int) -> bool:
    """Return whether a star is possible on this side and its mask matches its tiles."""
    colours = filled = 0
    twice = False
    for slot in range(6):
        tile = board.stars[star, slot]
        if tile:
            twice = twice or (colours >> tile & 1) == 1
            colours |= 1 << tile
            filled |= 1 << slot
    if filled != board.filled[star]:
        return False
    if variant == COLOURED and star < 6:
        return colours in (0, 2 << OWN_COLOUR[star])
    return not twice or (variant != COLOURED and (colours & (colours - 1)) == 0)


@helper
def stage_faults(game: Record) -> int:
    """Return a mask of contradictions of the stage of the game."""
    deciding, drawing, everybody = game.status == DECIDING, game.status == DRAWING, (1 << game.seats) - 1
    acquiring, taking = deciding and game.stage == ACQUIRING, deciding and game.stage == TAKING_BONUS
    between = game.round_number > 0 and (game.status == OVER or (drawing and game.stage == ACQUIRING))
    short, left = game.supply.sum() < SUPPLY_SPACES, game.bag.sum() + game.tower.sum() > 0
    mover_passed = (deciding or (drawing and game.stage == PLAYING)) and (game.passed >> game.seat & 1) == 1
    return bit_mask(
        (game.tiles.sum() > 0) != acquiring,
        (game.bonus_owed > 0) != taking,
        game.bonus_owed > game.supply.sum(),
        mover_passed,
        game.passed != 0 and (acquiring or game.round_number == 0),
        between and game.passed != everybody,
        deciding and not taking and short and left,
        drawing and game.stage == PLAYING and not (short and left),
        game.round_number > ROUNDS - (drawing and game.stage == ACQUIRING)
        or (game.status == OVER and game.round_number != ROUNDS),
        game.passed > everybody,
        game.start_seat < 0 and game.round_number > 0,
    )
