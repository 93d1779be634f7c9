"""What the value network sees of an Azul position between two rounds, as numbers of features."""

from __future__ import annotations

from service.rulesets.azul.ai.evaluation import fullest_row, likely_column, packed
from service.rulesets.azul.rules.components import LINES
from service.rulesets.azul.rules.scoring import points_of_tile
from service.rulesets.azul.rules.state import FULL_ROW, GREY, KINDS
from service.rulesets.kernel import Ints, Record, as_int, helper
from service.rulesets.network import ValueFeatures, score_step
from service.rulesets.seats import MOST_SEATS
from service.rulesets.turns import seats_between

MASK_COUNT = FULL_ROW + 1
POINTS = 11  # a tile brings, and one more
POINT_LEADS = 61  # of points, around even
ROUNDS_COUNTED = 25  # in which the game is, or more

# Where each kind of feature begins. Of each seat, the one that is asked for first:
ROW_FROM = 0  # [row, mask]
COLUMN_FROM = ROW_FROM + LINES * MASK_COUNT  # [column, mask]
COLOUR_FROM = COLUMN_FROM + LINES * MASK_COUNT  # [colour, tiles on the wall]
ON_LINE_FROM = COLOUR_FROM + KINDS * (LINES + 1)  # [line, colour, tiles - 1]
LINE_POINTS_FROM = ON_LINE_FROM + LINES * KINDS * LINES  # [line, tiles lacking, points of its tile]
WALL_FROM = LINE_POINTS_FROM + LINES * (LINES + 1) * POINTS  # [row, column, colour]: of the grey side
A_SEAT = WALL_FROM + LINES * LINES * KINDS
# Of the table:
LEAD_FROM = MOST_SEATS * A_SEAT  # [seat, points ahead of it]
TOKEN_FROM = LEAD_FROM + MOST_SEATS * POINT_LEADS  # [seat]
TIME_FROM = TOKEN_FROM + MOST_SEATS  # [fullest row of all walls, side, round]
SEATS_FROM = TIME_FROM + (LINES + 1) * 2 * ROUNDS_COUNTED
FEATURE_COUNT = SEATS_FROM + MOST_SEATS + 1


@helper
def board_features(board: Record, variant: int, first: int, out: Ints, count: int) -> int:
    """Of a seat's board, after `count` others; how many there are then."""
    rows, columns = packed(board.row_mask), packed(board.column_mask)
    for k in range(LINES):
        out[count] = first + ROW_FROM + k * MASK_COUNT + as_int(board.row_mask[k])
        out[count + 1] = first + COLUMN_FROM + k * MASK_COUNT + as_int(board.column_mask[k])
        on_wall = 0
        for row in range(LINES):
            on_wall += as_int(board.row_colours[row]) >> k & 1
        out[count + 2] = first + COLOUR_FROM + k * (LINES + 1) + on_wall
        count += 3
        tiles = as_int(board.line_count[k])
        if tiles:
            colour = as_int(board.line_colour[k])
            out[count] = first + ON_LINE_FROM + (k * KINDS + colour) * LINES + tiles - 1
            count += 1
            column = likely_column(board, k, colour, variant, rows, columns)
            if column != LINES:
                points = points_of_tile(board, k, column)
                out[count] = first + LINE_POINTS_FROM + (k * (LINES + 1) + k + 1 - tiles) * POINTS + points
                count += 1
        if variant == GREY:
            for column in range(LINES):
                if board.wall[k, column]:
                    out[count] = first + WALL_FROM + (k * LINES + column) * KINDS + as_int(board.wall[k, column]) - 1
                    count += 1
    return count


@helper
def seat_features(game: Record, seat: int, out: Ints) -> int:
    """Into `out` (MOST_FEATURES,); how many. Of the position as a seat sees it."""
    count, seats, variant = 0, as_int(game.seats), as_int(game.variant)
    for k in range(seats):
        other = (seat + k) % seats
        count = board_features(game.boards[other], variant, k * A_SEAT, out, count)
        if k:
            out[count] = LEAD_FROM + k * POINT_LEADS + score_step(game, seat, other, 1, POINT_LEADS)
            count += 1
    time = (fullest_row(game) * 2 + variant) * ROUNDS_COUNTED + min(ROUNDS_COUNTED - 1, as_int(game.round_number))
    out[count] = TOKEN_FROM + seats_between(game, seat, game.start_token)
    out[count + 1] = TIME_FROM + time
    out[count + 2] = SEATS_FROM + seats
    return count + 3


VALUE_FEATURES = ValueFeatures(seat_features, FEATURE_COUNT)
