"""The rules of Summer Pavilion. Order of play by the rulebook's headings:

*Phase 1, acquire tiles* (`stage` ACQUIRING): the seat to decide takes the tiles of one colour from a source, plus one
   wild tile. Play passes clockwise until no source holds a tile (acquiring.py).
*Phase 2, play tiles and score points* (PLAYING, TAKING_BONUS): beginning with the token's holder, each turn is one tile
   or a pass (placing.py). Between turns a draw fills the supply (PLAYING, while DRAWING).
*Phase 3, prepare the next round* (ENDING_ROUND, then ACQUIRING while DRAWING): the supply, then the factories
   (chance.py).
*End of the game*, after round 6: bonuses seat by seat (COUNTING), then tiles left in corners (PAYING_LEFTOVERS).

Actions are integers, see FIRST_…: acquire source * 6 + colour; place ((star * 6 + slot) * 6 + colour) * 6 + wilds; take
a bonus tile of a colour; pass and keep KEEPS[k].
"""

from __future__ import annotations

import numpy as np

from service.rulesets.kernel import DECIDING, DRAWING, OVER, Ints, Record, RngState, draw, helper, random_below
from service.rulesets.parts.factories import SOURCES
from service.rulesets.parts.masks import POPCOUNT, place_of_bit
from service.rulesets.parts.steps import NOTHING_FOLLOWS, CommonReason, check_deciding, pack_effect
from service.rulesets.summer_pavilion.rules.acquiring import (
    acquire,
    check_acquire,
    sources_of,
)
from service.rulesets.summer_pavilion.rules.components import (
    CORNER_SPACES,
    KEEP_AT,
    KEEP_PLACE,
    KEEPS,
    NUMBER_SLOTS,
    NUMBERS,
    ROUNDS,
    SLOTS,
)
from service.rulesets.summer_pavilion.rules.placing import (
    check_pass,
    check_place,
    check_take_bonus,
    fewest_wilds,
    most_tiles,
    most_wilds,
    pass_round,
    place,
    take_bonus,
)
from service.rulesets.summer_pavilion.rules.scoring import end_bonus, lose
from service.rulesets.summer_pavilion.rules.state import (
    ACQUIRING,
    COUNTING,
    ENDING_ROUND,
    KINDS,
    PAYING_LEFTOVERS,
    PLAYING,
    STAR_COUNT,
    TAKING_BONUS,
    rule,
)
from service.rulesets.summer_pavilion.rules.steps import Effect, Reason

WILDS = SLOTS  # a placement uses 0..5 of them
FIRST_PLACE = SOURCES * KINDS  # 60
FIRST_TAKE_BONUS = FIRST_PLACE + STAR_COUNT * SLOTS * KINDS * WILDS  # 1572
FIRST_PASS = FIRST_TAKE_BONUS + KINDS
ACTION_COUNT = FIRST_PASS + len(KEEPS)  # 1788

# PAYABLE[variant, star, tiles]: slots of the star whose number is at most `tiles`
PAYABLE = np.cumsum(NUMBER_SLOTS, axis=1).transpose(0, 2, 1).copy()


@helper
def placement(action: int) -> tuple[int, int, int, int]:
    """Return (star, slot, colour, wilds) of a placement."""
    rest = action - FIRST_PLACE
    return rest // (SLOTS * KINDS * WILDS), rest // (KINDS * WILDS) % SLOTS, rest // WILDS % KINDS, rest % WILDS


@helper
def placing(star: int, slot: int, colour: int, wilds: int) -> int:
    """Return the action of a placement."""
    return FIRST_PLACE + ((star * SLOTS + slot) * KINDS + colour) * WILDS + wilds


# ------------------------------------------------------------- phase 3, and the end of the game


@helper
def end_round(game: Record) -> int:
    """End the round after the last pass: the next deal is due, or the bonuses are counted."""
    game.seat = 0
    if game.round_number == ROUNDS:
        game.stage = COUNTING
    else:
        game.stage = ACQUIRING
        game.status = DRAWING
    return pack_effect(Effect.ROUND_ENDED, game.round_number)


@helper
def count_bonus(game: Record) -> int:
    """Score the end bonus of the next seat. After the last seat, tiles left in corners are paid for."""
    seat = game.seat
    stars, numbers = end_bonus(game.boards[seat], game.variant)
    game.score[seat] += stars + numbers
    game.seat += 1
    if game.seat == game.seats:
        game.seat = 0
        game.stage = PAYING_LEFTOVERS
    return pack_effect(Effect.END_BONUS, seat, stars + numbers)


@helper
def pay_leftovers(game: Record) -> int:
    """Charge the next seat for tiles in its corners, a point each. After the last seat the game is over."""
    seat = game.seat
    if seat == game.seats:
        game.seat = 0
        game.stage = ACQUIRING
        game.status = OVER
        return pack_effect(Effect.GAME_ENDED)
    board = game.boards[seat]
    board.leftover_penalty = lose(game, seat, board.corners.sum())
    game.tower += board.corners
    board.corners[:] = 0
    game.seat += 1
    return pack_effect(Effect.LEFTOVER_PENALTY, seat, board.leftover_penalty)


@rule
def settle(game: Record) -> int:
    """Perform the next automatic step and return its packed effect, or 0 if there is none."""
    if game.stage == ENDING_ROUND:
        return end_round(game)
    if game.stage == COUNTING:
        return count_bonus(game)
    if game.stage == PAYING_LEFTOVERS:
        return pay_leftovers(game)
    return NOTHING_FOLLOWS


# ------------------------------------------------------------------------------------------- decisions


@rule
def act(game: Record, action: int) -> None:
    """Perform only the decision."""
    if action < FIRST_PLACE:
        acquire(game, action // KINDS, action % KINDS)
    elif action < FIRST_TAKE_BONUS:
        star, slot, colour, wilds = placement(action)
        place(game, star, slot, colour, wilds)
    elif action < FIRST_PASS:
        take_bonus(game, action - FIRST_TAKE_BONUS)
    else:
        pass_round(game, action - FIRST_PASS)


@helper
def check_stage(game: Record, action: int) -> int:
    """Return the reason why this type of action is impossible in this stage, or 0."""
    if FIRST_TAKE_BONUS <= action < FIRST_PASS:
        return 0 if game.stage == TAKING_BONUS else Reason.NO_BONUS_OWED
    if game.stage == TAKING_BONUS:
        return Reason.TAKE_BONUS_FIRST
    if action < FIRST_PLACE:
        return 0 if game.stage == ACQUIRING else Reason.NOT_ACQUIRING
    return 0 if game.stage == PLAYING else Reason.NOT_PLAYING


@rule
def check(game: Record, action: int) -> int:
    """Return the reason (steps.py) why the action is illegal, or 0."""
    if not 0 <= action < ACTION_COUNT:
        return CommonReason.UNKNOWN_ACTION
    reason = check_deciding(game) or check_stage(game, action)
    if reason:
        return reason
    if action < FIRST_PLACE:
        return check_acquire(game, action // KINDS, action % KINDS)
    if action < FIRST_TAKE_BONUS:
        star, slot, colour, wilds = placement(action)
        return check_place(game, star, slot, colour, wilds)
    if action < FIRST_PASS:
        return check_take_bonus(game, action - FIRST_TAKE_BONUS)
    return check_pass(game, action - FIRST_PASS)


@helper
def payable(game: Record, board: Record, star: int, colour: int) -> int:
    """Return the mask of the free slots of the star on which the hand can place the colour."""
    if not board.open_to[star] >> colour & 1:
        return 0
    return PAYABLE[game.variant, star, most_tiles(game, board, colour)] & ~np.int64(board.filled[star])


@helper
def list_placements(game: Record, out: Ints) -> int:
    """List placements by star, slot, colour and wilds."""
    count = 0
    board = game.boards[game.seat]
    for star in range(STAR_COUNT):
        for slot in range(SLOTS):
            number = NUMBERS[game.variant, star, slot]
            for colour in range(KINDS):
                if payable(game, board, star, colour) >> slot & 1:
                    for wilds in range(
                        fewest_wilds(board, number, colour), most_wilds(game, board, number, colour) + 1
                    ):
                        out[count] = placing(star, slot, colour, wilds)
                        count += 1
    return count


@helper
def list_passes(game: Record, out: Ints, count: int) -> int:
    """Append the passes, by the tiles kept, to `count` actions and return the new count."""
    for keep in range(len(KEEPS)):
        if check_pass(game, keep) == 0:
            out[count] = FIRST_PASS + keep
            count += 1
    return count


@rule
def legal_actions(game: Record, out: Ints) -> int:
    """List the legal actions by source and colour; by star, slot, colour and wilds, then passes; or by bonus colour."""
    count = 0
    if game.status != DECIDING:
        return 0
    if game.stage == PLAYING:
        return list_passes(game, out, list_placements(game, out))
    if game.stage == TAKING_BONUS:
        for colour in range(KINDS):
            if game.supply[colour]:
                out[count] = FIRST_TAKE_BONUS + colour
                count += 1
        return count
    for colour in range(KINDS):
        sources = sources_of(game, colour)
        for source in range(SOURCES):
            if sources >> source & 1:
                out[count] = source * KINDS + colour
                count += 1
    return count


# -------------------------------------------------------------------------------------- random actions


@helper
def random_acquire(game: Record, rng: RngState) -> int:
    """Return a random acquisition; all sources and colours are equally likely."""
    total = 0
    for colour in range(KINDS):
        total += POPCOUNT[sources_of(game, colour)]
    rest = random_below(rng, total)
    for colour in range(KINDS):
        sources = sources_of(game, colour)
        if rest < POPCOUNT[sources]:
            return place_of_bit(sources, rest) * KINDS + colour
        rest -= POPCOUNT[sources]
    return -1  # not reached


@helper
def random_keep(game: Record, rng: RngState) -> int:
    """Return random tiles to keep: as many as possible in three of four cases, else fewer."""
    hand = game.boards[game.seat].hand.astype(np.int64)
    held = hand.sum()
    count = min(held, CORNER_SPACES)
    if count and random_below(rng, 4) == 0:
        count = random_below(rng, count)
    number = 0
    for _ in range(count):
        colour = draw(rng, hand, held)
        hand[colour] -= 1
        held -= 1
        number += KEEP_PLACE[colour]
    return KEEP_AT[number]


@helper
def random_play(game: Record, rng: RngState) -> int:
    """Return a random placement or pass.

    Each payable space and colour and passing are equally likely. Wild tiles, or kept tiles, are then chosen at random.
    """
    board = game.boards[game.seat]
    total = 1
    for colour in range(KINDS):
        for star in range(STAR_COUNT):
            total += POPCOUNT[payable(game, board, star, colour)]
    rest = random_below(rng, total)
    for colour in range(KINDS):
        for star in range(STAR_COUNT):
            slots = payable(game, board, star, colour)
            if rest < POPCOUNT[slots]:
                slot = place_of_bit(slots, rest)
                number = NUMBERS[game.variant, star, slot]
                fewest = fewest_wilds(board, number, colour)
                wilds = fewest + random_below(rng, most_wilds(game, board, number, colour) - fewest + 1)
                return placing(star, slot, colour, wilds)
            rest -= POPCOUNT[slots]
    return FIRST_PASS + random_keep(game, rng)


@rule
def random_action(game: Record, rng: RngState) -> int:
    """Return a random legal action, not equally likely. There must be one: status is DECIDING."""
    if game.stage == ACQUIRING:
        return random_acquire(game, rng)
    if game.stage == PLAYING:
        return random_play(game, rng)
    total = 0
    for colour in range(KINDS):
        total += game.supply[colour] > 0
    rest = random_below(rng, total)
    for colour in range(KINDS):
        if game.supply[colour]:
            if rest == 0:
                return FIRST_TAKE_BONUS + colour
            rest -= 1
    return -1  # not reached
