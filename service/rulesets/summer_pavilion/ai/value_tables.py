"""Expected future points of stars, computed in advance: the look-up tables of evaluation.py.

A star of one colour is a small game of its own: each round adds random tiles of its colour, which are placed
optimally or kept. Dynamic programming solves it for all sets of filled slots, from the last round backwards. The
solution includes runs, the bonus of the complete star, the bonus tiles of features, and the corners. A star of six
colours is modelled as the same game with fewer tiles.

Time is counted in **moments** from the end: 2 * r after passing, with r rounds to come; 2 * r + 1 before placing.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from service.rulesets.networks import trained_weights
from service.rulesets.summer_pavilion.rules.components import (
    ALL_SLOTS,
    CENTRE_STAR,
    CORNER_SPACES,
    MIXED,
    NUMBER_BONUS,
    NUMBER_SLOTS,
    NUMBERS,
    PILLAR_TILES,
    ROUNDS,
    RUN,
    SLOTS,
    STAR_BONUS,
    STATUE_TILES,
    VARIANTS,
    WINDOW_TILES,
)
from service.rulesets.summer_pavilion.rules.state import COLOURED, GREY

Array = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]


class Weights(NamedTuple):
    """Parameters, tuned by games of the greedy level against itself (see levels.py)."""

    none_of_colour: float = 0.31  # probability of a round without a tile for a star of one colour
    more_of_colour: float = 2.7  # average number of tiles beyond the first otherwise
    none_of_mixed: float = 0.31  # likewise for a star of six colours
    more_of_mixed: float = 1.05
    bonus_tile: float = 1.75  # points
    last_bonus_tile: float = 0.65  # in the last round
    kept: float = 1.05  # share of its value that a remaining tile keeps: all colours share four corners
    next_wild: float = 0.4  # bonus for each tile in hand, up to four, of the next round's wild colour
    start_token: float = 2.25  # unless it is the last round
    number_tiles: float = 4.5  # tiles per round for the spaces of one number
    number_share: float = 0.35  # expected share of a number's bonus
    plan: float = 0.9  # value of a possible purchase relative to an actual one


MOMENTS = 2 * ROUNDS + 1
TILES_KNOWN = 16  # a star knows 0..15 tiles of its colour
MASKS = 1 << SLOTS
MEAN_BONUS = float(STAR_BONUS[:MIXED].mean())

# kinds of star by the prices of their spaces; the last is never of one colour
COLOURED_STAR, GREY_STAR, GREY_CENTRE, COLOURED_CENTRE = range(4)
COSTS = np.array([NUMBERS[COLOURED, 0], NUMBERS[GREY, 0], NUMBERS[GREY, CENTRE_STAR], NUMBERS[COLOURED, CENTRE_STAR]])
# NUMBERS_ON[kind, mask]: how many filled slots show each number, in four bits a number
NUMBERS_ON = np.array(
    [
        [sum(1 << 4 * cost for slot, cost in enumerate(costs) if mask >> slot & 1) for mask in range(MASKS)]
        for costs in COSTS.tolist()
    ],
    np.int64,
)

# an outer star's own slots around its features, and bits for features whose other slots hold tiles
WINDOW, NEAR_STATUE, FAR_STATUE, PILLAR = 0b110000, 0b000011, 0b001100, 0b000110
NEAR_READY, FAR_READY, PILLAR_READY = 1, 2, 4
SURROUNDINGS = 8
PILLAR_PAIR = np.array([1 << star | 1 << (star - 1) % SLOTS for star in range(SLOTS)])  # slots of the centre star
FEATURES_OF_STAR = (
    (WINDOW, WINDOW_TILES, 0),
    (NEAR_STATUE, STATUE_TILES, NEAR_READY),
    (FAR_STATUE, STATUE_TILES, FAR_READY),
    (PILLAR, PILLAR_TILES, PILLAR_READY),
)
# CLOSING[surroundings, mask, slot]: bonus tiles that a tile on an outer star's slot earns
CLOSING = np.zeros((SURROUNDINGS, MASKS, SLOTS))
for _around, _mask, _slot in np.ndindex(CLOSING.shape):
    for _slots, _count, _ready in FEATURES_OF_STAR:
        if _slots >> _slot & 1 and (_mask | 1 << _slot) & _slots == _slots and _around & _ready == _ready:
            CLOSING[_around, _mask, _slot] += _count

LIKELY = SURROUNDINGS  # index after the surroundings: probability that the star will be complete
PLANE = MASKS * TILES_KNOWN  # from one surroundings to the next
LATER = (LIKELY + 1) * PLANE  # from one moment to the previous one of the game


class Tables(NamedTuple):
    """Values of stars."""

    coloured: Singles  # of one colour, [moment, surroundings or LIKELY, mask, tiles of its colour], flat
    grey: Singles  # [GREY_STAR or GREY_CENTRE, …]; Numba caches no code that holds more than 1 MB, so these are two
    mixed: Array  # [kind, moment, mask]: of six colours
    number: Array  # [variant, number, spaces filled, moment]: of the bonus for a number
    weights: Array


def _income(none: float, more: float) -> list[float]:
    """Return the probabilities of 0, 1, … tiles in a round."""
    some = [math.exp(-more) * more**k / math.factorial(k) for k in range(9)]
    return [none, *((1 - none) * one / sum(some) for one in some)]


def _best_purchases(costs: list[int], points: Array, kept: Array) -> Array:
    """Return [plane, mask, tiles]: the maximum value that tiles can buy. `kept`: the value of remaining tiles."""
    best = kept.copy()
    for mask in range(ALL_SLOTS, -1, -1):
        for slot, cost in enumerate(costs):
            if not mask >> slot & 1:
                after = points[:, mask, slot, None] + best[:, mask | 1 << slot, : TILES_KNOWN - cost]
                np.maximum(best[:, mask, cost:], after, out=best[:, mask, cost:])
    return best


def _solve_star(kind: int, planes: list[int], bonus: list[float], income: list[float], weights: Weights) -> Array:
    """Return [moment, plane, mask, tiles]: the future points of a star.

    `planes`: surroundings of its features; `bonus`: points of the complete star in each of them.
    """
    costs, tiles = COSTS[kind].tolist(), np.arange(TILES_KNOWN)
    worth = np.zeros((MOMENTS, len(planes), MASKS, TILES_KNOWN))
    closing = CLOSING[planes] if kind in {COLOURED_STAR, GREY_STAR} else np.zeros((len(planes), MASKS, SLOTS))
    worth[0] -= tiles
    worth[0, :, ALL_SLOTS] += np.array(bonus)[:, None]
    worth[1] = _best_purchases(costs, RUN + weights.last_bonus_tile * closing, worth[0])
    for moment in range(2, MOMENTS, 2):
        for count, likely in enumerate(income):
            worth[moment] += likely * worth[moment - 1][..., np.minimum(tiles + count, TILES_KNOWN - 1)]
        if moment + 1 < MOMENTS:
            none = worth[moment][..., :1]
            kept = none + weights.kept * (worth[moment][..., np.minimum(tiles, CORNER_SPACES)] - none)
            kept -= np.maximum(tiles - CORNER_SPACES, 0)
            worth[moment + 1] = _best_purchases(costs, RUN + weights.bonus_tile * closing, kept)
    return worth


def _one_colour_table(kind: int, weights: Weights) -> Singles:
    """Return a kind's part of `Tables.coloured` or `Tables.grey`. LIKELY is the gain by one more point of bonus."""
    income = _income(weights.none_of_colour, weights.more_of_colour)
    solved = _solve_star(
        kind, [*range(SURROUNDINGS), 0], [MEAN_BONUS] * SURROUNDINGS + [MEAN_BONUS + 1], income, weights
    )
    solved[:, LIKELY] -= solved[:, 0]
    return solved.astype(np.float32).reshape(-1)


def _number_table(weights: Weights) -> Array:
    """Return `Tables.number`. The expected share of a bonus falls with the cost of its missing spaces and with time."""
    number = np.zeros((len(VARIANTS), len(NUMBER_BONUS), 2 * SLOTS + 1, MOMENTS))
    for variant, value, filled, moment in np.ndindex(number.shape):
        spaces = sum(int(slots).bit_count() for slots in NUMBER_SLOTS[variant, value])
        missing, tiles = spaces - filled, weights.number_tiles * (moment // 2 + 0.3)
        share = weights.number_share * math.exp(-missing * value / tiles) if missing else 1.0
        number[variant, value, filled, moment] = NUMBER_BONUS[value] * share
    return number


def make_tables(weights: Weights) -> Tables:
    """Return the tables of these weights."""
    income = _income(weights.none_of_mixed, weights.more_of_mixed)
    mixed = [_solve_star(kind, [0], [STAR_BONUS[MIXED]], income, weights)[:, 0, :, 0] for kind in range(len(COSTS))]
    grey = [_one_colour_table(kind, weights) for kind in (GREY_STAR, GREY_CENTRE)]
    return Tables(
        _one_colour_table(COLOURED_STAR, weights),
        np.concatenate(grey),
        np.array(mixed),
        _number_table(weights),
        np.array(weights),
    )


def initial_weights() -> trained_weights.Weights:
    """Return the corrections of the tables before training, in points."""
    return {
        "coloured": np.zeros((ROUNDS, MASKS)),  # [rounds to come, mask]: to a star of one colour, on the coloured side
        "grey": np.zeros((ROUNDS, MASKS)),  # on the grey side
        "centre": np.zeros((ROUNDS, MASKS)),  # the grey side's centre star
        "mixed": np.zeros((ROUNDS, SLOTS + 1)),  # [rounds, filled slots]: to a star of six colours
        "tiles": np.zeros((MOMENTS, TILES_KNOWN)),  # [moment, tiles of its colour]: to a star of one colour
        "grey_tiles": np.zeros((MOMENTS, TILES_KNOWN)),
        "number": np.zeros((len(NUMBER_BONUS), ROUNDS)),  # [number, rounds]: to the share of its bonus
        "weights": np.zeros(len(Weights._fields)),  # to Weights, in their order
    }


UNTRAINED_TABLES = make_tables(Weights())
ROUNDS_LEFT = np.minimum(np.arange(MOMENTS) // 2, ROUNDS - 1)


def _add_learned(stars: Singles, masks: list[Array], tiles: Array) -> Singles:
    """Return stars of one colour with their trained corrections."""
    by_kind = stars.reshape(len(masks), MOMENTS, LIKELY + 1, MASKS, TILES_KNOWN).astype(np.float64)
    for kind, mask in enumerate(masks):
        by_kind[kind, 1:, :LIKELY] += mask[ROUNDS_LEFT[1:], None, :, None] + tiles[1:, None, None, :]
    return by_kind.astype(np.float32).reshape(-1)


def tables(weights: trained_weights.Weights) -> Tables:
    """Return the look-up tables. Moment 0 is certain and has no corrections."""
    filled = np.array([mask.bit_count() for mask in range(MASKS)])
    return Tables(
        _add_learned(UNTRAINED_TABLES.coloured, [weights["coloured"]], weights["tiles"]),
        _add_learned(UNTRAINED_TABLES.grey, [weights["grey"], weights["centre"]], weights["grey_tiles"]),
        UNTRAINED_TABLES.mixed + weights["mixed"][ROUNDS_LEFT][:, filled],
        UNTRAINED_TABLES.number * (1.0 + weights["number"][:, None, ROUNDS_LEFT]),
        UNTRAINED_TABLES.weights + weights["weights"],
    )


TABLES = tables(trained_weights.load_weights(Path(__file__).parent, initial_weights()))
