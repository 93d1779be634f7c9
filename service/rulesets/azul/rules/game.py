"""The rules of Azul. Order of play by the rulebook's headings:

A. *Factory offer* (`stage` DRAFTING): the seat to decide takes all tiles of one colour from a source to a pattern
   line or the floor line. Play passes clockwise until no source holds a tile.
B. *Wall-tiling* (TILING): seat by seat, beginning with the token's holder, complete lines from top to bottom move a
   tile to the wall. Each scores at once. Then the floor penalty follows. On the grey side the owner chooses the column.
C. *Preparing the next round* (ENDING_ROUND, then drawing), or *end of the game* (COUNTING the bonuses).

B and C need decisions only on the grey side. They are implemented in `settle`, a chain of single steps that stops when
a seat or chance has to decide.

Actions are integers. A draft is (source * 5 + colour) * 6 + destination, below FIRST_TILING. A tiling is
FIRST_TILING + line * 5 + column.
"""

from __future__ import annotations

import numpy as np

from service.rulesets.azul.rules.components import LINES, ROUNDS_WITHOUT_TILE
from service.rulesets.azul.rules.drafting import check_draft, draft
from service.rulesets.azul.rules.scoring import end_bonus
from service.rulesets.azul.rules.state import (
    ALL_OPEN,
    COUNTING,
    DESTINATIONS,
    DRAFTING,
    ENDING_ROUND,
    FULL_ROW,
    KINDS,
    NO_TILE_DEALT,
    NO_WALL_GAINED,
    ROW_COMPLETED,
    TILING,
    rule,
)
from service.rulesets.azul.rules.steps import Effect
from service.rulesets.azul.rules.tiling import check_tiling, columns_for, line_to_tile, move_to_wall, settle_board
from service.rulesets.kernel import DECIDING, DRAWING, OVER, Ints, Record, RngState, as_int, helper, random_below
from service.rulesets.parts.bag import is_possible_draw, remove_drawn, sample_tiles
from service.rulesets.parts.factories import (
    SOURCES,
    TILES_A_FACTORY,
    TOKEN_IN_CENTRE,
    factory_count,
    fill_factories,
    starter,
)
from service.rulesets.parts.masks import POPCOUNT, place_of_bit
from service.rulesets.parts.steps import NOTHING_FOLLOWS, CommonReason, check_deciding, pack_effect
from service.rulesets.parts.turns import NO_SEAT, is_possible_first_seat, sample_first_seat

FIRST_TILING = SOURCES * KINDS * DESTINATIONS  # 300
ACTION_COUNT = FIRST_TILING + LINES * LINES


# ------------------------------------------------------------- C. next round, or the end of the game


@helper
def end_round(game: Record) -> int:
    """End the round after the last floor penalty: the game ends, or the next deal is due."""
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
    return pack_effect(Effect.ROUND_ENDED, game.round_number)


@helper
def count_bonus(game: Record) -> int:
    """Score the end bonus of the next seat. After the last seat the game is over."""
    seat = game.seat
    if seat == game.seats:
        game.stage = DRAFTING
        game.status = OVER
        game.seat = 0
        return pack_effect(Effect.GAME_ENDED, game.reason_of_end)
    rows, columns, colours, points = end_bonus(game.boards[seat])
    game.score[seat] += points
    game.seat += 1
    return pack_effect(Effect.END_BONUS, seat, rows, columns, colours, points)


@rule
def settle(game: Record) -> int:
    """Perform the next automatic step and return its packed effect, or 0 if there is none."""
    if game.stage == TILING:
        return settle_board(game)
    if game.stage == ENDING_ROUND:
        return end_round(game)
    if game.stage == COUNTING:
        return count_bonus(game)
    return NOTHING_FOLLOWS


# ------------------------------------------------------------------------------------------- decisions


@rule
def act(game: Record, action: int) -> None:
    """Perform only the decision: a draft, or the tiling of one tile on a grey wall."""
    if action < FIRST_TILING:
        draft(game, action // (KINDS * DESTINATIONS), action // DESTINATIONS % KINDS, action % DESTINATIONS)
    else:
        move_to_wall(game, (action - FIRST_TILING) // LINES, (action - FIRST_TILING) % LINES)


@rule
def check(game: Record, action: int) -> int:
    """Return the reason (steps.py) why the action is illegal, or 0."""
    if not 0 <= action < ACTION_COUNT:
        return CommonReason.UNKNOWN_ACTION
    if game.status != DECIDING:
        return check_deciding(game)
    if action < FIRST_TILING:
        return check_draft(
            game, action // (KINDS * DESTINATIONS), action // DESTINATIONS % KINDS, action % DESTINATIONS
        )
    return check_tiling(game, (action - FIRST_TILING) // LINES, (action - FIRST_TILING) % LINES)


@rule
def check_listed(game: Record, action: int) -> int:
    """Return 0 if the action is legal; all legal actions are listed.

    Faster than `check`, because reasons do not matter.
    """
    if game.stage != DRAFTING or not 0 <= action < FIRST_TILING or game.status != DECIDING:
        return check(game, action)
    source, colour = action // (KINDS * DESTINATIONS), action // DESTINATIONS % KINDS
    open_to = as_int(game.boards[game.seat].open_to[colour])
    return 1 - (as_int(game.holders[colour]) >> source & open_to >> action % DESTINATIONS & 1)


@rule
def legal_actions(game: Record, out: Ints) -> int:
    """List the legal actions by source, colour and destination, or by column."""
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
                first, open_to = (source * KINDS + colour) * DESTINATIONS, as_int(board.open_to[colour])
                for destination in range(DESTINATIONS):
                    out[count] = first + destination  # overwritten by the next action if it is illegal
                    count += open_to >> destination & 1
    return count


@rule
def random_action(game: Record, rng: RngState) -> int:
    """Return a random legal action; all are equally likely. There must be one: status is DECIDING."""
    board = game.boards[game.seat]
    if game.stage == TILING:
        line = line_to_tile(board)
        columns = columns_for(board, line, board.line_colour[line])
        return FIRST_TILING + line * LINES + place_of_bit(columns, random_below(rng, POPCOUNT[columns]))
    total = 0
    for colour in range(KINDS):
        total += POPCOUNT[game.holders[colour]] * POPCOUNT[board.open_to[colour]]
    rest = random_below(rng, total)
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
def sample(game: Record, rng: RngState, out: Ints) -> int:
    """Sample the first seat if it is still unknown, else the tiles of a deal in the order drawn."""
    if game.start_seat == NO_SEAT:
        return sample_first_seat(game, rng, out)
    return sample_tiles(game.bag, game.box_lid, TILES_A_FACTORY * factory_count(game.seats), rng, out)


@rule
def check_draw(game: Record, drawn: Ints) -> int:
    """Return 0 if the draw is possible now, in this order, else 1."""
    if game.status != DRAWING:
        return 1
    if game.start_seat == NO_SEAT:
        return 0 if is_possible_first_seat(game, drawn) else 1
    needed = TILES_A_FACTORY * factory_count(game.seats)
    return 0 if is_possible_draw(game.bag, game.box_lid, needed, drawn) else 1


@rule
def apply_draw(game: Record, drawn: Ints) -> None:
    """Set the first seat, or fill the factories in order and begin the round."""
    if game.start_seat == NO_SEAT:
        game.start_seat = drawn[0]
        return
    if len(drawn) == 0:  # without this ruling the game would never end
        game.reason_of_end = NO_TILE_DEALT
        game.stage = COUNTING
        game.seat = 0
        return
    remove_drawn(game.bag, game.box_lid, drawn)
    fill_factories(game, drawn)
    game.start_seat = starter(game)
    game.start_token = TOKEN_IN_CENTRE
    game.round_number += 1
    game.seat = game.start_seat
    game.status = DECIDING


assert len(POPCOUNT) > ALL_OPEN  # noqa: S101 - the table is large enough for both kinds of mask
