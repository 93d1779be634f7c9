"""The rules of Azul. Order of play, and where it stands in the rulebook:

A. *Factory offer* (`stage` DRAFTING): the seat to decide takes all tiles of one colour from a source to a pattern
   line or the floor line; the move passes clockwise until no source holds a tile.
B. *Wall-tiling* (TILING): seat by seat from the token's holder, complete lines from top to bottom move a tile to
   the wall, each scored at once; then the floor penalty. On the grey side the owner chooses the column.
C. *Preparing the next round* (ENDING_ROUND, then drawing), or *end of the game* (COUNTING the bonuses).

B and C need decisions only on the grey side, so they are written as `settle`: a chain of single steps, each told,
that stops where a seat or chance has to decide.

Actions are ints: a draft is (source * 5 + colour) * 6 + destination, below FIRST_TILING; a tiling is
FIRST_TILING + line * 5 + column.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from service.rulesets.azul.components import (
    COLOURS,
    FLOOR_SPACES,
    LINES,
    POPCOUNT,
    PRINTED_COLUMN,
    ROUNDS_WITHOUT_TILE,
    TILES_A_FACTORY,
)
from service.rulesets.azul.scoring import end_bonus, pay_floor_penalty, points_of_tile
from service.rulesets.azul.state import (
    ALL_OPEN,
    CENTRE,
    COLOURED,
    COUNTING,
    DESTINATIONS,
    DRAFTING,
    ENDING_ROUND,
    FLOOR,
    NO_TILE_DEALT,
    NO_WALL_GAINED,
    ROW_COMPLETED,
    SOURCES,
    TILING,
    TOKEN,
    TOKEN_IN_CENTRE,
    factory_count,
    rule,
)
from service.rulesets.kernel import DECIDING, DRAWING, OVER, Ints, Record, State, below, draw, helper

KINDS = len(COLOURS)
FIRST_TILING = SOURCES * KINDS * DESTINATIONS  # 300
ACTIONS = FIRST_TILING + LINES * LINES
FULL_ROW = (1 << LINES) - 1
ALL_SOURCES = (1 << SOURCES) - 1

# reasons why an action is illegal; the index is what check() returns
REASONS = (
    "",
    "unknown_action",
    "game_over",
    "drawing",
    "not_drafting",
    "not_tiling",
    "source_empty",
    "colour_not_in_source",
    "line_full",
    "line_holds_other_colour",
    "wall_row_holds_colour",
    "wrong_line",
    "space_taken",
    "column_holds_colour",
)
UNKNOWN_ACTION, GAME_OVER, NOT_DECIDING, NOT_DRAFTING, NOT_TILING = range(1, 6)
SOURCE_EMPTY, COLOUR_NOT_IN_SOURCE, LINE_FULL, LINE_HOLDS_OTHER_COLOUR, WALL_ROW_HOLDS_COLOUR = range(6, 11)
WRONG_LINE, SPACE_TAKEN, COLUMN_HOLDS_COLOUR = range(11, len(REASONS))

# what settle() tells, in the lowest four bits; the seat, then four fields of eight bits follow
NOTHING, TILE_PLACED, LINE_FALLEN, FLOOR_PENALTY, ROUND_ENDED, END_BONUS, GAME_ENDED = range(7)


@helper
def told(kind: int, seat: int, first: int, second: int, third: int, fourth: int) -> int:
    """What settle() did, packed (decoded by effects.py)."""
    low, high = np.int64(first) | np.int64(second) << 8, np.int64(third) | np.int64(fourth) << 8
    return int(kind | np.int64(seat) << 4 | low << 8 | high << 24)


# ------------------------------------------------------------------------------------ A. factory offer


@helper
def next_seat(game: Record, seat: int) -> int:
    """Clockwise."""
    return (seat + 1) % game.seats


@helper
def no_source_holds_a_tile(game: Record) -> bool:
    """Whether drafting has ended."""
    return not (game.holders[0] | game.holders[1] | game.holders[2] | game.holders[3] | game.holders[4])


@helper
def take_tiles(game: Record, source: int, colour: int) -> int:
    """Take all tiles of the colour; what else lies in a factory goes to the centre. How many were taken."""
    taken = game.tiles[source, colour]
    game.tiles[source, colour] = 0
    elsewhere, centre = ALL_SOURCES ^ (1 << source), 1 << CENTRE
    game.holders[colour] &= elsewhere
    if source != CENTRE:
        for other in range(KINDS):
            if game.tiles[source, other]:
                game.tiles[CENTRE, other] += game.tiles[source, other]
                game.tiles[source, other] = 0
                game.holders[other] = (game.holders[other] & elsewhere) | centre
    return taken


@helper
def take_start_token(game: Record, seat: int) -> None:
    """The token goes to the leftmost free floor space; with a full floor it is held all the same."""
    game.start_token = seat
    board = game.boards[seat]
    if board.floor_count < FLOOR_SPACES:
        board.floor[board.floor_count] = TOKEN
        board.floor_count += 1


@helper
def drop(game: Record, board: Record, colour: int, count: int) -> int:
    """Tiles fall onto the floor line; what finds no space there goes to the box lid: how many of them."""
    fallen = min(count, FLOOR_SPACES - board.floor_count)
    for _ in range(fallen):
        board.floor[board.floor_count] = colour + 1
        board.floor_count += 1
    game.box_lid[colour] += count - fallen
    return count - fallen


@helper
def add_to_line(board: Record, line: int, colour: int, count: int) -> None:
    """Tiles go to a pattern line with room for them; it is closed to other colours, and to all when full."""
    board.line_colour[line] = colour
    board.line_count[line] += count
    elsewhere = ALL_OPEN ^ (1 << line)
    for other in range(KINDS):
        if other != colour or board.line_count[line] > line:
            board.open_to[other] &= elsewhere


@helper
def draft(game: Record, source: int, colour: int, destination: int) -> None:
    """One factory offer of the seat to decide; then the next seat, or wall-tiling from the token's holder on."""
    board = game.boards[game.seat]
    count = take_tiles(game, source, colour)
    if source == CENTRE and game.start_token == TOKEN_IN_CENTRE:
        take_start_token(game, game.seat)
    if destination != FLOOR:
        placed = min(count, destination + 1 - board.line_count[destination])
        add_to_line(board, destination, colour, placed)
        count -= placed
    drop(game, board, colour, count)
    if no_source_holds_a_tile(game):
        game.stage = TILING
        game.seat = starter(game)
    else:
        game.seat = next_seat(game, game.seat)


@helper
def starter(game: Record) -> int:
    """Who begins wall-tiling and the next round: the token's holder; if nobody took it, who started this round."""
    if game.start_token == TOKEN_IN_CENTRE:
        return game.start_seat
    return game.start_token


# -------------------------------------------------------------------------------------- B. wall-tiling


@helper
def line_to_tile(board: Record) -> int:
    """The topmost complete pattern line; LINES if there is none."""
    line = 0
    while line < LINES and board.line_count[line] <= line:
        line += 1
    return line


@helper
def columns_for(board: Record, row: int, colour: int) -> int:
    """Mask of the columns of a grey wall row that may take the colour."""
    columns = 0
    if not board.row_colours[row] >> colour & 1:
        for column in range(LINES):
            if not (board.row_mask[row] >> column | board.column_colours[column] >> colour) & 1:
                columns |= 1 << column
    return columns


@helper
def clear_line(board: Record, line: int) -> None:
    """The line is empty again, and open to the colours that its wall row lacks."""
    board.line_colour[line] = 0
    board.line_count[line] = 0
    for colour in range(KINDS):
        if not board.row_colours[line] >> colour & 1:
            board.open_to[colour] |= 1 << line


@helper
def move_to_wall(game: Record, line: int, column: int) -> int:
    """A complete line of the seat to decide is tiled: one tile to the wall, the others to the lid. Its points."""
    board = game.boards[game.seat]
    colour = board.line_colour[line]
    board.wall[line, column] = colour + 1
    board.row_mask[line] |= 1 << column
    board.column_mask[column] |= 1 << line
    board.row_colours[line] |= 1 << colour
    board.column_colours[column] |= 1 << colour
    game.box_lid[colour] += line
    clear_line(board, line)
    game.wall_gained_tile = 1
    points = points_of_tile(board, line, column)
    game.score[game.seat] += points
    return points


@helper
def settle_board(game: Record) -> int:
    """The next step of wall-tiling for the seat to decide; NOTHING where it has a column to choose."""
    seat = game.seat
    board = game.boards[seat]
    line = line_to_tile(board)
    if line == LINES:
        spaces = board.floor_count
        lost = pay_floor_penalty(game, seat)
        if next_seat(game, seat) == starter(game):
            game.stage = ENDING_ROUND
        game.seat = next_seat(game, seat)
        return told(FLOOR_PENALTY, seat, spaces, lost, 0, 0)
    colour = board.line_colour[line]
    if game.variant == COLOURED:
        column = PRINTED_COLUMN[colour, line]
        return told(TILE_PLACED, seat, line, column, colour, move_to_wall(game, line, column))
    if columns_for(board, line, colour):
        game.status = DECIDING
        return NOTHING
    clear_line(board, line)
    lost = drop(game, board, colour, line + 1)
    return told(LINE_FALLEN, seat, line, colour, line + 1, lost)


# ------------------------------------------------------------- C. next round, or the end of the game


@helper
def end_round(game: Record) -> int:
    """After the last floor penalty: does the game end? Else the next deal is to be drawn."""
    if game.wall_gained_tile:
        game.rounds_without_tile = 0
    else:
        game.rounds_without_tile += 1
    game.wall_gained_tile = 0
    game.stage = DRAFTING
    game.status = DRAWING
    game.seat = 0
    for seat in range(game.seats):
        for row in range(LINES):
            if game.boards[seat].row_mask[row] == FULL_ROW:
                game.reason_of_end = ROW_COMPLETED
    if not game.reason_of_end and game.rounds_without_tile == ROUNDS_WITHOUT_TILE:
        game.reason_of_end = NO_WALL_GAINED
    if game.reason_of_end:
        game.stage = COUNTING
    return told(ROUND_ENDED, 0, game.round_number & 255, game.round_number >> 8, 0, 0)


@helper
def count_bonus(game: Record) -> int:
    """The end bonus of the next seat in turn; after the last, the game is over."""
    seat = game.seat
    if seat == game.seats:
        game.stage = DRAFTING
        game.status = OVER
        game.seat = 0
        return told(GAME_ENDED, 0, game.reason_of_end, 0, 0, 0)
    rows, columns, colours, points = end_bonus(game.boards[seat])
    game.score[seat] += points
    game.seat += 1
    return told(END_BONUS, seat, rows, columns, colours, points)


@rule
def settle(game: Record) -> int:
    """The next thing that follows by itself, packed; 0 where a seat or chance decides, or nobody any more."""
    if game.stage == TILING:
        return settle_board(game)
    if game.stage == ENDING_ROUND:
        return end_round(game)
    if game.stage == COUNTING:
        return count_bonus(game)
    return NOTHING


# ------------------------------------------------------------------------------------------- decisions


@rule
def act(game: Record, action: int) -> None:
    """The decision alone: a draft, or one tile to a grey wall."""
    if action < FIRST_TILING:
        draft(game, action // (KINDS * DESTINATIONS), action // DESTINATIONS % KINDS, action % DESTINATIONS)
    else:
        move_to_wall(game, (action - FIRST_TILING) // LINES, (action - FIRST_TILING) % LINES)


@rule
def apply(game: Record, action: int) -> None:
    """A decision and all that follows by itself."""
    act(game, action)
    while settle(game):
        pass


@helper
def check_draft(game: Record, source: int, colour: int, destination: int) -> int:
    """Why the seat to decide may not draft so, or 0."""
    if game.stage != DRAFTING:
        return NOT_DRAFTING
    if not game.tiles[source].any():
        return SOURCE_EMPTY
    if game.tiles[source, colour] == 0:
        return COLOUR_NOT_IN_SOURCE
    if destination == FLOOR:
        return 0
    board = game.boards[game.seat]
    if board.line_count[destination] > destination:
        return LINE_FULL
    if board.line_count[destination] and board.line_colour[destination] != colour:
        return LINE_HOLDS_OTHER_COLOUR
    if board.row_colours[destination] >> colour & 1:
        return WALL_ROW_HOLDS_COLOUR
    return 0


@helper
def check_tiling(game: Record, line: int, column: int) -> int:
    """Why the seat to decide may not tile so, or 0."""
    if game.stage != TILING:
        return NOT_TILING
    board = game.boards[game.seat]
    if line != line_to_tile(board):
        return WRONG_LINE
    if board.row_mask[line] >> column & 1:
        return SPACE_TAKEN
    if board.column_colours[column] >> board.line_colour[line] & 1:
        return COLUMN_HOLDS_COLOUR
    return 0  # a line's row never holds its colour: drafting saw to that


@rule
def check(game: Record, action: int) -> int:
    """Why the action is illegal: an index into REASONS; 0 = legal."""
    if not 0 <= action < ACTIONS:
        return UNKNOWN_ACTION
    if game.status == OVER:
        return GAME_OVER
    if game.status == DRAWING:
        return NOT_DECIDING
    if action < FIRST_TILING:
        return check_draft(
            game, action // (KINDS * DESTINATIONS), action // DESTINATIONS % KINDS, action % DESTINATIONS
        )
    return check_tiling(game, (action - FIRST_TILING) // LINES, (action - FIRST_TILING) % LINES)


@rule
def legal_actions(game: Record, out: Ints) -> int:
    """By source, colour, destination; or by column."""
    count = 0
    if game.status != DECIDING:
        return 0
    board = game.boards[game.seat]
    if game.stage == TILING:
        line = line_to_tile(board)
        columns = columns_for(board, line, board.line_colour[line])
        for column in range(LINES):
            if columns >> column & 1:
                out[count] = FIRST_TILING + line * LINES + column
                count += 1
        return count
    for source in range(SOURCES):
        for colour in range(KINDS):
            if game.holders[colour] >> source & 1:
                for destination in range(DESTINATIONS):
                    if board.open_to[colour] >> destination & 1:
                        out[count] = (source * KINDS + colour) * DESTINATIONS + destination
                        count += 1
    return count


@helper
def place_of_bit(mask: Any, rank: int) -> int:
    """Where the one of that rank stands in a mask: rank 0 is the lowest."""
    for _ in range(rank):
        mask &= mask - 1
    return POPCOUNT[(mask & -mask) - 1]


@rule
def random_action(game: Record, rng: State) -> int:
    """Each legal action equally likely (the seat has one: status is DECIDING)."""
    board = game.boards[game.seat]
    if game.stage == TILING:
        line = line_to_tile(board)
        columns = columns_for(board, line, board.line_colour[line])
        return FIRST_TILING + line * LINES + place_of_bit(columns, below(rng, POPCOUNT[columns]))
    total = 0
    for colour in range(KINDS):
        total += POPCOUNT[game.holders[colour]] * POPCOUNT[board.open_to[colour]]
    rest = below(rng, total)
    colour = 0
    here = POPCOUNT[game.holders[0]] * POPCOUNT[board.open_to[0]]
    while rest >= here:
        rest -= here
        colour += 1
        here = POPCOUNT[game.holders[colour]] * POPCOUNT[board.open_to[colour]]
    destinations = POPCOUNT[board.open_to[colour]]
    source = place_of_bit(np.int64(game.holders[colour]), rest // destinations)
    destination = place_of_bit(np.int64(board.open_to[colour]), rest % destinations)
    return (source * KINDS + colour) * DESTINATIONS + destination


# ---------------------------------------------------------------------------------------------- chance


@rule
def sample(game: Record, rng: State, out: Ints) -> int:
    """The first seat, alone, where it is still to be drawn; else the tiles of a deal, in the order drawn."""
    if game.start_seat < 0:
        out[0] = below(rng, game.seats)
        return 1
    bag, lid = game.bag.astype(np.int64), game.box_lid.astype(np.int64)
    left = bag.sum()
    count = 0
    while count < TILES_A_FACTORY * factory_count(game.seats):
        if left == 0:  # not earlier
            bag, lid = lid, bag
            left = bag.sum()
            if left == 0:
                break
        out[count] = draw(rng, bag, left)
        bag[out[count]] -= 1
        left -= 1
        count += 1
    return count


@rule
def check_draw(game: Record, drawn: Ints) -> int:
    """0 if chance could bring this now, in this order; 1 if not."""
    if game.status != DRAWING:
        return 1
    if game.start_seat < 0:
        return 0 if len(drawn) == 1 and 0 <= drawn[0] < game.seats else 1
    bag, lid = game.bag.astype(np.int64), game.box_lid.astype(np.int64)
    if len(drawn) != min(TILES_A_FACTORY * factory_count(game.seats), bag.sum() + lid.sum()):
        return 1
    for tile in drawn:
        if not 0 <= tile < KINDS:
            return 1
        if bag.sum() == 0:
            bag, lid = lid, bag
        if bag[tile] == 0:
            return 1
        bag[tile] -= 1
    return 0


@rule
def lay(game: Record, drawn: Ints) -> None:
    """The first seat is known; or the factories are filled in order and drafting begins."""
    if game.start_seat < 0:
        game.start_seat = drawn[0]
        return
    if len(drawn) == 0:  # without this ruling the game would never end
        game.reason_of_end = NO_TILE_DEALT
        game.stage = COUNTING
        game.seat = 0
        return
    left = game.bag.sum()
    for i in range(len(drawn)):
        if left == 0:
            game.bag[:] = game.box_lid
            game.box_lid[:] = 0
            left = game.bag.sum()
        game.bag[drawn[i]] -= 1
        left -= 1
        factory = i // TILES_A_FACTORY
        game.tiles[factory, drawn[i]] += 1
        game.holders[drawn[i]] |= 1 << factory
    game.start_seat = starter(game)
    game.start_token = TOKEN_IN_CENTRE
    game.round_number += 1
    game.seat = game.start_seat
    game.status = DECIDING


@rule
def deal(game: Record, drawn: Ints) -> None:
    """A draw and all that follows by itself."""
    lay(game, drawn)
    while settle(game):
        pass


assert len(POPCOUNT) > ALL_OPEN  # noqa: S101 - the table is large enough for both kinds of mask
