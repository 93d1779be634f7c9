"""What a Summer Pavilion position is worth to each seat: the points it may expect to have at the end.

That is the score, and for every star what it may still bring. A star of one colour is a small game of its own: each
round brings some tiles of its colour, by chance, and they are placed as is best. That game is solved once, when this
module is loaded, for all sets of filled slots, from the last round backwards (`solved`): it knows the runs, the bonus
of the complete star, the bonus tiles of features, and the tiles that can be kept. So what a hand can buy is a look-up
for each colour. Besides, a colour may place one tile on a star of six colours (`on_mixed`), and wild tiles are dealt
out among the colours as is best (`with_wilds`).

Time is counted in **moments** from the end: 2 * r after passing, with r rounds to come; 2 * r + 1 before placing.
Before and while tiles are acquired a position is a blend of two moments, by the share of tiles still to be had.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from service.rulesets.kernel import DRAWING, OVER, Floats, Record, helper
from service.rulesets.summer_pavilion.components import (
    ALL_SLOTS,
    CENTRE_STAR,
    CORNER_SPACES,
    MIXED,
    NUMBER_BONUS,
    NUMBER_SLOTS,
    NUMBERS,
    PILLAR_TILES,
    POPCOUNT,
    ROUNDS,
    RUN,
    SLOTS,
    STAR_BONUS,
    STAR_COLOUR,
    STATUE_TILES,
    TILES_A_FACTORY,
    VARIANTS,
    WINDOW_TILES,
)
from service.rulesets.summer_pavilion.state import (
    ACQUIRING,
    COLOURED,
    GREY,
    KINDS,
    SOURCES,
    STAR_COUNT,
    factory_count,
    rule,
)

Array = npt.NDArray[np.float64]


class Weights(NamedTuple):
    """What was tuned by play of the greedy level against itself."""

    none_of_colour: float = 0.4  # chance that a round brings no tile for a star of one colour
    more_of_colour: float = 2.0  # and how many more than one it brings otherwise, on average
    none_of_mixed: float = 0.3  # the same for a star of six colours
    more_of_mixed: float = 1.0
    bonus_tile: float = 1.6
    last_bonus_tile: float = 1.2  # in the last round
    kept: float = 0.8  # how much of its worth a tile that is left over keeps: four corners are there for all colours
    next_wild: float = 0.3  # more for each tile in hand, up to four, of the next round's wild colour
    start_token: float = 0.7
    number_tiles: float = 6.0  # tiles a round that may go to the spaces of one number
    number_share: float = 0.8  # how much of a number's bonus is counted on
    plan: float = 0.98  # of what the hand can buy, against what is bought


MOMENTS = 2 * ROUNDS + 1
TILES = 16  # a star knows 0..15 tiles of its colour
MASKS = 1 << SLOTS
MOST_WILDS = 8  # that are dealt out

# kinds of star, by what its spaces cost; the last is never of one colour
COLOURED_STAR, GREY_STAR, GREY_CENTRE, COLOURED_CENTRE = range(4)
COSTS = np.array([NUMBERS[COLOURED, 0], NUMBERS[GREY, 0], NUMBERS[GREY, CENTRE_STAR], NUMBERS[COLOURED, CENTRE_STAR]])

# an outer star's own slots around its features, and bits that say: the feature's slots elsewhere hold tiles
WINDOW, NEAR_STATUE, FAR_STATUE, PILLAR = 0b110000, 0b000011, 0b001100, 0b000110
NEAR_READY, FAR_READY, PILLAR_READY = 1, 2, 4
SURROUNDINGS = 8
FEATURES_OF_STAR = (
    (WINDOW, WINDOW_TILES, 0),
    (NEAR_STATUE, STATUE_TILES, NEAR_READY),
    (FAR_STATUE, STATUE_TILES, FAR_READY),
    (PILLAR, PILLAR_TILES, PILLAR_READY),
)
PILLAR_PAIR = np.array([1 << star | 1 << (star - 1) % SLOTS for star in range(SLOTS)])  # slots of the centre star

LIKELY = SURROUNDINGS  # in place of surroundings: how likely the star will be complete
PLANE = MASKS * TILES  # from one surroundings to the next
LATER = (LIKELY + 1) * PLANE  # from one moment to the one before it in the game
MEAN_BONUS = float(STAR_BONUS[:MIXED].mean())
NO_COLOUR = KINDS + 1
MORE_THAN_MEAN = np.array([*(STAR_BONUS[:MIXED] - MEAN_BONUS), 0.0, 0.0])  # by colour
NO_STAR = 15
FAR_LESS = -1e9
HOMES = sum(star << 4 * int(STAR_COLOUR[star]) for star in range(CENTRE_STAR))
NO_HOMES = (1 << 4 * KINDS) - 1

# NUMBERS_ON[kind, mask]: how many filled slots show each number, in four bits a number
NUMBERS_ON = np.array(
    [
        [sum(1 << 4 * int(cost) for slot, cost in enumerate(costs) if mask >> slot & 1) for mask in range(MASKS)]
        for costs in COSTS
    ],
    np.int64,
)
SPACES_OF = np.array(
    [[sum(int(slots).bit_count() for slots in stars) for stars in numbers] for numbers in NUMBER_SLOTS]
)
BONUS_TILE, LAST_BONUS_TILE, NEXT_WILD, START_TOKEN, PLAN = (
    Weights._fields.index(name) for name in ("bonus_tile", "last_bonus_tile", "next_wild", "start_token", "plan")
)


# -------------------------------------------------------------------------------- solved in advance


class Tables(NamedTuple):
    """What stars are worth."""

    coloured: npt.NDArray[np.float32]  # of one colour, flat, see `row`; Numba keeps no array above 1 MB, so two
    grey: npt.NDArray[np.float32]
    mixed: npt.NDArray[np.float64]  # [kind, moment, mask]: of six colours
    number: npt.NDArray[np.float64]  # [number, spaces filled, moment]: of the bonus for a number
    weights: npt.NDArray[np.float64]


def _closing(features: bool) -> npt.NDArray[np.float64]:
    """[surroundings, mask, slot]: bonus tiles that a tile on the slot earns."""
    tiles = np.zeros((SURROUNDINGS, MASKS, SLOTS))
    for around, mask, slot in np.ndindex(tiles.shape) if features else ():
        for slots, count, ready in FEATURES_OF_STAR:
            if slots >> slot & 1 and (mask | 1 << slot) & slots == slots and around & ready == ready:
                tiles[around, mask, slot] += count
    return tiles


CLOSING = np.array([_closing(True), _closing(True), _closing(False), _closing(False)])


def _income(none: float, more: float) -> list[float]:
    """How likely 0, 1, … tiles come in a round."""
    some = [math.exp(-more) * more**k / math.factorial(k) for k in range(9)]
    return [none, *((1 - none) * one / sum(some) for one in some)]


def _bought(costs: Array, points: Array, kept: Array) -> Array:
    """[plane, mask, tiles]: the most that tiles can buy, `kept` being the worth of what is left over."""
    best = kept.copy()
    for mask in range(ALL_SLOTS, -1, -1):
        for slot in range(SLOTS):
            if not mask >> slot & 1:
                after = points[:, mask, slot, None] + best[:, mask | 1 << slot, : TILES - costs[slot]]
                best[:, mask, costs[slot] :] = np.maximum(best[:, mask, costs[slot] :], after)
    return best


def _solved(kind: int, planes: list[int], bonus: Array, income: list[float], weights: Weights) -> Array:
    """[moment, plane, mask, tiles]: what a star will bring, in these surroundings, with this bonus at the end."""
    worth, tiles = np.zeros((MOMENTS, len(planes), MASKS, TILES)), np.arange(TILES)
    closing = CLOSING[kind, planes]
    worth[0] -= tiles
    worth[0, :, ALL_SLOTS] += bonus[:, None]
    worth[1] = _bought(COSTS[kind], RUN + weights.last_bonus_tile * closing, worth[0])
    for moment in range(2, MOMENTS, 2):
        for count, likely in enumerate(income):
            worth[moment] += likely * worth[moment - 1][..., np.minimum(tiles + count, TILES - 1)]
        if moment + 1 < MOMENTS:
            none = worth[moment][..., :1]
            kept = none + weights.kept * (worth[moment][..., np.minimum(tiles, CORNER_SPACES)] - none)
            kept -= np.maximum(tiles - CORNER_SPACES, 0)
            worth[moment + 1] = _bought(COSTS[kind], RUN + weights.bonus_tile * closing, kept)
    return worth


def _of_one_colour(kind: int, weights: Weights) -> Array:
    """A kind's part of `Tables.coloured` or `Tables.grey`: last the gain by one more point of bonus."""
    income = _income(weights.none_of_colour, weights.more_of_colour)
    bonus = np.array([MEAN_BONUS] * SURROUNDINGS + [MEAN_BONUS + 1])
    solved = _solved(kind, [*range(SURROUNDINGS), 0], bonus, income, weights)
    solved[:, LIKELY] -= solved[:, 0]
    return solved.astype(np.float32).reshape(-1)


def _of_numbers(weights: Weights) -> Array:
    """`Tables.number`."""
    number = np.zeros((len(VARIANTS), len(NUMBER_BONUS), 2 * SLOTS + 1, MOMENTS))
    for variant, value, filled, moment in np.ndindex(number.shape):
        missing, tiles = SPACES_OF[variant, value] - filled, weights.number_tiles * (moment // 2 + 0.3)
        share = weights.number_share * math.exp(-missing * value / tiles) if missing else 1.0
        number[variant, value, filled, moment] = NUMBER_BONUS[value] * share
    return number


def tables(weights: Weights) -> Tables:
    """All that is known before a game begins."""
    income, bonus = _income(weights.none_of_mixed, weights.more_of_mixed), np.array([STAR_BONUS[MIXED]])
    mixed = [_solved(kind, [0], bonus, income, weights)[:, 0, :, 0] for kind in range(len(COSTS))]
    grey = np.concatenate([_of_one_colour(kind, weights) for kind in (GREY_STAR, GREY_CENTRE)])
    return Tables(
        _of_one_colour(COLOURED_STAR, weights), grey, np.array(mixed), _of_numbers(weights), np.array(weights)
    )


TABLES = tables(Weights())


# ------------------------------------------------------------------------------------------ stars


class Outlook(NamedTuple):
    """How a board is looked at."""

    variant: int
    moment: int
    blend: float  # share of the moment before it in the game
    around: int  # see `surroundings`
    star: npt.NDArray[np.float32]
    mixed: npt.NDArray[np.float64]
    bonus_tile: float


@helper
def row(kind: int, moment: int, around: int, mask: int) -> int:
    """Where a star of one colour stands in its table: without tiles of its colour; with tiles, so many further."""
    return (((kind // GREY_CENTRE * MOMENTS + moment) * (LIKELY + 1) + around) * MASKS + mask) * TILES


@helper
def kind_of(variant: int, star: int) -> int:
    """What the star's spaces cost."""
    if variant == COLOURED:
        return COLOURED_CENTRE if star == CENTRE_STAR else COLOURED_STAR
    return GREY_CENTRE if star == CENTRE_STAR else GREY_STAR


@helper
def own_star(board: Record, outlook: Outlook, star: int) -> tuple[int, int]:
    """Where a star of one colour stands in the table, and its likelihood; NO_STAR: as one that is complete."""
    if star == NO_STAR:
        at = row(COLOURED_STAR, outlook.moment, 0, ALL_SLOTS)
        return at, at + LIKELY * PLANE
    around = outlook.around >> 4 * star & (SURROUNDINGS - 1)
    at = row(kind_of(outlook.variant, star), outlook.moment, around, np.int64(board.filled[star]))
    return at, at + (LIKELY - around) * PLANE


@helper
def worth(outlook: Outlook, own: tuple[int, int], colour: int, tiles: int) -> float:
    """What a star of one colour is worth with so many tiles; NO_COLOUR: it is not known which."""
    star, more = outlook.star, MORE_THAN_MEAN[colour]
    at, likely = own[0] + min(tiles, TILES - 1), own[1] + min(tiles, TILES - 1)
    now = star[at] + more * star[likely]
    if outlook.blend == 0.0:
        return now  # type: ignore[no-any-return]
    return now + outlook.blend * (star[at + LATER] + more * star[likely + LATER] - now)  # type: ignore[no-any-return]


@helper
def worth_of_mixed(outlook: Outlook, kind: int, mask: int) -> float:
    """What a star of six colours is worth."""
    now = outlook.mixed[kind, outlook.moment, mask]
    if outlook.blend == 0.0:
        return now  # type: ignore[no-any-return]
    return now + outlook.blend * (outlook.mixed[kind, outlook.moment + 1, mask] - now)  # type: ignore[no-any-return]


@helper
def surroundings(board: Record) -> int:
    """For each outer star, in four bits: which of its features are surrounded but for its own slots."""
    found, centre = 0, np.int64(board.filled[CENTRE_STAR])
    before, here = np.int64(board.filled[CENTRE_STAR - 1]), np.int64(board.filled[0])
    for star in range(CENTRE_STAR):
        after = np.int64(board.filled[star + 1 if star + 1 < CENTRE_STAR else 0])
        around = NEAR_READY if after & FAR_STATUE == FAR_STATUE else 0
        if before & NEAR_STATUE == NEAR_STATUE:
            around |= FAR_READY
        if centre & PILLAR_PAIR[star] == PILLAR_PAIR[star]:
            around |= PILLAR_READY
        found |= around << 4 * star
        before, here = here, after
    return found


@helper
def first_colour(board: Record, star: int) -> int:
    """The colour on the lowest filled slot of a star that is not empty."""
    filled = np.int64(board.filled[star])
    return np.int64(board.stars[star, POPCOUNT[(filled & -filled) - 1]]) - 1  # type: ignore[return-value]


@helper
def roles(board: Record, variant: int) -> tuple[int, int, int]:
    """(the star of each colour, in four bits; mask of empty stars; mask of those that may take six colours).

    On the coloured side stars are what they are, empty or not. A grey star with one tile is both.
    """
    if variant == COLOURED:
        return HOMES, 0, 1 << CENTRE_STAR
    homes, empty, mixed = NO_HOMES, 0, 0
    for star in range(STAR_COUNT):
        filled, takes = np.int64(board.filled[star]), np.int64(board.open_to[star])
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
    """The colour of a star that is of one, or may be yet; NO_COLOUR: empty, of any; MIXED: of six."""
    if variant == COLOURED:
        return MIXED if star == CENTRE_STAR else STAR_COLOUR[star]  # type: ignore[no-any-return]
    if board.filled[star] == 0:
        return NO_COLOUR
    colour = first_colour(board, star)
    return colour if board.open_to[star] >> colour & 1 else MIXED


@helper
def worth_of_stars(board: Record, outlook: Outlook) -> float:
    """What all stars are worth to an empty hand."""
    points = 0.0
    for star in range(STAR_COUNT):
        colour = colour_of_star(board, outlook.variant, star)
        if colour == MIXED:
            points += worth_of_mixed(outlook, kind_of(outlook.variant, star), board.filled[star])
        else:
            points += worth(outlook, own_star(board, outlook, star), colour, 0)
    return points


@helper
def worth_of_numbers(board: Record, variant: int, moment: int, number: Floats) -> float:
    """What the bonuses for all spaces of a number may count for."""
    filled, points = 0, 0.0
    for star in range(STAR_COUNT):
        filled += NUMBERS_ON[kind_of(variant, star), board.filled[star]]
    for value in range(1, len(NUMBER_BONUS)):
        points += number[variant, value, filled >> 4 * value & 15, moment]
    return points


# ------------------------------------------------------------------------------------------- hands


@helper
def gain_of_mixed(board: Record, outlook: Outlook, star: int, slot: int) -> float:
    """Points that one tile on a free slot of a star of six colours brings, now and later."""
    filled, kind = np.int64(board.filled[star]), kind_of(outlook.variant, star)
    points = RUN[filled, slot] + worth_of_mixed(outlook, kind, filled | 1 << slot)
    points -= worth_of_mixed(outlook, kind, filled)
    tiles = CLOSING[kind, outlook.around >> 4 * star & (SURROUNDINGS - 1), filled, slot]
    if star == CENTRE_STAR:
        for outer in (slot, (slot + 1) % SLOTS):
            pair = PILLAR_PAIR[outer]
            if (filled | 1 << slot) & pair == pair and np.int64(board.filled[outer]) & PILLAR == PILLAR:
                tiles += PILLAR_TILES
    return points + tiles * outlook.bonus_tile  # type: ignore[no-any-return]


@helper
def list_gains(board: Record, outlook: Outlook, mixed: int, gains: Floats) -> None:
    """gains[star * SLOTS + slot] for all free slots of the stars that may take six colours, else FAR_LESS."""
    for star in range(STAR_COUNT):
        if mixed >> star & 1:
            for slot in range(SLOTS):
                free = not board.filled[star] >> slot & 1
                gains[star * SLOTS + slot] = gain_of_mixed(board, outlook, star, slot) if free else FAR_LESS


@helper
def on_mixed(
    board: Record, outlook: Outlook, own: tuple[int, int], colour: int, tiles: int, mixed: int, gains: Floats
) -> int:
    """The place in `gains` where one tile of the colour is worth more than on its own star; -1: nowhere."""
    best, most = -1, worth(outlook, own, colour, tiles)
    for star in range(STAR_COUNT):
        if mixed >> star & board.open_to[star] >> colour & 1:
            for slot in range(SLOTS):
                cost, place = NUMBERS[outlook.variant, star, slot], star * SLOTS + slot
                if cost <= tiles and gains[place] > 0.0:
                    points = gains[place] + worth(outlook, own, colour, tiles - cost)
                    if points > most:
                        best, most = place, points
    return best


@helper
def with_wilds(best: Floats, options: Floats, wilds: int, most: int) -> None:
    """best[w], points with w wild tiles, once a colour may use k <= most of them and makes options[k] of these."""
    for w in range(wilds, -1, -1):
        points = best[w] + options[0]
        for k in range(1, min(w, most) + 1):
            points = max(points, best[w - k] + options[k])
        best[w] = points


@helper
def worth_of_hand(board: Record, outlook: Outlook, wild: int, room: Floats) -> float:
    """Points that the tiles beside the board, or in its corners, add to its stars; wild -1: no colour is."""
    homes, empty, mixed = roles(board, outlook.variant)
    placing = outlook.moment % 2 == 1
    best, options, gains = room[: MOST_WILDS + 1], room[MOST_WILDS + 1 :], room[2 * MOST_WILDS + 2 :]
    wilds = min(MOST_WILDS, board.hand[wild] + board.corners[wild]) if wild >= 0 else 0
    best[:] = FAR_LESS
    best[0] = 0.0
    if placing:
        list_gains(board, outlook, mixed, gains)
    for k in range(1, KINDS + 1):
        colour = (wild + k) % KINDS  # the wild one last
        tiles = 0 if colour == wild else np.int64(board.hand[colour]) + board.corners[colour]
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
            others = mixed & ~(1 << home)
            place = on_mixed(board, outlook, own, colour, tiles, others, gains)
            if place >= 0:
                gain = gains[place]
                gains[place] = FAR_LESS
                tiles -= NUMBERS[outlook.variant, place // SLOTS, place % SLOTS]
        for w in range(usable + 1):
            options[w] = gain + worth(outlook, own, colour, tiles + w) - none
        with_wilds(best, options, wilds, usable)
    return best[wilds]  # type: ignore[no-any-return]


# ------------------------------------------------------------------------------------------- seats


@helper
def still_to_acquire(game: Record) -> float:
    """Share of the round's tiles that lie in the sources."""
    left = 0
    for source in range(SOURCES):
        for colour in range(KINDS):
            left += game.tiles[source, colour]
    return left / (TILES_A_FACTORY * factory_count(game.seats))  # type: ignore[no-any-return]


@helper
def judge_seat(game: Record, seat: int, blend: float, tables: Tables, room: Floats) -> float:
    """What one seat may expect."""
    board, variant, weights = game.boards[seat], np.int64(game.variant), tables.weights
    rounds = ROUNDS - np.int64(game.round_number)
    placing = game.status != DRAWING if game.stage == ACQUIRING else not game.passed >> seat & 1
    moment = 2 * rounds + placing
    wild = ROUNDS - rounds - placing if moment else -1
    star = tables.coloured if variant == COLOURED else tables.grey
    bonus_tile = weights[BONUS_TILE if rounds else LAST_BONUS_TILE]
    outlook = Outlook(variant, moment, blend, surroundings(board), star, tables.mixed, bonus_tile)
    points = game.score[seat] + worth_of_stars(board, outlook)
    points += worth_of_hand(board, outlook, wild, room) * (weights[PLAN] if placing else 1.0)
    points += worth_of_numbers(board, variant, moment + (blend > 0.0), tables.number)
    if placing and rounds and blend == 0.0:
        points += weights[NEXT_WILD] * min(CORNER_SPACES, board.hand[wild + 1])
    if game.start_token == seat:
        points += weights[START_TOKEN]
    if game.bonus_owed and seat == game.seat:
        points += game.bonus_owed * bonus_tile
    return points  # type: ignore[no-any-return]


@helper
def judge(game: Record, points: Floats, tables: Tables) -> None:
    """`estimate`, by these tables."""
    if game.status == OVER:
        points[: game.seats] = game.score[: game.seats]
        return
    room = np.empty(2 * (MOST_WILDS + 1) + STAR_COUNT * SLOTS)
    blend = still_to_acquire(game) if game.stage == ACQUIRING and game.status != DRAWING else 0.0
    for seat in range(game.seats):
        points[seat] = judge_seat(game, seat, blend, tables, room)


@rule
def estimate(game: Record, points: Floats) -> None:
    """Points each seat may expect to have at the end; the score itself when the game is over."""
    judge(game, points, TABLES)
