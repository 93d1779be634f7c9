"""Evaluation of a Summer Pavilion position: the points that each seat can expect at the end.

It is the sum of the score, the expected points of every star (value_tables.py), and the value that the hand adds to
them. A table contains what tiles of a colour can buy on their own star. In addition, a colour can place one tile on a
star of six colours (`best_mixed_space`), and wild tiles are distributed optimally among the colours
(`distribute_wilds`). While tiles are acquired, the value is a blend of two moments by the share of tiles left in the
sources.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from service.rulesets.kernel import DRAWING, OVER, Floats, Record, helper
from service.rulesets.parts.factories import SOURCES, TILES_A_FACTORY, factory_count
from service.rulesets.parts.masks import POPCOUNT
from service.rulesets.summer_pavilion.ai.value_tables import (
    CLOSING,
    COLOURED_CENTRE,
    COLOURED_STAR,
    FAR_READY,
    FAR_STATUE,
    GREY_CENTRE,
    GREY_STAR,
    LATER,
    LIKELY,
    MASKS,
    MEAN_BONUS,
    MOMENTS,
    NEAR_READY,
    NEAR_STATUE,
    NUMBERS_ON,
    PILLAR,
    PILLAR_PAIR,
    PILLAR_READY,
    PLANE,
    SURROUNDINGS,
    TABLES,
    TILES_KNOWN,
    Array,
    Singles,
    Tables,
    Weights,
)
from service.rulesets.summer_pavilion.rules.components import (
    ALL_SLOTS,
    CENTRE_STAR,
    CORNER_SPACES,
    MIXED,
    NUMBER_BONUS,
    NUMBERS,
    PILLAR_TILES,
    ROUNDS,
    RUN,
    SLOTS,
    STAR_BONUS,
    STAR_COLOUR,
)
from service.rulesets.summer_pavilion.rules.state import ACQUIRING, COLOURED, KINDS, STAR_COUNT, rule

BONUS_TILE, LAST_BONUS_TILE, NEXT_WILD, START_TOKEN, PLAN = (
    Weights._fields.index(name) for name in ("bonus_tile", "last_bonus_tile", "next_wild", "start_token", "plan")
)

MAX_WILDS = 8  # that are distributed
ROOM = 2 * (MAX_WILDS + 1) + STAR_COUNT * SLOTS  # size of the memory for `worth_of_hand`
FAR_LESS = -1e9
NO_COLOUR = KINDS + 1
MORE_THAN_MEAN = np.array([*(STAR_BONUS[:MIXED] - MEAN_BONUS), 0.0, 0.0])  # bonus of a star of each colour
NO_STAR = 15
HOMES = sum(star << 4 * int(STAR_COLOUR[star]) for star in range(CENTRE_STAR))  # the star of each colour, in four bits
NO_HOMES = (1 << 4 * KINDS) - 1


class Outlook(NamedTuple):
    """Context of the evaluation of a board."""

    variant: int
    moment: int
    blend: float  # share of the previous moment
    around: int  # see `surroundings`
    star: Singles
    mixed: Array
    bonus_tile: float


# ------------------------------------------------------------------------------------------ stars


@helper
def filled_slots(board: Record, star: int) -> int:
    """Return the mask of the slots that hold a tile."""
    return np.int64(board.filled[star])  # type: ignore[return-value]


@helper
def kind_of(variant: int, star: int) -> int:
    """Return the kind of star by the cost of its spaces."""
    if variant == COLOURED:
        return COLOURED_CENTRE if star == CENTRE_STAR else COLOURED_STAR
    return GREY_CENTRE if star == CENTRE_STAR else GREY_STAR


@helper
def row(kind: int, moment: int, around: int, mask: int) -> int:
    """Return the index of a star of one colour in its table for 0 tiles of its colour. Add the number of tiles."""
    return (((kind // GREY_CENTRE * MOMENTS + moment) * (LIKELY + 1) + around) * MASKS + mask) * TILES_KNOWN


@helper
def own_star(board: Record, outlook: Outlook, star: int) -> tuple[int, int]:
    """Return the table indexes of a star's value and of its likelihood of completion. NO_STAR counts as complete."""
    if star == NO_STAR:
        at = row(COLOURED_STAR, outlook.moment, 0, ALL_SLOTS)
        return at, at + LIKELY * PLANE
    around = outlook.around >> 4 * star & (SURROUNDINGS - 1)
    at = row(kind_of(outlook.variant, star), outlook.moment, around, filled_slots(board, star))
    return at, at + (LIKELY - around) * PLANE


@helper
def worth(outlook: Outlook, own: tuple[int, int], colour: int, tiles: int) -> float:
    """Return the value of a star of one colour with this many tiles. NO_COLOUR: the colour is unknown."""
    star, more = outlook.star, MORE_THAN_MEAN[colour]
    at, likely = own[0] + min(tiles, TILES_KNOWN - 1), own[1] + min(tiles, TILES_KNOWN - 1)
    now = star[at] + more * star[likely]
    if outlook.blend == 0.0:
        return now
    return now + outlook.blend * (star[at + LATER] + more * star[likely + LATER] - now)


@helper
def worth_of_mixed(outlook: Outlook, kind: int, mask: int) -> float:
    """Return the value of a star of six colours."""
    now = outlook.mixed[kind, outlook.moment, mask]
    if outlook.blend == 0.0:
        return now
    return now + outlook.blend * (outlook.mixed[kind, outlook.moment + 1, mask] - now)


@helper
def surroundings(board: Record) -> int:
    """Return four bits for each outer star: the features that lack only the star's own slots."""
    surrounded, centre = 0, filled_slots(board, CENTRE_STAR)
    before, here = filled_slots(board, CENTRE_STAR - 1), filled_slots(board, 0)
    for star in range(CENTRE_STAR):
        after = filled_slots(board, star + 1 if star + 1 < CENTRE_STAR else 0)
        around = NEAR_READY if after & FAR_STATUE == FAR_STATUE else 0
        if before & NEAR_STATUE == NEAR_STATUE:
            around |= FAR_READY
        if centre & PILLAR_PAIR[star] == PILLAR_PAIR[star]:
            around |= PILLAR_READY
        surrounded |= around << 4 * star
        before, here = here, after
    return surrounded


@helper
def first_colour(board: Record, star: int) -> int:
    """Return the colour on the lowest filled slot of a star. The star must not be empty."""
    filled = filled_slots(board, star)
    return np.int64(board.stars[star, POPCOUNT[(filled & -filled) - 1]]) - 1  # type: ignore[return-value]


@helper
def roles(board: Record, variant: int) -> tuple[int, int, int]:
    """Return (the star of each colour, in four bits; mask of empty stars; mask of stars that can take six colours).

    On the coloured side these are fixed. A grey star with one tile can become both kinds.
    """
    if variant == COLOURED:
        return HOMES, 0, 1 << CENTRE_STAR
    homes, empty, mixed = NO_HOMES, 0, 0
    for star in range(STAR_COUNT):
        filled, takes = filled_slots(board, star), np.int64(board.open_to[star])
        if filled == 0:
            empty |= 1 << star
        elif filled != ALL_SLOTS:
            colour = first_colour(board, star)
            if takes >> colour & 1:
                homes = (homes & ~(NO_STAR << 4 * colour)) | star << 4 * colour
            if takes != 1 << colour:
                mixed |= 1 << star
    return homes, empty, mixed


@helper
def colour_of_star(board: Record, variant: int, star: int) -> int:
    """Return the colour of a star that has or can have one.

    NO_COLOUR: the star is empty and can take any; MIXED: it is of six colours.
    """
    if variant == COLOURED:
        return MIXED if star == CENTRE_STAR else STAR_COLOUR[star]
    if board.filled[star] == 0:
        return NO_COLOUR
    colour = first_colour(board, star)
    return colour if board.open_to[star] >> colour & 1 else MIXED


@helper
def worth_of_stars(board: Record, outlook: Outlook) -> float:
    """Return the value of all stars with an empty hand."""
    points = 0.0
    for star in range(STAR_COUNT):
        colour = colour_of_star(board, outlook.variant, star)
        if colour == MIXED:
            points += worth_of_mixed(outlook, kind_of(outlook.variant, star), filled_slots(board, star))
        else:
            points += worth(outlook, own_star(board, outlook, star), colour, 0)
    return points


@helper
def worth_of_numbers(board: Record, variant: int, moment: int, number: Array) -> float:
    """Return the expected value of the bonuses for all spaces of a number."""
    filled, points = 0, 0.0
    for star in range(STAR_COUNT):
        filled += NUMBERS_ON[kind_of(variant, star), filled_slots(board, star)]
    for value in range(1, len(NUMBER_BONUS)):
        points += number[variant, value, filled >> 4 * value & 15, moment]
    return points


# ------------------------------------------------------------------------------------------- hands


@helper
def gain_of_mixed(board: Record, outlook: Outlook, star: int, slot: int) -> float:
    """Return the points for one tile on a free slot of a star of six colours, now and later."""
    filled, kind = filled_slots(board, star), kind_of(outlook.variant, star)
    points = RUN[filled, slot] + worth_of_mixed(outlook, kind, filled | 1 << slot)
    points -= worth_of_mixed(outlook, kind, filled)
    if star != CENTRE_STAR:
        around = outlook.around >> 4 * star & (SURROUNDINGS - 1)
        return points + outlook.bonus_tile * CLOSING[around, filled, slot]
    for outer in (slot, (slot + 1) % SLOTS):
        pair = PILLAR_PAIR[outer]
        if (filled | 1 << slot) & pair == pair and filled_slots(board, outer) & PILLAR == PILLAR:
            points += outlook.bonus_tile * PILLAR_TILES
    return points


@helper
def list_gains(board: Record, outlook: Outlook, mixed: int, gains: Floats) -> None:
    """Fill gains[star * SLOTS + slot] for stars that can take six colours; FAR_LESS for filled slots."""
    for star in range(STAR_COUNT):
        if mixed >> star & 1:
            for slot in range(SLOTS):
                taken = board.filled[star] >> slot & 1
                gains[star * SLOTS + slot] = FAR_LESS if taken else gain_of_mixed(board, outlook, star, slot)


@helper
def best_mixed_space(
    board: Record, outlook: Outlook, own: tuple[int, int], colour: int, tiles: int, mixed: int, gains: Floats
) -> int:
    """Return the index in `gains` where one tile of the colour is worth more than on its own star, or -1."""
    best, most = -1, worth(outlook, own, colour, tiles)
    for star in range(STAR_COUNT):
        if mixed >> star & board.open_to[star] >> colour & 1:
            for slot in range(SLOTS):
                cost, position = NUMBERS[outlook.variant, star, slot], star * SLOTS + slot
                if cost <= tiles and gains[position] > 0.0:
                    points = gains[position] + worth(outlook, own, colour, tiles - cost)
                    if points > most:
                        best, most = position, points
    return best


@helper
def distribute_wilds(best: Floats, options: Floats, wilds: int, most: int) -> None:
    """Update best[w], points with w wild tiles, for a colour that can use k <= most of them for options[k] points."""
    for w in range(wilds, -1, -1):
        points = best[w] + options[0]
        for k in range(1, min(w, most) + 1):
            points = max(points, best[w - k] + options[k])
        best[w] = points


@helper
def worth_of_hand(board: Record, outlook: Outlook, wild: int, worths: Floats) -> float:
    """Return the points that tiles in the hand and the corners add to the stars.

    `wild`: -1 if there is no wild colour.
    """
    homes, empty, mixed = roles(board, outlook.variant)
    placing = outlook.moment % 2 == 1
    best, options, gains = worths[: MAX_WILDS + 1], worths[MAX_WILDS + 1 :], worths[2 * MAX_WILDS + 2 :]
    wilds = min(MAX_WILDS, board.hand[wild] + board.corners[wild]) if wild >= 0 else 0
    best[:] = FAR_LESS
    best[0] = 0.0
    if placing:
        list_gains(board, outlook, mixed, gains)
    for k in range(1, KINDS + 1):
        colour = (wild + k) % KINDS  # the wild one last
        tiles = 0 if colour == wild else np.int64(board.hand[colour]) + board.corners[colour]
        # a colour without a tile can use wild tiles only if it can still be acquired
        usable = wilds if tiles or colour == wild or not placing or outlook.blend > 0.5 else 0
        if tiles == 0 and usable == 0:
            continue
        home, gain = homes >> 4 * colour & NO_STAR, 0.0
        if home == NO_STAR and empty:
            home = POPCOUNT[(empty & -empty) - 1]
            empty &= empty - 1
        own = own_star(board, outlook, home)
        none = worth(outlook, own, colour, 0)
        if placing and tiles:
            position = best_mixed_space(board, outlook, own, colour, tiles, mixed & ~(1 << home), gains)
            if position >= 0:
                gain = gains[position]
                gains[position] = FAR_LESS
                tiles -= NUMBERS[outlook.variant, position // SLOTS, position % SLOTS]
        for w in range(usable + 1):
            options[w] = gain + worth(outlook, own, colour, tiles + w) - none
        distribute_wilds(best, options, wilds, usable)
    return best[wilds]


# ------------------------------------------------------------------------------------------- seats


@helper
def still_to_acquire(game: Record) -> float:
    """Return the share of a round's tiles that are left in the sources."""
    left = 0
    for source in range(SOURCES):
        for colour in range(KINDS):
            left += game.tiles[source, colour]
    return left / (TILES_A_FACTORY * factory_count(game.seats))


@helper
def blend_of(game: Record) -> float:
    """Return the share of the previous moment while tiles are acquired."""
    return still_to_acquire(game) if game.stage == ACQUIRING and game.status != DRAWING else 0.0


@helper
def evaluate(game: Record, seat: int, tables: Tables) -> float:
    """Return the points that a seat can expect while the game is running."""
    blend, worths = blend_of(game), np.empty(ROOM)
    board, weights = game.boards[seat], tables.weights
    variant: int = np.int64(game.variant)  # type: ignore[assignment]
    rounds: int = ROUNDS - np.int64(game.round_number)  # type: ignore[assignment]
    placing = game.status != DRAWING if game.stage == ACQUIRING else not game.passed >> seat & 1
    moment = 2 * rounds + placing
    wild = ROUNDS - rounds - placing if moment else -1  # of this round, or of the next one after passing
    star = tables.coloured if variant == COLOURED else tables.grey
    bonus_tile = weights[BONUS_TILE if rounds else LAST_BONUS_TILE]
    outlook = Outlook(variant, moment, blend, surroundings(board), star, tables.mixed, bonus_tile)
    points = game.score[seat] + worth_of_stars(board, outlook)
    points += worth_of_hand(board, outlook, wild, worths) * (weights[PLAN] if placing else 1.0)
    points += worth_of_numbers(board, variant, moment + (blend > 0.0), tables.number)
    if placing and rounds and blend == 0.0:
        points += weights[NEXT_WILD] * min(CORNER_SPACES, board.hand[wild + 1])
    if game.start_token == seat and rounds:
        points += weights[START_TOKEN]
    if game.bonus_owed and seat == game.seat:
        points += game.bonus_owed * bonus_tile
    return points


@rule
def estimate(game: Record, seat: int) -> float:
    """Return the points that a seat can expect at the end, or its score if the game is over."""
    return float(game.score[seat]) if game.status == OVER else evaluate(game, seat, TABLES)
