"""Phase 1, acquire: the seat to decide takes the tiles of one colour from a source, plus one wild tile.

Play passes clockwise until no source holds a tile. Then phase 2 begins with the token's holder.
"""

from __future__ import annotations

from service.rulesets.kernel import Record, helper
from service.rulesets.parts.factories import (
    ALL_SOURCES,
    CENTRE,
    TOKEN_IN_CENTRE,
    has_tiles_to_take,
    move_to_centre,
    starter,
)
from service.rulesets.parts.turns import next_seat
from service.rulesets.summer_pavilion.rules.scoring import lose
from service.rulesets.summer_pavilion.rules.state import (
    KINDS,
    PLAYING,
    wild_colour,
)
from service.rulesets.summer_pavilion.rules.steps import Reason


@helper
def sources_of(game: Record, colour: int) -> int:
    """Return the mask of the sources of a colour.

    The wild colour can be taken only from sources without other colours.
    """
    sources = game.holders[colour]
    if colour == wild_colour(game):
        for other in range(KINDS):
            if other != colour:
                sources &= ALL_SOURCES ^ game.holders[other]
    return sources


@helper
def take(game: Record, source: int, colour: int, count: int) -> None:
    """Move tiles of the colour from the source to the hand of the seat to decide."""
    game.tiles[source, colour] -= count
    game.boards[game.seat].hand[colour] += count
    if game.tiles[source, colour] == 0:
        game.holders[colour] &= ALL_SOURCES ^ (1 << source)


@helper
def acquire(game: Record, source: int, colour: int) -> None:
    """Perform an acquisition of the seat to decide. Then it is the next seat's turn, or phase 2 begins."""
    wild = wild_colour(game)
    count = 1 if colour == wild else game.tiles[source, colour]
    take(game, source, colour, count)
    if colour != wild and game.tiles[source, wild]:
        take(game, source, wild, 1)
        count += 1
    if source != CENTRE:
        move_to_centre(game, source)
    elif game.start_token == TOKEN_IN_CENTRE:
        game.start_token = game.seat
        lose(game, game.seat, count)
    if has_tiles_to_take(game):
        game.seat = next_seat(game, game.seat)
    else:
        game.stage = PLAYING
        game.seat = starter(game)


@helper
def check_acquire(game: Record, source: int, colour: int) -> int:
    """Return the reason why the seat to decide cannot acquire this, or 0."""
    if not game.tiles[source].any():
        return Reason.SOURCE_EMPTY
    if game.tiles[source, colour] == 0:
        return Reason.COLOUR_NOT_IN_SOURCE
    if not sources_of(game, colour) >> source & 1:
        return Reason.WILD_NOT_ALONE
    return 0
