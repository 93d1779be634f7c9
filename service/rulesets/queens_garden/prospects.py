"""What may still become of a Queen's Garden position, as tables made before any game begins.

A **moment** is how much of the game is left to a seat, in eighths of a round: MOMENT for each round to come, and the
share of this round's pieces that still lie in the display; 0 for who has passed in the last round. Most tables have
one row a moment; what they are made of stands in `Weights`, found by games of an estimate against another.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from service.rulesets.queens_garden.components import (
    AREAS,
    GROUP_BONUS,
    KINDS,
    LEAST_GROUP,
    MOST_GROUP,
    NEIGHBOURS,
    ROUNDS,
    SHOWN_COLOUR,
    SHOWN_PATTERN,
    SPACES,
    TILE_SPACES,
)

Table = npt.NDArray[np.float64]

MOMENT = 8
MOMENTS = ROUNDS * MOMENT + 1
SHUT, LATER, OPEN = range(3)  # where a group may grow: nowhere, on areas that are free yet, on free spaces
REACHES = 3

CHUNK = 12  # bits looked up at once
# AROUND[chunk, mask]: all neighbours of the spaces of twelve bits of a mask
AROUND = np.zeros((len(SPACES) // CHUNK, 1 << CHUNK), np.int64)
for _place in range(len(SPACES)):
    AROUND[_place // CHUNK, np.arange(1 << CHUNK) >> _place % CHUNK & 1 != 0] |= NEIGHBOURS[_place]

# VALUE_OF[mask of patterns]: their values, added up
VALUE_OF = np.array([sum(k + 1 for k in range(KINDS) if mask >> k & 1) for mask in range(1 << KINDS)], np.int64)
# by hexagon, what the wheel will give it if it lies in the garden before so many rounds are scored: [variant, rounds]
COLOUR_LEFT = np.array([SHOWN_COLOUR[k:].sum(0) for k in range(ROUNDS + 1)], np.int64)
PATTERN_LEFT = np.array([[side[k:].sum(0) for k in range(ROUNDS + 1)] for side in SHOWN_PATTERN], np.int64)
LEFT = (COLOUR_LEFT[None, :, :, None] + PATTERN_LEFT[:, :, None, :]).reshape(2, ROUNDS + 1, KINDS * KINDS).copy()


class Weights(NamedTuple):
    """What the tables are made of. Times are in rounds."""

    piece: float = 1.6  # points that a piece of the storage is worth, if it finds a use
    piece_time: float = 0.1  # and for each round left
    dear: float = 0.0  # and for each point of its value above the mean one
    shown: float = 0.2  # and of each point that the wheel will give it
    expansion: float = 0.5  # more for an expansion
    use_time: float = 0.6  # until two thirds have found a use
    sets: float = 0.08  # for each pair of pieces of one colour, or of one pattern
    double: float = 0.3  # less for a second piece with the same hexagon
    joker: float = 0.8  # more than the point that it is worth in the end
    one: float = 0.6  # likelihood that a single hexagon will be part of a group that scores
    one_time: float = 1.0
    two: float = 0.85  # that two will
    two_time: float = 0.5
    later: float = 0.5  # share of that where they can grow only on areas that are free yet
    four: float = 0.5  # points that a group of four may hope for beyond its values
    five: float = 2.0
    grow: float = 0.5  # for each group of three, four, five
    plan: float = 0.96  # share of what could be placed now that is counted before it is placed
    filling: float = 0.8  # points for a space filled
    pavilion: float = 2.0  # more for an expansion placed
    element: float = 0.6  # of an element's jokers, for each space to be filled
    no_board: float = 0.7  # and if no board lies there
    space: float = 4.0  # for the free spaces
    space_need: float = 3.0
    lack: float = 0.05  # less for each piece or joker that is missing to pay for a piece
    full: float = 0.2  # less for a storage that is full of what no plan uses: by the square of the number
    full_from: float = 5.0  # that is above this
    marker: float = 1.0  # to start the next round


class Tables(NamedTuple):
    """By moment, m."""

    chance: Table  # [m, reach, size of a group]: likelihood that its values will score
    extra: Table  # [variant, m, reach, size]: points beyond its values
    piece: Table  # [variant, m, hexagon]: a piece of the storage that nothing is planned with
    expansion: Table  # [m]: more for an expansion
    joker: Table  # [m]
    sets: Table  # [m]: for two of a line
    double: Table  # [m]
    plan: Table  # [m]: share of the points
    filling: Table  # [m]
    pavilion: Table  # [m]
    element: Table  # [m, free spaces round it, spaces without board]: of its jokers
    space: Table  # [m, free spaces]
    lack: Table  # [m, pieces missing to pay for it]
    full: Table  # [m, tiles and jokers in the storage that no plan uses]
    marker: Table  # [m]


def likely(times: Table, within: float) -> Table:
    """How likely something has come about by then."""
    return 1.0 - np.exp(-times / within)


def of_groups(weights: Weights, times: Table) -> tuple[Table, Table]:
    """`chance` and `extra`."""
    chance = np.zeros((MOMENTS, REACHES, MOST_GROUP + 1))
    extra = np.zeros((len(GROUP_BONUS), MOMENTS, REACHES, MOST_GROUP + 1)) + GROUP_BONUS[:, None, None]
    grown = np.where(times > 0, times + 0.12, 0.0)
    chance[:, :, 1] = weights.one * likely(grown, weights.one_time)[:, None]
    chance[:, :, 2] = weights.two * likely(grown, weights.two_time)[:, None]
    chance[:, :, :LEAST_GROUP] *= np.array([0.0, weights.later, 1.0])[:, None]
    chance[:, :, LEAST_GROUP:] = 1.0
    hope = likely(grown, 1.0)[:, None] * np.array([0.0, weights.later, 1.0])
    for size, points in enumerate((0.0, weights.four, weights.five), LEAST_GROUP):
        extra[..., size] += hope * (weights.grow + points)
    return chance, extra


def of_elements(weights: Weights, times: Table, joker: Table) -> Table:
    """`element`."""
    element = np.zeros((MOMENTS, AREAS + 1, AREAS + 1))
    for free, without in np.ndindex(element.shape[1:]):
        if free + without:
            share = weights.element ** (free + without) * weights.no_board**without
            element[:, free, without] = share * joker * np.minimum(1.0, times + 0.1) * (times > 0)
    return element


def of_pieces(weights: Weights, times: Table, used: Table) -> Table:
    """`piece`."""
    values = np.tile(np.arange(1.0, KINDS + 1.0), KINDS)
    wheel = LEFT[:, ROUNDS - (np.arange(MOMENTS) + MOMENT - 1) // MOMENT]  # [variant, m, hexagon]
    worth = weights.shown * wheel + weights.dear * (values - values.mean())
    worth += (weights.piece + weights.piece_time * times)[:, None]
    return used[:, None] * worth - (1.0 - used)[:, None] * values


def tables(weights: Weights) -> Tables:
    """All that is known before a game begins."""
    times = np.arange(MOMENTS) / MOMENT
    used = likely(times, weights.use_time)
    chance, extra = of_groups(weights, times)
    joker = 1.0 + weights.joker * used
    room = times[:, None] ** 0.7 * likely(np.arange(len(SPACES) + 1.0), weights.space_need)
    stored = np.maximum(np.arange(TILE_SPACES + 1) - weights.full_from, 0.0)
    made = (
        chance,
        extra,
        of_pieces(weights, times, used),
        weights.expansion * used,
        joker,
        weights.sets * used,
        weights.double * used,
        np.full(MOMENTS, weights.plan),
        weights.filling * used,
        weights.pavilion * used,
        of_elements(weights, times, joker),
        weights.space * room,
        weights.lack * used[:, None] * np.arange(KINDS),
        weights.full * used[:, None] * stored**2,
        np.where(times >= 1.0, weights.marker, 0.0),
    )
    return Tables(*map(np.ascontiguousarray, made))  # as compiled code keeps constants


TABLES = tables(Weights())
CHANCE = TABLES.chance
EXTRA = TABLES.extra
PIECE = TABLES.piece
EXPANSION = TABLES.expansion
JOKER = TABLES.joker
SETS = TABLES.sets
DOUBLE = TABLES.double
PLAN = TABLES.plan
FILLING = TABLES.filling
PAVILION = TABLES.pavilion
ELEMENT = TABLES.element
SPACE = TABLES.space
LACK = TABLES.lack
FULL = TABLES.full
MARKER = TABLES.marker
