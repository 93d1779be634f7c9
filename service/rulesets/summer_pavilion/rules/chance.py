"""What chance brings, and how it is laid out: the first seat, tiles for the supply, the tiles of a new round.

A draw is due while the status is DRAWING: in the stage PLAYING it fills the supply after a turn; in ACQUIRING it fills
the supply, then the factories (phase 3, prepare the next round). Whenever a tile is wanted and the bag is empty, all
tiles of the tower go into it; when both are empty, supply and factories stay short.
"""

from __future__ import annotations

from service.rulesets.kernel import DECIDING, DRAWING, Ints, Record, RngState, helper
from service.rulesets.parts.bag import could_be_drawn, sample_tiles, take_out
from service.rulesets.parts.factories import (
    MAX_FACTORIES,
    TILES_A_FACTORY,
    TOKEN_IN_CENTRE,
    any_source_holds_a_tile,
    factory_count,
    fill_factories,
    starter,
)
from service.rulesets.parts.turns import NO_SEAT, could_be_first_seat, sample_first_seat
from service.rulesets.summer_pavilion.rules.components import SUPPLY_SPACES
from service.rulesets.summer_pavilion.rules.state import ACQUIRING, PLAYING, rule

MAX_DRAWN = SUPPLY_SPACES + TILES_A_FACTORY * MAX_FACTORIES


@helper
def tiles_needed(game: Record) -> int:
    """How many tiles the draw asks for: the supply's free spaces and, before a round, the factories."""
    needed = SUPPLY_SPACES - game.supply.sum()
    if game.stage == ACQUIRING:
        needed += TILES_A_FACTORY * factory_count(game.seats)
    return needed


@rule
def sample(game: Record, rng: RngState, out: Ints) -> int:
    """The first seat, alone, where it is still to be drawn; else tiles in the order drawn, the supply's first."""
    if game.start_seat == NO_SEAT:
        return sample_first_seat(game, rng, out)
    return sample_tiles(game.bag, game.tower, tiles_needed(game), rng, out)


@rule
def check_draw(game: Record, drawn: Ints) -> int:
    """0 if chance could bring this now, in this order; 1 if not."""
    if game.status != DRAWING:
        return 1
    if game.start_seat == NO_SEAT:
        return 0 if could_be_first_seat(game, drawn) else 1
    return 0 if could_be_drawn(game.bag, game.tower, tiles_needed(game), drawn) else 1


@helper
def lay_tiles(game: Record, drawn: Ints) -> None:
    """The drawn tiles leave the bag: the first to the supply, the others to the factories in order."""
    take_out(game.bag, game.tower, drawn)
    free = SUPPLY_SPACES - game.supply.sum()
    for tile in drawn[:free]:
        game.supply[tile] += 1
    fill_factories(game, drawn[free:])


@helper
def begin_round(game: Record) -> None:
    """Corners go back to the hands, the token to the centre; no phase 1 where no factory got a tile."""
    game.round_number += 1
    game.start_seat = starter(game)
    game.start_token = TOKEN_IN_CENTRE
    game.passed = 0
    for seat in range(game.seats):
        board = game.boards[seat]
        board.hand += board.corners
        board.corners[:] = 0
    game.seat = game.start_seat
    if not any_source_holds_a_tile(game):
        game.stage = PLAYING


@rule
def apply_draw(game: Record, drawn: Ints) -> None:
    """The first seat is known; or the supply is filled up; or a round begins."""
    if game.start_seat == NO_SEAT:
        game.start_seat = drawn[0]
        return
    lay_tiles(game, drawn)
    if game.stage == ACQUIRING:
        begin_round(game)
    game.status = DECIDING
