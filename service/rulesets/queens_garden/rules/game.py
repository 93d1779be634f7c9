"""The rules of Queen's Garden. Order of play by the rulebook's headings:

*Phase 1* (`stage` PLAYING): in turn each seat that has not passed acquires hexagons (display.py), places a tile or an
   expansion (garden.py, payments.py), buys an expansion, or passes and may discard. After an acquisition, draws may
   fill the stack's top (FILLING) and turn faces (TURNING), see chance.py.
*Phase 2, scoring* (SCORING), seat by seat; *phase 3, prepare the next round* (ENDING_ROUND, PREPARING), then FILLING.
*Final scoring*, after round 4: storages seat by seat (COUNTING_STORAGES), then groups (SCORING_GROUPS).

Actions are integers, see codes.py. moves.py lists and samples legal actions.
"""

from __future__ import annotations

import numpy as np

from service.rulesets.kernel import DECIDING, DRAWING, OVER, Record, helper
from service.rulesets.parts.steps import NOTHING_FOLLOWS, CommonReason, check_deciding, pack_effect
from service.rulesets.parts.turns import has_everyone_passed, next_to_play
from service.rulesets.queens_garden.rules.codes import (
    ACQUIRE,
    BUY_EXPANSION,
    EXPANSION_RANKS,
    PASS,
    PIECE_BITS,
    PLACE_EXPANSION,
    PLACE_TILE,
    REFUSED,
    SOURCES,
    TILE_RANKS,
    is_well_formed_payment,
    kind_of,
    piece_of,
    unpack_acquire,
    unpack_discards,
    unpack_place_expansion,
    unpack_place_tile,
)
from service.rulesets.queens_garden.rules.components import (
    AREAS,
    FIRST_OF_AREA,
    FIRST_PASS_PENALTY,
    HEXAGONS,
    KINDS,
    PRICE,
    ROUNDS,
    SPACES,
)
from service.rulesets.queens_garden.rules.display import (
    acquire,
    check_acquire,
    clear_display,
    expansions_to_turn,
    spread_stack,
)
from service.rulesets.queens_garden.rules.garden import (
    check_area,
    check_free,
    check_garden,
    gain_jokers,
    jokers_of_space,
    lay_expansion,
    lay_face_down,
    show,
)
from service.rulesets.queens_garden.rules.payments import check_payment, pay, take_expansion, take_tile
from service.rulesets.queens_garden.rules.scoring import lose, points_of_groups, round_points, value_left
from service.rulesets.queens_garden.rules.state import (
    COUNTING_STORAGES,
    ENDING_ROUND,
    FILLING,
    IN_DISPLAY,
    PLAYING,
    PREPARING,
    SCORING,
    SCORING_GROUPS,
    TURNING,
    rule,
    stack_size,
)
from service.rulesets.queens_garden.rules.steps import SEEN_IN_ACTION, Effect, Reason

# ----------------------------------------------------------------------------- automatic steps


@helper
def fill_or_spread(game: Record) -> int:
    """Wait for tiles for the stack's top, or spread the stack if no tiles are left."""
    game.stage = TURNING
    if game.bag.any() or game.tower.any():
        game.stage = FILLING
        game.status = DRAWING
        return NOTHING_FOLLOWS
    return pack_effect(Effect.STACK_SPREAD, spread_stack(game))


@helper
def turn_or_play(game: Record) -> int:
    """Wait for the faces of expansions without tiles, or let the seat decide."""
    if expansions_to_turn(game):
        game.status = DRAWING
    else:
        game.stage = PLAYING
    return NOTHING_FOLLOWS


@helper
def score_round(game: Record) -> int:
    """Score the next seat's garden. After the last seat the round ends."""
    seat = game.seat
    points = round_points(game.boards[seat], game.variant, game.round_number)
    game.score[seat] += points
    game.seat += 1
    if game.seat == game.seats:
        game.seat = 0
        game.stage = ENDING_ROUND
    return pack_effect(Effect.ROUND_SCORED, seat, points)


@helper
def end_round(game: Record) -> int:
    """Prepare the next round, or count the storages after the fourth."""
    game.stage = COUNTING_STORAGES if game.round_number == ROUNDS else PREPARING
    return pack_effect(Effect.ROUND_ENDED, game.round_number)


@helper
def prepare_round(game: Record) -> int:
    """Clear the display and lay out the next stack. The marker's holder starts and returns the marker."""
    clear_display(game)
    game.stack = stack_size(game.seats)
    game.round_number += 1
    game.start_seat = game.marker
    game.marker = IN_DISPLAY
    game.passed = 0
    game.seat = game.start_seat
    game.stage = FILLING
    return pack_effect(Effect.ROUND_BEGAN, game.round_number, game.seat)


@helper
def count_storage(game: Record) -> int:
    """Score the next seat's storage: jokers minus the values of remaining pieces, as one net amount."""
    seat = game.seat
    board = game.boards[seat]
    net = int(board.jokers) - value_left(board)
    board.storage_points = net if net >= 0 else -lose(game, seat, -net)
    if net > 0:
        game.score[seat] += net
    game.seat += 1
    if game.seat == game.seats:
        game.seat = 0
        game.stage = SCORING_GROUPS
    return pack_effect(Effect.STORAGE_COUNTED, seat)


@helper
def score_groups(game: Record) -> int:
    """Score the next seat's groups. After the last seat the game is over."""
    seat = game.seat
    if seat == game.seats:
        game.seat = 0
        game.stage = PLAYING
        game.status = OVER
        return pack_effect(Effect.GAME_ENDED)
    points = points_of_groups(game.boards[seat], game.variant)
    game.score[seat] += points
    game.seat += 1
    return pack_effect(Effect.GROUPS_SCORED, seat, points)


@rule
def settle(game: Record) -> int:
    """Perform the next automatic step and return its packed effect, or 0 if there is none."""
    if game.status != DECIDING or game.stage == PLAYING:
        return NOTHING_FOLLOWS
    if game.stage == FILLING:
        return fill_or_spread(game)
    if game.stage == TURNING:
        return turn_or_play(game)
    if game.stage == SCORING:
        return score_round(game)
    if game.stage == ENDING_ROUND:
        return end_round(game)
    if game.stage == PREPARING:
        return prepare_round(game)
    return count_storage(game) if game.stage == COUNTING_STORAGES else score_groups(game)


# ------------------------------------------------------------------------------------------- decisions


@helper
def end_turn(game: Record) -> None:
    """Continue with the next seat clockwise that has not passed, or score the round if all have."""
    if has_everyone_passed(game):
        game.seat = 0
        game.stage = SCORING
    else:
        game.seat = next_to_play(game)


@helper
def place_tile(game: Record, hexagon: int, space: int, payment: int) -> None:
    """Place the tile, pay the further pieces, and gain jokers for completed elements."""
    board = game.boards[game.seat]
    take_tile(board, hexagon)
    pay(game, board, hexagon, payment)
    show(board, hexagon, space)
    gain_jokers(board, jokers_of_space(board, space))


@helper
def place_expansion(game: Record, hexagon: int, area: int, rotation: int, payment: int) -> None:
    """Place the expansion face up and pay the further pieces."""
    board = game.boards[game.seat]
    take_expansion(board, hexagon)
    pay(game, board, hexagon, payment)
    lay_expansion(board, hexagon, area, rotation)


@helper
def buy_expansion(game: Record, area: int) -> None:
    """Place an expansion of the supply face down in the garden and pay for it."""
    game.supply -= 1
    game.score[game.seat] -= PRICE
    lay_face_down(game.boards[game.seat], area)


@helper
def pass_round(game: Record, action: int) -> None:
    """Discard pieces for their values. The first seat to pass takes the marker and loses a point."""
    board, seat = game.boards[game.seat], game.seat
    tiles, expansions = np.empty(HEXAGONS, np.int64), np.empty(HEXAGONS, np.int64)
    unpack_discards(action, tiles, expansions)
    value = 0
    for hexagon in range(HEXAGONS):
        value += (hexagon % KINDS + 1) * (tiles[hexagon] + expansions[hexagon])
        for _ in range(tiles[hexagon]):
            take_tile(board, hexagon)
            game.tower[hexagon] += 1
        if expansions[hexagon]:
            take_expansion(board, hexagon)
            game.supply += 1
    lose(game, seat, value)
    if game.passed == 0:
        game.marker = seat
        lose(game, seat, FIRST_PASS_PENALTY)
    game.passed |= 1 << seat


@rule
def act(game: Record, action: int) -> None:
    """Perform only the decision."""
    kind = kind_of(action)
    from_top = False
    if kind == ACQUIRE:
        by, value, pieces = unpack_acquire(action)
        from_top = acquire(game, by, value, pieces)
    elif kind == PLACE_TILE:
        hexagon, space, payment = unpack_place_tile(action)
        place_tile(game, hexagon, space, payment)
    elif kind == PLACE_EXPANSION:
        hexagon, area, rotation, payment = unpack_place_expansion(action)
        place_expansion(game, hexagon, area, rotation, payment)
    elif kind == BUY_EXPANSION:
        buy_expansion(game, action >> 3)
    else:
        pass_round(game, action)
    end_turn(game)
    if kind == ACQUIRE:
        game.stage = FILLING if from_top and game.stack else TURNING


# ------------------------------------------------------------------------------------------- legality


@helper
def is_well_formed_acquire(action: int) -> bool:
    """Return True if the bits are a valid acquisition."""
    _, value, pieces = unpack_acquire(action)
    if value >= KINDS or pieces >> (PIECE_BITS * KINDS):
        return False
    greatest = 0
    for other in range(KINDS):
        greatest = max(greatest, piece_of(pieces, other))
    return greatest < SOURCES


@helper
def is_well_formed(action: int) -> bool:
    """Return True if the integer is an action of some position."""
    kind = kind_of(action)
    if action < 0 or kind > REFUSED:
        return False
    if kind == ACQUIRE:
        return is_well_formed_acquire(action)
    if kind == PLACE_TILE:
        hexagon, space, payment = unpack_place_tile(action)
        return hexagon < HEXAGONS and space < len(SPACES) and is_well_formed_payment(payment, hexagon)
    if kind == PLACE_EXPANSION:
        hexagon, area, rotation, payment = unpack_place_expansion(action)
        return hexagon < HEXAGONS and area < AREAS and rotation < KINDS and is_well_formed_payment(payment, hexagon)
    if kind == BUY_EXPANSION:
        return action >> 3 < AREAS
    if kind == PASS:
        return action >> 3 < TILE_RANKS * EXPANSION_RANKS
    return action >> 3 in SEEN_IN_ACTION


@helper
def check_place_tile(board: Record, action: int) -> int:
    """Return the reason why the tile cannot be placed like this, or 0."""
    hexagon, space, payment = unpack_place_tile(action)
    if not board.held >> hexagon & 1:
        return Reason.TILE_NOT_IN_STORAGE
    reason = check_free(board, space)
    if reason == 0:
        reason = check_payment(board, hexagon, payment)
    return reason or check_garden(board, hexagon, space)


@helper
def check_place_expansion(board: Record, action: int) -> int:
    """Return the reason why the expansion cannot be placed like this, or 0."""
    hexagon, area, rotation, payment = unpack_place_expansion(action)
    if not board.expansions >> hexagon & 1:
        return Reason.EXPANSION_NOT_IN_STORAGE
    reason = check_area(board, area)
    if reason == 0:
        reason = check_payment(board, hexagon, payment)
    return reason or check_garden(board, hexagon, FIRST_OF_AREA[area] + rotation)


@helper
def check_buy(game: Record, board: Record, area: int) -> int:
    """Return the reason why no expansion can be bought for the area, or 0."""
    if check_area(board, area):
        return check_area(board, area)
    if game.supply == 0:
        return Reason.SUPPLY_EMPTY
    return Reason.TOO_FEW_POINTS if game.score[game.seat] < PRICE else 0


@helper
def check_pass(board: Record, action: int) -> int:
    """Return the reason why the seat cannot pass with these discards, or 0."""
    tiles, expansions = np.empty(HEXAGONS, np.int64), np.empty(HEXAGONS, np.int64)
    unpack_discards(action, tiles, expansions)
    for hexagon in range(HEXAGONS):
        if tiles[hexagon] > board.tiles[hexagon] or expansions[hexagon] > board.expansions >> hexagon & 1:
            return Reason.DISCARD_NOT_IN_STORAGE
    return 0


@rule
def check(game: Record, action: int) -> int:
    """Return the reason (steps.py) why the action is illegal, or 0."""
    if not is_well_formed(action):
        return CommonReason.UNKNOWN_ACTION
    if game.status != DECIDING:
        return check_deciding(game)
    kind, board = kind_of(action), game.boards[game.seat]
    if kind == REFUSED:
        return action >> 3
    if kind == ACQUIRE:
        by, value, pieces = unpack_acquire(action)
        return check_acquire(game, by, value, pieces)
    if kind == PLACE_TILE:
        return check_place_tile(board, action)
    if kind == PLACE_EXPANSION:
        return check_place_expansion(board, action)
    return check_buy(game, board, action >> 3) if kind == BUY_EXPANSION else check_pass(board, action)
