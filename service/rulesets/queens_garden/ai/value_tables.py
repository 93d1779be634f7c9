"""Tables of expected points for Queen's Garden, computed before any game.

A **moment** is how much of the game is left to a seat, in eighths of a round: MOMENT for each round to come, plus the
share of this round's pieces that are still in the display. It is 0 for a seat that has passed in the last round. Most
tables have one row per moment. They are computed from `Weights`, which were found by games between estimates.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from service.rulesets.networks import trained_weights
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
SHUT, LATER, OPEN = range(3)  # reach of a group: it can grow nowhere, on free areas, on free spaces
REACHES = 3

CHUNK = 12  # bits looked up at once
# AROUND[chunk, mask]: all neighbours of the spaces of twelve bits of a mask
AROUND = np.zeros((len(SPACES) // CHUNK, 1 << CHUNK), np.int64)
for _place in range(len(SPACES)):
    AROUND[_place // CHUNK, np.arange(1 << CHUNK) >> _place % CHUNK & 1 != 0] |= NEIGHBOURS[_place]

# VALUE_OF[mask of patterns]: sum of their values
VALUE_OF = np.array([sum(k + 1 for k in range(KINDS) if mask >> k & 1) for mask in range(1 << KINDS)], np.int64)
# points of a hexagon in the garden after a number of scored rounds, by [variant, rounds, hexagon]
COLOUR_LEFT = np.array([SHOWN_COLOUR[k:].sum(0) for k in range(ROUNDS + 1)], np.int64)
PATTERN_LEFT = np.array([[side[k:].sum(0) for k in range(ROUNDS + 1)] for side in SHOWN_PATTERN], np.int64)
LEFT = (COLOUR_LEFT[None, :, :, None] + PATTERN_LEFT[:, :, None, :]).reshape(2, ROUNDS + 1, KINDS * KINDS).copy()


class Weights(NamedTuple):
    """Parameters of the tables. Times are in rounds."""

    piece: float = 1.6  # points of a piece of the storage that will be used
    piece_time: float = 0.1  # additional points per round left
    dear: float = 0.0  # additional points per point of its value above the mean
    shown: float = 0.2  # additional share of its future points from the wheel
    expansion: float = 0.5  # additional points of an expansion
    use_time: float = 0.6  # time until two thirds are used
    sets: float = 0.08  # points per pair of pieces of one colour, or of one pattern
    double: float = 0.3  # points lost for a second piece with the same hexagon
    joker: float = 0.8  # points of a joker in addition to its final point
    one: float = 0.6  # probability that a single hexagon becomes part of a scoring group
    one_time: float = 1.0
    two: float = 0.85  # probability for a group of two
    two_time: float = 0.5
    later: float = 0.5  # share of these if a group can grow only on free areas
    four: float = 0.5  # expected points of a group of four beyond its values
    five: float = 2.0
    grow: float = 0.5  # for each group of three, four, five
    plan: float = 0.96  # value of a possible placement relative to an actual one
    filling: float = 0.8  # points for a filled space
    pavilion: float = 2.0  # additional points for a placed expansion
    element: float = 0.6  # share of an element's jokers, per missing space
    no_board: float = 0.7  # additional factor per missing space without a board
    space: float = 4.0  # for the free spaces
    space_need: float = 3.0
    lack: float = 0.05  # points lost for each piece or joker that is missing to pay for a piece
    full: float = 0.2  # points lost per squared number of unplanned pieces above `full_from`
    full_from: float = 5.0
    marker: float = 1.0  # for starting the next round


# expectations at a moment, on a side of the board: a record, because compiled code passes records at no cost
OUTLOOK = np.dtype(
    [
        ("rounds", "i8"),  # that are still scored
        ("left", "i8", (KINDS * KINDS,)),  # by hexagon: points of the wheel in these rounds
        ("chance", "f8", (REACHES, MAX_GROUP + 1)),  # [reach, size of a group]: probability that its values will score
        ("extra", "f8", (REACHES, MAX_GROUP + 1)),  # points beyond its values
        ("piece", "f8", (KINDS * KINDS,)),  # by hexagon: a piece of the storage without a plan
        ("expansion", "f8"),  # additional points of an expansion
        ("joker", "f8"),
        ("sets", "f8"),  # for two of a line
        ("double", "f8"),
        ("plan", "f8"),  # share of the points
        ("filling", "f8"),
        ("pavilion", "f8"),
        ("element", "f8", (AREAS + 1, AREAS + 1)),  # [free spaces around it, spaces without board]: per joker
        ("space", "f8", (len(SPACES) + 1,)),  # by free spaces
        ("lack", "f8", (KINDS,)),  # by pieces missing to pay for it
        ("full", "f8", (TILE_SPACES + 1,)),  # by tiles and jokers in the storage without a plan
        ("marker", "f8"),
    ],
    align=True,
)
Outlooks = npt.NDArray[Any]  # (variants, MOMENTS) of OUTLOOK


def likelihood(times: Table, within: float) -> Table:
    """Return the probability that an event with this mean time has happened."""
    return 1.0 - np.exp(-times / within)


def group_tables(weights: Weights, times: Table) -> tuple[Table, Table]:
    """Return `chance` and `extra` of OUTLOOK, by moment."""
    chance = np.zeros((MOMENTS, REACHES, MAX_GROUP + 1))
    extra = np.zeros((len(GROUP_BONUS), MOMENTS, REACHES, MAX_GROUP + 1)) + GROUP_BONUS[:, None, None]
    grown = np.where(times > 0, times + 0.12, 0.0)
    chance[:, :, 1] = weights.one * likelihood(grown, weights.one_time)[:, None]
    chance[:, :, 2] = weights.two * likelihood(grown, weights.two_time)[:, None]
    chance[:, :, :MIN_GROUP] *= np.array([0.0, weights.later, 1.0])[:, None]
    chance[:, :, MIN_GROUP:] = 1.0
    hope = likelihood(grown, 1.0)[:, None] * np.array([0.0, weights.later, 1.0])
    for size, points in enumerate((0.0, weights.four, weights.five), MIN_GROUP):
        extra[..., size] += hope * (weights.grow + points)
    return chance, extra


def element_table(weights: Weights, times: Table, joker: Table) -> Table:
    """Return `element` of OUTLOOK, by moment."""
    element = np.zeros((MOMENTS, AREAS + 1, AREAS + 1))
    for free, without in np.ndindex(element.shape[1:]):
        if free + without:
            share = weights.element ** (free + without) * weights.no_board**without
            element[:, free, without] = share * joker * np.minimum(1.0, times + 0.1) * (times > 0)
    return element


def piece_table(weights: Weights, times: Table, used: Table) -> Table:
    """Return `piece` of OUTLOOK, by moment."""
    values = np.tile(np.arange(1.0, KINDS + 1.0), KINDS)
    wheel = LEFT[:, ROUNDS - ROUNDS_LEFT]  # [variant, m, hexagon]
    worth = weights.shown * wheel + weights.dear * (values - values.mean())
    worth += (weights.piece + weights.piece_time * times)[:, None]
    return used[:, None] * worth - (1.0 - used)[:, None] * values


def make_tables(weights: Weights) -> Outlooks:
    """Return the tables of these weights."""
    made = np.zeros((len(GROUP_BONUS), MOMENTS), OUTLOOK)
    times = np.arange(MOMENTS) / MOMENT
    used = likelihood(times, weights.use_time)
    stored = np.maximum(np.arange(TILE_SPACES + 1) - weights.full_from, 0.0)
    made["rounds"] = ROUNDS_LEFT
    made["left"] = LEFT[:, ROUNDS - ROUNDS_LEFT]
    made["chance"], made["extra"] = group_tables(weights, times)
    made["piece"] = piece_table(weights, times, used)
    made["expansion"] = weights.expansion * used
    made["joker"] = joker = 1.0 + weights.joker * used
    made["sets"] = weights.sets * used
    made["double"] = weights.double * used
    made["plan"] = weights.plan
    made["filling"] = weights.filling * used
    made["pavilion"] = weights.pavilion * used
    made["element"] = element_table(weights, times, joker)
    made["space"] = weights.space * times[:, None] ** 0.7 * likelihood(np.arange(len(SPACES) + 1.0), weights.space_need)
    made["lack"] = weights.lack * used[:, None] * np.arange(KINDS)
    made["full"] = weights.full * used[:, None] * stored**2
    made["marker"] = np.where(times >= 1.0, weights.marker, 0.0)
    return made


NODES = np.array([0, MOMENT // 2, *(MOMENT * k for k in range(1, ROUNDS + 1))])  # moments with trained corrections
LEARNED = [name for name in OUTLOOK.names or () if OUTLOOK[name].base == np.float64]


def initial_weights() -> trained_weights.Weights:
    """Return the corrections of the fields of OUTLOOK, [node, …], before training."""
    return {name: np.zeros((len(NODES), *OUTLOOK[name].shape)) for name in LEARNED}


def tables(weights: trained_weights.Weights) -> Outlooks:
    """Return the look-up tables. Moment 0 is certain and has no corrections."""
    made = make_tables(Weights())
    for name, table in weights.items():
        made[name][:, 1:] += trained_weights.interpolate(NODES, table)[1:]
    return made


TABLES = tables(trained_weights.load_weights(Path(__file__).parent, initial_weights()))
