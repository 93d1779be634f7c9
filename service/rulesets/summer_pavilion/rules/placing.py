"""Phase 2, play: the seat to decide places one tile and takes the bonus tiles it earns, or passes.

A turn ends with a pass, or with a placement and its last bonus tile, if it earns any. Then the supply is filled, and it
is the turn of the next seat clockwise that has not passed. After the last pass the round ends without filling it.
"""

from __future__ import annotations

import numpy as np

from service.rulesets.kernel import DECIDING, DRAWING, Record, helper
from service.rulesets.parts.turns import has_everyone_passed, next_to_play
from service.rulesets.summer_pavilion.rules.components import (
    CENTRE_STAR,
    FEATURE_SLOTS,
    FEATURE_TILES,
    FEATURES_AT,
    KEEPS,
    NO_FEATURE,
    NUMBERS,
    RUN,
    SUPPLY_SPACES,
)
from service.rulesets.summer_pavilion.rules.scoring import kind_of_star, lose
from service.rulesets.summer_pavilion.rules.state import (
    ALL_COLOURS,
    COLOURED,
    ENDING_ROUND,
    KINDS,
    PLAYING,
    STAR_COUNT,
    TAKING_BONUS,
    wild_colour,
)
from service.rulesets.summer_pavilion.rules.steps import Reason

# ------------------------------------------------------------------------------------ legality


@helper
def colours_after(board: Record, variant: int, star: int, colour: int) -> int:
    """Return the colours that the star can take after a tile of this colour. Call it before the tile is placed.

    The second tile determines a grey star's kind: one colour, or six different ones.
    """
    now = np.int64(board.open_to[star])
    if variant == COLOURED:
        return now ^ (1 << colour) if star == CENTRE_STAR else now  # type: ignore[return-value]
    filled = board.filled[star]
    if filled == 0:
        return ALL_COLOURS
    if filled & (filled - 1) == 0:  # one tile
        first = kind_of_star(board, star)
        return 1 << colour if first == colour else ALL_COLOURS ^ (1 << colour | 1 << first)
    return now if kind_of_star(board, star) == colour else now ^ (1 << colour)  # type: ignore[return-value]


@helper
def fewest_wilds(board: Record, number: int, colour: int) -> int:
    """Return the minimum number of wild tiles for a placement of this number."""
    return max(0, number - board.hand[colour])


@helper
def most_wilds(game: Record, board: Record, number: int, colour: int) -> int:
    """Return the maximum number of wild tiles for a placement; less than `fewest_wilds` if it cannot be paid."""
    wild = wild_colour(game)
    if colour == wild or board.hand[colour] == 0:
        return 0
    return min(number - 1, board.hand[wild])


@helper
def most_tiles(game: Record, board: Record, colour: int) -> int:
    """Return the greatest number that the hand can pay in that colour, up to 6; 0 without a tile of the colour."""
    own = int(board.hand[colour])
    if own and colour != wild_colour(game):
        own += board.hand[wild_colour(game)]
    return min(own, 6)


@helper
def check_space(board: Record, variant: int, star: int, slot: int, colour: int) -> int:
    """Return the reason why the board cannot take the colour on this space, or 0."""
    if board.filled[star] >> slot & 1:
        return Reason.SPACE_TAKEN
    if board.open_to[star] >> colour & 1:
        return 0
    if variant == COLOURED and star != CENTRE_STAR:
        return Reason.STAR_TAKES_OTHER_COLOUR
    for tile in board.stars[star]:
        if tile == colour + 1:
            return Reason.STAR_HOLDS_COLOUR
    return Reason.STAR_TAKES_OTHER_COLOUR


@helper
def check_payment(board: Record, wild: int, number: int, colour: int, wilds: int) -> int:
    """Return the reason why the hand cannot pay the number in that colour with this many wilds, or 0."""
    if board.hand[colour] == 0:
        return Reason.COLOUR_NOT_IN_HAND
    if colour == wild and wilds > 0:
        return Reason.WILD_NEEDS_NO_WILDS
    if wilds >= number:
        return Reason.TOO_MANY_WILDS
    if board.hand[colour] < number - wilds:
        return Reason.NOT_ENOUGH_TILES
    return Reason.NOT_ENOUGH_WILDS if board.hand[wild] < wilds else 0


@helper
def check_place(game: Record, star: int, slot: int, colour: int, wilds: int) -> int:
    """Return the reason why the seat to decide cannot make this placement, or 0."""
    board = game.boards[game.seat]
    reason = check_space(board, game.variant, star, slot, colour)
    if reason:
        return reason
    return check_payment(board, wild_colour(game), NUMBERS[game.variant, star, slot], colour, wilds)


@helper
def check_take_bonus(game: Record, colour: int) -> int:
    """Return the reason why the seat to decide cannot take that bonus tile, or 0."""
    return 0 if game.supply[colour] else Reason.COLOUR_NOT_IN_SUPPLY


@helper
def check_pass(game: Record, keep: int) -> int:
    """Return the reason why the seat to decide cannot pass and keep the tiles KEEPS[keep], or 0. It may keep fewer."""
    for colour in range(KINDS):
        if KEEPS[keep, colour] > game.boards[game.seat].hand[colour]:
            return Reason.KEPT_NOT_IN_HAND
    return 0


# ------------------------------------------------------------------------------------- actions


@helper
def can_surround(board: Record, feature: int, star: int, slot: int) -> bool:
    """Return True if a tile on that space would surround the feature: its other spaces hold tiles."""
    if feature == NO_FEATURE:
        return False
    for other in range(STAR_COUNT):
        open_slots = FEATURE_SLOTS[feature, other] & ~np.int64(board.filled[other])
        if other == star:
            open_slots &= ~(np.int64(1) << slot)
        if open_slots:
            return False
    return True


@helper
def bonus_of(board: Record, star: int, slot: int) -> int:
    """Return the bonus tiles that a tile on that free space would earn for all features together."""
    tiles = 0
    for feature in FEATURES_AT[star, slot]:
        if can_surround(board, feature, star, slot):
            tiles += FEATURE_TILES[feature]
    return tiles


@helper
def place(game: Record, star: int, slot: int, colour: int, wilds: int) -> None:
    """Place a tile, pay for it and score it. Set the bonus tiles to take, or end the turn if there are none."""
    board, wild = game.boards[game.seat], wild_colour(game)
    own = NUMBERS[game.variant, star, slot] - wilds
    board.hand[colour] -= own
    board.hand[wild] -= wilds
    game.tower[colour] += own - 1
    game.tower[wild] += wilds
    game.score[game.seat] += RUN[board.filled[star], slot]
    earned = bonus_of(board, star, slot)
    board.open_to[star] = colours_after(board, game.variant, star, colour)
    board.stars[star, slot] = colour + 1
    board.filled[star] |= 1 << slot
    game.bonus_owed = min(earned, game.supply.sum()) if earned else 0
    if game.bonus_owed:
        game.stage = TAKING_BONUS
    else:
        end_turn(game)


@helper
def take_bonus(game: Record, colour: int) -> None:
    """Move one bonus tile from the supply to the hand."""
    game.supply[colour] -= 1
    game.boards[game.seat].hand[colour] += 1
    game.bonus_owed -= 1
    if game.bonus_owed == 0:
        game.stage = PLAYING
        end_turn(game)


@helper
def pass_round(game: Record, keep: int) -> None:
    """Keep tiles in the corners and discard the others to the tower. Each discarded tile costs a point.

    The seat has no more turns this round.
    """
    board = game.boards[game.seat]
    discarded = 0
    for colour in range(KINDS):
        kept = KEEPS[keep, colour]
        rest = board.hand[colour] - kept
        board.corners[colour] = kept
        board.hand[colour] = 0
        game.tower[colour] += rest
        discarded += rest
    lose(game, game.seat, discarded)
    game.passed |= 1 << game.seat
    end_turn(game)


@helper
def can_fill_supply(game: Record) -> bool:
    """Return True if the supply has a free space and a tile can be drawn for it."""
    return game.supply.sum() < SUPPLY_SPACES and (game.bag.any() or game.tower.any())


@helper
def end_turn(game: Record) -> None:
    """Continue with the next seat that has not passed, after filling the supply, or end the round."""
    if has_everyone_passed(game):
        game.stage = ENDING_ROUND
        return
    game.seat = next_to_play(game)
    game.status = DRAWING if can_fill_supply(game) else DECIDING
