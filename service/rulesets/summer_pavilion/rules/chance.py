"""Draws: the first seat, tiles for the supply, and the tiles of a new round.

A draw is due while the status is DRAWING. In the stage PLAYING it fills the supply after a turn. In ACQUIRING it fills
the supply, then the factories (phase 3, prepare the next round). If a tile is needed and the bag is empty, all tiles of
the tower go into the bag. If both are empty, supply and factories stay incomplete.
"""

from __future__ import annotations

from service.rulesets.kernel import DECIDING, DRAWING, Ints, Record, RngState, helper
from service.rulesets.parts.bag import is_possible_draw, remove_drawn, sample_tiles
from service.rulesets.parts.factories import (
    MAX_FACTORIES,
    TILES_A_FACTORY,
    TOKEN_IN_CENTRE,
    factory_count,
    fill_factories,
    has_tiles_to_take,
    starter,
)
from service.rulesets.parts.turns import NO_SEAT, is_possible_first_seat, sample_first_seat
from service.rulesets.summer_pavilion.rules.components import SUPPLY_SPACES
from service.rulesets.summer_pavilion.rules.state import ACQUIRING, PLAYING, rule

MAX_DRAWN = SUPPLY_SPACES + TILES_A_FACTORY * MAX_FACTORIES


@helper
def tiles_needed(game: Record) -> int:
    """Return the number of tiles to draw: free spaces of the supply and, before a round, of the factories."""
    needed = SUPPLY_SPACES - game.supply.sum()
    if game.stage == ACQUIRING:
        needed += TILES_A_FACTORY * factory_count(game.seats)
    return needed


@rule
def sample(game: Record, rng: RngState, out: Ints) -> int:
    """Sample the first seat if it is still unknown, else tiles in the order drawn, the supply's first."""
    if game.start_seat == NO_SEAT:
        return sample_first_seat(game, rng, out)
    return sample_tiles(game.bag, game.tower, tiles_needed(game), rng, out)


@rule
def check_draw(game: Record, drawn: Ints) -> int:
    """Return 0 if the draw is possible now, in this order, else 1."""
    if game.status != DRAWING:
        return 1
    if game.start_seat == NO_SEAT:
        return 0 if is_possible_first_seat(game, drawn) else 1
    return 0 if is_possible_draw(game.bag, game.tower, tiles_needed(game), drawn) else 1


@helper
def lay_tiles(game: Record, drawn: Ints) -> None:
    """Move the drawn tiles from the bag: the first to the supply, the others to the factories in order."""
    remove_drawn(game.bag, game.tower, drawn)
    free = SUPPLY_SPACES - game.supply.sum()
    for tile in drawn[:free]:
        game.supply[tile] += 1
    fill_factories(game, drawn[free:])


@helper
def begin_round(game: Record) -> None:
    """Return corners to the hands and the token to the centre. Without factory tiles, phase 1 is skipped."""
    game.round_number += 1
    game.start_seat = starter(game)
    game.start_token = TOKEN_IN_CENTRE
    game.passed = 0
    for seat in range(game.seats):
        board = game.boards[seat]
        board.hand += board.corners
        board.corners[:] = 0
    game.seat = game.start_seat
    if not has_tiles_to_take(game):
        game.stage = PLAYING


@rule
def apply_draw(game: Record, drawn: Ints) -> None:
    """Set the first seat, or fill the supply, or begin a round."""
    if game.start_seat == NO_SEAT:
        game.start_seat = drawn[0]
        return
    lay_tiles(game, drawn)
    if game.stage == ACQUIRING:
        begin_round(game)
    game.status = DECIDING
