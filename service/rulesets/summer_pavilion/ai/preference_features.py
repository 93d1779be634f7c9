"""Features of a Summer Pavilion position and its actions for the preference network."""

from __future__ import annotations

from service.rulesets.kernel import Ints, Record, as_int, helper
from service.rulesets.networks.network import PreferenceFeatures, score_step
from service.rulesets.parts.factories import CENTRE, SOURCES, TILES_A_FACTORY, TOKEN_IN_CENTRE, groups_to_take
from service.rulesets.parts.masks import POPCOUNT
from service.rulesets.parts.turns import next_seat, seats_between
from service.rulesets.seats import MAX_SEATS
from service.rulesets.summer_pavilion.rules.components import (
    CORNER_SPACES,
    KEEPS,
    MIXED,
    NUMBER_SLOTS,
    NUMBERS,
    ROUNDS,
    RUN,
    SLOTS,
)
from service.rulesets.summer_pavilion.rules.game import FIRST_PASS, FIRST_PLACE, FIRST_TAKE_BONUS, placement
from service.rulesets.summer_pavilion.rules.placing import bonus_of, colours_after
from service.rulesets.summer_pavilion.rules.scoring import kind_of_star
from service.rulesets.summer_pavilion.rules.state import (
    ACQUIRING,
    COLOURED,
    KINDS,
    PLAYING,
    STAR_COUNT,
    wild_colour,
)

MAX_HELD = 12  # tiles of a colour in a hand, or more
MAX_IN_CENTRE = 8
LEADS = 31  # steps of four points, around 0
MAX_GROUPS = 12  # of tiles that can be acquired, or more
STAGES = 3

# First number of each kind of feature. For each seat, beginning with the seat to decide:
ON_STARS_AT = 0  # [star, slot, colour]
IN_HAND_AT = ON_STARS_AT + STAR_COUNT * SLOTS * KINDS  # [colour, tiles], corners included
WILDS_AT = IN_HAND_AT + KINDS * (MAX_HELD + 1)  # [tiles]
PASSED_AT = WILDS_AT + MAX_HELD + 1
OF_A_SEAT = PASSED_AT + 1
# For the table:
LEAD_AT = MAX_SEATS * OF_A_SEAT  # [seat, points ahead of it]
ROUND_AT = LEAD_AT + MAX_SEATS * LEADS  # [round, stage]
IN_FACTORY_AT = ROUND_AT + ROUNDS * STAGES  # [colour, tiles - 1], once for each factory
IN_CENTRE_AT = IN_FACTORY_AT + KINDS * TILES_A_FACTORY
IN_SUPPLY_AT = IN_CENTRE_AT + KINDS * MAX_IN_CENTRE  # [colour, tiles - 1]
TOKEN_AT = IN_SUPPLY_AT + KINDS * 4  # in the centre, or [seat]
TO_ACQUIRE_AT = TOKEN_AT + 1 + MAX_SEATS  # [groups]
OWED_AT = TO_ACQUIRE_AT + MAX_GROUPS + 1  # [bonus tiles]
SIDE_AT = OWED_AT + 8
SEATS_AT = SIDE_AT + 2
STATE_FEATURES = SEATS_AT + MAX_SEATS + 1

# For actions: acquisitions
TAKEN_AT = 0  # [colour, tiles]
WITH_WILD_AT = TAKEN_AT + KINDS * (MAX_HELD + 1)  # [round, is the wild colour, a wild one with it]
HELD_AT = WITH_WILD_AT + ROUNDS * 4  # [colour, tiles held then]
ON_ITS_STAR_AT = HELD_AT + KINDS * (MAX_HELD + 1)  # [tiles held then, tiles on the star of the colour]
PRICE_AT = ON_ITS_STAR_AT + (MAX_HELD + 1) * (SLOTS + 1)  # [points for the token]
LEFT_AT = PRICE_AT + MAX_HELD + 1  # [kind of source, groups]
NEXT_SEAT_AT = LEFT_AT + 6 * (MAX_GROUPS + 1)  # [tiles of the colour that the next seat holds, tiles]
# placements
SPACE_AT = NEXT_SEAT_AT + (MAX_HELD + 1) * 6  # [star, slot]
POINTS_AT = SPACE_AT + STAR_COUNT * SLOTS  # [points, tiles that it costs]
EARNED_AT = POINTS_AT + (SLOTS + 1) * (SLOTS + 1)  # [bonus tiles, round]
PAID_WILDS_AT = EARNED_AT + 7 * ROUNDS  # [wilds, tiles that it costs]
STAR_AT = PAID_WILDS_AT + SLOTS * (SLOTS + 1)  # [colour of the star, tiles on it then]
NUMBER_AT = STAR_AT + (MIXED + 2) * (SLOTS + 1)  # [number, tiles on spaces of that number then]
REST_AT = NUMBER_AT + (SLOTS + 1) * (STAR_COUNT * 2 + 1)  # [tiles of the colour held then, round]
CLOSE_TO_AT = REST_AT + (MAX_HELD + 1) * ROUNDS  # [round, tiles on the star then]
# bonus tiles
BONUS_AT = CLOSE_TO_AT + ROUNDS * (SLOTS + 1)  # [colours until it is the wild one, tiles held]
BONUS_STAR_AT = BONUS_AT + KINDS * (MAX_HELD + 1)  # [tiles held, tiles on the star of the colour]
BONUS_COLOUR_AT = BONUS_STAR_AT + (MAX_HELD + 1) * (SLOTS + 1)  # [colour, round]
# passes
KEPT_AT = BONUS_COLOUR_AT + KINDS * ROUNDS  # [round, tiles]
DISCARDED_AT = KEPT_AT + ROUNDS * (CORNER_SPACES + 1)  # [tiles]
KEPT_COLOUR_AT = DISCARDED_AT + MAX_HELD + 1  # [colours until it is the wild one, tiles]
KEPT_STAR_AT = KEPT_COLOUR_AT + KINDS * (CORNER_SPACES + 1)  # [tiles, tiles on the star of the colour]
ACTION_FEATURES = KEPT_STAR_AT + (CORNER_SPACES + 1) * (SLOTS + 1)


@helper
def held_tiles(board: Record, colour: int) -> int:
    """Return the tiles of a colour in hand and corners, at most MAX_HELD."""
    return min(MAX_HELD, as_int(board.hand[colour]) + as_int(board.corners[colour]))


@helper
def on_star_of(board: Record, variant: int, colour: int) -> int:
    """Return the number of tiles on the fullest incomplete star of a colour; 0 if there is none."""
    most = 0
    for star in range(STAR_COUNT):
        tiles = POPCOUNT[board.filled[star]]
        is_of = kind_of_star(board, star) == colour if tiles else False
        if variant == COLOURED and star < STAR_COUNT - 1:
            is_of = as_int(board.open_to[star]) == 1 << colour
        if is_of and tiles < SLOTS:
            most = max(most, tiles)
    return most


@helper
def until_wild(game: Record, colour: int) -> int:
    """Return the rounds until the colour is wild, or KINDS - 1 if it has already been."""
    rounds = colour - wild_colour(game)
    return rounds if 0 <= rounds < KINDS else KINDS - 1


@helper
def seat_features(game: Record, seat: int, first: int, out: Ints, count: int) -> int:
    """Append the features of a seat to `count` others and return the new count."""
    board = game.boards[seat]
    for star in range(STAR_COUNT):
        if board.filled[star]:
            for slot in range(SLOTS):
                if board.stars[star, slot]:
                    colour = as_int(board.stars[star, slot]) - 1
                    out[count] = first + ON_STARS_AT + (star * SLOTS + slot) * KINDS + colour
                    count += 1
    for colour in range(KINDS):
        out[count] = first + IN_HAND_AT + colour * (MAX_HELD + 1) + held_tiles(board, colour)
        count += 1
    out[count] = first + WILDS_AT + held_tiles(board, max(0, wild_colour(game)))
    count += 1
    if as_int(game.passed) >> seat & 1:
        out[count] = first + PASSED_AT
        count += 1
    return count


@helper
def source_features(
    game: Record, in_factory_at: int, in_centre_at: int, in_supply_at: int, out: Ints, count: int
) -> int:
    """Append the features of the sources and the supply to `count` others and return the new count."""
    for colour in range(KINDS):
        for source in range(SOURCES):
            tiles = as_int(game.tiles[source, colour])
            if tiles and source == CENTRE:
                out[count] = in_centre_at + colour * MAX_IN_CENTRE + min(MAX_IN_CENTRE, tiles) - 1
                count += 1
            elif tiles:
                out[count] = in_factory_at + colour * TILES_A_FACTORY + tiles - 1
                count += 1
        if game.supply[colour]:
            out[count] = in_supply_at + colour * 4 + min(4, as_int(game.supply[colour])) - 1
            count += 1
    return count


@helper
def stage_of(game: Record) -> int:
    """Return 0 while tiles are acquired, 1 while they are played, 2 while bonus tiles are taken."""
    return 0 if game.stage == ACQUIRING else 1 if game.stage == PLAYING else 2


@helper
def state_features(game: Record, out: Ints) -> int:
    """Write the features of a position for the seat to decide into `out` (MAX_FEATURES,) and return their number."""
    count, own, seats = 0, as_int(game.seat), as_int(game.seats)
    for k in range(seats):
        seat = (own + k) % seats
        count = seat_features(game, seat, k * OF_A_SEAT, out, count)
        if k:
            out[count] = LEAD_AT + k * LEADS + score_step(game, own, seat, 4, LEADS)
            count += 1
    count = source_features(game, IN_FACTORY_AT, IN_CENTRE_AT, IN_SUPPLY_AT, out, count)
    token = as_int(game.start_token)
    out[count] = ROUND_AT + max(0, wild_colour(game)) * STAGES + stage_of(game)
    out[count + 1] = TOKEN_AT if token == TOKEN_IN_CENTRE else TOKEN_AT + 1 + seats_between(game, own, token)
    out[count + 2] = TO_ACQUIRE_AT + min(MAX_GROUPS, groups_to_take(game))
    out[count + 3] = OWED_AT + as_int(game.bonus_owed)
    out[count + 4] = SIDE_AT + as_int(game.variant)
    out[count + 5] = SEATS_AT + seats
    return count + 6


@helper
def acquire_features(game: Record, source: int, colour: int, out: Ints) -> int:
    """Write the features of an acquisition and return their number."""
    board, wild, groups = game.boards[game.seat], wild_colour(game), min(MAX_GROUPS, groups_to_take(game))
    tiles = 1 if colour == wild else as_int(game.tiles[source, colour])
    more = 1 if colour != wild and game.tiles[source, wild] else 0
    now = min(MAX_HELD, held_tiles(board, colour) + tiles)
    out[0] = TAKEN_AT + colour * (MAX_HELD + 1) + min(MAX_HELD, tiles)
    out[1] = WITH_WILD_AT + wild * 4 + 2 * (1 if colour == wild else 0) + more
    out[2] = HELD_AT + colour * (MAX_HELD + 1) + now
    out[3] = ON_ITS_STAR_AT + now * (SLOTS + 1) + on_star_of(board, game.variant, colour)
    kind, count = 0, 4
    if source != CENTRE:
        rest = -tiles - more
        for other in range(KINDS):
            rest += as_int(game.tiles[source, other])
        kind = 2 + min(3, rest)
    elif game.start_token == TOKEN_IN_CENTRE:
        kind, count = 1, 5
        out[4] = PRICE_AT + min(MAX_HELD, tiles + more)
    out[count] = LEFT_AT + kind * (MAX_GROUPS + 1) + groups
    following = game.boards[next_seat(game, game.seat)]
    out[count + 1] = NEXT_SEAT_AT + held_tiles(following, colour) * 6 + min(5, tiles)
    return count + 2


@helper
def on_number(board: Record, variant: int, number: int) -> int:
    """Return the number of tiles on spaces of that number."""
    tiles = 0
    for star in range(STAR_COUNT):
        tiles += POPCOUNT[NUMBER_SLOTS[variant, number, star] & as_int(board.filled[star])]
    return tiles


@helper
def place_features(game: Record, action: int, out: Ints) -> int:
    """Write the features of a placement and return their number."""
    star, slot, colour, wilds = placement(action)
    board, number_of_round = game.boards[game.seat], wild_colour(game)
    number, variant = NUMBERS[game.variant, star, slot], as_int(game.variant)
    filled = as_int(board.filled[star])
    on_star = POPCOUNT[filled] + 1
    then = colours_after(board, variant, star, colour)
    kind = MIXED if filled and not then >> colour & 1 else colour
    if filled == 0:
        kind = MIXED if variant == COLOURED and star == STAR_COUNT - 1 else colour
    out[0] = SPACE_AT + star * SLOTS + slot
    out[1] = POINTS_AT + RUN[filled, slot] * (SLOTS + 1) + number
    out[2] = EARNED_AT + min(6, bonus_of(board, star, slot)) * ROUNDS + number_of_round
    out[3] = PAID_WILDS_AT + wilds * (SLOTS + 1) + number
    out[4] = STAR_AT + kind * (SLOTS + 1) + on_star
    out[5] = NUMBER_AT + number * (STAR_COUNT * 2 + 1) + min(STAR_COUNT * 2, on_number(board, variant, number) + 1)
    rest = max(0, min(MAX_HELD, held_tiles(board, colour) - number + wilds))
    out[6] = REST_AT + rest * ROUNDS + number_of_round
    out[7] = CLOSE_TO_AT + number_of_round * (SLOTS + 1) + on_star
    return 8


@helper
def bonus_features(game: Record, colour: int, out: Ints) -> int:
    """Write the features of taking a bonus tile and return their number."""
    board = game.boards[game.seat]
    tiles = held_tiles(board, colour)
    out[0] = BONUS_AT + until_wild(game, colour) * (MAX_HELD + 1) + tiles
    out[1] = BONUS_STAR_AT + tiles * (SLOTS + 1) + on_star_of(board, game.variant, colour)
    out[2] = BONUS_COLOUR_AT + colour * ROUNDS + wild_colour(game)
    return 3


@helper
def pass_features(game: Record, keep: int, out: Ints) -> int:
    """Write the features of a pass and return their number."""
    board = game.boards[game.seat]
    kept, tiles, count = 0, 0, 2
    for colour in range(KINDS):
        kept += KEEPS[keep, colour]
        tiles += as_int(board.hand[colour])
        if board.hand[colour]:
            out[count] = KEPT_COLOUR_AT + until_wild(game, colour) * (CORNER_SPACES + 1) + KEEPS[keep, colour]
            count += 1
            out[count] = KEPT_STAR_AT + KEEPS[keep, colour] * (SLOTS + 1) + on_star_of(board, game.variant, colour)
            count += 1
    out[0] = KEPT_AT + wild_colour(game) * (CORNER_SPACES + 1) + kept
    out[1] = DISCARDED_AT + min(MAX_HELD, tiles - kept)
    return count


@helper
def action_features(game: Record, action: int, out: Ints) -> int:
    """Write the features of an action of the seat to decide into `out` (MAX_FEATURES,) and return their number."""
    if action < FIRST_PLACE:
        return acquire_features(game, action // KINDS, action % KINDS, out)
    if action < FIRST_TAKE_BONUS:
        return place_features(game, action, out)
    if action < FIRST_PASS:
        return bonus_features(game, action - FIRST_TAKE_BONUS, out)
    return pass_features(game, action - FIRST_PASS, out)


PREFERENCE_FEATURES = PreferenceFeatures(state_features, action_features, (STATE_FEATURES, ACTION_FEATURES))
