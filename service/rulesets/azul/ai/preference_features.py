"""Features of an Azul position and its actions for the preference network."""

from __future__ import annotations

from service.rulesets.azul.ai.evaluation import fullest_row, likely_column, pack_masks
from service.rulesets.azul.rules.components import FLOOR_SPACES, LINES
from service.rulesets.azul.rules.game import FIRST_TILING
from service.rulesets.azul.rules.scoring import points_of_tile
from service.rulesets.azul.rules.state import DESTINATIONS, FLOOR, KINDS
from service.rulesets.kernel import Ints, Record, as_int, helper
from service.rulesets.networks.network import NOTE, PreferenceFeatures, score_step
from service.rulesets.parts.factories import CENTRE, TILES_A_FACTORY, TOKEN_IN_CENTRE, factory_count, groups_to_take
from service.rulesets.parts.masks import POPCOUNT, place_of_bit
from service.rulesets.parts.turns import next_seat, seats_between
from service.rulesets.seats import MAX_SEATS

MAX_COUNTED = 8  # tiles of a colour in the centre
LEADS = 31  # steps of two points, around 0
SCORES = 31  # steps of four points
MAX_GROUPS = 10  # of tiles that can be taken, or more

# First number of each kind of feature. For each seat, beginning with the seat to decide:
WALL_AT = 0  # [row, column, colour]
ON_LINES_AT = WALL_AT + LINES * LINES * KINDS  # [line, colour, tiles - 1]
ON_FLOOR_AT = ON_LINES_AT + LINES * KINDS * LINES  # [spaces]
OF_A_SEAT = ON_FLOOR_AT + FLOOR_SPACES + 1
# For the table:
LEAD_AT = MAX_SEATS * OF_A_SEAT  # [seat, points ahead of it]
SCORE_AT = LEAD_AT + MAX_SEATS * LEADS
IN_FACTORY_AT = SCORE_AT + SCORES  # [colour, tiles - 1], once for each factory
IN_CENTRE_AT = IN_FACTORY_AT + KINDS * TILES_A_FACTORY  # [colour, tiles - 1]
TOKEN_AT = IN_CENTRE_AT + KINDS * MAX_COUNTED  # in the centre, or [seat]
TIME_AT = TOKEN_AT + 1 + MAX_SEATS  # [fullest row of all walls, groups that can be taken]
SIDE_AT = TIME_AT + (LINES + 1) * (MAX_GROUPS + 1)
SEATS_AT = SIDE_AT + 2
STATE_FEATURES = SEATS_AT + MAX_SEATS + 1

# For actions: drafts
PLACED_AT = 0  # [destination, tiles on it, tiles placed - 1]
FALLEN_AT = PLACED_AT + LINES * LINES * LINES  # [spaces occupied, tiles that fall]
TOKEN_TAKEN_AT = FALLEN_AT + (FLOOR_SPACES + 1) * (FLOOR_SPACES + 1)  # [spaces occupied]
COMPLETED_AT = TOKEN_TAKEN_AT + FLOOR_SPACES + 1  # [line, points of its tile]
BEGUN_AT = COMPLETED_AT + LINES * 11  # [tiles lacking, points of its tile]
COLUMN_AT = BEGUN_AT + (LINES + 1) * 11  # [completed, tiles in the column, fullest row]
COLOUR_AT = COLUMN_AT + 2 * LINES * (LINES + 1)  # [completed, tiles of the colour on the wall]
ROW_AT = COLOUR_AT + 2 * (LINES + 1)  # [completed, line, tiles in the row]
TO_COME_AT = ROW_AT + 2 * LINES * (LINES + 1)  # [tiles lacking, other groups that would complete it]
DENIED_AT = TO_COME_AT + (LINES + 1) * 4  # [use of the group to the next seat, its tiles]
SOURCE_AT = DENIED_AT + 4 * 6  # [kind of source, groups that can be taken]
RESULT_AT = SOURCE_AT + 6 * (MAX_GROUPS + 1)  # [floor, lacking 0, 1, 2 and more; groups that can be taken]
PRINTED_AT = RESULT_AT + 4 * (MAX_GROUPS + 1)  # [line, colour]
# and tilings
TILED_AT = PRINTED_AT + LINES * KINDS  # [line, column]
TILED_POINTS_AT = TILED_AT + LINES * LINES
TILED_COLUMN_AT = TILED_POINTS_AT + 11  # [tiles in the column, fullest row]
ACTION_FEATURES = TILED_COLUMN_AT + LINES * (LINES + 1)


@helper
def board_features(board: Record, first: int, out: Ints, count: int) -> int:
    """Append the features of a seat's board to `count` others and return the new count."""
    for row in range(LINES):
        if board.row_mask[row]:
            for column in range(LINES):
                tile = as_int(board.wall[row, column])
                out[count] = first + WALL_AT + (row * LINES + column) * KINDS + tile - 1
                count += tile != 0
        if board.line_count[row]:
            place = (row * KINDS + as_int(board.line_colour[row])) * LINES
            out[count] = first + ON_LINES_AT + place + as_int(board.line_count[row]) - 1
            count += 1
    out[count] = first + ON_FLOOR_AT + as_int(board.floor_count)
    return count + 1


@helper
def source_features(game: Record, out: Ints, count: int) -> int:
    """Append the features of the sources to `count` others and return the new count."""
    for colour in range(KINDS):
        if game.holders[colour]:
            for source in range(factory_count(game.seats)):
                tiles = as_int(game.tiles[source, colour])
                out[count] = IN_FACTORY_AT + colour * TILES_A_FACTORY + tiles - 1  # overwritten by the next feature
                count += tiles != 0  # if there are no tiles
            if game.tiles[CENTRE, colour]:
                tiles = min(MAX_COUNTED, as_int(game.tiles[CENTRE, colour]))
                out[count] = IN_CENTRE_AT + colour * MAX_COUNTED + tiles - 1
                count += 1
    return count


@helper
def state_features(game: Record, out: Ints) -> int:
    """Write the features of a position for the seat to decide into `out` (MAX_FEATURES,) and return their number."""
    count, own, seats = 0, as_int(game.seat), as_int(game.seats)
    for k in range(seats):
        seat = (own + k) % seats
        count = board_features(game.boards[seat], k * OF_A_SEAT, out, count)
        if k:
            out[count] = LEAD_AT + k * LEADS + score_step(game, own, seat, 2, LEADS)
            count += 1
    count = source_features(game, out, count)
    token = as_int(game.start_token)
    out[count] = SCORE_AT + min(SCORES - 1, as_int(game.score[own]) // 4)
    out[count + 1] = TOKEN_AT if token == TOKEN_IN_CENTRE else TOKEN_AT + 1 + seats_between(game, own, token)
    groups, most = min(MAX_GROUPS, groups_to_take(game)), fullest_row(game)
    out[NOTE] = time = most * (MAX_GROUPS + 1) + groups
    out[count + 2] = TIME_AT + time
    out[count + 3] = SIDE_AT + as_int(game.variant)
    out[count + 4] = SEATS_AT + seats
    return count + 5


@helper
def use_to(board: Record, colour: int, tiles: int) -> int:
    """Return the best use of tiles of a colour for a seat.

    0: only its floor; 1: more than a line needs; 2: part of a line; 3: exactly a line.
    """
    best = 0
    for line in range(LINES):
        if board.open_to[colour] >> line & 1:
            lacking = line + 1 - as_int(board.line_count[line])
            best = max(best, 3 if lacking == tiles else 2 if lacking > tiles else 1)
    return best


@helper
def groups_for(game: Record, source: int, colour: int, lacking: int) -> int:
    """Return the number of other groups of the colour with at least `lacking` tiles, at most 3."""
    others, groups = as_int(game.holders[colour]) & ~(1 << source), 0
    while others and groups < 3:
        groups += as_int(game.tiles[place_of_bit(others, 0), colour]) >= lacking
        others &= others - 1
    return groups


@helper
def line_features(game: Record, source: int, colour: int, line: int, placed: int, out: Ints) -> int:
    """Write the features of a draft to a pattern line and return their number."""
    board, most = game.boards[game.seat], out[NOTE] // (MAX_GROUPS + 1)
    on_line = as_int(board.line_count[line])
    lacking = line + 1 - on_line - placed
    completed = 1 if lacking == 0 else 0
    out[0] = PLACED_AT + (line * LINES + on_line) * LINES + placed - 1
    column = likely_column(board, line, colour, game.variant, pack_masks(board.row_mask), pack_masks(board.column_mask))
    count = 1
    if column != LINES:
        points = points_of_tile(board, line, column)
        out[1] = COMPLETED_AT + line * 11 + points if completed else BEGUN_AT + lacking * 11 + points
        out[2] = COLUMN_AT + (completed * LINES + POPCOUNT[board.column_mask[column]]) * (LINES + 1) + most
        count = 3
    on_wall = 0
    for row in range(LINES):
        on_wall += as_int(board.row_colours[row]) >> colour & 1
    out[count] = COLOUR_AT + completed * (LINES + 1) + on_wall
    filled = POPCOUNT[board.row_mask[line]]
    out[count + 1] = ROW_AT + (completed * LINES + line) * (LINES + 1) + filled
    out[count + 2] = TO_COME_AT + lacking * 4 + groups_for(game, source, colour, max(1, lacking))
    out[count + 3] = PRINTED_AT + line * KINDS + colour
    return count + 4


@helper
def kind_of_source(game: Record, source: int, tiles: int) -> int:
    """Return 0 for the centre, 1 if it has the token, or 2 plus the remaining tiles of a factory, at most 3."""
    if source == CENTRE:
        return 1 if game.start_token == TOKEN_IN_CENTRE else 0
    rest = -tiles
    for other in range(KINDS):
        rest += as_int(game.tiles[source, other])
    return 2 + min(3, rest)


@helper
def draft_features(game: Record, source: int, colour: int, destination: int, out: Ints) -> int:
    """Write the features of a draft and return their number."""
    board, groups = game.boards[game.seat], out[NOTE] % (MAX_GROUPS + 1)
    tiles, floor_count = as_int(game.tiles[source, colour]), as_int(board.floor_count)
    fallen, result, count = tiles, 0, 0
    if destination != FLOOR:
        room = destination + 1 - as_int(board.line_count[destination])
        placed = min(tiles, room)
        fallen, result = tiles - placed, 1 + min(2, room - placed)
        count = line_features(game, source, colour, destination, placed, out)
    out[count] = FALLEN_AT + floor_count * (FLOOR_SPACES + 1) + min(FLOOR_SPACES, fallen)
    count += 1
    kind = kind_of_source(game, source, tiles)
    if kind == 1:
        out[count] = TOKEN_TAKEN_AT + floor_count
        count += 1
    following = game.boards[next_seat(game, game.seat)]
    out[count] = DENIED_AT + use_to(following, colour, tiles) * 6 + min(5, tiles)
    out[count + 1] = SOURCE_AT + kind * (MAX_GROUPS + 1) + groups
    out[count + 2] = RESULT_AT + result * (MAX_GROUPS + 1) + groups
    return count + 3


@helper
def tiling_features(game: Record, line: int, column: int, out: Ints) -> int:
    """Write the features of a tiling and return their number."""
    board = game.boards[game.seat]
    out[0] = TILED_AT + line * LINES + column
    out[1] = TILED_POINTS_AT + points_of_tile(board, line, column)
    out[2] = TILED_COLUMN_AT + POPCOUNT[board.column_mask[column]] * (LINES + 1)
    out[2] += out[NOTE] // (MAX_GROUPS + 1)
    return 3


@helper
def action_features(game: Record, action: int, out: Ints) -> int:
    """Write the features of an action of the seat to decide into `out` (MAX_FEATURES,) and return their number."""
    if action < FIRST_TILING:
        source, colour = action // (KINDS * DESTINATIONS), action // DESTINATIONS % KINDS
        return draft_features(game, source, colour, action % DESTINATIONS, out)
    return tiling_features(game, (action - FIRST_TILING) // LINES, (action - FIRST_TILING) % LINES, out)


PREFERENCE_FEATURES = PreferenceFeatures(state_features, action_features, (STATE_FEATURES, ACTION_FEATURES))
