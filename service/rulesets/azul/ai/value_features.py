"""Features of an Azul position between two rounds for the value network."""

from __future__ import annotations

from service.rulesets.azul.ai.evaluation import fullest_row, likely_column, pack_masks
from service.rulesets.azul.rules.components import LINES, TILES_A_COLOUR
from service.rulesets.azul.rules.scoring import points_of_tile
from service.rulesets.azul.rules.state import FULL_ROW, GREY, KINDS
from service.rulesets.kernel import Ints, Record, as_int, helper
from service.rulesets.networks.network import ValueFeatures, score_step
from service.rulesets.parts.masks import POPCOUNT
from service.rulesets.parts.turns import seats_between
from service.rulesets.seats import MAX_SEATS

MASK_COUNT = FULL_ROW + 1
POINTS = 11  # possible points of a tile, plus one
POINT_LEADS = 61  # points, around 0
ROUNDS_COUNTED = 25  # current round, or more
MAX_NEEDED = 20  # tiles, or more

# First number of each kind of feature. For a board:
ROW_FROM = 0  # [row, mask]
COLUMN_FROM = ROW_FROM + LINES * MASK_COUNT  # [column, mask]
COLOUR_FROM = COLUMN_FROM + LINES * MASK_COUNT  # [colour, tiles on the wall]
ON_LINE_FROM = COLOUR_FROM + KINDS * (LINES + 1)  # [line, colour, tiles - 1]
LINE_POINTS_FROM = ON_LINE_FROM + LINES * KINDS * LINES  # [line, tiles lacking, points of its tile]
WALL_FROM = LINE_POINTS_FROM + LINES * (LINES + 1) * POINTS  # [row, column, colour]: of the grey side
ROW_LINE_FROM = WALL_FROM + LINES * LINES * KINDS  # [row, mask, tiles on its line]
COLUMN_NEEDS_FROM = ROW_LINE_FROM + LINES * MASK_COUNT * LINES  # [column, tiles in it, tiles needed to complete it]
COLOUR_NEEDS_FROM = COLUMN_NEEDS_FROM + LINES * LINES * (MAX_NEEDED + 1)  # [colour, on the wall, tiles needed]
A_BOARD = COLOUR_NEEDS_FROM + KINDS * LINES * (MAX_NEEDED + 1)
# For the table, after the boards of the seat in question and of the other seats:
LEAD_FROM = 2 * A_BOARD  # [seat, points ahead of it]
TOKEN_FROM = LEAD_FROM + MAX_SEATS * POINT_LEADS  # [seat]
TIME_FROM = TOKEN_FROM + MAX_SEATS  # [fullest row of all walls, side, round]
SEATS_FROM = TIME_FROM + (LINES + 1) * 2 * ROUNDS_COUNTED
BAG_FROM = SEATS_FROM + MAX_SEATS + 1  # [colour, tiles of it in the bag]
FEATURE_COUNT = BAG_FROM + KINDS * (TILES_A_COLOUR + 1)


@helper
def needs(board: Record, column: int, variant: int, rows: int, columns: int) -> tuple[int, int]:
    """Return the tiles that lines need to complete a column, and the colour of the same number.

    Started lines count first.
    """
    for_column = for_colour = 0
    for row in range(LINES):
        tiles, own = as_int(board.line_count[row]), as_int(board.line_colour[row])
        new, started = row + 1, row + 1 - tiles
        if not as_int(board.row_mask[row]) >> column & 1:
            fits = tiles == 0 or likely_column(board, row, own, variant, rows, columns) == column
            for_column += started if fits else started + new
        if not as_int(board.row_colours[row]) >> column & 1:
            for_colour += started if tiles == 0 or own == column else started + new
    return min(MAX_NEEDED, for_column), min(MAX_NEEDED, for_colour)


@helper
def pattern_features(board: Record, variant: int, rows: int, columns: int, first: int, out: Ints, count: int) -> int:
    """Append the features of rows, columns and colours to `count` others and return the new count."""
    for k in range(LINES):
        row, column, on_wall = as_int(board.row_mask[k]), as_int(board.column_mask[k]), 0
        for other in range(LINES):
            on_wall += as_int(board.row_colours[other]) >> k & 1
        out[count] = first + ROW_FROM + k * MASK_COUNT + row
        out[count + 1] = first + ROW_LINE_FROM + (k * MASK_COUNT + row) * LINES + as_int(board.line_count[k])
        out[count + 2] = first + COLUMN_FROM + k * MASK_COUNT + column
        out[count + 3] = first + COLOUR_FROM + k * (LINES + 1) + on_wall
        count += 4
        for_column, for_colour = needs(board, k, variant, rows, columns)
        if column != FULL_ROW:
            place = (k * LINES + as_int(POPCOUNT[column])) * (MAX_NEEDED + 1)
            out[count] = first + COLUMN_NEEDS_FROM + place + for_column
            count += 1
        if on_wall < LINES:
            out[count] = first + COLOUR_NEEDS_FROM + (k * LINES + on_wall) * (MAX_NEEDED + 1) + for_colour
            count += 1
    return count


@helper
def board_features(board: Record, variant: int, first: int, out: Ints, count: int) -> int:
    """Append the features of a board to `count` others and return the new count."""
    rows, columns = pack_masks(board.row_mask), pack_masks(board.column_mask)
    count = pattern_features(board, variant, rows, columns, first, out, count)
    for line in range(LINES):
        tiles = as_int(board.line_count[line])
        if tiles:
            colour = as_int(board.line_colour[line])
            out[count] = first + ON_LINE_FROM + (line * KINDS + colour) * LINES + tiles - 1
            count += 1
            column = likely_column(board, line, colour, variant, rows, columns)
            if column != LINES:
                points = points_of_tile(board, line, column)
                out[count] = first + LINE_POINTS_FROM + (line * (LINES + 1) + line + 1 - tiles) * POINTS + points
                count += 1
        if variant == GREY:
            for column in range(LINES):
                if board.wall[line, column]:
                    place = (line * LINES + column) * KINDS + as_int(board.wall[line, column]) - 1
                    out[count] = first + WALL_FROM + place
                    count += 1
    return count


@helper
def seat_features(game: Record, seat: int, out: Ints) -> int:
    """Write the features of a position from a seat's perspective into `out` (MAX_FEATURES,) and return their number."""
    count, seats, variant = 0, as_int(game.seats), as_int(game.variant)
    for k in range(seats):
        other = (seat + k) % seats
        count = board_features(game.boards[other], variant, A_BOARD if k else 0, out, count)
        if k:
            out[count] = LEAD_FROM + k * POINT_LEADS + score_step(game, seat, other, 1, POINT_LEADS)
            count += 1
    time = (fullest_row(game) * 2 + variant) * ROUNDS_COUNTED + min(ROUNDS_COUNTED - 1, as_int(game.round_number))
    out[count] = TOKEN_FROM + seats_between(game, seat, game.start_token)
    out[count + 1] = TIME_FROM + time
    out[count + 2] = SEATS_FROM + seats
    count += 3
    for colour in range(KINDS):
        out[count + colour] = BAG_FROM + colour * (TILES_A_COLOUR + 1) + as_int(game.bag[colour])
    return count + KINDS


VALUE_FEATURES = ValueFeatures(seat_features, FEATURE_COUNT)
