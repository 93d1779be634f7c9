"""Factories, centre and start token of Azul and Summer Pavilion.

Sources are numbered: the factories, then the centre. The record needs `tiles` by source and colour, `holders` (mask of
the sources that hold each colour), `start_token` and `start_seat`.
"""

from __future__ import annotations

from service.rulesets.kernel import Ints, Record, helper
from service.rulesets.parts.masks import POPCOUNT
from service.rulesets.seats import MAX_SEATS

FACTORIES = {2: 5, 3: 7, 4: 9}  # by number of seats
MAX_FACTORIES = 9
TILES_A_FACTORY = 4
CENTRE = MAX_FACTORIES  # the source after the factories
SOURCES = MAX_FACTORIES + 1
ALL_SOURCES = (1 << SOURCES) - 1
SOURCE_NAMES = (*(f"factory_{k}" for k in range(MAX_FACTORIES)), "centre")

TOKEN_IN_CENTRE = -1  # value of `start_token`; other values are the seat that holds it
TOKEN_PLACES = ("centre", *(f"seat_{k}" for k in range(MAX_SEATS)))  # by start_token + 1


@helper
def factory_count(seats: int) -> int:
    """Return the number of factories for a number of seats."""
    return 2 * seats + 1


assert {seats: factory_count(seats) for seats in FACTORIES} == FACTORIES  # noqa: S101 - the formula is the table


@helper
def starter(game: Record) -> int:
    """Return the seat that starts the next phase and round: the token's holder, else the current starting seat."""
    if game.start_token == TOKEN_IN_CENTRE:
        return game.start_seat
    return game.start_token


@helper
def groups_to_take(game: Record) -> int:
    """Return the number of groups of tiles of one colour in the sources."""
    groups = 0
    for colour in range(len(game.holders)):
        groups += POPCOUNT[game.holders[colour]]
    return groups


@helper
def has_tiles_to_take(game: Record) -> bool:
    """Return True if a source holds a tile."""
    held = 0
    for colour in range(len(game.holders)):
        held |= game.holders[colour]
    return held != 0


@helper
def move_to_centre(game: Record, factory: int) -> None:
    """Move all tiles of the factory to the centre."""
    elsewhere, centre = ALL_SOURCES ^ (1 << factory), 1 << CENTRE
    for colour in range(len(game.holders)):
        if game.tiles[factory, colour]:
            game.tiles[CENTRE, colour] += game.tiles[factory, colour]
            game.tiles[factory, colour] = 0
            game.holders[colour] = (game.holders[colour] & elsewhere) | centre


@helper
def fill_factories(game: Record, tiles: Ints) -> None:
    """Fill the factories one after the other with tiles in the order drawn."""
    for k in range(len(tiles)):
        factory = k // TILES_A_FACTORY
        game.tiles[factory, tiles[k]] += 1
        game.holders[tiles[k]] |= 1 << factory
