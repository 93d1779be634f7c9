"""Features of a Summer Pavilion position for the value network."""

from __future__ import annotations

from service.rulesets.kernel import DECIDING, Ints, Record, as_int, helper
from service.rulesets.networks.network import ValueFeatures, score_step
from service.rulesets.parts.factories import TILES_A_FACTORY, TOKEN_IN_CENTRE
from service.rulesets.parts.turns import seats_between
from service.rulesets.seats import MAX_SEATS
from service.rulesets.summer_pavilion.ai.preference_features import (
    MAX_HELD,
    MAX_IN_CENTRE,
    STAGES,
    held_tiles,
    on_number,
    source_features,
    stage_of,
    until_wild,
)
from service.rulesets.summer_pavilion.rules.components import ALL_SLOTS, ROUNDS, SLOTS
from service.rulesets.summer_pavilion.rules.state import ALL_COLOURS, KINDS, PLAYING, STAR_COUNT, wild_colour

POINT_LEADS = 61  # steps of two points, around 0
MAX_ON_NUMBER = 2 * STAR_COUNT

# First number of each kind of feature. For each seat, beginning with the seat in question:
STAR_FROM = 0  # [star, mask of its slots that hold a tile]
OPEN_FROM = STAR_FROM + STAR_COUNT * (ALL_SLOTS + 1)  # [star, mask of the colours that it may still take]
HELD_FROM = OPEN_FROM + STAR_COUNT * (ALL_COLOURS + 1)  # [colour, tiles], corners included
TO_BE_WILD_FROM = HELD_FROM + KINDS * (MAX_HELD + 1)  # [rounds until it is the wild colour, tiles]
NUMBER_FROM = TO_BE_WILD_FROM + KINDS * (MAX_HELD + 1)  # [number, tiles on spaces of that number]
PASSED_FROM = NUMBER_FROM + SLOTS * (MAX_ON_NUMBER + 1)
A_SEAT = PASSED_FROM + 1
# For the table:
LEAD_FROM = MAX_SEATS * A_SEAT  # [seat, points ahead of it]
ROUND_FROM = LEAD_FROM + MAX_SEATS * POINT_LEADS  # [round, stage, side]; round 0 before the first deal
TURN_FROM = ROUND_FROM + (ROUNDS + 1) * STAGES * 2  # [seat, whether it decides; while tiles are played, chance may]
TOKEN_FROM = TURN_FROM + MAX_SEATS * 2  # in the centre, or [seat]
OWED_FROM = TOKEN_FROM + 1 + MAX_SEATS  # [bonus tiles]
IN_FACTORY_FROM = OWED_FROM + 8  # [colour, tiles - 1], once for each factory
IN_CENTRE_FROM = IN_FACTORY_FROM + KINDS * TILES_A_FACTORY  # [colour, tiles - 1]
IN_SUPPLY_FROM = IN_CENTRE_FROM + KINDS * MAX_IN_CENTRE  # [colour, tiles - 1]
SEATS_FROM = IN_SUPPLY_FROM + KINDS * 4
FEATURE_COUNT = SEATS_FROM + MAX_SEATS + 1


@helper
def board_features(game: Record, seat: int, first: int, out: Ints, count: int) -> int:
    """Append the features of a seat to `count` others and return the new count."""
    board = game.boards[seat]
    for star in range(STAR_COUNT):
        out[count] = first + STAR_FROM + star * (ALL_SLOTS + 1) + as_int(board.filled[star])
        out[count + 1] = first + OPEN_FROM + star * (ALL_COLOURS + 1) + as_int(board.open_to[star])
        count += 2
    for colour in range(KINDS):
        tiles = held_tiles(board, colour)
        out[count] = first + HELD_FROM + colour * (MAX_HELD + 1) + tiles
        out[count + 1] = first + TO_BE_WILD_FROM + until_wild(game, colour) * (MAX_HELD + 1) + tiles
        count += 2
    for number in range(1, SLOTS + 1):
        tiles = min(MAX_ON_NUMBER, on_number(board, as_int(game.variant), number))
        out[count] = first + NUMBER_FROM + (number - 1) * (MAX_ON_NUMBER + 1) + tiles
        count += 1
    if as_int(game.passed) >> seat & 1:
        out[count] = first + PASSED_FROM
        count += 1
    return count


@helper
def seat_features(game: Record, seat: int, out: Ints) -> int:
    """Write the features of a position from a seat's perspective into `out` (MAX_FEATURES,) and return their number."""
    count, seats = 0, as_int(game.seats)
    for k in range(seats):
        other = (seat + k) % seats
        count = board_features(game, other, k * A_SEAT, out, count)
        if k:
            out[count] = LEAD_FROM + k * POINT_LEADS + score_step(game, seat, other, 2, POINT_LEADS)
            count += 1
    count = source_features(game, IN_FACTORY_FROM, IN_CENTRE_FROM, IN_SUPPLY_FROM, out, count)
    stage, deciding = stage_of(game), 1 if game.status == DECIDING else 0
    out[count] = ROUND_FROM + ((wild_colour(game) + 1) * STAGES + stage) * 2 + as_int(game.variant)
    out[count + 1] = TOKEN_FROM
    if game.start_token != TOKEN_IN_CENTRE:
        out[count + 1] = TOKEN_FROM + 1 + seats_between(game, seat, game.start_token)
    out[count + 2] = OWED_FROM + as_int(game.bonus_owed)
    out[count + 3] = SEATS_FROM + seats
    count += 4
    if deciding or game.stage == PLAYING:
        out[count] = TURN_FROM + seats_between(game, seat, game.seat) * 2 + deciding
        count += 1
    return count


VALUE_FEATURES = ValueFeatures(seat_features, FEATURE_COUNT)
