"""Features of a Queen's Garden position and its actions for the preference network."""

from __future__ import annotations

import numpy as np

from service.rulesets.kernel import Ints, Record, Records, as_int, helper
from service.rulesets.networks.network import NOTE, PreferenceFeatures, lead_step, score_step
from service.rulesets.parts.masks import POPCOUNT
from service.rulesets.parts.turns import next_seat, seats_between
from service.rulesets.queens_garden.ai.candidates import jokers_of
from service.rulesets.queens_garden.ai.evaluation import evaluate
from service.rulesets.queens_garden.ai.grouping import count_of
from service.rulesets.queens_garden.ai.value_tables import TABLES
from service.rulesets.queens_garden.rules.codes import (
    ACQUIRE,
    BUY_EXPANSION,
    FIRST_FACE,
    FIRST_TILE,
    PASS,
    PLACE_TILE,
    kind_of,
    piece_of,
    unpack_acquire,
    unpack_payment,
    unpack_place_expansion,
    unpack_place_tile,
)
from service.rulesets.queens_garden.rules.components import (
    AREAS,
    EXPANSION_SPACES,
    FIRST_OF_AREA,
    HEXAGONS,
    KINDS,
    MAX_BESIDE,
    MAX_GROUP,
    NEIGHBOURS,
    ROUNDS,
    SPACES,
    TILE_SPACES,
)
from service.rulesets.queens_garden.rules.display import free_tile_spaces, in_display
from service.rulesets.queens_garden.rules.game import act
from service.rulesets.queens_garden.rules.garden import group_from
from service.rulesets.queens_garden.rules.state import FREE, RECORD, TOP, axis_of, hexagon_at, lowest_bit
from service.rulesets.seats import MAX_SEATS

TRIAL = np.dtype((np.record, RECORD))

LEADS = 31  # steps of three points, around 0
LIKE = KINDS + 1  # pieces of one colour or pattern, from 0
MAX_IN_GARDEN = 7  # hexagons of one colour or pattern in a garden, or more
POINT = 1024  # fixed-point scale of the noted estimate
GAINS = 65  # steps of half a point by estimate, around 0
MAX_NEAR = 6  # neighbours of a space
FOUND = 7  # jokers gained by a placement, or more

# First number of each kind of feature. For each seat, beginning with the seat to decide:
HELD_AT = 0  # [tiles - 1, hexagon], two tiles or more
EXPANSION_AT = HELD_AT + 2 * HEXAGONS  # [hexagon]
JOKERS_AT = EXPANSION_AT + HEXAGONS
TILES_AT = JOKERS_AT + TILE_SPACES + 1
FREE_AREAS_AT = TILES_AT + TILE_SPACES + 1
PASSED_AT = FREE_AREAS_AT + AREAS + 1
SHOWN_AT = PASSED_AT + 1  # [colour, then pattern; hexagons in the garden]; of the others alone
OF_A_SEAT = SHOWN_AT + 2 * KINDS * (MAX_IN_GARDEN + 1)
# For the garden of the seat to decide:
GARDEN_AT = MAX_SEATS * OF_A_SEAT  # [colour, then pattern; space]
AREA_AT = GARDEN_AT + 2 * KINDS * len(SPACES)  # [area; free, face down, face up]
# For the table:
LEAD_AT = AREA_AT + AREAS * 3  # [seat, points ahead of it]
IN_DISPLAY_AT = LEAD_AT + MAX_SEATS * LEADS  # [hexagon]
TIME_AT = IN_DISPLAY_AT + HEXAGONS  # [round, expansions in the stack]
MARKER_AT = TIME_AT + ROUNDS * (MAX_BESIDE + 1)  # in the display, or [seat]
SIDE_AT = MARKER_AT + 1 + MAX_SEATS
SEATS_AT = SIDE_AT + 2
STATE_FEATURES = SEATS_AT + MAX_SEATS + 1

# For actions:
GAIN_AT = 0  # [kind of action, estimated gain]
# acquisitions
TAKEN_AT = GAIN_AT + (PASS + 1) * GAINS  # [colour or pattern, pieces, expansions among them]
OWN_LIKE_AT = TAKEN_AT + 2 * LIKE * (EXPANSION_SPACES + 1)  # [pieces, different ones of the same held already]
NEXT_LIKE_AT = OWN_LIKE_AT + LIKE * LIKE  # [pieces, different ones of the same that the next seat holds]
PIECE_AT = NEXT_LIKE_AT + LIKE * LIKE  # [round, hexagon]
ROOM_AT = PIECE_AT + ROUNDS * HEXAGONS  # [round, tile spaces left]
LEFT_AT = ROOM_AT + ROUNDS * (TILE_SPACES + 1)  # [seats that have passed, most pieces that can be taken next]
TOP_AT = LEFT_AT + MAX_SEATS * LIKE  # [tiles of the stack's top among them, expansions in the stack]
# placements
PLACED_AT = TOP_AT + 2 * (MAX_BESIDE + 1)  # [tile or expansion, round, hexagon]
SPACE_AT = PLACED_AT + 2 * ROUNDS * HEXAGONS  # [space]
BESIDE_AT = SPACE_AT + len(SPACES)  # [neighbours of the colour, of the pattern]
GROUPS_AT = BESIDE_AT + (MAX_NEAR + 1) * (MAX_NEAR + 1)  # [hexagons in its group by colour, by pattern]
PAID_JOKERS_AT = GROUPS_AT + (MAX_GROUP + 1) * (MAX_GROUP + 1)  # [jokers paid, jokers left]
GIVEN_AT = PAID_JOKERS_AT + (KINDS + 1) * (TILE_SPACES + 1)  # [round, hexagon], once for each piece
FOUND_AT = GIVEN_AT + ROUNDS * HEXAGONS  # [tile or expansion, jokers]
STORED_AT = FOUND_AT + 2 * (FOUND + 1)  # [round, tiles left]
# purchases
BOUGHT_AT = STORED_AT + ROUNDS * (TILE_SPACES + 1)  # [round, area]
# passes
FIRST_AT = BOUGHT_AT + ROUNDS * AREAS  # [round, seats that have passed]
KEPT_AT = FIRST_AT + ROUNDS * MAX_SEATS  # [round, tiles kept]
DISCARDED_AT = KEPT_AT + ROUNDS * (TILE_SPACES + 1)  # [tiles]
AVAILABLE_AT = DISCARDED_AT + TILE_SPACES + 1  # [round, different pieces in the display]
ACTION_FEATURES = AVAILABLE_AT + ROUNDS * (HEXAGONS + 1)


@helper
def mask_features(mask: int, first: int, out: Ints, count: int) -> int:
    """Append a feature for each bit of a mask to `count` others and return the new count."""
    while mask:
        out[count] = first + lowest_bit(mask)
        mask &= mask - 1
        count += 1
    return count


@helper
def seat_features(game: Record, seat: int, first: int, out: Ints, count: int) -> int:
    """Append the features of a seat to `count` others and return the new count."""
    board = game.boards[seat]
    rest = board.held
    while rest:
        hexagon = lowest_bit(rest)
        rest &= rest - 1
        out[count] = first + HELD_AT + (HEXAGONS if board.tiles[hexagon] > 1 else 0) + hexagon
        count += 1
    count = mask_features(board.expansions, first + EXPANSION_AT, out, count)
    free = 0
    for area in range(AREAS):
        free += board.area[area] == FREE
    out[count] = first + JOKERS_AT + as_int(board.jokers)
    out[count + 1] = first + TILES_AT + as_int(board.tile_count)
    out[count + 2] = first + FREE_AREAS_AT + free
    count += 3
    if as_int(game.passed) >> seat & 1:
        out[count] = first + PASSED_AT
        count += 1
    return count


@helper
def garden_counts(board: Record, first: int, out: Ints, count: int) -> int:
    """Append the counts of each colour and pattern in a garden to `count` features and return the new count."""
    for k in range(KINDS):
        of_colour, of_pattern = count_of(board.colours[k]), count_of(board.patterns[k])
        out[count] = first + SHOWN_AT + k * (MAX_IN_GARDEN + 1) + min(MAX_IN_GARDEN, of_colour)
        out[count + 1] = first + SHOWN_AT + (KINDS + k) * (MAX_IN_GARDEN + 1) + min(MAX_IN_GARDEN, of_pattern)
        count += 2
    return count


@helper
def garden_features(board: Record, out: Ints, count: int) -> int:
    """Append the contents of a garden to `count` features and return the new count."""
    for k in range(2 * KINDS):
        shown = board.colours[k] if k < KINDS else board.patterns[k - KINDS]
        count = mask_features(shown, GARDEN_AT + k * len(SPACES), out, count)
    for area in range(AREAS):
        out[count] = AREA_AT + area * 3 + min(2, as_int(board.area[area]))
        count += 1
    return count


@helper
def state_features(game: Record, out: Ints) -> int:
    """Write the features of a position for the seat to decide into `out` (MAX_FEATURES,) and return their number."""
    count, own, seats = 0, as_int(game.seat), as_int(game.seats)
    for k in range(seats):
        seat = (own + k) % seats
        count = seat_features(game, seat, k * OF_A_SEAT, out, count)
        if k:
            count = garden_counts(game.boards[seat], k * OF_A_SEAT, out, count)
            out[count] = LEAD_AT + k * LEADS + score_step(game, own, seat, 3, LEADS)
            count += 1
    count = garden_features(game.boards[own], out, count)
    count = mask_features(in_display(game), IN_DISPLAY_AT, out, count)
    out[count] = TIME_AT + round_of(game) * (MAX_BESIDE + 1) + as_int(game.stack)
    out[count + 1] = MARKER_AT if game.marker < 0 else MARKER_AT + 1 + seats_between(game, own, game.marker)
    out[count + 2] = SIDE_AT + as_int(game.variant)
    out[count + 3] = SEATS_AT + seats
    out[NOTE] = round(POINT * evaluate(game, own, TABLES))
    return count + 4


@helper
def round_of(game: Record) -> int:
    """Return the round, from 0."""
    return as_int(game.round_number) - 1


@helper
def different_like(board: Record, by: int, value: int) -> int:
    """Return the number of different pieces of a storage that match a colour or pattern."""
    return POPCOUNT[axis_of(board.held | board.expansions, by, value)]  # type: ignore[no-any-return]


@helper
def most_like(hexagons: int) -> int:
    """Return the maximum number of hexagons of a mask that share a colour or pattern."""
    most = 0
    for by in range(2):
        for value in range(KINDS):
            most = max(most, POPCOUNT[axis_of(hexagons, by, value)])
    return most


@helper
def passed_count(game: Record) -> int:
    """Return the number of seats that have passed in this round."""
    return POPCOUNT[as_int(game.passed)]  # type: ignore[no-any-return]


@helper
def acquire_features(game: Record, after: Record, action: int, out: Ints, count: int) -> int:
    """Append the features of an acquisition to `count` others and return the new count."""
    by, value, pieces = unpack_acquire(action)
    own = game.boards[game.seat]
    following = game.boards[next_seat(game, game.seat)]
    number, taken, faces, from_top = round_of(game), 0, 0, 0
    for other in range(KINDS):
        piece = piece_of(pieces, other)
        if piece:
            taken += 1
            faces += piece >= FIRST_FACE
            from_top |= piece == FIRST_TILE + TOP
            out[count] = PIECE_AT + number * HEXAGONS + hexagon_at(by, value, other)
            count += 1
    room = as_int(free_tile_spaces(after.boards[game.seat]))
    out[count] = TAKEN_AT + (by * LIKE + taken) * (EXPANSION_SPACES + 1) + faces
    out[count + 1] = OWN_LIKE_AT + taken * LIKE + different_like(own, by, value)
    out[count + 2] = NEXT_LIKE_AT + taken * LIKE + different_like(following, by, value)
    out[count + 3] = ROOM_AT + number * (TILE_SPACES + 1) + room
    out[count + 4] = LEFT_AT + passed_count(game) * LIKE + most_like(in_display(after))
    out[count + 5] = TOP_AT + from_top * (MAX_BESIDE + 1) + as_int(game.stack)
    return count + 6


@helper
def placed_features(
    game: Record, after: Record, hexagon: int, space: int, payment: int, expansion: int, out: Ints, count: int
) -> int:
    """Append the features of a placement (`expansion`: 0 or 1) to `count` others and return the new count."""
    own, board, number = game.boards[game.seat], after.boards[game.seat], round_of(game)
    colour, pattern = hexagon // KINDS, hexagon % KINDS
    jokers, near = jokers_of(hexagon, payment), NEIGHBOURS[space]
    axis, tiles, expansions = unpack_payment(payment)
    given = tiles | expansions
    for other in range(KINDS):
        if given >> other & 1:
            out[count] = GIVEN_AT + number * HEXAGONS + hexagon_at(axis, pattern if axis else colour, other)
            count += 1
    of_colour = min(MAX_GROUP, count_of(group_from(board.colours[colour], space)))
    of_pattern = min(MAX_GROUP, count_of(group_from(board.patterns[pattern], space)))
    found = max(0, min(FOUND, as_int(board.jokers) - as_int(own.jokers) + jokers))
    out[count] = PLACED_AT + (expansion * ROUNDS + number) * HEXAGONS + hexagon
    out[count + 1] = SPACE_AT + space
    out[count + 2] = (
        BESIDE_AT + count_of(near & own.colours[colour]) * (MAX_NEAR + 1) + count_of(near & own.patterns[pattern])
    )
    out[count + 3] = GROUPS_AT + of_colour * (MAX_GROUP + 1) + of_pattern
    out[count + 4] = PAID_JOKERS_AT + jokers * (TILE_SPACES + 1) + as_int(board.jokers)
    out[count + 5] = FOUND_AT + expansion * (FOUND + 1) + found
    out[count + 6] = STORED_AT + number * (TILE_SPACES + 1) + as_int(board.tile_count)
    return count + 7


@helper
def pass_features(game: Record, after: Record, out: Ints, count: int) -> int:
    """Append the features of a pass to `count` others and return the new count."""
    own, board, number = game.boards[game.seat], after.boards[game.seat], round_of(game)
    out[count] = FIRST_AT + number * MAX_SEATS + passed_count(game)
    out[count + 1] = KEPT_AT + number * (TILE_SPACES + 1) + as_int(board.tile_count)
    out[count + 2] = DISCARDED_AT + as_int(own.tile_count) - as_int(board.tile_count)
    out[count + 3] = AVAILABLE_AT + number * (HEXAGONS + 1) + count_of(in_display(game))
    return count + 4


@helper
def action_features(game: Record, action: int, out: Ints) -> int:
    """Write the features of an action of the seat to decide into `out` (MAX_FEATURES,) and return their number."""
    return features_of_trial(game, np.empty(1, TRIAL), action, out)  # the array must live as long as its record


@helper
def features_of_trial(game: Record, trial: Records, action: int, out: Ints) -> int:
    """Write the same features, with memory (1,) for the position after the action."""
    trial[0] = game
    after, seat, kind = trial[0], as_int(game.seat), kind_of(action)
    act(after, action)
    gain = evaluate(after, seat, TABLES) - out[NOTE] / POINT
    out[0] = GAIN_AT + kind * GAINS + lead_step(2.0 * gain, 1, GAINS)
    if kind == ACQUIRE:
        return acquire_features(game, after, action, out, 1)
    if kind == PLACE_TILE:
        hexagon, space, payment = unpack_place_tile(action)
        return placed_features(game, after, hexagon, space, payment, 0, out, 1)
    if kind == PASS:
        return pass_features(game, after, out, 1)
    if kind == BUY_EXPANSION:
        out[1] = BOUGHT_AT + round_of(game) * AREAS + (action >> 3)
        return 2
    hexagon, area, rotation, payment = unpack_place_expansion(action)
    return placed_features(game, after, hexagon, FIRST_OF_AREA[area] + rotation, payment, 1, out, 1)


PREFERENCE_FEATURES = PreferenceFeatures(state_features, action_features, (STATE_FEATURES, ACTION_FEATURES))
