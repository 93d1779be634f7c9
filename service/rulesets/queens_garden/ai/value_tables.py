"""What may still become of a Queen's Garden position, as tables made before any game begins.

A **moment** is how much of the game is left to a seat, in eighths of a round: MOMENT for each round to come, and the
share of this round's pieces that still lie in the display; 0 for who has passed in the last round. Most tables have
one row a moment; what they are made of stands in `Weights`, found by games of an estimate against another.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from service.rulesets.networks import learned
from service.rulesets.queens_garden.rules.components import (
    AREAS,
    GROUP_BONUS,
    KINDS,
    MAX_GROUP,
    MIN_GROUP,
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
ROUNDS_LEFT = (np.arange(MOMENTS) + MOMENT - 1) // MOMENT  # rounds that are still scored, by moment
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


# what may still come at a moment, on a side of the board: a record, since compiled code passes records for nothing
OUTLOOK = np.dtype(
    [
        ("rounds", "i8"),  # that are still scored
        ("left", "i8", (KINDS * KINDS,)),  # by hexagon: what the wheel will give it in these
        ("chance", "f8", (REACHES, MAX_GROUP + 1)),  # [reach, size of a group]: likelihood that its values will score
        ("extra", "f8", (REACHES, MAX_GROUP + 1)),  # points beyond its values
        ("piece", "f8", (KINDS * KINDS,)),  # by hexagon: a piece of the storage that nothing is planned with
        ("expansion", "f8"),  # more for an expansion
        ("joker", "f8"),
        ("sets", "f8"),  # for two of a line
        ("double", "f8"),
        ("plan", "f8"),  # share of the points
        ("filling", "f8"),
        ("pavilion", "f8"),
        ("element", "f8", (AREAS + 1, AREAS + 1)),  # [free spaces round it, spaces without board]: of its jokers
        ("space", "f8", (len(SPACES) + 1,)),  # by free spaces
        ("lack", "f8", (KINDS,)),  # by pieces missing to pay for it
        ("full", "f8", (TILE_SPACES + 1,)),  # by tiles and jokers in the storage that no plan uses
        ("marker", "f8"),
    ],
    align=True,
)
Outlooks = npt.NDArray[Any]  # (variants, MOMENTS) of OUTLOOK


def likely(times: Table, within: float) -> Table:
    """How likely something has come about by then."""
    return 1.0 - np.exp(-times / within)


def of_groups(weights: Weights, times: Table) -> tuple[Table, Table]:
    """`chance` and `extra` of OUTLOOK, by moment."""
    chance = np.zeros((MOMENTS, REACHES, MAX_GROUP + 1))
    extra = np.zeros((len(GROUP_BONUS), MOMENTS, REACHES, MAX_GROUP + 1)) + GROUP_BONUS[:, None, None]
    grown = np.where(times > 0, times + 0.12, 0.0)
    chance[:, :, 1] = weights.one * likely(grown, weights.one_time)[:, None]
    chance[:, :, 2] = weights.two * likely(grown, weights.two_time)[:, None]
    chance[:, :, :MIN_GROUP] *= np.array([0.0, weights.later, 1.0])[:, None]
    chance[:, :, MIN_GROUP:] = 1.0
    hope = likely(grown, 1.0)[:, None] * np.array([0.0, weights.later, 1.0])
    for size, points in enumerate((0.0, weights.four, weights.five), MIN_GROUP):
        extra[..., size] += hope * (weights.grow + points)
    return chance, extra


def of_elements(weights: Weights, times: Table, joker: Table) -> Table:
    """`element` of OUTLOOK, by moment."""
    element = np.zeros((MOMENTS, AREAS + 1, AREAS + 1))
    for free, without in np.ndindex(element.shape[1:]):
        if free + without:
            share = weights.element ** (free + without) * weights.no_board**without
            element[:, free, without] = share * joker * np.minimum(1.0, times + 0.1) * (times > 0)
    return element


def of_pieces(weights: Weights, times: Table, used: Table) -> Table:
    """`piece` of OUTLOOK, by moment."""
    values = np.tile(np.arange(1.0, KINDS + 1.0), KINDS)
    wheel = LEFT[:, ROUNDS - ROUNDS_LEFT]  # [variant, m, hexagon]
    worth = weights.shown * wheel + weights.dear * (values - values.mean())
    worth += (weights.piece + weights.piece_time * times)[:, None]
    return used[:, None] * worth - (1.0 - used)[:, None] * values


def guessed(weights: Weights) -> Outlooks:
    """What the weights make of them."""
    made = np.zeros((len(GROUP_BONUS), MOMENTS), OUTLOOK)
    times = np.arange(MOMENTS) / MOMENT
    used = likely(times, weights.use_time)
    stored = np.maximum(np.arange(TILE_SPACES + 1) - weights.full_from, 0.0)
    made["rounds"] = ROUNDS_LEFT
    made["left"] = LEFT[:, ROUNDS - ROUNDS_LEFT]
    made["chance"], made["extra"] = of_groups(weights, times)
    made["piece"] = of_pieces(weights, times, used)
    made["expansion"] = weights.expansion * used
    made["joker"] = joker = 1.0 + weights.joker * used
    made["sets"] = weights.sets * used
    made["double"] = weights.double * used
    made["plan"] = weights.plan
    made["filling"] = weights.filling * used
    made["pavilion"] = weights.pavilion * used
    made["element"] = of_elements(weights, times, joker)
    made["space"] = weights.space * times[:, None] ** 0.7 * likely(np.arange(len(SPACES) + 1.0), weights.space_need)
    made["lack"] = weights.lack * used[:, None] * np.arange(KINDS)
    made["full"] = weights.full * used[:, None] * stored**2
    made["marker"] = np.where(times >= 1.0, weights.marker, 0.0)
    return made


NODES = np.array([0, MOMENT // 2, *(MOMENT * k for k in range(1, ROUNDS + 1))])  # moments that something is learned of
LEARNED = [name for name in OUTLOOK.names or () if OUTLOOK[name].base == np.float64]


def initial_weights() -> learned.Weights:
    """What is added to the fields of OUTLOOK, [node, …], before anything was learned."""
    return {name: np.zeros((len(NODES), *OUTLOOK[name].shape)) for name in LEARNED}


def tables(weights: learned.Weights) -> Outlooks:
    """All that is known before a game begins; moment 0 is certain, and not learned."""
    made = guessed(Weights())
    for name, table in weights.items():
        made[name][:, 1:] += learned.between(NODES, table)[1:]
    return made


TABLES = tables(learned.learned(Path(__file__).parent, initial_weights()))
