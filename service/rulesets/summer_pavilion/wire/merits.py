"""Merits of actions, from the rules alone.

Points of the round count what the hand can still place after the action. The options of the next opponent are those
right after it.
"""

from __future__ import annotations

from collections.abc import Iterator

from service.rulesets.kernel import Record
from service.rulesets.parts.factories import SOURCE_NAMES
from service.rulesets.shared_effects import Merit
from service.rulesets.summer_pavilion.rules.components import (
    ALL_SLOTS,
    COLOURS,
    FEATURE_NAMES,
    FEATURE_SLOTS,
    FEATURE_TILES,
    MIN_SCORE,
    NUMBER_BONUS,
    NUMBER_SLOTS,
    NUMBERS,
    ROUNDS,
    RUN,
    SLOTS,
    STARS,
)
from service.rulesets.summer_pavilion.rules.game import FIRST_PASS, FIRST_PLACE, FIRST_TAKE_BONUS, payable
from service.rulesets.summer_pavilion.rules.placing import colours_after, fewest_wilds
from service.rulesets.summer_pavilion.rules.scoring import number_bonus, star_bonus
from service.rulesets.summer_pavilion.rules.state import ACQUIRING, KINDS, STAR_COUNT, rule, wild_colour
from service.rulesets.summer_pavilion.wire.choices import choices
from service.rulesets.wire import places_of


def merits(table_state: Record, action: int) -> list[Merit]:
    """Perform a legal action on the record and return its merits."""
    seat = int(table_state.seat)
    score, held = int(table_state.score[seat]), table_state.boards[seat].hand.copy()
    rule.act(table_state, action)
    board, points = table_state.boards[seat], int(table_state.score[seat]) - score
    points -= _leftover_penalty(table_state, seat)
    found = [
        Merit("points", points, details={"gain": points > 0}),
        Merit("start_token", int(table_state.start_token == seat)),
        Merit("in_round", int(not table_state.passed >> seat & 1), 0.5),
    ]
    if action < FIRST_PLACE:
        taken = board.hand - held
        found += [
            Merit("tiles", int(taken.sum()), 0.4),
            Merit("jokers", int(taken[wild_colour(table_state)]), 0.7),
        ]
    else:
        found += _kept_merits(table_state, board, is_gained=FIRST_TAKE_BONUS <= action < FIRST_PASS)
    if FIRST_PLACE <= action < FIRST_TAKE_BONUS:
        found.append(Merit("bonus", int(table_state.bonus_owed), 1.5))
    if action >= FIRST_PASS:
        found.append(Merit("points_of_round", points))
    else:
        found += _hand_merits(table_state, board, points, is_kept=FIRST_PLACE <= action < FIRST_TAKE_BONUS)
    found += _board_merits(table_state, board)
    return [*found, *_opponent_merits(table_state)] if table_state.stage == ACQUIRING else found


def _leftover_penalty(table_state: Record, seat: int) -> int:
    """Return the points that the tiles in the corners cost at the end of the game; 0 before the last round."""
    if table_state.round_number < ROUNDS:
        return 0
    return min(int(table_state.boards[seat].corners.sum()), int(table_state.score[seat]) - MIN_SCORE)


def _kept_merits(table_state: Record, board: Record, *, is_gained: bool) -> Iterator[Merit]:
    """Yield the tiles that are left in hand, or in the corners after a pass. `is_gained`: one was gained."""
    kept, round_number = (board.hand + board.corners).tolist(), int(table_state.round_number)
    is_useful = round_number < ROUNDS or sum(kept) == board.hand.sum()
    yield Merit("tiles_kept", sum(kept), 0.4 if is_useful else 0.0)
    if not is_useful:
        return
    yield Merit("jokers_kept", int(board.hand[wild_colour(table_state)]), 0.7, {"gained": is_gained})
    if round_number < ROUNDS:
        yield Merit("next_jokers", kept[round_number], 0.5, {"colour": COLOURS[round_number], "gained": is_gained})
    for number, colour in enumerate(COLOURS):
        is_wild = round_number - number in (0, 1)  # in this round or the next
        worth = 0.3 if not is_wild and _is_wanted(board, number) else 0.0
        yield Merit("colour_tiles", kept[number], worth, {"colour": colour, "gained": is_gained}, number)


def _is_wanted(board: Record, colour: int) -> bool:
    """Return True if a star with a free space is open to the colour."""
    return any(board.filled[star] != ALL_SLOTS and board.open_to[star] >> colour & 1 for star in range(STAR_COUNT))


def _hand_merits(table_state: Record, board: Record, points: int, *, is_kept: bool) -> Iterator[Merit]:
    """Yield what the hand can place. `points`: of the action itself. `is_kept`: it gains no tiles."""
    yield Merit("points_of_round", points + _points_to_place(table_state, board))
    for star, name in enumerate(STARS):
        slots = 0
        for colour in range(KINDS):
            slots |= int(payable(table_state, board, star, colour))
        number = max((int(NUMBERS[table_state.variant, star, slot]) for slot in places_of(slots)), default=0)
        yield Merit("affordable", number, 0.3 if number > 2 else 0.0, {"star": name, "kept": is_kept}, star)


def _points_to_place(table_state: Record, board: Record) -> int:
    """Return the points of placements that the hand can pay, those with the most points first."""
    board, wild, points = board.copy(), int(wild_colour(table_state)), 0
    variant = int(table_state.variant)
    while options := [
        (int(RUN[board.filled[star], slot]), -int(NUMBERS[variant, star, slot]), star, slot, colour)
        for star in range(STAR_COUNT)
        for colour in range(KINDS)
        for slot in places_of(payable(table_state, board, star, colour))
    ]:
        run, cost, star, slot, colour = max(options)
        wilds = int(fewest_wilds(board, -cost, colour))
        board.hand[colour] -= -cost - wilds
        board.hand[wild] -= wilds
        board.open_to[star] = colours_after(board, variant, star, colour)
        board.stars[star, slot] = colour + 1
        board.filled[star] |= 1 << slot
        points += run
    return points


def _board_merits(table_state: Record, board: Record) -> Iterator[Merit]:
    """Yield complete and almost complete stars, numbers and features."""
    variant, filled = int(table_state.variant), board.filled.tolist()
    for star, name in enumerate(STARS):
        count = filled[star].bit_count()
        yield Merit("star_completed", int(star_bonus(board, star)), 1.0, {"star": name}, star)
        yield Merit("star_tiles", count, 0.2 * count if 2 < count < SLOTS else 0.0, {"star": name}, star)
    for number in range(1, len(NUMBER_BONUS)):
        around = NUMBER_SLOTS[variant, number].tolist()
        count, spaces = (
            sum(mask.bit_count() for mask in masks)
            for masks in ([slots & mask for slots, mask in zip(around, filled, strict=True)], around)
        )
        named = {"number": number, "spaces": spaces}
        yield Merit("number_completed", int(number_bonus(board, variant, number)), 1.0, named, number)
        yield Merit("number_tiles", count, 0.3 if spaces // 2 < count < spaces else 0.0, named, number)
    for feature, name in enumerate(FEATURE_NAMES):
        lacking = sum(
            (slots & ~mask).bit_count() for slots, mask in zip(FEATURE_SLOTS[feature].tolist(), filled, strict=True)
        )
        worth, kind = 0.7 * float(FEATURE_TILES[feature]) if lacking == 1 else 0.0, name.partition("_")[0]
        yield Merit("feature_ready", int(lacking <= 1), worth, {"kind": kind}, feature)


def _opponent_merits(table_state: Record) -> Iterator[Merit]:
    """Yield what the next opponent can acquire."""
    seat, losses = int(table_state.seat), []
    wild, board = int(wild_colour(table_state)), table_state.boards[seat]
    most = dict.fromkeys(range(KINDS), 0)
    tiles = 0
    for source in choices(table_state)["acquire"]:
        lying = table_state.tiles[SOURCE_NAMES.index(source["source"])].tolist()
        for option in source["colours"]:
            losses.append(-option["points"])
            colour = COLOURS.index(option["colour"])
            count = 1 if colour == wild else lying[colour]
            most[colour] = max(most[colour], count)
            tiles = max(tiles, count + (colour != wild and lying[wild] > 0))
    for colour, count in most.items():
        worth = 0.5 if colour != wild and _is_wanted(board, colour) else 0.0
        yield Merit("deny", -count, worth, {"seat": seat, "colour": COLOURS[colour]}, colour)
    yield Merit("opponent_loss", min(losses), 0.8, {"seat": seat})
    yield Merit("opponent_tiles", -tiles, 0.3, {"seat": seat})
