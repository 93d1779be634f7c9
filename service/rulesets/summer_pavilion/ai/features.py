"""What the network sees of a Summer Pavilion position and of an action, as numbers of features."""

from __future__ import annotations

from service.rulesets.factories import CENTRE, SOURCES, TILES_A_FACTORY, TOKEN_IN_CENTRE
from service.rulesets.kernel import Ints, Record, as_int, helper
from service.rulesets.masks import POPCOUNT
from service.rulesets.network import NetworkFeatures
from service.rulesets.seats import MOST_SEATS
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

MOST_HELD = 12  # tiles of a colour in a hand, or more
MOST_IN_CENTRE = 8
LEADS = 31  # of points, four by four, around even
GROUPS = 12  # of tiles that can be acquired, or more
STAGES = 3

# Where each kind of feature begins. Of each seat, the one to decide first:
ON_STARS = 0  # [star, slot, colour]
IN_HAND = ON_STARS + STAR_COUNT * SLOTS * KINDS  # [colour, tiles], corners included
WILDS = IN_HAND + KINDS * (MOST_HELD + 1)  # [tiles]
PASSED = WILDS + MOST_HELD + 1
OF_A_SEAT = PASSED + 1
# Of the table:
LEAD = MOST_SEATS * OF_A_SEAT  # [seat, points ahead of it]
ROUND = LEAD + MOST_SEATS * LEADS  # [round, stage]
IN_FACTORY = ROUND + ROUNDS * STAGES  # [colour, tiles - 1], once for each factory
IN_CENTRE = IN_FACTORY + KINDS * TILES_A_FACTORY
IN_SUPPLY = IN_CENTRE + KINDS * MOST_IN_CENTRE  # [colour, tiles - 1]
TOKEN = IN_SUPPLY + KINDS * 4  # in the centre, or [seat]
TO_ACQUIRE = TOKEN + 1 + MOST_SEATS  # [groups]
OWED = TO_ACQUIRE + GROUPS + 1  # [bonus tiles]
SIDE = OWED + 8
SEATS = SIDE + 2
STATE_FEATURES = SEATS + MOST_SEATS + 1

# Of actions: acquisitions
TAKEN = 0  # [colour, tiles]
WITH_WILD = TAKEN + KINDS * (MOST_HELD + 1)  # [round, is the wild colour, a wild one with it]
HELD = WITH_WILD + ROUNDS * 4  # [colour, tiles held then]
ON_ITS_STAR = HELD + KINDS * (MOST_HELD + 1)  # [tiles held then, tiles on the star of the colour]
PRICE = ON_ITS_STAR + (MOST_HELD + 1) * (SLOTS + 1)  # [points for the token]
LEFT = PRICE + MOST_HELD + 1  # [kind of source, groups]
NEXT_SEAT = LEFT + 6 * (GROUPS + 1)  # [tiles of the colour that the next seat holds, tiles]
# placements
SPACE = NEXT_SEAT + (MOST_HELD + 1) * 6  # [star, slot]
POINTS = SPACE + STAR_COUNT * SLOTS  # [points, tiles that it costs]
EARNED = POINTS + (SLOTS + 1) * (SLOTS + 1)  # [bonus tiles, round]
PAID_WILDS = EARNED + 7 * ROUNDS  # [wilds, tiles that it costs]
STAR = PAID_WILDS + SLOTS * (SLOTS + 1)  # [colour of the star, tiles on it then]
NUMBER = STAR + (MIXED + 2) * (SLOTS + 1)  # [number, tiles on spaces of that number then]
REST = NUMBER + (SLOTS + 1) * (STAR_COUNT * 2 + 1)  # [tiles of the colour held then, round]
CLOSE_TO = REST + (MOST_HELD + 1) * ROUNDS  # [round, tiles on the star then]
# bonus tiles
BONUS = CLOSE_TO + ROUNDS * (SLOTS + 1)  # [colours until it is the wild one, tiles held]
BONUS_STAR = BONUS + KINDS * (MOST_HELD + 1)  # [tiles held, tiles on the star of the colour]
BONUS_COLOUR = BONUS_STAR + (MOST_HELD + 1) * (SLOTS + 1)  # [colour, round]
# passes
KEPT = BONUS_COLOUR + KINDS * ROUNDS  # [round, tiles]
DISCARDED = KEPT + ROUNDS * (CORNER_SPACES + 1)  # [tiles]
KEPT_COLOUR = DISCARDED + MOST_HELD + 1  # [colours until it is the wild one, tiles]
KEPT_STAR = KEPT_COLOUR + KINDS * (CORNER_SPACES + 1)  # [tiles, tiles on the star of the colour]
ACTION_FEATURES = KEPT_STAR + (CORNER_SPACES + 1) * (SLOTS + 1)


@helper
def held(board: Record, colour: int) -> int:
    """Tiles of a colour beside the board and in its corners; MOST_HELD for more."""
    return min(MOST_HELD, as_int(board.hand[colour]) + as_int(board.corners[colour]))


@helper
def groups_to_acquire(game: Record) -> int:
    """How many groups of tiles of one colour lie in the sources; GROUPS for more."""
    groups = 0
    for colour in range(KINDS):
        groups += POPCOUNT[game.holders[colour]]
    return min(GROUPS, groups)


@helper
def on_star_of(board: Record, variant: int, colour: int) -> int:
    """Tiles on the star of a colour, of several on the fullest that is not complete; 0 if there is none."""
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
    """Rounds until the colour is the wild one; KINDS - 1 where that is over, or far away."""
    rounds = colour - wild_colour(game)
    return rounds if 0 <= rounds < KINDS else KINDS - 1


@helper
def seat_features(game: Record, seat: int, first: int, out: Ints, count: int) -> int:
    """Of one seat; how many there are then."""
    board = game.boards[seat]
    for star in range(STAR_COUNT):
        if board.filled[star]:
            for slot in range(SLOTS):
                if board.stars[star, slot]:
                    colour = as_int(board.stars[star, slot]) - 1
                    out[count] = first + ON_STARS + (star * SLOTS + slot) * KINDS + colour
                    count += 1
    for colour in range(KINDS):
        out[count] = first + IN_HAND + colour * (MOST_HELD + 1) + held(board, colour)
        count += 1
    out[count] = first + WILDS + held(board, max(0, wild_colour(game)))
    count += 1
    if as_int(game.passed) >> seat & 1:
        out[count] = first + PASSED
        count += 1
    return count


@helper
def source_features(game: Record, out: Ints, count: int) -> int:
    """Of what can be acquired, and of the supply, after `count` others; how many there are then."""
    for colour in range(KINDS):
        for source in range(SOURCES):
            if tiles := as_int(game.tiles[source, colour]):
                if source == CENTRE:
                    out[count] = IN_CENTRE + colour * MOST_IN_CENTRE + min(MOST_IN_CENTRE, tiles) - 1
                else:
                    out[count] = IN_FACTORY + colour * TILES_A_FACTORY + tiles - 1
                count += 1
        if game.supply[colour]:
            out[count] = IN_SUPPLY + colour * 4 + min(4, as_int(game.supply[colour])) - 1
            count += 1
    return count


@helper
def state_features(game: Record, out: Ints) -> int:
    """Into `out` (MOST_FEATURES,); how many. For the seat to decide."""
    count, own, seats = 0, as_int(game.seat), as_int(game.seats)
    for k in range(seats):
        seat = (own + k) % seats
        count = seat_features(game, seat, k * OF_A_SEAT, out, count)
        if k:
            lead = (as_int(game.score[own]) - as_int(game.score[seat])) // 4
            out[count] = LEAD + k * LEADS + max(0, min(LEADS - 1, lead + LEADS // 2))
            count += 1
    count = source_features(game, out, count)
    stage = 0 if game.stage == ACQUIRING else 1 if game.stage == PLAYING else 2
    token = as_int(game.start_token)
    out[count] = ROUND + max(0, wild_colour(game)) * STAGES + stage
    out[count + 1] = TOKEN if token == TOKEN_IN_CENTRE else TOKEN + 1 + (token - own + seats) % seats
    out[count + 2] = TO_ACQUIRE + groups_to_acquire(game)
    out[count + 3] = OWED + as_int(game.bonus_owed)
    out[count + 4] = SIDE + as_int(game.variant)
    out[count + 5] = SEATS + seats
    return count + 6


@helper
def acquire_features(game: Record, source: int, colour: int, out: Ints) -> int:
    """Of an acquisition."""
    board, wild, groups = game.boards[game.seat], wild_colour(game), groups_to_acquire(game)
    tiles = 1 if colour == wild else as_int(game.tiles[source, colour])
    more = 1 if colour != wild and game.tiles[source, wild] else 0
    now = min(MOST_HELD, held(board, colour) + tiles)
    out[0] = TAKEN + colour * (MOST_HELD + 1) + min(MOST_HELD, tiles)
    out[1] = WITH_WILD + wild * 4 + 2 * (1 if colour == wild else 0) + more
    out[2] = HELD + colour * (MOST_HELD + 1) + now
    out[3] = ON_ITS_STAR + now * (SLOTS + 1) + on_star_of(board, game.variant, colour)
    kind, count = 0, 4
    if source != CENTRE:
        rest = -tiles - more
        for other in range(KINDS):
            rest += as_int(game.tiles[source, other])
        kind = 2 + min(3, rest)
    elif game.start_token == TOKEN_IN_CENTRE:
        kind, count = 1, 5
        out[4] = PRICE + min(MOST_HELD, tiles + more)
    out[count] = LEFT + kind * (GROUPS + 1) + groups
    following = game.boards[(as_int(game.seat) + 1) % as_int(game.seats)]
    out[count + 1] = NEXT_SEAT + held(following, colour) * 6 + min(5, tiles)
    return count + 2


@helper
def on_number(board: Record, variant: int, number: int) -> int:
    """Tiles on spaces of that number."""
    tiles = 0
    for star in range(STAR_COUNT):
        tiles += POPCOUNT[NUMBER_SLOTS[variant, number, star] & as_int(board.filled[star])]
    return tiles


@helper
def place_features(game: Record, action: int, out: Ints) -> int:
    """Of a placement."""
    star, slot, colour, wilds = placement(action)
    board, number_of_round = game.boards[game.seat], wild_colour(game)
    number, variant = NUMBERS[game.variant, star, slot], as_int(game.variant)
    filled = as_int(board.filled[star])
    on_star = POPCOUNT[filled] + 1
    then = colours_after(board, variant, star, colour)
    kind = MIXED if filled and not then >> colour & 1 else colour
    if filled == 0:
        kind = MIXED if variant == COLOURED and star == STAR_COUNT - 1 else colour
    out[0] = SPACE + star * SLOTS + slot
    out[1] = POINTS + RUN[filled, slot] * (SLOTS + 1) + number
    out[2] = EARNED + min(6, bonus_of(board, star, slot)) * ROUNDS + number_of_round
    out[3] = PAID_WILDS + wilds * (SLOTS + 1) + number
    out[4] = STAR + kind * (SLOTS + 1) + on_star
    out[5] = NUMBER + number * (STAR_COUNT * 2 + 1) + min(STAR_COUNT * 2, on_number(board, variant, number) + 1)
    rest = max(0, min(MOST_HELD, held(board, colour) - number + wilds))
    out[6] = REST + rest * ROUNDS + number_of_round
    out[7] = CLOSE_TO + number_of_round * (SLOTS + 1) + on_star
    return 8


@helper
def bonus_features(game: Record, colour: int, out: Ints) -> int:
    """Of a bonus tile."""
    board = game.boards[game.seat]
    tiles = held(board, colour)
    out[0] = BONUS + until_wild(game, colour) * (MOST_HELD + 1) + tiles
    out[1] = BONUS_STAR + tiles * (SLOTS + 1) + on_star_of(board, game.variant, colour)
    out[2] = BONUS_COLOUR + colour * ROUNDS + wild_colour(game)
    return 3


@helper
def pass_features(game: Record, keep: int, out: Ints) -> int:
    """Of a pass."""
    board = game.boards[game.seat]
    kept, tiles, count = 0, 0, 2
    for colour in range(KINDS):
        kept += KEEPS[keep, colour]
        tiles += as_int(board.hand[colour])
        if board.hand[colour]:
            out[count] = KEPT_COLOUR + until_wild(game, colour) * (CORNER_SPACES + 1) + KEEPS[keep, colour]
            count += 1
            out[count] = KEPT_STAR + KEEPS[keep, colour] * (SLOTS + 1) + on_star_of(board, game.variant, colour)
            count += 1
    out[0] = KEPT + wild_colour(game) * (CORNER_SPACES + 1) + kept
    out[1] = DISCARDED + min(MOST_HELD, tiles - kept)
    return count


@helper
def action_features(game: Record, action: int, out: Ints) -> int:
    """Into `out` (MOST_FEATURES,); how many. Of an action of the seat to decide."""
    if action < FIRST_PLACE:
        return acquire_features(game, action // KINDS, action % KINDS, out)
    if action < FIRST_TAKE_BONUS:
        return place_features(game, action, out)
    if action < FIRST_PASS:
        return bonus_features(game, action - FIRST_TAKE_BONUS, out)
    return pass_features(game, action - FIRST_PASS, out)


FEATURES = NetworkFeatures(state_features, action_features, (STATE_FEATURES, ACTION_FEATURES))
